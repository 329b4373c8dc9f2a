"""The control flow of one function as a graph of segments: runs of operations of one block.

Blocks and regions look alike in it. A block is cut behind each operation that holds something of interest in its
regions (`holders`); all other operations with regions are operations like any other. A way leads from the end of one
segment to the start of another, and is an edge of `Graph` with the values that it forwards.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from memlane.cancellation import poll
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.incomplete_ops import incomplete_ops
from memlane.flow.cfg.region_edges import comes_back
from memlane.flow.cfg.scc import components, reachable
from memlane.syntax.names.dominance import dominator_tree, relation
from memlane.syntax.tree.tree import Block, Op, starts_at


class Way(NamedTuple):
    """From the end of segment `source` to the start of segment `target`."""

    source: int
    target: int
    edge: Edge


class Segment(NamedTuple):
    """The operations of a block from number `start` up to `stop`, exclusive.

    Args:
        holder: the operation with regions before the first of them, whose results are defined at its start.
        head: the last of them, where control goes on in its regions or past them.
    """

    block: Block
    start: int
    stop: int
    holder: Op | None
    head: Op | None


class Segments:
    """Those of a function.

    Args:
        graph: its control flow.
        holders: the operations with regions that are looked into.
        never: the ids of edges that no execution takes.

    Attributes:
        every: by their numbers; the first is where the function is entered.
        after, before: the ways from and to each, but for those that are left out.
        left_out: ways that no execution takes.
        order: their numbers in reverse postorder; unreachable ones are missing.
        position: of each number in that order; -1: unreachable.
    """

    def __init__(self, graph: Graph, holders: Collection[Op], never: Collection[Edge] = ()) -> None:
        self._graph = graph
        self._held: dict[Block | None, list[Op]] = {}
        self._loops: dict[Op, bool] = {}
        self.every: list[Segment] = []
        self._starts: dict[Block, tuple[list[int], int]] = {}
        self.after: list[list[Way]] = []
        assert graph.entry is not None
        self._build(graph.entry, sorted(holders, key=starts_at))
        self.before: list[list[Way]] = []
        self.left_out: list[Way] = []
        self.order: list[int] = []
        self.position: list[int] = []
        self.leave_out({way for ways in self.after for way in ways if way.edge in never} if never else ())

    def leave_out(self, never: Collection[Way]) -> None:
        """Some ways are none, nor are those from where control does not come then; before anything is asked."""
        for number, ways in enumerate(self.after) if never else ():
            out = [way for way in ways if way in never]
            if out:
                self.left_out += out
                self.after[number] = [way for way in ways if way not in never]
        self._arrange()

    # ---- where things are --------------------------------------------------------------------------------------------

    def of(self, op: Op) -> tuple[int, int] | None:
        """The segment in which an operation is executed, or the one around it that is not looked into, and the number
        of that in its block. None where the function does not come there."""
        block, index = op.parent, op.index
        while block is not None:
            found = self._starts.get(block)
            if found is not None:
                starts, first = found
                return first + bisect_right(starts, index) - 1, index
            around = block.region.op
            block, index = around.parent, around.index
        return None

    def comes_to(self, op: Op) -> bool:
        """Whether some execution may come to an operation, or to the one around it that is not looked into."""
        place = self.of(op)
        return place is not None and self.position[place[0]] >= 0

    def last(self, number: int) -> int | None:
        """The number in its block of the operation that ends a segment and says where control goes on; None: none."""
        segment = self.every[number]
        if segment.head is not None:
            return segment.head.index
        ops = segment.block.ops
        ends = segment.stop == len(ops) and segment.stop > segment.start and self._ends(ops[-1])
        return len(ops) - 1 if ends else None

    def _ends(self, op: Op) -> bool:
        model = self._graph.model(op)
        return bool(op.successors) or (model is not None and (model.terminator or model.exits))

    def entry_of(self, block: Block) -> int | None:
        """The first segment of a block."""
        found = self._starts.get(block)
        return found[1] if found is not None else None

    def behind(self, holder: Op) -> int:
        """The segment behind an operation that is looked into."""
        assert holder.parent is not None
        starts, first = self._starts[holder.parent]
        return first + bisect_right(starts, holder.index + 1) - 1

    def is_loop(self, op: Op) -> bool:
        """Whether the regions of an operation may run more than once."""
        found = self._loops.get(op)
        if found is None:
            found = self._loops[op] = any(comes_back(self._graph, region) for region in op.regions)
        return found

    @cached_property
    def cycling(self) -> set[int]:
        """The segments to which control may come back."""
        found: set[int] = set()
        for members in components([0], lambda one: [way.target for way in self.after[one]]):
            if len(members) > 1 or any(way.target == members[0] for way in self.after[members[0]]):
                found.update(members)
        return found

    @cached_property
    def doomed(self) -> set[int]:
        """The segments from which control only comes to where execution ends without a return."""
        left = [len(ways) for ways in self.after]
        pending: list[int] = []
        for number, segment in enumerate(self.every):
            if not left[number] and segment.head is None and self._graph.stops(segment.block):
                pending.append(number)
        found = {*pending}
        while pending:
            for way in self.before[pending.pop()]:
                left[way.source] -= 1
                if not left[way.source] and way.source not in found:
                    found.add(way.source)
                    pending.append(way.source)
        return found if 0 not in found else set()

    @cached_property
    def dominates(self) -> Callable[[int, int], bool]:
        """Which segment control has to pass on the way to which."""
        return relation(self.dominators)

    @cached_property
    def dominators(self) -> dict[int, int]:
        """Of each segment the nearest that dominates it; of the first itself."""
        return self._dominators()

    def dominance(self) -> Callable[[int, int], bool]:
        """The same over the ways as they are now."""
        return relation(self._dominators())

    def _dominators(self) -> dict[int, int]:
        edges = [(way.source, way.target) for number in self.order for way in self.after[number]]
        return dominator_tree(len(self.every), edges)

    @cached_property
    def open(self) -> list[tuple[int, int]]:
        """The points behind operations that are not written to the end, and behind what uses the results of one: views,
        perhaps. Each may be another last use."""
        found = reachable(
            incomplete_ops(self._graph), lambda op: (use.op for result in op.results for use in result.uses)
        )
        places = map(self.of, found)
        return [(place[0], place[1] + 1) for place in places if place is not None]

    # ---- building ----------------------------------------------------------------------------------------------------

    def _build(self, entry: Block, holders: Sequence[Op]) -> None:
        for holder in holders:
            self._held.setdefault(holder.parent, []).append(holder)
        for block in reachable([entry], self._leads_to):
            poll()
            self._cut(block)
        for holder in (self._graph.function, *holders):  # what control never comes to
            for region in holder.regions:
                for block in region.blocks:
                    if block not in self._starts:
                        self._cut(block)
        for number, segment in enumerate(self.every):
            self.after[number] = [
                Way(number, target, edge) for edge in self._edges(segment) if (target := self._target(edge)) is not None
            ]

    def _arrange(self) -> None:
        """Find the ways that lead to each segment, and the order of the segments."""
        self.order = self._reverse_postorder()
        self.position = [-1] * len(self.every)
        for position, number in enumerate(self.order):
            self.position[number] = position
        self.before = [[] for _ in self.every]
        for number, ways in enumerate(self.after):
            if ways and self.position[number] < 0:
                self.left_out += ways
                self.after[number] = []
        for ways in self.after:
            for way in ways:
                self.before[way.target].append(way)

    def _cut(self, block: Block) -> None:
        """Make the segments of a block."""
        starts, first = [0], len(self.every)
        before: Op | None = None
        for op in self._held.get(block, ()):
            self.every.append(Segment(block, starts[-1], op.index + 1, before, op))
            starts.append(op.index + 1)
            before = op
        self.every.append(Segment(block, starts[-1], len(block.ops), before, None))
        self.after += [[] for _ in starts]
        self._starts[block] = starts, first

    def _leads_to(self, block: Block) -> Iterator[Block]:
        for op in self._held.get(block, ()):
            yield from (edge.block for edge in self._graph.entries(op) if edge.block is not None)
        yield from (edge.block for edge in self._graph.exits(block) if edge.block is not None)

    def _edges(self, segment: Segment) -> tuple[Edge, ...]:
        return self._graph.entries(segment.head) if segment.head is not None else self._graph.exits(segment.block)

    def _target(self, edge: Edge) -> int | None:
        if edge.block is not None:
            return self._starts[edge.block][1] if edge.block in self._starts else None
        if edge.leaves is None or edge.leaves is self._graph.function:
            return None
        return self.behind(edge.leaves)

    def _reverse_postorder(self) -> list[int]:
        seen = bytearray(len(self.every))
        found: list[int] = []
        stack = [(0, iter(self.after[0]))]
        seen[0] = 1
        while stack:
            number, ways = stack[-1]
            for way in ways:
                if not seen[way.target]:
                    seen[way.target] = 1
                    stack.append((way.target, iter(self.after[way.target])))
                    break
            else:
                stack.pop()
                found.append(number)
        return found[::-1]
