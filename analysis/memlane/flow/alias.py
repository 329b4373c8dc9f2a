"""Which values may denote the same memory, without regard to paths: origins, roots and clusters.

A value is a *root* when it gets its buffer on its own: an allocation's result, an argument, a call's result, or
a value that several others flow into (block arguments, results of region ops, selects). Every other alias is a
view and belongs to exactly one root. Roots that may denote the same buffer form a *cluster* (union-find over
the flow of values, in the manner of Steensgaard, "Points-to analysis in almost linear time", 1996). Each value
is visited once, so the cost is that of the uses. Memory that holds buffers is one place: what is kept anywhere may be
what is loaded anywhere. Paths are told apart later, by `explore`, cluster by cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from memlane.cancellation import poll
from memlane.flow.graph import Edge, Graph
from memlane.flow.types import is_owned_memory
from memlane.syntax.tree import Op, Value


class OriginKind(Enum):
    """Where a buffer comes from."""

    ALLOCATION = "allocation"
    ARGUMENT = "argument"
    CALL = "call"


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """A buffer's source in this function: a site, an argument, or a call that may hand one out.

    Args:
        value: its first name here.
        resource: of the allocation; "heap" for arguments and calls.
        symbol: of the one buffer that all ops naming it give (`memref.get_global`).
    """

    kind: OriginKind
    value: Value
    resource: str = "heap"
    symbol: str | None = None

    @property
    def owned(self) -> bool:
        """Whether somebody here has to free it."""
        return self.kind is not OriginKind.ARGUMENT and self.resource not in ("stack", "global")

    @property
    def made_here(self) -> bool:
        """Whether it is new memory, without contents."""
        return self.kind is OriginKind.ALLOCATION and self.resource != "global"


@dataclass(slots=True, eq=False)
class Cluster:
    """Roots that may denote the same buffers, and the views of each.

    Args:
        root: of each alias; a root maps to itself.
    """

    origins: list[Origin] = field(default_factory=list[Origin])
    root: dict[Value, Value] = field(default_factory=dict[Value, Value])


MayReturn = Callable[[Op], "tuple[frozenset[int], ...] | None"]
"""For a call: per result the positions of the arguments it may alias; None: results are new, arguments stay."""


class Aliases:
    """The clusters of one function.

    Args:
        graph: its control flow.
        may_return: what is known of the functions it calls.
    """

    __slots__ = ("_graph", "_leader", "_loaded", "_may_return", "clusters", "root")

    def __init__(self, graph: Graph, may_return: MayReturn) -> None:
        self._graph = graph
        self._may_return = may_return
        self.root: dict[Value, Value] = {}
        self._leader: dict[Value, Value] = {}
        self._loaded: list[Value] = []
        origins = list(self._origins())
        self._spread([origin.value for origin in origins])
        self._join_symbols(origins)
        self.clusters = self._collect(origins)

    def cluster_of(self, value: Value) -> Cluster | None:
        """The cluster `value` belongs to; None where it stands for no buffer that is followed."""
        root = self.root.get(value)
        return self.clusters.get(self._find(root)) if root is not None else None

    def _origins(self) -> Iterator[Origin]:
        entry = self._graph.entry
        for argument in entry.arguments if entry else ():
            if is_owned_memory(argument.type):
                yield Origin(OriginKind.ARGUMENT, argument)
        function = self._graph.function
        for op in function.walk():
            model = self._graph.model(op)
            if model is None or op is function:
                continue
            poll()
            self._loaded.extend(self._graph.effects(op).loaded if model.loaded else ())
            if model.alloc:
                for value, alloc in self._graph.effects(op).allocs:
                    yield Origin(OriginKind.ALLOCATION, value, alloc.resource, op.symbol if alloc.per_symbol else None)
            elif model.call is not None:
                for result in op.results:
                    if is_owned_memory(result.type):
                        yield Origin(OriginKind.CALL, result)

    def _join_symbols(self, origins: list[Origin]) -> None:
        """What ops of one symbol give is one buffer."""
        first: dict[str, Value] = {}
        for origin in origins:
            if origin.symbol is not None:
                self._union(first.setdefault(origin.symbol, origin.value), origin.value)

    def _spread(self, roots: list[Value]) -> None:
        pending = list(roots)
        for root in roots:
            self.root[root] = root
            self._leader.setdefault(root, root)
        while pending:
            poll()
            value = pending.pop()
            root = self.root[value]
            for target, joins in self._flows(value):
                known = self.root.get(target)
                if joins or known is not None:
                    if known is None:
                        self.root[target] = target
                        self._leader.setdefault(target, target)
                        pending.append(target)
                    self._union(root, self.root[target])
                else:
                    self.root[target] = root
                    pending.append(target)

    def _flows(self, value: Value) -> Iterator[tuple[Value, bool]]:
        """The values `value` flows into, each with whether others may flow there too."""
        for use in value.uses:
            op = use.op
            block = op.parent
            edges: tuple[Edge, ...] = ()
            if op.regions and op is not self._graph.function:
                edges = self._graph.entries(op)
            elif block is not None and op.index == len(block.ops) - 1:
                edges = self._graph.exits(block)
            for edge in edges:
                for source, target in edge.bindings:
                    if source is value:
                        yield target, True
            effects = self._graph.effects(op)
            for view in effects.views:
                if value is view.through:
                    yield view.result, True
                elif value in view.sources:
                    yield view.result, view.unsure or len(view.sources) > 1
            if value in effects.escapes:
                yield from ((loaded, True) for loaded in self._loaded)
            if self._graph.call(op) is not None:
                yield from self._through_call(op, value)

    def _through_call(self, op: Op, value: Value) -> Iterator[tuple[Value, bool]]:
        returns = self._may_return(op)
        if returns is None:
            return
        positions = {i for i, argument in enumerate(self._graph.arguments(op)) if argument is value}
        for result, may in zip(op.results, returns, strict=False):
            if positions & may:
                yield result, True

    def _find(self, value: Value) -> Value:
        leader = self._leader
        while leader[value] is not value:
            leader[value] = leader[leader[value]]
            value = leader[value]
        return value

    def _union(self, left: Value, right: Value) -> None:
        left, right = self._find(left), self._find(right)
        if left is not right:
            self._leader[right] = left

    def _collect(self, origins: list[Origin]) -> dict[Value, Cluster]:
        clusters: dict[Value, Cluster] = {}
        for origin in origins:
            clusters.setdefault(self._find(origin.value), Cluster()).origins.append(origin)
        for value, root in self.root.items():
            clusters[self._find(root)].root[value] = root
        return clusters
