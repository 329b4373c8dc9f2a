"""Which buffers may still be named from a place on: of those that are freed, the others need not be kept.

Liveness of SSA values, root by root, backwards from what names them to where they are defined (Boissinot et al., "Fast
liveness checking for SSA-form programs", 2008, explain why it is cheap). Conditions are taken as free.
"""

from __future__ import annotations

from collections.abc import Iterable

from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.events import Point
from memlane.flow.slicing.slice import Slice
from memlane.syntax.tree.tree import Block, Op, Region, Value


class Ahead:
    """Answers for one slice.

    Args:
        graph, part: what is followed.
    """

    def __init__(self, graph: Graph, part: Slice) -> None:
        self._graph = graph
        self._part = part
        self._before: dict[Region | Op, dict[Block, list[Block]]] = {}
        self._naming: dict[Value, list[Op]] | None = None
        self._known: dict[Value, _Life] = {}

    def named(self, point: Point, roots: Iterable[Value]) -> bool:
        """Whether one of the roots may be named at `point` or later, before it means another buffer."""
        return any(self._lives(point, root) for root in roots)

    def _lives(self, point: Point, root: Value) -> bool:
        life = self._known.get(root)
        if life is None:
            life = self._known[root] = self._life(root)
        block, stop = point
        while True:
            if block in life.beyond or life.last.get(block, -1) >= stop:
                return True
            around = block.region.op
            if block.region is self._part.scope or around.parent is None:
                return False
            block, stop = around.parent, self._part.position[around] + 1

    def _life(self, root: Value) -> _Life:
        if self._naming is None:
            self._naming = {}
            for stops in self._part.stops.values():
                for op in stops:
                    for one in self._part.named(op):
                        self._naming.setdefault(one, []).append(op)
        life = _Life()
        pending: list[Block] = []
        home = root.block if root.block is not None else root.op.parent if root.op is not None else None
        for op in self._naming.get(root, ()):
            self._mention(life, op, home, pending)
        entered = set(pending)
        while pending:
            block = pending.pop()
            for before in self._leading_to(block) if block is not home else ():
                life.beyond.add(before)
                if before not in entered:
                    entered.add(before)
                    pending.append(before)
        return life

    def _mention(self, life: _Life, op: Op, home: Block | None, blocks: list[Block]) -> None:
        """An op names it, and so do those around the op; `blocks` takes those that control enters before it."""
        while op.parent is not None and op in self._part.position:
            ends = op is op.parent.ops[-1]  # then the values it forwards are live after it
            place = self._part.position[op] + ends
            known = life.last.get(op.parent, -1)
            if known < 0:
                blocks.append(op.parent)
            if known >= place:
                return
            life.last[op.parent] = place
            if op.parent is home or op.parent.region is self._part.scope:
                return
            op = op.parent.region.op

    def _leading_to(self, block: Block) -> list[Block]:
        """The blocks at the end of which control may come to `block`."""
        region = block.region
        among = region if region is self._part.scope else region.op
        found = self._before.get(among)
        if found is None:
            found = self._before[among] = {}
            regions = () if isinstance(among, Region) else self._beside(among)
            blocks = self._part.blocks if isinstance(among, Region) else (b for one in regions for b in one.blocks)
            for source in blocks:  # of a part that goes past most blocks, few
                for edge in self._part.exits(source):
                    if edge.block is not None:
                        found.setdefault(edge.block, []).append(source)
        return found.get(block, [])

    def _beside(self, op: Op) -> Iterable[Region]:
        """The regions of an op, and the place between them where it has one (cfg/region_dispatch.py)."""
        entered = [edge.block.region for edge in self._graph.entries(op) if edge.block is not None]
        return dict.fromkeys((*op.regions, *entered))


class _Life:
    """Of one root: per block the last stop that names it, or inside which it is named; and the blocks at the end of
    which it may still be."""

    __slots__ = ("beyond", "last")

    def __init__(self) -> None:
        self.last: dict[Block, int] = {}
        self.beyond: set[Block] = set()
