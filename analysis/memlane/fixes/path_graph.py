"""What of the paths does not depend on where buffers are freed, so that it is found once and not for each choice."""

from __future__ import annotations

from memlane.flow.cfg.edge import Edge
from memlane.flow.dataflow.events import Point
from memlane.flow.effects.alloc_counts import taken_between, takes_memory
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.peak.exploded_liveness import Lives
from memlane.flow.peak.exploded_paths import PathNode
from memlane.flow.slicing.death_points import Deaths


class Terrain:
    """See the module.

    Attributes:
        ends: buffers that would be lost, by node: their last name goes there, or the path ends.
        taking: the nodes behind which memory is taken, before the next one of their path.
        passing: those behind which there are blocks that are not followed.
    """

    def __init__(self, lives: Lives) -> None:
        self._lives = lives
        self.ends: list[tuple[int, int]] = []
        self.taking: list[int] = []
        self.passing: list[int] = []
        self._edges: dict[Point, dict[Edge, list[tuple[int, int]]]] = {}
        takes: dict[Point, bool] = {}
        for number, node in enumerate(lives.nodes):
            for step in node.steps:
                if step.edge is not None:
                    edges = self._edges.setdefault(lives.nodes[step.target].point, {})
                    edges.setdefault(step.edge, []).append((number, step.target))
            self.ends.extend((number, i) for i in range(len(node.heap)) if self._ends(node, i))
            if node.steps:
                if node.point not in takes:
                    takes[node.point] = self._takes_next(node.point)
                if takes[node.point]:
                    self.taking.append(number)
                if any(step.edge is not None and self.goes_past(step.edge) for step in node.steps):
                    self.passing.append(number)

    def edges_to(self, point: Point) -> dict[Edge, list[tuple[int, int]]]:
        """The edges that lead to a point, each with the nodes between which it is taken."""
        return self._edges.get(point, {})

    def goes_past(self, edge: Edge) -> bool:
        """Whether there are blocks on an edge that are not followed."""
        part = self._lives.part
        return isinstance(part, Deaths) and part.passes(edge)

    def _ends(self, node: PathNode, number: int) -> bool:
        if not node.steps:
            return self._lost(node, number)
        return any(number not in step.image for step in node.steps)

    def _lost(self, node: PathNode, number: int) -> bool:
        """Whether the path ends here by returning, without the buffer."""
        last = node.point.block.ops[-1] if node.point.block.ops else None
        effects = effects_at(self._lives.graph, last) if last is not None else None
        if effects is None:
            return True
        return not effects.stops and number not in {
            node.holding(root)
            for value in (*effects.returned, *effects.packed)
            if (root := self._lives.part.root.get(value)) is not None
        }

    def _takes_next(self, point: Point) -> bool:
        """Whether memory is taken between a point and the next."""
        block, stop = point
        stops = self._lives.part.stops.get(block, [])
        start = stops[stop - 1].index + 1 if stop else 0
        end = stops[stop].index if stop < len(stops) else len(block.ops)
        graph = self._lives.graph
        if taken_between(graph, block, start, end):
            return True
        return stop < len(stops) and takes_memory(graph, stops[stop])
