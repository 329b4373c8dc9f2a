"""What deallocations, once chosen, make of each path: which dead buffers are unfreed, freed, or either, and where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from memlane.fixes.decision_tree import ALWAYS, DecisionTree
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.scc import reachable
from memlane.flow.dataflow.events import Point
from memlane.flow.dataflow.solver import worklist
from memlane.flow.peak.exploded_liveness import Lives
from memlane.flow.peak.exploded_paths import PathNode
from memlane.syntax.tree.tree import Value

UNFREED, FREED = 1, 2


@dataclass(frozen=True, slots=True)
class PlannedFree:
    """A deallocation to be.

    Args:
        point: after the operation before it, or at the block's start.
        edge: where it goes on an edge of its own instead; then `point` is where the edge leads to.
        value: the name to free.
        tree: on which paths.
        unsure: an operation without a model took the buffer.
        nodes: the paths, by node at the point, where a flag that is still to be made has to tell; None: `tree` does.
    """

    point: Point
    value: Value
    tree: DecisionTree = ALWAYS
    edge: Edge | None = None
    unsure: bool = False
    nodes: frozenset[int] | None = None


Pair = tuple[int, int]
"""A node and a buffer of it, by their numbers."""
Origin = tuple[int, "int | None", "Edge | None"]
"""What a buffer was at the node before, by their numbers, and the edge between; None: it is new. Several buffers become
one where they have no name any more."""


class FreeEffects:
    """A data-flow analysis over the nodes of `lives`: union where paths meet, in reverse postorder, buffer by buffer.

    Attributes:
        into, out: per node and buffer a set of `UNFREED` and `FREED`, before and after what is done at the node's
            point; none for buffers that live there or that need not be freed.
        wrong: sites that free again on some path.
    """

    def __init__(self, lives: Lives) -> None:
        self._lives = lives
        order, self._roots = _reverse_postorder(lives.nodes)
        self._order = order
        self._place = {number: place for place, number in enumerate(order)}
        self._dead = [
            {j for j in range(len(node.heap)) if j not in ahead and node.owned(j)}
            for node, ahead in zip(lives.nodes, lives.ahead, strict=True)
        ]
        self._before: dict[int, dict[int, list[Origin]]] = {}
        self._back = [
            (number, j)
            for number, sources in enumerate(lives.paths.into)
            if any(self._place[source] >= self._place[number] for source, _ in sources)
            for j in self._dead[number]
        ]
        self.into: list[list[int]] = []
        self.out: list[list[int]] = []
        self.wrong: set[PlannedFree] = set()

    def start(self, sites: Iterable[PlannedFree]) -> None:
        """Forget what was chosen, and choose `sites`."""
        self.into = [[0] * len(node.heap) for node in self._lives.nodes]
        self.out = [[0] * len(node.heap) for node in self._lives.nodes]
        self.wrong = set()
        self._by_point: dict[Point, list[PlannedFree]] = {}
        self._by_edge: dict[Edge, list[PlannedFree]] = {}
        for site in sites:
            if site.edge is None:
                self._by_point.setdefault(site.point, []).append(site)
            else:
                self._by_edge.setdefault(site.edge, []).append(site)
        for number in self._order:
            for j, origins in self._origins(number).items():
                self.into[number][j] = self._comes(origins)
                self._act(number, j)
        self._run(self._back)

    def add(self, site: PlannedFree) -> None:
        """Choose one more, at a point: what hangs on the buffers it frees is found anew, and nothing else."""
        self._by_point.setdefault(site.point, []).append(site)
        nodes = self._lives.nodes
        numbers = self._lives.at[site.point]
        freed = [(number, i) for number in numbers if (i := nodes[number].holding(site.value)) is not None]
        behind = {pair for one in freed for pair in self._after(*one)}
        stale = {*reachable(behind, lambda pair: self._after(*pair))}
        for number, j in stale:
            self.into[number][j] = self.out[number][j] = 0
        for number, i in freed:
            self._act(number, i)
        self._run(stale)

    def _after(self, number: int, i: int) -> Iterator[Pair]:
        """What becomes of a buffer, where it is dead."""
        for step in self._lives.nodes[number].steps:
            j = step.image.get(i)
            if j in self._dead[step.target]:
                yield step.target, j

    def _run(self, pairs: Iterable[Pair]) -> None:
        """Until nothing changes, beginning with these."""

        def visit(pair: Pair) -> Iterable[Pair]:
            number, j = pair
            self.into[number][j] |= self._comes(self._origins(number)[j])
            return self._after(number, j) if self._act(number, j) else ()

        worklist(pairs, visit, lambda pair: self._place[pair[0]])

    def _act(self, number: int, i: int) -> bool:
        """What is done at a node's point with a buffer; whether that is new."""
        node, out = self._lives.nodes[number], self.into[number][i]
        for site in self._by_point.get(node.point, ()):
            if node.holding(site.value) == i and self._acts(number, site):
                if out & FREED:
                    self.wrong.add(site)
                out = out and FREED
        new = out != self.out[number][i]
        self.out[number][i] = out
        return new

    def _comes(self, origins: list[Origin]) -> int:
        """What comes along the edges to a node, of what is known by now."""
        bits = 0
        for source, i, edge in origins:
            if i is None:
                bits |= UNFREED
                continue
            node, out = self._lives.nodes[source], self.out[source][i]
            sites = self._by_edge.get(edge, ()) if edge is not None else ()
            freeing = [site for site in sites if node.holding(site.value) == i]
            self.wrong.update(freeing[1:])
            if freeing:
                bits |= FREED
            elif i in self._lives.ahead[source] or (not out and (i not in self._dead[source] or source in self._roots)):
                bits |= UNFREED
            else:
                bits |= out
        return bits

    def _origins(self, number: int) -> dict[int, list[Origin]]:
        """What each dead buffer of a node was before."""
        found = self._before.get(number)
        if found is None:
            dead = self._dead[number]
            found = self._before[number] = {j: [] for j in dead}
            for source, step in self._lives.paths.into[number]:
                for i, j in step.image.items():
                    if j in dead:
                        found[j].append((source, i, step.edge))
                for j in dead.difference(step.image.values()):
                    found[j].append((source, None, step.edge))
        return found

    def _acts(self, number: int, site: PlannedFree) -> bool:
        if site.nodes is not None:
            return number in site.nodes
        tree = site.tree
        while tree.flag is not None and tree.then is not None and tree.otherwise is not None:
            tree = tree.then if self._lives.paths.known(number, tree.flag) else tree.otherwise
        return tree.act


def _reverse_postorder(nodes: list[PathNode]) -> tuple[list[int], set[int]]:
    """The numbers of the nodes, each before those it leads to unless that goes round in a circle; the first ones."""
    found: list[int] = []
    roots: set[int] = set()
    seen = [False] * len(nodes)
    for root in range(len(nodes)):
        if seen[root]:
            continue
        roots.add(root)
        pending = [(root, 0)]
        seen[root] = True
        while pending:
            number, step = pending.pop()
            if step == len(nodes[number].steps):
                found.append(number)
                continue
            pending.append((number, step + 1))
            target = nodes[number].steps[step].target
            if not seen[target]:
                seen[target] = True
                pending.append((target, 0))
    return found[::-1], roots
