"""What memory use asks of a function whatever buffers count: each memory is measured by itself, but reads this once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from memlane.flow.alias.alias import Cluster
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_dispatch import through_hubs
from memlane.flow.effects.aggregate_buffers import formals_of, handed_back
from memlane.flow.interproc.program import FunctionFlow, Program
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.peak.branch_ops import Deciders
from memlane.flow.peak.extent import Extents
from memlane.flow.peak.live_intervals import LiveSpan, Timeline
from memlane.flow.peak.sparse_product import Short, Sparse
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.slicing.address_reuse import compares_addresses
from memlane.flow.slicing.body_blocks import BodyBlocks
from memlane.flow.slicing.limits import MAX_REGION_BLOCKS
from memlane.flow.symbolic.amounts import Amount
from memlane.flow.symbolic.scalar import Expr
from memlane.syntax.tree.tree import Op, Value

_Passed = tuple[tuple[int | None, ...], tuple[Amount, ...] | None]
_Asked = tuple[tuple[Expr, ...], tuple[Op, ...]]


@dataclass(slots=True)
class Basis:
    """Of one function.

    Args:
        line: the places of its ops, where nothing lives.
        refused: so many ways to follow it have been too much, each in less detail than the one before.
        bounds: what single clusters take where, by identity, for what is passed: its partition and sizes.
    """

    _program: Program
    _flow: FunctionFlow
    line: Timeline
    refused: int = 0
    bounds: dict[_Passed, dict[Cluster, list[LiveSpan]]] = field(
        default_factory=dict[_Passed, "dict[Cluster, list[LiveSpan]]"]
    )
    _deciders: dict[bool, Deciders] = field(default_factory=dict[bool, Deciders])
    _asked: dict[tuple[int, ...], _Asked] = field(default_factory=dict[tuple[int, ...], _Asked])
    _shared: dict[tuple[int, ...], set[Value]] = field(default_factory=dict[tuple[int, ...], set[Value]])
    _body: BodyBlocks | None = None
    _graph: Graph | None = None
    _clusters: list[Cluster] | None = None
    _own: list[int] = field(default_factory=list[int])
    _passed: dict[Value, int] = field(default_factory=dict[Value, int])
    """The numbers of clusters that are of more than arguments, and of those that are of these alone."""

    @property
    def body(self) -> BodyBlocks:
        """Those of its blocks."""
        if self._body is None:
            self._body = BodyBlocks(self.graph)
        return self._body

    @property
    def graph(self) -> Graph:
        """Its control flow, with a place between regions that are executed in any order (region_dispatch.py). Who
        compares addresses asks which regions lead to which."""
        if self._graph is None:
            graph = self._flow.graph
            self._graph = graph if compares_addresses(graph) else through_hubs(graph)
        return self._graph

    def alone(self, cluster: Cluster, plain: bool) -> Sparse | Short:
        """What is followed of one cluster to know what its buffers take at most: where there are many blocks, those
        that matter to it. `plain`: see `Slice`."""
        body = self.body
        if len(self.graph.function.regions[0].blocks) <= MAX_REGION_BLOCKS:
            return Sparse(self.graph, (cluster,), plain=plain)
        # Whether control ever leaves a loop that asks the same again is known from how it came there.
        late = None if body.roads.turning else Short(body, (cluster,), plain, body.starts)
        return late if late is not None and late.is_free(body.askers) else Short(body, (cluster,), plain)

    def deciders(self, called: bool) -> Deciders:
        """See `Deciders`."""
        found = self._deciders.get(called)
        if found is None:
            found = self._deciders[called] = Deciders(self._flow.graph, called)
        return found

    def standing(self, asked: Iterable[Value]) -> list[Cluster]:
        """The clusters, but those that are only of arguments of which none is asked about."""
        if self._clusters is None:
            entry = self._flow.graph.entry
            arguments = set(entry.arguments if entry is not None else ())
            self._clusters = [*self._program.aliases(self._flow).clusters.values()]
            for at, cluster in enumerate(self._clusters):
                passed = [origin.value for origin in cluster.origins if origin.value in arguments]
                if len(passed) < len(cluster.origins):
                    self._own.append(at)
                else:
                    self._passed.update((value, at) for value in passed)
        among = {*self._own, *(self._passed[value] for value in asked if value in self._passed)}
        return [self._clusters[at] for at in sorted(among)]

    def shared(self, wanted: tuple[int, ...]) -> set[Value]:
        """The values by which the caller knows buffers. `wanted`: the results it asks for."""
        found = self._shared.get(wanted)
        if found is None:
            flow = self._flow
            values: list[Value | None] = list(formals_of(flow.graph))
            for op in flow.op.walk():
                if op is not flow.op and effects_at(flow.graph, op).returned:
                    handed = handed_back(flow.graph, op)
                    values += [handed[index] for index in wanted if index < len(handed)]
            found = self._shared[wanted] = {value for value in values if value is not None}
        return found

    def asked(self, extents: Extents, wanted: tuple[int, ...]) -> _Asked:
        """The expressions that sizes and wanted results are made of, and the calls to step into."""
        found = self._asked.get(wanted)
        if found is None:
            found = self._asked[wanted] = self._ask(extents, wanted)
        return found

    def _ask(self, extents: Extents, wanted: Iterable[int]) -> _Asked:
        graph = self._flow.graph
        expressions: list[Expr] = []
        calls: list[Op] = []
        for op in self._flow.op.walk():
            if op is self._flow.op:
                continue
            model = graph.model(op)
            if model is None:
                continue
            if model.call is not None and self._program.callee(op) is not None:
                calls.append(op)
            for value, _ in effects_at(graph, op).allocs if model.alloc else ():
                expressions += extents.wanted(value)
            if model.exits:
                values = [op.operands[index].value for index in wanted if index < len(op.operands)]
                expressions += [scalar_of(graph, value) for value in values if value is not None]
        return tuple(expressions), tuple(calls)


class Bases:
    """Those of the functions of one program that are being measured, under the same assumptions."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[Op, Basis] = {}

    def of(self, flow: FunctionFlow) -> Basis:
        """That of a function."""
        found = self._known.get(flow.op)
        if found is None:
            found = self._known[flow.op] = Basis(self._program, flow, Timeline(flow.op))
        return found

    def clear(self) -> None:
        """Let go of them: one is as large as its function."""
        self._known.clear()
