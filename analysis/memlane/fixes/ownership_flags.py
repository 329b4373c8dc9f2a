"""Flags that distinguish paths where no existing condition does: which are needed, and the value of each on every edge.

What is wanted is a predicate on the explored paths at some point: on these the buffer is to be freed, on those not. It
is followed backwards (weakest precondition; Dijkstra 1975) to the last point before which it was decided. Where that
is a merge (a block with several predecessors, the head of a loop, the end of an operation with regions), the merge gets
an `i1` of its own, and on each edge into it what that has to be there is asked in the same way. Where the answer is the
same on all paths it is a constant, and where an existing condition decides it, that is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from memlane.fixes.decision_tree import ALWAYS, NEVER, DecisionTree, decide
from memlane.fixes.limits import MAX_FLAGS, MAX_SPLITS
from memlane.fixes.scope import Scope
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.scc import reachable
from memlane.flow.dataflow.events import Point
from memlane.flow.peak.exploded_liveness import Lives
from memlane.syntax.tree.tree import Block, Value


@dataclass(frozen=True, slots=True)
class Wanted:
    """A predicate on paths: true at the nodes `act`, false at the nodes `leave`, of no interest at others."""

    point: Point
    act: frozenset[int]
    leave: frozenset[int]


@dataclass(eq=False, slots=True)
class Column:
    """One flag that goes along a merge: through all `edges`, into all `receivers` beside those named here.

    `handed` says what it is on each of the edges.
    """

    edges: tuple[Edge, ...]
    receivers: tuple[Value, ...]
    block: Block | None
    act: frozenset[int]
    leave: frozenset[int]
    handed: dict[Edge, Term] = field(default_factory=dict[Edge, "Term"])


@dataclass(frozen=True, slots=True)
class FlagChoice:
    """`then` where `flag` is true, else `otherwise`."""

    flag: Value
    then: Term
    otherwise: Term


Term = bool | Value | Column | FlagChoice
"""What a flag is: a constant, an existing condition, another flag (under its name at that place), or a choice."""


class Telling:
    """Finds the flags for predicates on the paths of `lives`.

    Args:
        lives: the explored paths.
    """

    def __init__(self, lives: Lives) -> None:
        self.columns: list[Column] = []
        self._pending: list[Column] = []
        self._share = True
        self._lives = lives
        self._scope = Scope(lives.graph, lives.part.stops)
        self._flags = lives.paths.flags()
        self._before: list[list[int]] = [[] for _ in lives.nodes]
        self._into: dict[Edge, list[tuple[int, int]]] = {}
        for number, node in enumerate(lives.nodes):
            for step in node.steps:
                self._before[step.target].append(number)
                if step.edge is not None:
                    self._into.setdefault(step.edge, []).append((number, step.target))

    def told(self, wanted: Sequence[Wanted]) -> list[Column] | None:
        """The flags with which all predicates are known where they are wanted; None: there is no way."""
        for self._share in (True, False):
            self.columns.clear()
            self._pending.clear()
            if all(self._term(one) is not None for one in wanted) and self._handed():
                return self.columns
        return None

    def _handed(self) -> bool:
        """Find what all columns are on their edges; whether there is a way."""
        steps = 0
        while self._pending:
            column = self._pending.pop(0)
            steps += 1
            for edge in column.edges if column in self.columns else ():
                term = self._term(self._on(edge, column))
                if term is None or steps > MAX_FLAGS:
                    return False
                column.handed[edge] = term
        return True

    def _on(self, edge: Edge, column: Column) -> Wanted:
        """What `column` has to be where `edge` is taken, and the edges that hand on the same."""
        place = edge.place
        alike = [other for other in column.edges if other.place is place and not place.successors] or [edge]
        pairs = [pair for other in alike for pair in self._into.get(other, ())]
        act = frozenset(source for source, target in pairs if target in column.act)
        leave = frozenset(source for source, target in pairs if target in column.leave)
        return Wanted(self._end(edge), act, leave)

    def _end(self, edge: Edge) -> Point:
        """The point from which an edge leads away."""
        place, part = edge.place, self._lives.part
        assert place.parent is not None
        if place in part.position and place.regions:
            return Point(place.parent, part.position[place])
        return Point(place.parent, len(part.stops.get(place.parent, ())))

    def _term(self, wanted: Wanted, splits: int = MAX_SPLITS) -> Term | None:
        """A value that is as wanted."""
        point, act, leave = wanted.point, wanted.act, wanted.leave
        if act & leave:
            return None
        while True:
            if not act or not leave:
                return not leave and bool(act)
            flags = [flag for flag in self._flags if self._scope.sees(point, flag)]
            tree = decide(sorted(act), sorted(leave), flags, self._lives.paths.known)
            if tree is not None:
                return _of(tree)
            earlier = self._earlier(point)
            found = self._back(earlier, act, leave) if earlier is not None else None
            if earlier is not None and found is not None:
                point, (act, leave) = earlier, found
                continue
            column = self._column(point, act, leave)
            return column if column is not None else self._split(Wanted(point, act, leave), flags, splits)

    def _earlier(self, point: Point) -> Point | None:
        """The next point before `point` that all paths there pass; None: it is the first."""
        block, stop = point
        if stop:
            return Point(block, stop - 1)
        if block.index:
            before = self._scope.before(block)
            return Point(before, len(self._lives.part.stops.get(before, ()))) if before is not None else None
        op, part = block.region.op, self._lives.part
        if op is self._lives.graph.function or block.region is part.scope or op.parent is None:
            return None
        return Point(op.parent, part.position[op]) if op in part.position else None

    def _back(
        self, earlier: Point, act: frozenset[int], leave: frozenset[int]
    ) -> tuple[frozenset[int], frozenset[int]] | None:
        """The predicate at `earlier`, where it is decided there: no node leads to both kinds before it is met again."""
        starts = frozenset(self._lives.at.get(earlier, ()))
        reach = [self._reaching(nodes, starts) for nodes in (act, leave)]
        return None if reach[0] & reach[1] else (reach[0], reach[1])

    def _reaching(self, nodes: frozenset[int], starts: frozenset[int]) -> frozenset[int]:
        before = {before for node in nodes for before in self._before[node]}
        return starts.intersection(reachable(before, lambda node: self._before[node] if node not in starts else ()))

    def _split(self, wanted: Wanted, flags: list[Value], splits: int) -> Term | None:
        """A choice by an existing condition between two predicates that are simpler."""
        for flag in flags if splits else ():
            values = {node: self._lives.paths.known(node, flag) for node in (*wanted.act, *wanted.leave)}
            if None in values.values() or len(set(values.values())) < 2:
                continue
            mark = len(self.columns)
            true = frozenset(node for node, value in values.items() if value)
            then = self._term(Wanted(wanted.point, wanted.act & true, wanted.leave & true), splits - 1)
            other = self._term(Wanted(wanted.point, wanted.act - true, wanted.leave - true), splits - 1)
            if then is not None and other is not None:
                return FlagChoice(flag, then, other)
            del self.columns[mark:]
        return None

    # The flag of a merge.

    def _column(self, point: Point, act: frozenset[int], leave: frozenset[int]) -> Column | None:
        """The flag of the merge that ends at `point`, one that is there already if it will do."""
        found = self._merge(point)
        if found is None or not found[0]:
            return None
        edges, receivers, block = found
        for column in self.columns:
            if column.edges == edges and self._extended(column, act, leave):
                return column
        column = Column(edges, receivers, block, *self._completed(edges, act, leave))
        self.columns.append(column)
        self._pending.append(column)
        return column

    def _extended(self, column: Column, act: frozenset[int], leave: frozenset[int]) -> bool:
        """Whether a column will do for another predicate on the same merge, perhaps if it says more than it did."""
        if act <= column.act and leave <= column.leave:
            return True
        if not self._share or act & column.leave or leave & column.act:
            return False
        wider = Column(column.edges, (), None, *self._completed(column.edges, act | column.act, leave | column.leave))
        if any((on := self._on(edge, wider)).act & on.leave for edge in wider.edges):
            return False
        column.act, column.leave = wider.act, wider.leave
        self._pending.append(column)
        return True

    def _merge(self, point: Point) -> tuple[tuple[Edge, ...], tuple[Value, ...], Block | None] | None:
        """The edges that meet at `point` with all that hand on the same, and what they bind there."""
        graph, (block, stop) = self._lives.graph, point
        if block.index and not stop:
            exits = (edge for other in block.region.blocks for edge in graph.written_exits(other))
            return tuple(edge for edge in exits if edge.block is block), (), block
        op = self._lives.part.stops[block][stop - 1] if stop else block.region.op
        if not op.regions or op is graph.function:
            return None
        every = [*graph.entries(op), *(e for r in op.regions for b in r.blocks for e in graph.written_exits(b))]
        around = [edge for edge in every if not edge.place.successors]
        here = [edge for edge in around if (edge.leaves is op if stop else edge.block is block)]
        tied = slots(around)
        for edge in here:
            for _, receiver in edge.bindings:
                slot = tied.get(receiver, frozenset())
                mine = tuple(e for e in around if any(r in slot for _, r in e.bindings))
                given = all(value is not None for e in mine for value, r in e.bindings if r in slot)
                if given and all(e in mine for e in here):
                    return mine, tuple(sorted(slot, key=lambda v: (v.span, v.index))), None
        return None

    def _completed(
        self, edges: tuple[Edge, ...], act: frozenset[int], leave: frozenset[int]
    ) -> tuple[frozenset[int], frozenset[int]]:
        """The predicate also where the same flag arrives elsewhere: a node forwards the same flag everywhere."""
        handed: dict[int, set[int]] = {}
        for edge in edges:
            for source, target in self._into.get(edge, ()):
                if not edge.place.successors:
                    handed.setdefault(source, set()).add(target)
        votes: dict[int, set[bool]] = {}
        for targets in handed.values():
            for said, nodes in ((True, act), (False, leave)):
                for target in targets if targets & nodes else ():
                    votes.setdefault(target, set()).add(said)
        more = {node: said for node, said in votes.items() if node not in act | leave and len(said) == 1}
        return (
            act | {node for node, said in more.items() if said == {True}},
            leave | {node for node, said in more.items() if said == {False}},
        )


def slots(edges: list[Edge]) -> dict[Value, frozenset[Value]]:
    """The values that receive the same operand, by each of them."""
    found: dict[Value, frozenset[Value]] = {}
    for edge in edges:
        for other in edges:
            if other.place is edge.place:
                for (_, one), (_, two) in zip(edge.bindings, other.bindings, strict=False):
                    both = found.get(one, frozenset((one,))) | found.get(two, frozenset((two,)))
                    found.update((value, both) for value in both)
    return found


def _of(tree: DecisionTree) -> Term:
    if tree.flag is None or tree.then is None or tree.otherwise is None:
        return tree.act
    if (tree.then, tree.otherwise) == (ALWAYS, NEVER):
        return tree.flag
    return FlagChoice(tree.flag, _of(tree.then), _of(tree.otherwise))


def flags_in(term: Term) -> Iterator[Column]:
    """The other flags that a term names."""
    if isinstance(term, Column):
        yield term
    elif isinstance(term, FlagChoice):
        yield from flags_in(term.then)
        yield from flags_in(term.otherwise)
