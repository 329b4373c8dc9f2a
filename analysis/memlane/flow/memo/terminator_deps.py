"""What following buffers looked at where blocks of a function's body end: what is asked there.

Which blocks lead to which is the same after the edits that are looked at here (`TextChange`), and what is asked at the
end of a block is another only where an edit reaches that end. Who follows a buffer past the blocks that do not matter
to it (slicing/pruned_slice.py) has looked at the ends of the others; at those where the numbers that it follows are
asked, wherever they are; and, of what is known of the function as a whole, at which blocks matter in any case
(slicing/cfg_contraction.py), at whether control comes to where paths begin, and what is asked there and elsewhere
(slicing/late_start.py, slicing/body_blocks.py). Others have looked at all ends.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from memlane.dialects.model import Guard
from memlane.flow.cfg.graph import Graph
from memlane.flow.memo.limits import MAX_REMEMBERED_BLOCKS
from memlane.flow.scalars.edge_conditions import condition_of
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.slicing.body_blocks import BodyBlocks
from memlane.flow.slicing.pruned_slice import Direct
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.scalar import leaves
from memlane.syntax.tree.tree import Block, Value

Number = tuple[int, int, int, int]
"""A value: the number of its op, or of the op its block is in; region (-1: it is a result), block, and index."""


class Ends(NamedTuple):
    """What was looked at. Blocks are numbers.

    Args:
        blocks: those at the ends of which.
        asked: values that matter wherever they are asked, or are asked nowhere else.
        elsewhere: of each value that is asked elsewhere, some blocks where it is.
        first: blocks with whether control comes there.
    """

    blocks: array[int]
    asked: frozenset[Number]
    elsewhere: tuple[tuple[int, ...], ...]
    first: tuple[tuple[int, bool], ...]


NO_ENDS = Ends(array("i"), frozenset(), (), ())


def looked_at(parts: Iterable[Direct], body: BodyBlocks, number_of: Callable[[Value], Number]) -> Ends:
    """What following some slices of the function's body looked at. `number_of`: gives the number of a value."""
    blocks, asked, elsewhere = set[int](), set[Value](), set[tuple[int, ...]]()
    first: dict[int, bool] = {}
    for part in parts:
        blocks.update(block.index for block in part.blocks)
        blocks.update(block.index for value in part.scalars for block in body.askers(value))
        asked |= part.scalars
        if part.first is not None:
            first[part.first.index] = body.comes_to(part.first)
            for value in part.known:
                some = _elsewhere(part.holds, value, body)
                asked.update(() if some else (value,))
                elsewhere.update((some,) if some else ())
    numbers = frozenset(map(number_of, asked))
    return Ends(array("i", sorted(blocks)), numbers, tuple(elsewhere), tuple(first.items()))


def _elsewhere(within: Callable[[Block], bool], value: Value, body: BodyBlocks) -> tuple[int, ...]:
    """Some blocks outside of others at the end of which a value is asked."""
    outside = (block.index for block in body.askers(value) if not within(block))
    return tuple(islice(outside, MAX_REMEMBERED_BLOCKS))


def is_short(part: Slice, graph: Graph) -> bool:
    """Whether a slice is one whose paths go past blocks of the function's body."""
    return isinstance(part, Direct) and part.shortens(graph.function.regions[0])


class Reasked:
    """The ends of blocks of a function's body that an edit reaches.

    Args:
        graph: of the function. `blocks`: which.
        always: the numbers of the blocks that mattered in any case before; None: not computed.
        number_of: gives the number of a value.
    """

    def __init__(
        self,
        graph: Graph,
        blocks: Collection[Block],
        always: frozenset[int] | None,
        number_of: Callable[[Value], Number],
    ) -> None:
        self._blocks = frozenset(block.index for block in blocks)
        self._asked = frozenset(number_of(value) for block in blocks for value in _asked(graph, block))
        self._always = always

    def stands(self, ends: Ends, body: BodyBlocks) -> bool:
        """Whether what was looked at is the same."""
        if not self._blocks or ends is NO_ENDS:
            return True
        if not (self._blocks.isdisjoint(ends.blocks) and self._asked.isdisjoint(ends.asked)):
            return False
        if self._always is None or any(self._blocks.issuperset(some) for some in ends.elsewhere):
            return False
        if self._always != body.always():
            return False
        blocks = body.blocks
        return all(body.comes_to(blocks[number]) is comes for number, comes in ends.first)


def _asked(graph: Graph, block: Block) -> Iterator[Value]:
    """The values that are asked at the end of a block."""
    for edge in graph.exits(block):
        if edge.guard is Guard.ALWAYS:
            continue
        exprs = [scalar_of(graph, use.value) for use in edge.place.operands if use.value is not None]
        expr = condition_of(graph, edge)
        for one in (*exprs, expr) if expr is not None else exprs:
            yield from leaves(one)
