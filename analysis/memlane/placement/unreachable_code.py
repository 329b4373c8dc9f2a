"""Code that never runs: what control does not come to past the edges that are taken, in whatever form.

A branch on a constant, or on what cannot hold there, a loop without rounds and what follows a loop without an end are
one thing here: edges that are not taken (feasible.py). Nor does control come behind what ends the program
(aborting_ops.py). Nothing is reported in what only they lead to.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Container, Iterator, Sequence
from typing import NamedTuple

from memlane.findings import Span
from memlane.flow.cfg.control_facts import ControlFact
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_dispatch import through_hubs
from memlane.flow.derived import query
from memlane.placement.feasible import edges_never_taken, edges_never_taken_closely
from memlane.syntax.tree.tree import Block, Op


class _Stretch(NamedTuple):
    """Statements of one block that never run: the first and the last."""

    first: Op
    last: Op


def never_runs(graph: Graph, place: Span, closely: bool = False) -> bool:
    """Whether a place in the text of a function is in such code.

    Args:
        closely: more is looked at, so that it takes longer.
    """
    stretches = query(graph, _unreached_closely if closely else _unreached)
    before = bisect_right(stretches, place.start, key=_start)
    return before > 0 and place.start < stretches[before - 1].last.span.end


class _Stretches(ControlFact, list[_Stretch]):
    """The statements of a function that control does not come to, in text order, block by block; those inside of others
    are left out."""

    __slots__ = ()

    def stands(self, blocks: Collection[Block], edges: Collection[Edge]) -> bool:
        """Whether none are in such blocks: another statement may be the first of them."""
        return not any(one.first.parent in blocks for one in self)


def _start(one: _Stretch) -> int:
    return one.first.span.start


def _index(op: Op) -> int:
    return op.index


def _unreached(graph: Graph) -> _Stretches:
    return _unreached_past(graph, query(graph, edges_never_taken))


def _unreached_closely(graph: Graph) -> _Stretches:
    return _unreached_past(graph, query(graph, edges_never_taken_closely))


def _unreached_past(graph: Graph, never: Container[Edge]) -> _Stretches:
    reached, found = _Reached(through_hubs(graph), never), list[_Stretch]()
    blocks = list(graph.function.regions[0].blocks) if graph.function.regions else []
    while blocks:
        block = blocks.pop()
        stop = reached.found.get(block, 0)
        if stop < len(block.ops):
            found.append(_Stretch(block.ops[stop], block.ops[-1]))
        holders = (op for op in reached.holders.get(block, ()) if op.index < stop)
        blocks += [inner for op in holders for region in op.regions for inner in region.blocks]
    return _Stretches(sorted(found, key=_start))


class _Reached:
    """What control comes to.

    Args:
        never: the edges of the function that no execution takes.

    Attributes:
        found: the blocks that control comes to, each with how many of its ops it comes to.
        holders: of each block the ops that have regions, in order.
    """

    def __init__(self, graph: Graph, never: Container[Edge]) -> None:
        self._graph, self._never = graph, never
        self.found: dict[Block, int] = {}
        self.holders: dict[Block, list[Op]] = {}
        for op in (op for ops in graph.named.values() for op in ops if op.regions):
            if op.parent is not None:
                self.holders.setdefault(op.parent, []).append(op)
        for ops in self.holders.values():
            ops.sort(key=_index)
        pending = [(graph.entry, 0)] if graph.entry is not None else []
        seen: set[tuple[Block, int]] = set()
        while pending:
            block, start = place = pending.pop()
            if place in seen or start < self.found.get(block, 0):  # that control comes to what is before is known
                continue
            seen.add(place)
            self.found[block] = max(self.found.get(block, 0), start)
            pending += self._onward(block, start)

    def _onward(self, block: Block, start: int) -> Iterator[tuple[Block, int]]:
        """Where control may go from a place in a block; `found` takes how far it comes in the block itself."""
        graph = self._graph
        stop = graph.stopping.get(block)
        end = len(block.ops) if stop is None else stop.index + 1
        holders = self.holders.get(block, ())
        for number in range(bisect_left(holders, start, key=_index), len(holders)):
            op = holders[number]
            if op.index >= end:
                break
            self.found[block] = max(self.found[block], op.index + 1)
            yield from _inner(taken := self._taken(graph.entries(op)))
            if all(edge.leaves is not op for edge in taken):
                return  # it goes on behind the op where it leaves that
        self.found[block] = max(self.found[block], end)
        if stop is not None:
            return
        taken, around = self._taken(graph.exits(block)), block.region.op
        yield from _inner(taken)
        left = {edge.leaves for edge in taken if edge.leaves is not None}
        if not graph.exits(block) and around is not graph.function:
            left.add(around)  # the end of the block is being typed
        yield from ((op.parent, op.index + 1) for op in left if op.parent is not None)

    def _taken(self, edges: Sequence[Edge]) -> list[Edge]:
        return [edge for edge in edges if edge not in self._never]


def _inner(edges: Sequence[Edge]) -> Iterator[tuple[Block, int]]:
    return ((edge.block, 0) for edge in edges if edge.block is not None)
