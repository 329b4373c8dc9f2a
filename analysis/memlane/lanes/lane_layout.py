"""From the memory use of a function to a picture in whole numbers: columns for places in the program, rows for lanes.

A column is an op that makes, uses or frees a buffer, or that holds such ops in its regions; the ops between take no
room. Columns follow the text, so that regions nest and branches stand side by side. Up to `MAX_SINGLE_ROWS` buffers
have a row each; more share rows where their lives do not overlap.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush

from memlane.findings import Certainty, Span
from memlane.flow.peak.lifetimes import Life
from memlane.flow.symbolic.amounts import Amount
from memlane.format import shown
from memlane.lanes.limits import MAX_SINGLE_ROWS
from memlane.memory_report import Site, Usage
from memlane.syntax.tree.tree import Op, starts_at
from memlane.text import Text

UNKNOWN = 64
"""The number of elements with which an unknown dimension is drawn."""


@dataclass(frozen=True, slots=True)
class Lane:
    """One buffer. Columns are inclusive.

    Args:
        row: counted from the top.
        start, used, end: where it is made, named for the last time, and freed or lost.
        ticks: the columns of its uses.
        freed: it is freed at `end`.
        leak: whether it is lost there: always, or on some path.
        handed: it is returned or kept.
        bytes: as drawn; `size` says them.
        card: lines of what there is to say about it.
        line: of the allocation, 1-based.
        late: a deallocation comes late.
        place: where the name is defined.
    """

    name: str
    size: str
    bytes: int
    row: int
    start: int
    used: int
    end: int
    ticks: tuple[int, ...]
    freed: bool
    leak: Certainty | None
    handed: bool
    card: tuple[str, ...]
    line: int
    late: bool
    place: Span

    @property
    def stop(self) -> float:
        """Where the lane ends, in columns: at its deallocation, past it where that comes late, else past `end`."""
        if not self.freed or self.leak is not None:
            return self.end + 1
        return max(self.used + 1, self.end + (0.5 if self.late else 0))


@dataclass(frozen=True, slots=True)
class Band:
    """A region: `depth` counts from 0; `alternate`: it follows another region of the same op."""

    label: str
    depth: int
    start: int
    end: int
    alternate: bool
    line: int


@dataclass(frozen=True, slots=True)
class Picture:
    """What there is to draw.

    Args:
        columns, rows: how many.
        lines: per column its line in the source, 1-based.
        ops: per column the op's name.
        curve: per column the bytes that live after it; None: without bound.
        peak, ideal: in words; `peak_bytes`, `ideal_bytes` as drawn.
        peak_column: where the peak is; None where nothing lives.
        note: what the reader has to know about the numbers, or empty.
    """

    title: str
    columns: int
    rows: int
    lines: tuple[int, ...]
    ops: tuple[str, ...]
    lanes: tuple[Lane, ...]
    bands: tuple[Band, ...]
    curve: tuple[int | None, ...]
    peak: str
    ideal: str
    peak_bytes: int
    ideal_bytes: int
    peak_column: int | None
    note: str


def picture(usage: Usage, text: Text) -> Picture:
    """The picture of one function."""
    places = LaneColumns(usage, text)
    lanes = packed([lane_of(site, places) for site in usage.sites if site.life.origin.owned])
    curve = tuple(drawn(amount) for amount in places.curve)
    bounded = [count for count in curve if count is not None]
    peak = max((drawn(amount) or 0 for amount in usage.peak.peak), default=0) or max(bounded, default=0)
    ideal = max((drawn(amount) or 0 for amount in usage.peak.ideal), default=0)
    return Picture(
        title=f"@{usage.flow.name}",
        columns=max(1, len(places.columns)),
        rows=max((lane.row for lane in lanes), default=-1) + 1,
        lines=tuple(places.line(op) for op in places.columns),
        ops=tuple(op.name for op in places.columns),
        lanes=lanes,
        bands=tuple(places.bands()),
        curve=curve,
        peak=shown(usage.peak.peak),
        ideal=shown(usage.peak.ideal),
        peak_bytes=max(peak, max(bounded, default=0)),
        ideal_bytes=ideal,
        peak_column=places.column(usage.peak.where) if usage.peak.where is not None else None,
        note=note_of(usage),
    )


def note_of(usage: Usage, remedy: str = "; --assume gives numbers") -> str:
    """What the reader has to know about the numbers, or empty. `remedy`: what follows where dimensions are unknown."""
    notes: list[str] = []
    amounts = [*usage.peak.peak, *(site.size for site in usage.sites if site.size is not None)]
    if any(amount.unbounded for amount in amounts):
        notes.append("live bytes grow without bound")
    if any(amount.bytes is None and not amount.unbounded for amount in amounts):
        notes.append(f"unknown dimensions are drawn as {UNKNOWN} elements{remedy}")
    if not usage.peak.exact:
        notes.append("the curve is an upper bound")
    return "; ".join(notes)


class LaneColumns:
    """The columns of a function: `columns` are ops in text order, `curve` what lives after each."""

    def __init__(self, usage: Usage, text: Text) -> None:
        self._text = text
        self._function = usage.flow.op
        wanted: set[Op] = set()
        for site in usage.sites:
            if site.life.origin.owned:
                wanted |= {site.life.made, *site.life.uses, *site.life.frees}
        if usage.peak.where is not None:
            wanted.add(usage.peak.where)
        wanted.update(usage.peak.inside)
        for op in list(wanted):
            for around in _around(op, self._function):
                if around in wanted:  # and so is what is around that, or it will be
                    break
                wanted.add(around)
        wanted.discard(self._function)
        pairs = [(op, amount) for op, amount in usage.peak.curve if op in wanted]
        self.columns = [op for op, _ in pairs]
        self.curve = [amount for _, amount in pairs]
        self._column = {op: index for index, op in enumerate(self.columns)}
        self._last = dict(self._column)
        for op in reversed(self.columns):  # what is nested comes after
            around = op.parent.region.op if op.parent is not None else None
            if around in self._last:
                self._last[around] = max(self._last[around], self._last[op])

    def column(self, op: Op) -> int:
        """The column of an op; of the one around it where it has none."""
        for around in (op, *_around(op, self._function)):
            if around in self._column:
                return self._column[around]
        return 0

    def before(self, op: Op) -> int:
        """The last column of what stands before an op in the text; 0 where nothing does."""
        return max(bisect_left(self.columns, op.span.start, key=starts_at) - 1, 0)

    def line(self, op: Op) -> int:
        """The op's line, 1-based."""
        return self._text.position(op.name_span.start).line + 1

    def last(self, op: Op) -> int:
        """The last column of an op and what is nested in it."""
        return self._last.get(op, 0)

    def bands(self) -> Iterator[Band]:
        """The regions that hold columns."""
        depths: dict[Op, int] = {}
        for op in self.columns:
            around = op.parent.region.op if op.parent is not None else None
            depth = depths[op] = depths.get(around, -1) + 1 if around is not None else 0
            shown_before = False
            for region in op.regions:
                inside = [self.last(inner) for block in region.blocks for inner in block.ops if inner in self._column]
                first = [self._column[i] for block in region.blocks for i in block.ops if i in self._column]
                if inside:
                    label = region.label or op.name
                    yield Band(label, depth, min(first), max(inside), shown_before, self.line(op))
                    shown_before = True

    def end_of_life(self, life: Life) -> int:
        """Where a buffer that this function does not free is lost or handed over: the end of the regions around its
        uses."""
        block = life.made.parent
        top = self.columns[-1:] if block is None or block.region.op is self._function else [block.region.op]
        return self.last(top[0]) if top and top[0] is not self.columns[-1] else len(self.columns) - 1


def _around(op: Op, function: Op) -> Iterator[Op]:
    while op.parent is not None and op is not function:
        op = op.parent.region.op
        yield op


def lane_of(site: Site, places: LaneColumns) -> Lane:
    """The lane of one buffer, not yet in a row."""
    life = site.life
    start = places.column(life.made)
    named = max([start, *(places.column(op) for op in life.uses)])
    freed = max((places.column(op) for op in life.frees), default=None)
    used = named if freed is None or site.leak is not None else _used(site, places, freed)
    end = freed if freed is not None and site.leak is None else max(named, places.end_of_life(life))
    if freed is not None:
        end = max(end, freed)
    return Lane(
        name=life.origin.value.name,
        size="?" if site.size is None else shown((site.size,)),
        bytes=(drawn(site.size) or 0) if site.size is not None else 0,
        row=-1,
        start=start,
        used=min(used, end),
        end=end,
        ticks=tuple(sorted({places.column(op) for op in life.uses})),
        freed=freed is not None,
        leak=site.leak,
        handed=life.handed,
        card=tuple(card_of(site, lambda op: str(places.line(op)))),
        line=places.line(life.made),
        late=bool(site.late),
        place=life.origin.value.span,
    )


def _used(site: Site, places: LaneColumns, freed: int) -> int:
    """The last column in which a buffer that is freed is needed: the next round of a loop may need what the text names
    before, so it is the last one before the places where a late deallocation could stand, else that of the
    deallocation."""
    spots = [spot for free in site.late for spot in free.spots]
    return max((places.before(spot.first) for spot in spots), default=freed)


def card_of(site: Site, row: Callable[[Op], str]) -> Iterator[str]:
    """Lines of what there is to say about a buffer; `row` says in which line an op is."""
    life = site.life
    yield f"{life.origin.value.name} : {life.origin.value.type or 'unknown type'}"
    size = "unknown size" if site.size is None else shown((site.size,))
    yield f"{size} in {site.label}, made in line {row(life.made)}"
    if life.first_use is not None and life.last_use is not None:
        yield f"first used in line {row(life.first_use)}, last in line {row(life.last_use)}"
    else:
        yield "never used"
    if life.frees:
        yield f"freed in line {', '.join(row(op) for op in life.frees[:6])}"
    if site.leak is not None:
        yield "never freed" if site.leak is Certainty.ALWAYS else "not freed on some path"
    elif not life.frees:
        yield "returned to the caller, or kept" if life.handed else "freed elsewhere"
    held = sum(free.operations for free in site.late)
    if held:
        yield f"held unused over {held} operation{'' if held == 1 else 's'}"
    if life.aliases:
        yield f"{life.aliases} other name{'' if life.aliases == 1 else 's'}"


def packed(lanes: Sequence[Lane]) -> tuple[Lane, ...]:
    """The lanes, each in a row: its own, or the first that is free when there are many; then sorted by start."""
    if len(lanes) <= MAX_SINGLE_ROWS:
        return tuple(_at(lane, row) for row, lane in enumerate(lanes))
    free: list[int] = []
    taken: list[tuple[int, int]] = []
    found: list[Lane] = []
    for lane in sorted(lanes, key=lambda lane: (lane.start, -lane.bytes)):
        while taken and taken[0][0] < lane.start:
            heappush(free, heappop(taken)[1])
        row = heappop(free) if free else len(taken)
        heappush(taken, (lane.end, row))
        found.append(_at(lane, row))
    return tuple(found)


def _at(lane: Lane, row: int) -> Lane:
    return replace(lane, row=row)


def drawn(amount: Amount) -> int | None:
    """A number to draw an amount with; None: it has no bound."""
    if amount.unbounded:
        return None
    return amount.change(lambda _: ("const", UNKNOWN)).bytes


def ordered(lanes: Iterable[Lane]) -> list[Lane]:
    """The lanes from top to bottom, left to right."""
    return sorted(lanes, key=lambda lane: (lane.row, lane.start))
