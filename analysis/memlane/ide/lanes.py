"""The lanes of a function for clients that draw: what `memlane lanes` shows, as values with places in the text.

A step is an op that makes, uses or frees a buffer, or that holds such ops in its regions; steps follow the text. Ranges
of steps are half-open. Everything here can be sent to another process, and moved when text before it changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any, TypeVar, cast

from memlane.findings import Certainty, Span
from memlane.flow.peak.peak import Amounts
from memlane.flow.symbolic.amounts import Amount
from memlane.flow.symbolic.amounts import text as text_of
from memlane.flow.symbolic.scalar import operands
from memlane.format import expression, known, shown
from memlane.ide.symbol_mentions import written
from memlane.lanes.lane_layout import Lane, LaneColumns, card_of, drawn, lane_of, note_of, packed
from memlane.memory_report import Site, Usage
from memlane.syntax.tree.tree import Op
from memlane.text import Text

T = TypeVar("T")


class BufferState(Enum):
    """What a buffer is during some steps."""

    IN_USE = "in-use"
    HELD = "held"
    """Used no more, not freed yet."""
    LEAKED = "leaked"
    HANDED_OVER = "handed-over"
    """Returned, kept, or given to a function that frees it: not owned here any more."""


@dataclass(frozen=True, slots=True)
class Bytes:
    """An amount of memory.

    Args:
        number: None where it is not known; then `expression` says it (`4*%n`, `unbounded`).
        drawn: the number to draw it with; None: it has no bound.
        words: for people.
    """

    number: int | None
    expression: str | None
    drawn: int | None
    words: str


@dataclass(frozen=True, slots=True)
class LaneStep:
    """A column. `span` is of the op's name; `live` is what lives after it on the path where that is most.

    Args:
        inside: of a call, the most that lives in the functions that it calls, by their names in `callees`, besides the
            buffers of this function; `live` has it, too.
    """

    op: str
    span: Span
    live: Bytes
    inside: Bytes | None = None
    callees: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """An op (its name) that does something to a buffer, at a step."""

    step: int
    span: Span


@dataclass(frozen=True, slots=True)
class LaneFree:
    """A deallocation. `late`: by how many operations it comes late; `after`: the op it could follow."""

    step: int
    span: Span
    late: int
    after: Span | None


@dataclass(frozen=True, slots=True)
class LaneSegment:
    """Steps `start` to `stop` (exclusive) of a buffer; `certainty`: on all paths that get there, or some."""

    start: int
    stop: int
    state: BufferState
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class BufferLane:
    """One buffer.

    Args:
        span: of the name it is allocated by.
        size: None where the type does not tell.
        resource: what frees it (`heap`, ...); `space`: the memory it lies in.
        row: counted from the top; buffers of one row do not overlap.
        segments: its life, without gaps.
        aliases: how many other names it may have.
        at_peak: it lives where the function's peak is.
        card: lines for people; a place in one stands for its line.
    """

    name: str
    type: str | None
    span: Span
    size: Bytes | None
    resource: str
    space: str
    row: int
    uses: tuple[Mention, ...]
    frees: tuple[LaneFree, ...]
    segments: tuple[LaneSegment, ...]
    leak: Certainty | None
    aliases: int
    at_peak: bool
    card: tuple[tuple[str | Span, ...], ...]


@dataclass(frozen=True, slots=True)
class LaneRegion:
    """Steps `start` to `stop` (exclusive) that lie in a region; `alternate`: it follows another of the same op."""

    label: str
    depth: int
    start: int
    stop: int
    alternate: bool


@dataclass(frozen=True, slots=True)
class FunctionLanes:
    """One function.

    Args:
        span, name_span: of the function and of its symbol.
        peak_step: None where nothing lives.
        exact: some execution that the models allow reaches the peak; else it is an upper bound.
        note: what readers have to know about the numbers, or empty.
        unknowns: the dimensions that the text leaves open, as `assume.sizes` names them.
    """

    name: str
    span: Span
    name_span: Span
    steps: tuple[LaneStep, ...]
    regions: tuple[LaneRegion, ...]
    buffers: tuple[BufferLane, ...]
    rows: int
    peak: Bytes
    peak_step: int | None
    ideal: Bytes
    exact: bool
    note: str
    unknowns: tuple[str, ...] = ()


def lanes_of(usage: Usage, text: Text) -> FunctionLanes:
    """The lanes of one function."""
    places = LaneColumns(usage, text)
    owned = {_key(site): site for site in usage.sites if site.life.origin.owned}
    rows = packed([lane_of(site, places) for site in owned.values()])
    op, where = usage.flow.op, usage.peak.where
    return FunctionLanes(
        usage.flow.name,
        op.span,
        written(text.source, op),
        tuple(_step(usage, op, live) for op, live in zip(places.columns, places.curve, strict=True)),
        tuple(LaneRegion(b.label, b.depth, b.start, b.end + 1, b.alternate) for b in places.bands()),
        tuple(_buffer(owned[lane.name, lane.place], lane, places, usage) for lane in rows),
        max((lane.row for lane in rows), default=-1) + 1,
        _most(usage.peak.peak),
        places.column(where) if where is not None else None,
        _most(usage.peak.ideal),
        usage.peak.exact,
        note_of(usage, ""),
        _unknowns(usage),
    )


def _step(usage: Usage, op: Op, live: Amount) -> LaneStep:
    inside = usage.peak.inside.get(op)
    if inside is None:
        return LaneStep(op.name, op.name_span, _amount(live))
    callees = tuple(callee.name for callee in usage.ledgers.program.callees(op))
    return LaneStep(op.name, op.name_span, _amount(live), _amount(inside), callees)


def _unknowns(usage: Usage) -> tuple[str, ...]:
    sizes = [site.size for site in usage.sites if site.size is not None]
    found: dict[str, None] = {}
    left = [
        expr
        for amount in (*usage.peak.peak, *usage.peak.ideal, *usage.peak.inside.values(), *sizes)
        for monomial, _ in amount.terms
        for expr in monomial
    ]
    for expr in left:  # grows
        if expr[0] in ("leaf", "dim"):
            found[text_of(expr)] = None
        else:
            left.extend(operands(expr))
    return tuple(sorted(found))


def moved(value: T, move: Callable[[Span], Span]) -> T:
    """`value`, a tree of dataclasses, tuples and lists, with `move` done to all its spans."""
    if isinstance(value, Span):
        return cast("T", move(value))
    if isinstance(value, tuple):
        return cast("T", tuple([moved(one, move) for one in cast("tuple[object, ...]", value)]))
    if isinstance(value, list):
        return cast("T", [moved(one, move) for one in cast("list[object]", value)])
    if is_dataclass(value) and not isinstance(value, type):
        again: Any = type(value)
        return again(*[moved(getattr(value, field.name), move) for field in fields(value)])
    return value


def _key(site: Site) -> tuple[str, Span]:
    return site.life.origin.value.name, site.life.origin.value.span


def _buffer(site: Site, lane: Lane, places: LaneColumns, usage: Usage) -> BufferLane:
    life, value = site.life, site.life.origin.value
    return BufferLane(
        value.name,
        value.type,
        value.span,
        _amount(site.size) if site.size is not None else None,
        life.origin.resource,
        site.label,
        lane.row,
        tuple(Mention(places.column(op), op.name_span) for op in life.uses),
        tuple(_free(site, op, places) for op in life.frees),
        tuple(_segments(lane, sorted(places.column(op) for op in life.frees))),
        site.leak,
        life.aliases,
        any(origin is life.origin for origin, _ in usage.peak.buffers),
        tuple(_line(said) for said in card_of(site, lambda op: f"\0{op.name_span.start}\0")),
    )


def _line(said: str) -> tuple[str | Span, ...]:
    """A line of a card, with places where it says in which line something is."""
    parts = said.split("\0")
    return tuple(Span(int(part), int(part)) if odd % 2 else part for odd, part in enumerate(parts))


def _free(site: Site, op: Op, places: LaneColumns) -> LaneFree:
    late = next((late for late in site.late if late.op is op), None)
    after = late.after.name_span if late is not None and late.after is not None else None
    return LaneFree(places.column(op), op.name_span, late.operations if late is not None else 0, after)


def _segments(lane: Lane, frees: list[int]) -> Iterator[LaneSegment]:
    """The life of a buffer: up to its last deallocation, what comes after the first one on some paths only."""
    used = lane.used + 1
    if frees and lane.leak is None:
        used = min(used, max(frees[-1], lane.start + 1))
    stop = max(used, frees[-1]) if frees else used
    doubt = frees[0] if frees else stop
    yield from _split(lane.start, used, BufferState.IN_USE, doubt)
    yield from _split(used, stop, BufferState.HELD, doubt)
    if lane.leak is not None:
        yield LaneSegment(stop, max(stop, lane.end) + 1, BufferState.LEAKED, lane.leak)
    elif not frees and lane.end >= stop:
        yield LaneSegment(stop, lane.end + 1, BufferState.HANDED_OVER, Certainty.ALWAYS)


def _split(start: int, stop: int, state: BufferState, doubt: int) -> Iterator[LaneSegment]:
    """Steps `start` to `stop`, certain before `doubt`."""
    middle = min(max(start, doubt), stop)
    if start < middle:
        yield LaneSegment(start, middle, state, Certainty.ALWAYS)
    if middle < stop:
        yield LaneSegment(middle, stop, state, Certainty.SOME)


def _amount(amount: Amount) -> Bytes:
    return _most((amount,))


def _most(amounts: Amounts) -> Bytes:
    """The largest of some amounts."""
    numbers = [drawn(amount) for amount in amounts]
    bounded = [number for number in numbers if number is not None]
    most = max(bounded, default=0) if len(bounded) == len(numbers) else None
    return Bytes(known(amounts), expression(amounts), most, shown(amounts))
