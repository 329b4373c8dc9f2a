"""Buffers of which what is known is a guess, because they go in or out of regions that no description explains.

They may do so in the function itself or in one that it calls: summaries list the arguments and results of callees whose
buffers do, transitively.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import OriginKind
from memlane.flow.cfg.undescribed_regions import Borders
from memlane.flow.effects.aggregate_buffers import handed_back, results_of
from memlane.flow.interproc.function import FunctionFlow
from memlane.flow.interproc.return_summary import exits
from memlane.flow.interproc.scc_fixpoint import Least
from memlane.flow.memory.call_arguments import arguments_of
from memlane.syntax.tree.tree import Op, Value

if TYPE_CHECKING:
    from memlane.flow.interproc.program import Program

Crossing = frozenset[tuple[int, str]]
"""Arguments of a function by position, and results (-1 for the first, -2 for the second), with the name of the op."""


class Doubts:
    """The buffers of one function of which that is so."""

    __slots__ = ("_borders", "_flow", "_known", "_program")

    def __init__(self, program: Program, flow: FunctionFlow) -> None:
        self._program, self._flow = program, flow
        self._borders = Borders(flow.graph)
        self._known: dict[Cluster, str] = {}

    def of(self, cluster: Cluster | None) -> str:
        """The name of the op that a buffer goes in or out of; "" if no such op exists."""
        if cluster is None:
            return ""
        if cluster not in self._known:
            self._known[cluster] = self._found(cluster)
        return self._known[cluster]

    def of_value(self, value: Value) -> str:
        """The same of the buffer that a value stands for."""
        return self.of(self._program.aliases(self._flow).cluster_of(value))

    def of_loop(self, op: Op) -> str:
        """The name of an op that repeats something, where that is not described; "" else."""
        return op.name if self._borders.is_undetermined(op) else ""

    def _found(self, cluster: Cluster) -> str:
        op = self._borders.crossed(_names(cluster)) if self._borders.some else None
        if op is not None:
            return op.name
        passed = _passed(self._program, self._flow, cluster.root)
        names = (name for callee, at in passed for place, name in crossing(self._program, callee) if place == at)
        return min(names, default="")


class _DoubtsText(NamedTuple):
    """What the text of a function says.

    Args:
        crossing: the arguments and results that cross a border in it.
        passed: those that may be passed to another function, or come from it, which, and as what there.
    """

    crossing: Crossing
    passed: tuple[tuple[frozenset[int], FunctionFlow, int], ...]


def crossing(program: Program, flow: FunctionFlow) -> Crossing:
    """The arguments and results of a function that go in or out of undetermined regions. Found out once."""
    return CrossingBuffers(program).of(flow)


class CrossingBuffers(Least[_DoubtsText, Crossing]):
    def __init__(self, program: Program) -> None:
        self._program = program

    def read(self, flow: FunctionFlow) -> _DoubtsText:
        return _read(self._program, flow)

    def asked(self, text: _DoubtsText) -> list[FunctionFlow]:
        return [callee for _, callee, _ in text.passed]

    def alone(self, text: _DoubtsText) -> Crossing:
        return text.crossing

    def together(self, text: _DoubtsText, before: Crossing) -> Crossing:
        passed = ((own, at, self.known(callee) or ()) for own, callee, at in text.passed)
        crossing = ((own, name) for own, at, there in passed for place, name in there if place == at)
        return before | {(one, name) for own, name in crossing for one in own}


def _read(program: Program, flow: FunctionFlow) -> _DoubtsText:
    borders = Borders(flow.graph)
    found: set[tuple[int, str]] = set()
    passed: list[tuple[frozenset[int], FunctionFlow, int]] = []
    for cluster, own in _outer(program, flow):
        op = borders.crossed(_names(cluster)) if borders.some else None
        if op is not None:
            found.update((place, op.name) for place in own)
        passed += [(own, callee, at) for callee, at in _passed(program, flow, cluster.root)]
    return _DoubtsText(frozenset(found), tuple(passed))


def _outer(program: Program, flow: FunctionFlow) -> Iterator[tuple[Cluster, frozenset[int]]]:
    """The clusters with buffers that callers have, each with the arguments and results that it is."""
    aliases = program.aliases(flow)
    places: dict[Cluster, set[int]] = {}
    for cluster in aliases.clusters.values():
        for origin in cluster.origins:
            if origin.kind is OriginKind.ARGUMENT:
                places.setdefault(cluster, set()).add(origin.value.index)
    for op in exits(flow):
        for index, value in enumerate(handed_back(flow.graph, op)):
            cluster = aliases.cluster_of(value) if value is not None else None
            if cluster is not None:
                places.setdefault(cluster, set()).add(-1 - index)
    return ((cluster, frozenset(own)) for cluster, own in places.items())


def _names(cluster: Cluster) -> list[Value]:
    return [name for name, _ in cluster.names]


def _passed(program: Program, flow: FunctionFlow, names: Collection[Value]) -> Iterator[tuple[FunctionFlow, int]]:
    """What calls in a function pass of a buffer, and get: the callees, and as what there."""
    graph = flow.graph
    made = (value.op for value in names if value.op is not None)
    calls: dict[Op, None] = dict.fromkeys(made) | {use.op: None for value in names for use in value.uses}
    for call in calls:
        callees = program.callees(call) if graph.call(call) is not None else ()
        for callee in callees:
            if callee.graph.entry is None:
                continue
            yield from ((callee, at) for at, value in enumerate(arguments_of(graph, call)) if value in names)
            yield from ((callee, -1 - at) for at, value in enumerate(results_of(graph, call)) if value in names)
