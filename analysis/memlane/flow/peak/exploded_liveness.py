"""Which buffers of explored paths have a use ahead at each of their nodes.

A buffer *lives* at a node while some path from there names it; a terminator that hands it on names it. Where work on it
is under way, the wait that completes the work is a use as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from enum import Enum, auto

from memlane.dialects.roles import Threads
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import is_defined_in
from memlane.flow.dataflow.solver import worklist
from memlane.flow.effects.alloc_counts import taken_inside
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.peak.exploded_paths import ExplodedPaths, PathNode
from memlane.syntax.tree.tree import Op, Value


class Lift(Enum):
    """Whether a buffer that is named inside an operation lives until the end of that."""

    NEVER = auto()
    NOTHING_TAKEN = auto()
    """Where nothing inside takes memory: freed behind it the buffer is freed early enough."""
    ALWAYS = auto()


class Lives:
    """See the module.

    Args:
        paths: what was explored.
        uses: of the deallocations that are taken out, those that count as a use, so that their buffers live until
            there.
        lift: until where buffers live that are named inside an operation.
        handed: to hand a buffer on under another name is a use of it, whether or not that name is used.

    Attributes:
        paths: as given.
        graph, part, nodes, at: those of the paths.
        ahead: for each node the buffers with a use ahead.
    """

    def __init__(
        self,
        paths: ExplodedPaths,
        uses: frozenset[Op] = frozenset(),
        lift: Lift = Lift.NOTHING_TAKEN,
        handed: bool = True,
    ) -> None:
        self.paths = paths
        self.graph, self.part, self.nodes, self.at = paths.graph, paths.part, paths.nodes, paths.at
        self.ahead: list[set[int]] = []
        self._uses, self._lift, self._handed = uses, lift, handed
        self._inside: dict[Op, set[Value]] | None = None
        self._passed: dict[Op, frozenset[Value]] = {}
        self._solve()

    def _named(self, op: Op, node: PathNode) -> set[int]:
        if op in self.paths.taken_out and op not in self._uses:
            return set()
        named = self.part.named(op)
        named = named if self._handed else set(named) - self._handed_on(op)
        found = (node.holding(root) for root in self._roots(named))
        return {number for number in found if number is not None}

    def _handed_on(self, op: Op) -> frozenset[Value]:
        """The roots that an op names to hand them on, to what it leads to under another name, and for nothing else."""
        found = self._passed.get(op)
        if found is None:
            edges = (*(self.graph.entries(op) if op.regions else ()), *self._ending(op))
            sources = {source for edge in edges if edge.place is op for source, _ in edge.bindings}
            others = {self.part.root.get(use.value) for use in op.operands if use.value not in sources and use.value}
            roots = {root for source in sources if source is not None and (root := self.part.root.get(source))}
            found = self._passed[op] = frozenset(roots - others)
        return found

    def _ending(self, op: Op) -> tuple[Edge, ...]:
        return self.graph.exits(op.parent) if op.parent is not None and op is op.parent.ops[-1] else ()

    def _roots(self, named: Iterable[Value]) -> Iterable[Value]:
        """The roots of the buffers that some roots may denote."""
        return self.paths.choosing.buffers(named) if self.paths.choosing is not None else named

    def _solve(self) -> None:
        """Which buffers live where, backwards from the uses."""
        ahead = self.ahead = [self._used(node) for node in self.nodes]

        def visit(target: int) -> Iterator[int]:
            for number, step in self.paths.into[target]:
                new = {i for i, j in step.image.items() if j in ahead[target]} - ahead[number]
                if new:
                    ahead[number] |= new
                    yield number

        worklist([number for number, used in enumerate(ahead) if used], visit, lambda number: -number)

    def _used(self, node: PathNode) -> set[int]:
        """The buffers of a node that are used there, or until something is left that ends there."""
        op = self.paths.stop(node.point)
        used = (self._named(op, node) if op is not None else set[int]()) | node.awaited
        for step in node.steps:
            if step.edge is not None and step.edge.leaves is not None:
                used |= self._held_until_end(node, step.image, step.edge.leaves)
        return used

    def _held_until_end(self, node: PathNode, among: Iterable[int], op: Op) -> set[int]:
        """Those of some buffers of a node from which `op` is left that are in use until then."""
        inside = node.point.block is not op.parent
        until_end = self._used_until_end(op, inside)
        held = {i for i in among if not node.heap[i].holders.isdisjoint(until_end)}
        if inside and _is_run_by_several(self.graph, op):  # each thread would free what they share
            shared = (i for i in among if not is_defined_in(node.heap[i].origin.value, op))
            held.update(i for i in shared if not node.heap[i].holders.isdisjoint(self._named_inside(op)))
        return held

    def _named_inside(self, op: Op) -> Set[Value]:
        """The roots that are named in the regions of `op`."""
        if self._inside is None:
            self._inside = {}
            for inner in self.part.position:  # of what is there beside, however much it is, nothing names them
                if inner not in self.paths.taken_out or inner in self._uses:
                    _note_around(self._inside, inner, set(self._roots(self.part.named(inner))))
        return self._inside.get(op, frozenset())

    def _used_until_end(self, op: Op, inside: bool) -> frozenset[Value]:
        """The roots in use until `op` is left, from inside or not: what it works on, and what is named inside."""
        effects = effects_at(self.graph, op)
        own = (self.part.root.get(value) for value in (*effects.reads, *effects.writes))
        found = frozenset(self._roots(root for root in own if root is not None))
        return found | self._named_inside(op) if inside and self._lifts(op) else found

    def _lifts(self, op: Op) -> bool:
        return self._lift is Lift.ALWAYS or (self._lift is Lift.NOTHING_TAKEN and not taken_inside(self.graph, op))


def _is_run_by_several(graph: Graph, op: Op) -> bool:
    """Whether several threads may run the regions of an op at a time."""
    model = graph.model(op) if op is not graph.function else None
    return model is not None and (model.parallel or model.threads is Threads.ALL)


def _note_around(inside: dict[Op, set[Value]], op: Op, roots: set[Value]) -> None:
    """Note what `op` names with all operations around it, up to one that knows it."""
    while roots and op.parent is not None:
        op = op.parent.region.op
        known = inside.setdefault(op, set())
        if roots <= known:
            break  # and so do all around it
        known |= roots
