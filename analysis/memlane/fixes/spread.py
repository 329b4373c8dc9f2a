"""What deallocations, once chosen, make of each path: which dead buffers are unfreed, freed, or either, and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from memlane.fixes.choice import ALWAYS, Tree
from memlane.flow.events import Point
from memlane.flow.graph import Edge
from memlane.flow.lives import Lives, Node, Step
from memlane.syntax.tree import Value

UNFREED, FREED = 1, 2


@dataclass(frozen=True, slots=True)
class Site:
    """A deallocation to be.

    Args:
        point: after the operation before it, or at the block's start.
        edge: where it goes on an edge of its own instead; then `point` is where the edge leads to.
        value: the name to free.
        tree: on which paths.
        unsure: an operation nobody described had the buffer.
        nodes: the paths, by node at the point, where a flag that is still to be made has to tell; None: `tree` does.
    """

    point: Point
    value: Value
    tree: Tree = ALWAYS
    edge: Edge | None = None
    unsure: bool = False
    nodes: frozenset[int] | None = None


class Spread:
    """A data-flow analysis over the nodes of `lives`: union where paths meet, in reverse postorder.

    Attributes:
        into, out: per node and buffer a set of `UNFREED` and `FREED`, before and after what is done at the node's
            point; none for buffers that live there or that nobody has to free.
        wrong: sites that free again on some path.
    """

    def __init__(self, lives: Lives) -> None:
        self._lives = lives
        self._order = _reverse_postorder(lives.nodes)
        self._place = {number: place for place, number in enumerate(self._order)}
        self._dead = [{j for j in range(len(n.heap)) if j not in n.lives and n.owned(j)} for n in lives.nodes]
        self._sources: list[set[int]] = [set() for _ in lives.nodes]
        for number, node in enumerate(lives.nodes):
            for step in node.steps:
                self._sources[step.target].add(number)
        self.start(())

    def start(self, sites: Iterable[Site]) -> None:
        """Forget what was chosen, and choose `sites`."""
        self.into = [[0] * len(node.heap) for node in self._lives.nodes]
        self.out = [[0] * len(node.heap) for node in self._lives.nodes]
        self.wrong: set[Site] = set()
        self._by_point: dict[Point, list[Site]] = {}
        self._by_edge: dict[Edge, list[Site]] = {}
        for site in sites:
            if site.edge is None:
                self._by_point.setdefault(site.point, []).append(site)
            else:
                self._by_edge.setdefault(site.edge, []).append(site)
        self._run(set(range(len(self._order))))

    def add(self, site: Site) -> None:
        """Choose one more, at a point: what hangs on the buffers it frees is found anew, and nothing else."""
        self._by_point.setdefault(site.point, []).append(site)
        nodes = self._lives.nodes
        numbers = self._lives.at[site.point]
        pending = [(number, i) for number in numbers if (i := nodes[number].holding(site.value)) is not None]
        stale = set[tuple[int, int]]()
        while pending:
            number, i = pending.pop()
            for step in nodes[number].steps:
                j = step.image.get(i)
                if j in self._dead[step.target] and (step.target, j) not in stale:
                    stale.add((step.target, j))
                    self.into[step.target][j] = 0
                    pending.append((step.target, j))
        anew = {*numbers, *(number for number, _ in stale)}
        self._run(anew.union(*(self._sources[number] for number, _ in stale)))

    def _run(self, numbers: set[int]) -> None:
        """Until nothing changes, beginning with these nodes."""
        pending = [self._place[number] for number in numbers]
        heapify(pending)
        waiting = set(pending)
        while pending:
            place = heappop(pending)
            waiting.discard(place)
            number = self._order[place]
            self._act(number)
            for step in self._lives.nodes[number].steps:
                after = self._place[step.target]
                if self._pass_on(number, step) and after not in waiting:
                    waiting.add(after)
                    heappush(pending, after)

    def _act(self, number: int) -> None:
        """What is done at a node's point."""
        node = self._lives.nodes[number]
        out = list(self.into[number])
        for site in self._by_point.get(node.point, ()):
            i = node.holding(site.value)
            if i is not None and self._acts(number, site):
                if out[i] & FREED:
                    self.wrong.add(site)
                out[i] = out[i] and FREED
        self.out[number] = out

    def _pass_on(self, number: int, step: Step) -> bool:
        """What comes along an edge; whether that is new."""
        node, into, out = self._lives.nodes[number], self.into[step.target], self.out[number]
        sites = self._by_edge.get(step.edge, ()) if step.edge is not None else ()
        freed = {node.holding(site.value) for site in sites}
        old: dict[int, list[int]] = {}  # several where nobody can name them any more
        for i, j in step.image.items():
            old.setdefault(j, []).append(i)
        new = False
        for j in self._dead[step.target]:
            bits = UNFREED if j not in old else 0
            for i in old.get(j, ()):
                bits |= FREED if i in freed else UNFREED if i in node.lives or not out[i] else out[i]
            if into[j] | bits != into[j]:
                into[j] |= bits
                new = True
        return new

    def _acts(self, number: int, site: Site) -> bool:
        if site.nodes is not None:
            return number in site.nodes
        tree = site.tree
        while tree.flag is not None and tree.then is not None and tree.otherwise is not None:
            tree = tree.then if self._lives.known(number, tree.flag) else tree.otherwise
        return tree.act


def _reverse_postorder(nodes: list[Node]) -> list[int]:
    """The numbers of the nodes, each before those it leads to, but where that goes round in a circle."""
    found: list[int] = []
    seen = [False] * len(nodes)
    for root in range(len(nodes)):
        pending = [] if seen[root] else [(root, 0)]
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
    return found[::-1]
