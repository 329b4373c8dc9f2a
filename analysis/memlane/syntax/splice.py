"""The ops of a function after an edit of single statements: those of the version before, put right in place.

Nobody but the one who checks version after version holds such ops (others build their own, and never change them).
What is left is as if it had been built anew: ops, places, links, and the order in which values know their uses.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, count
from operator import attrgetter, is_not
from typing import Any, cast

from memlane.findings import Span
from memlane.syntax import forms
from memlane.syntax.build import Builder
from memlane.syntax.statements import Statements, no_links
from memlane.syntax.tree import Block, Op, Successor, Use, Value, take_apart

_VALUE = attrgetter("value")
_span: Callable[[type[Span], tuple[int, int]], Span] = cast("Any", tuple).__new__  # in half the time


@dataclass(slots=True, eq=False)
class Built:
    """The ops of a function.

    Args:
        op: the function; it stands at the beginning of its piece, which stands `at` in the document.
        dialect: what a name without a dialect belongs to around it.
        values, before, uses: as in `Builder`.
        ops: all of them, in text order, once somebody asked. `links`: what was linked last, once something was.
    """

    op: Op
    at: int
    dialect: str
    values: list[Value]
    before: list[int]
    uses: list[Use]
    ops: list[Op] | None = None
    links: Sequence[int] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Splice:
    """Some statements in a row in place of others: all ops without regions and successors, none the last of a block,
    unless one op is put in place of one of the same name.

    Args:
        start, stop: where those that are gone begin, and what follows them, from the start of the function's piece.
        at: where the new ones begin, from there. `further`: how much further on than before what follows them begins.
        statements: the new ones, relative to `at`, with their `text`.
        links: those of the whole function now.
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
    """

    gone: Sequence[Op]
    fresh: Sequence[Op]
    relinked: set[Op]
    next: Op | None
    values: set[Value]


def built(builder: Builder, at: int) -> Built:
    """What a builder has made of a function which stands `at`."""
    op = builder.finish()[0]
    return Built(op, at, builder.dialects[0], builder.values, builder.before, builder.uses)


def move(made: Built, at: int) -> None:
    """Let a function stand elsewhere."""
    if at != made.at:
        distance = at - made.at
        _move_ops(made.op.walk(), distance)
        _move_names(made.values, distance)
        _move_names(made.uses, distance)
        made.at = at


def splice(made: Built, change: Splice) -> Spliced | None:
    """Put new statements in place of others; None where this cannot be done: then nothing has been."""
    start, stop = made.at + change.start, made.at + change.stop
    ops = made.ops = made.ops or [*made.op.walk()]
    first, last = (bisect_left(ops, place, key=lambda op: op.span.start) for place in (start, stop))
    anchor = ops[first] if first < last else ops[last] if last < len(ops) else None
    block = anchor.parent if anchor is not None else None
    if anchor is None or block is None or any(op.parent is not block or op.regions for op in ops[first:last]):
        return None
    further = change.further
    index = anchor.index
    builder = Builder(block, index, _dialect(made, block))
    builder.run(change.statements, change.text, made.at + change.at, no_links(change.statements))
    one, other = _between(made.uses, start, stop)
    if len(made.uses) - (other - one) + len(builder.uses) != len(change.links):
        return None  # operands of what is no op have links, and no use
    if further:
        _move_ops(ops[last:], further)
        for op in _around(block, made.op):
            if op.span.end > start:  # not where its region was left open
                op.span = Span(op.span.start, op.span.end + further)
            _move_blocks([one for region in op.regions for one in region.blocks if one.span.start >= stop], further)
    block.ops[index : index + last - first] = builder.top
    for number, op in enumerate(block.ops[index:] if last - first != len(builder.top) else (), index):
        op.index = number
    forgotten, removed = _replace(made, builder, start, stop, further)
    fresh_uses = range(one, one + len(builder.uses))
    moved = len(forgotten) != len(builder.values) or _differ(made.links, other, change.links, fresh_uses)
    suspects = None if moved else [*fresh_uses, *_numbers(made, forgotten, removed)]
    made.links = change.links
    relinked, values = _link(made, change.links, removed, suspects)
    gone, fresh = ops[first:last], builder.top
    ops[first:last] = fresh
    values.update(value for op in gone for value in op.results)
    values.update(use.value for op in (*fresh, *relinked) for use in _uses(op))
    for op in gone:
        take_apart(op)
    following = block.ops[index + len(fresh)] if index + len(fresh) < len(block.ops) else None
    return Spliced(gone, fresh, relinked, following, {value for value in values if value is not None})


def _differ(before: Sequence[int], other: int, links: Sequence[int], fresh: range) -> bool:
    """Whether uses but the `fresh` ones mean other definitions by number, as far as is known. They stand in place of
    those up to `other` (exclusive)."""
    first, further = fresh.start, len(links) - len(before)
    if other + further != fresh.stop:
        return True
    return before[:first] != links[:first] or before[other:] != links[fresh.stop :]


def _numbers(made: Built, forgotten: Iterable[Value], removed: Collection[Use]) -> Iterator[int]:
    """The numbers of the uses that are left of some values."""
    for value in forgotten:
        for use in value.uses:
            if use not in removed:
                yield made.uses.index(use, bisect_left(made.uses, use.span.start, key=lambda one: one.span.start))


def _replace(made: Built, builder: Builder, start: int, stop: int, further: int) -> tuple[list[Value], list[Use]]:
    """Put definitions and uses in place of those between two offsets, and move what follows; gives those gone."""
    first, last = _between(made.values, start, stop)
    one, other = _between(made.uses, start, stop)
    if further:
        _move_names(made.values[last:], further)
        _move_names(made.uses[other:], further)
    more = len(builder.uses) - (other - one)
    behind = [number + more for number in made.before[last:]] if more else made.before[last:]
    made.before[first:] = [*(number + one for number in builder.before), *behind]
    forgotten, removed = made.values[first:last], made.uses[one:other]
    made.values[first:last] = builder.values
    made.uses[one:other] = builder.uses
    return forgotten, removed


def _between(names: Sequence[Value] | Sequence[Use], start: int, stop: int) -> tuple[int, int]:
    """The numbers of the first of some names in text order that begins at or after `start`, and at or after `stop`."""
    first, last = (bisect_left(names, place, key=lambda name: name.span.start) for place in (start, stop))
    return first, last


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


def _uses(op: Op) -> Iterator[Use]:
    yield from op.operands
    for successor in op.successors:
        yield from successor.operands


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
    """Let ops stand further on, with all that is in them but values and uses."""
    for op in ops:
        first, last = op.name_span
        op.name_span = _span(Span, (first + distance, last + distance))
        first, last = op.span
        op.span = _span(Span, (first + distance, last + distance))
        if op.successors:
            _move_names(op.successors, distance)
        if op.regions:
            for region in op.regions:
                _move_blocks(region.blocks, distance)


def _move_blocks(blocks: Iterable[Block], distance: int) -> None:
    for block in blocks:
        first, last = block.span
        block.span = Span(first + distance, last + distance)


def _move_names(names: Iterable[Value] | Iterable[Use] | Iterable[Successor], distance: int) -> None:
    for name in names:
        first, last = name.span
        name.span = _span(Span, (first + distance, last + distance))


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
