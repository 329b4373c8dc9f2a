"""The ops of a function after an edit of single statements: those of the version before, put right in place.

Only the incremental checker holds such ops (others build their own, and never change them). What is left is as if it
had been built anew: ops, places, links, and the order in which values know their uses.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, count
from operator import attrgetter, is_not
from typing import Any, NamedTuple, TypeVar, cast

from memlane.findings import Span
from memlane.syntax.lines.statements import Statements, no_links
from memlane.syntax.shapes import forms
from memlane.syntax.tree.aliases import Aliases
from memlane.syntax.tree.build import Builder
from memlane.syntax.tree.tree import Block, Op, Use, Value, all_uses, take_apart

T = TypeVar("T")
_VALUE = attrgetter("value")
_span: Callable[[type[Span], tuple[int, int]], Span] = cast("Any", tuple).__new__  # in half the time


class Displaced(NamedTuple):
    """The first op, value and use of those that stand at another `distance` from where they were, and do not say so."""

    op: int = 0
    value: int = 0
    use: int = 0
    distance: int = 0


_NONE_LATE = Displaced()


@dataclass(slots=True, eq=False)
class Built:
    """The ops of a function.

    Args:
        op: the function; it stands at the beginning of its piece, which stands `at` in the document.
        dialect: what a name without a dialect belongs to around it. `aliases`: what those stand for.
        values, before, uses: as in `Builder`.
        ops: all of them, in text order, after the first request. `links`: what was linked last, after the first link.
        late: until `move` is called; only `move` may use it: edits that undo each other leave most in place.
    """

    op: Op
    at: int
    dialect: str
    aliases: Aliases
    values: list[Value]
    before: list[int]
    uses: list[Use]
    ops: list[Op] | None = None
    links: Sequence[int] = ()
    late: Displaced = _NONE_LATE


@dataclass(frozen=True, slots=True, eq=False)
class Splice:
    """Some statements in a row in place of others: whole ops of one block without successors, none the last of it,
    unless one op is put in place of one of the same name that leads to the same blocks.

    Args:
        start, stop: where those that are gone begin, and what follows them, from the start of the function's piece.
        at: where the new ones begin, from there. `further`: how much further on than before what follows them begins.
        statements: the new ones, relative to `at`, with their `text`.
        links: those of the whole function now, one for each operand.
    """

    start: int
    stop: int
    at: int
    further: int
    statements: Statements
    text: str
    links: array[int]


@dataclass(frozen=True, slots=True, eq=False)
class Spliced:
    """What putting statements in place of others did.

    Args:
        gone, fresh: ops, in text order. `relinked`: those that use something else now.
        next: the op of the same block that follows.
        values: those that are gone, and all that ops that are gone, fresh or relinked use, or used.
        plain: none that is gone or fresh has regions, or leads to blocks.

    Ops that are gone or fresh come with all that are nested in them.
    """

    gone: Sequence[Op]
    fresh: Sequence[Op]
    relinked: set[Op]
    next: Op | None
    values: set[Value]
    plain: bool


def built(builder: Builder, at: int) -> Built:
    """What a builder has made of a function which stands `at`."""
    op = builder.finish()[0]
    return Built(op, at, builder.dialects[0], builder.aliases, builder.values, builder.before, builder.uses)


def move(made: Built, at: int) -> None:
    """Let a function stand elsewhere, and all of it say where."""
    late, made.late = made.late, _NONE_LATE
    if late.distance and made.ops is not None:
        _move_ops(made.ops[late.op :], late.distance)
        _move_arguments(made.values[late.value :], late.distance)
    if at != made.at:
        distance = at - made.at
        _move_ops(made.op.walk(), distance)
        _move_arguments(made.values, distance)
        made.at = at


def splice(made: Built, change: Splice) -> Spliced | None:
    """Put new statements in place of others; None where this cannot be done: then nothing has been. `move` is to be
    called before anybody looks at places."""
    start, stop = made.at + change.start, made.at + change.stop
    ops = made.ops = made.ops or [*made.op.walk()]
    late = made.late
    first, last = (_number(ops, place, late.op, late.distance) for place in (start, stop))
    anchor = ops[first] if first < last else ops[last] if last < len(ops) else None
    block = anchor.parent if anchor is not None else None
    tops = [op for op in ops[first:last] if op.parent is block]
    if anchor is None or block is None or sum(1 for op in tops for _ in op.walk()) != last - first:
        return None
    further = change.further
    index = anchor.index
    led = [one.block for op in tops for one in op.successors]
    builder = Builder(block, index, _dialect(made, block), made.aliases)
    builder.run(change.statements, change.text, made.at + change.at, no_links(change.statements))
    one, other = (_number(made.uses, place, late.use, late.distance) for place in (start, stop))
    if len(made.uses) - (other - one) + len(builder.uses) != len(change.links):
        return None
    for one_led, target in zip((one for op in builder.top for one in op.successors), led, strict=True):
        one_led.block = target
    begin, behind = (_number(made.values, place, late.value, late.distance) for place in (start, stop))
    _move_between(ops, _move_ops, late.op, last, late.distance, further)
    _move_between(made.values, _move_arguments, late.value, behind, late.distance, further)
    trailing = False
    if further:
        for op in _around(block, made.op):
            trailing = _grow(op, start, stop, further) or trailing
    block.ops[index : index + len(tops)] = builder.top
    for number, op in enumerate(block.ops[index:] if len(tops) != len(builder.top) else (), index):
        op.index = number
    forgotten, removed = _replace(made, builder, range(begin, behind), range(one, other))
    gone, fresh = ops[first:last], [op for top in builder.top for op in top.walk()]
    ops[first:last] = fresh
    made.late = _late(
        max(late.op, last) + len(fresh) - len(gone),
        max(late.value, behind) + len(builder.values) - len(forgotten),
        max(late.use, other) + len(builder.uses) - len(removed),
        late.distance + further,
    )
    if trailing:  # an op that is in place has uses behind some that are late
        move(made, made.at)
    fresh_uses = range(one, one + len(builder.uses))
    moved = len(forgotten) != len(builder.values) or _differ(made.links, other, change.links, fresh_uses)
    suspects = None if moved else [*fresh_uses, *_numbers(made, forgotten, removed)]
    made.links = change.links
    relinked, values = _link(made, change.links, removed, suspects)
    values.update(forgotten)
    values.update(use.value for op in (*fresh, *relinked) for use in all_uses(op))
    after = index + len(builder.top)
    following = block.ops[after] if after < len(block.ops) else None
    plain = not any(op.regions or op.successors for op in (*gone, *fresh))
    for op in tops:
        take_apart(op)
    return Spliced(gone, fresh, relinked, following, {value for value in values if value is not None}, plain)


def respace(made: Built, place: int, further: int) -> None:
    """Let what begins at `place` of the function's piece, or behind it, begin further on, and be the same."""
    move(made, made.at)
    place += made.at
    ops = made.ops = made.ops or [*made.op.walk()]
    around: Op | None = made.op
    trailing = False
    while around is not None:
        trailing = _grow(around, place, place, further) or trailing
        inside = (op for region in around.regions for block in region.blocks for op in _last_before(block.ops, place))
        around = next((op for op in inside if op.span.end > place), None)
    op, value, use = (_number(those, place, 0, 0) for those in (ops, made.values, made.uses))
    made.late = _late(op, value, use, further)
    if trailing:
        move(made, made.at)


def _last_before(ops: Sequence[Op], place: int) -> Sequence[Op]:
    """The last op that begins before a place, if any does."""
    number = bisect_left(ops, place, key=_begin)
    return ops[number - 1 : number] if number else ()


def _grow(op: Op, start: int, stop: int, further: int) -> bool:
    """Let what belongs to an op, and stands behind what stood from `start` to `stop` inside it, stand further on;
    whether that are uses."""
    if op.span.end > start:  # not where its region was left open
        op.span = Span(op.span.start, op.span.end + further)
    behind_it = [use for use in all_uses(op) if use.span.start >= stop]
    for use in behind_it:
        use.at += further
    _move_blocks([one for region in op.regions for one in region.blocks if one.span.start >= stop], further)
    return bool(behind_it)


def _differ(before: Sequence[int], other: int, links: Sequence[int], fresh: range) -> bool:
    """Whether uses but the `fresh` ones mean other definitions by number, as far as is known. They stand in place of
    those up to `other` (exclusive)."""
    first, further = fresh.start, len(links) - len(before)
    if other + further != fresh.stop:
        return True
    return before[:first] != links[:first] or before[other:] != links[fresh.stop :]


def _numbers(made: Built, forgotten: Iterable[Value], removed: Collection[Use]) -> Iterator[int]:
    """The numbers of the uses that are left of some values."""
    uses, late = made.uses, made.late.use
    for value in forgotten:
        for use in value.uses:
            if use not in removed:
                number = bisect_left(uses, use.span.start, 0, late, key=_begin)
                if number == late or uses[number] is not use:
                    number = bisect_left(uses, use.span.start, late, key=_begin)
                yield number


def _replace(made: Built, builder: Builder, values: range, uses: range) -> tuple[list[Value], list[Use]]:
    """Put definitions and uses in place of those of some numbers; gives those gone."""
    more = len(builder.uses) - len(uses)
    behind = [number + more for number in made.before[values.stop :]] if more else made.before[values.stop :]
    made.before[values.start :] = [*(number + uses.start for number in builder.before), *behind]
    forgotten, removed = made.values[values.start : values.stop], made.uses[uses.start : uses.stop]
    made.values[values.start : values.stop] = builder.values
    made.uses[uses.start : uses.stop] = builder.uses
    return forgotten, removed


def _number(those: Sequence[Op] | Sequence[Value] | Sequence[Use], place: int, late: int, distance: int) -> int:
    """The number of the first of what begins at or after a place, in text order; from number `late` on places are to be
    moved by a distance."""
    number = bisect_left(those, place, 0, late, key=_begin)
    return number if number < late else bisect_left(those, place - distance, late, key=_begin)


def _begin(one: Op | Value | Use) -> int:
    return one.span.start


def _late(op: int, value: int, use: int, distance: int) -> Displaced:
    return Displaced(op, value, use, distance) if distance else _NONE_LATE


def _move_between(
    those: list[T], move: Callable[[list[T], int], None], late: int, stop: int, distance: int, further: int
) -> None:
    """What stands from number `late` on is to be moved by a distance, and what stands from `stop` on further: move what
    only one is true of."""
    if late < stop and distance:
        move(those[late:stop], distance)
    elif stop < late and further:
        move(those[stop:late], further)


def _link(
    made: Built, links: Sequence[int], removed: Iterable[Use], suspects: list[int] | None
) -> tuple[set[Op], set[Value | None]]:
    """Let all uses mean what `links` say; gives the ops of those that meant something else, and the values of which
    the uses are others now. `suspects`: the numbers of those that may mean something else; None: any may."""
    values, uses = made.values, made.uses
    if suspects is None:
        meant = map([*values, None].__getitem__, links)  # -1: none
        stale = [*compress(count(), map(is_not, meant, map(_VALUE, uses)))]
    else:
        stale = [at for at in suspects if uses[at].value is not (values[links[at]] if links[at] >= 0 else None)]
    touched = {use.value for use in removed}
    for number in stale:
        link = links[number]
        value = values[link] if link >= 0 else None
        touched.update((uses[number].value, value))
        uses[number].value = value
    if touched:
        _count_uses(made, links, touched)
    return {uses[number].op for number in stale}, touched


def _count_uses(made: Built, links: Sequence[int], touched: set[Value | None]) -> None:
    """Let some values know their uses: in text order, but those before the definition come last."""
    uses = made.uses
    found: dict[int, list[int]] = {number: [] for number in compress(count(), map(touched.__contains__, made.values))}
    for number in compress(count(), map(found.__contains__, links)):
        found[links[number]].append(number)
    for link, numbers in found.items():
        behind = bisect_left(numbers, made.before[link])
        made.values[link].uses[:] = [uses[number] for number in (*numbers[behind:], *numbers[:behind])]


def _move_ops(ops: Iterable[Op], distance: int) -> None:
    """Let ops stand further on, with all that is in them but arguments of blocks."""
    for op in ops:
        first, last = op.span
        op.span = _span(Span, (first + distance, last + distance))
        for successor in op.successors:
            first, last = successor.span
            successor.span = Span(first + distance, last + distance)
        if op.regions:
            for region in op.regions:
                _move_blocks(region.blocks, distance)


def _move_blocks(blocks: Iterable[Block], distance: int) -> None:
    for block in blocks:
        first, last = block.span
        block.span = Span(first + distance, last + distance)


def _move_arguments(values: Iterable[Value], distance: int) -> None:
    """Let those of some values stand further on that are arguments: results are where their ops are."""
    for value in values:
        if value.op is None:
            value.at += distance


def _around(block: Block, outermost: Op) -> Iterable[Op]:
    """The ops around a block, as far as one of them."""
    op = block.region.op
    yield op
    while op is not outermost and op.parent is not None:
        op = op.parent.region.op
        yield op


def _dialect(made: Built, block: Block) -> str:
    """What a name without a dialect belongs to in a block."""
    known = forms.DEFAULT_DIALECTS
    return next((known[op.name] for op in _around(block, made.op) if op.name in known), made.dialect)
