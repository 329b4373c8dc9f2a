"""Which values may denote the same memory, without regard to paths: origins, roots and clusters.

A value is a *root* when it gets its buffer on its own: an allocation's result, an argument, a call's result, or
a value that several others flow into (block arguments, results of region ops, selects). Every other alias is a
view and belongs to exactly one root. Roots that may denote the same buffer form a *cluster* (union-find over
the flow of values, in the manner of Steensgaard, "Points-to analysis in almost linear time", 1996). Each value
is visited once, so the cost is that of the uses. Memory that holds buffers is one place: what is kept anywhere may be
what is loaded anywhere. `explore` distinguishes paths later, cluster by cluster.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from weakref import ReferenceType, ref

from memlane.cancellation import poll
from memlane.dialects.model import OpModel
from memlane.flow.alias.limits import MIN_INDEXED_TARGETS
from memlane.flow.alias.origin import Origin, OriginKind, allocated
from memlane.flow.cfg.callee import types_to_come
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.ops_by_name import described
from memlane.flow.derived import known
from memlane.flow.effects.aggregate_buffers import Field, fields_of, formals_of, is_written, results_of
from memlane.flow.effects.effects import Effects, ViewOf
from memlane.flow.memory.call_arguments import passing
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.extern_aliases import Indirect, indirects_of
from memlane.flow.memory.pointer_memory import known_slots
from memlane.flow.symbolic.type_layout import is_owned_memory
from memlane.flow.symbolic.types import may_hold_buffer
from memlane.syntax.tree.tree import Op, Value, starts_at


@dataclass(slots=True, eq=False)
class Cluster:
    """Roots that may denote the same buffers, and the views of each.

    Args:
        root: of each alias; a root maps to itself.
        aliases: all of the function.
    """

    origins: list[Origin] = field(default_factory=list[Origin])
    root: dict[Value, Value] = field(default_factory=dict[Value, Value])
    aliases: ReferenceType[Aliases] | None = None

    def among(self, value: Value) -> Cluster | None:
        """The cluster of any value of the function; None where that stands for no buffer that is followed."""
        aliases = self.aliases() if self.aliases is not None else None
        return aliases.cluster_of(value) if aliases is not None else None

    @property
    def names(self) -> Iterator[tuple[Value, Value]]:
        """The aliases that the text names, each with its root: all but the places of slots (pointer_memory.py)
        and of aggregates (aggregate_buffers.py)."""
        return ((name, root) for name, root in self.root.items() if is_written(name))


MayReturn = Callable[[Op], "tuple[frozenset[int], ...] | None"]
"""For a call: per result the positions of the arguments it may alias, and a negative number that others have as well of
which it may be the same new buffer; None: results are new, each for itself, and arguments stay."""


class Aliases:
    """The clusters of one function.

    Args:
        graph: its control flow.
        may_return: what is known of the functions it calls.
    """

    __slots__ = (
        *("__weakref__", "_asked", "_graph", "_indirect", "_leader", "_loaded", "_may_return", "_receiving"),
        *("clusters", "root"),
    )

    def __init__(self, graph: Graph, may_return: MayReturn) -> None:
        self._graph = graph
        self._may_return = may_return
        self._indirect = bool(indirects_of(graph).views)
        self._asked: dict[Op, tuple[frozenset[int], ...] | None] = {}
        self._receiving: dict[Edge, dict[Value | None, list[Value]]] = {}
        self.root: dict[Value, Value] = {}
        self._leader: dict[Value, Value] = {}
        self._loaded: list[Value] = []
        origins = list(self._origins())
        self._spread([origin.value for origin in origins])
        self._join_symbols(origins)
        self._join_results(origins)
        self.clusters = self._collect(origins)

    def cluster_of(self, value: Value) -> Cluster | None:
        """The cluster `value` belongs to; None where it stands for no buffer that is followed."""
        root = self.root.get(value)
        return self.clusters.get(self._find(root)) if root is not None else None

    def _origins(self) -> Iterator[Origin]:
        memory, fields = self._graph.models.memory, fields_of(self._graph)
        for argument in formals_of(self._graph):
            if is_owned_memory(argument.type, memory) and not fields.of(argument):
                yield Origin(OriginKind.ARGUMENT, argument)
        for op in described(self._graph, _hands_out):
            poll()
            model = self._graph.model(op)
            assert model is not None
            self._loaded.extend(effects_at(self._graph, op).loaded if model.loaded else ())
            yield from self._made_by(op, model)

    def _made_by(self, op: Op, model: OpModel) -> Iterator[Origin]:
        if model.alloc or model.global_mark is not None:
            yield from allocated(self._graph, op)
        elif model.call is not None and not types_to_come(op):
            for result in results_of(self._graph, op):
                if is_owned_memory(result.type, self._graph.models.memory) and not fields_of(self._graph).of(result):
                    yield Origin(OriginKind.CALL, result)

    def _join_symbols(self, origins: list[Origin]) -> None:
        """What ops of one symbol give is one buffer; what a call gives in one aggregate may be."""
        first: dict[object, Value] = {}
        for origin in origins:
            value = origin.value
            if origin.symbol is not None:
                self._union(first.setdefault(origin.symbol, value), value)
            elif value.op is not None and isinstance(value, Field):
                self._union(first.setdefault((value.op, value.index), value), value)

    def _join_results(self, origins: list[Origin]) -> None:
        """What a call gives as two results may be one buffer."""
        calls: dict[Op, set[Value]] = {}
        for origin in origins:
            if origin.kind is OriginKind.CALL and origin.value.op is not None:
                calls.setdefault(origin.value.op, set()).add(origin.value)
        for op, values in calls.items():
            returns = self._asked.setdefault(op, self._may_return(op)) if len(values) > 1 else None
            first: dict[int, Value] = {}
            for result, may in zip(results_of(self._graph, op), returns or (), strict=False):
                for number in may:
                    if number < 0 and result in values:
                        self._union(first.setdefault(number, result), result)

    def _spread(self, roots: list[Value]) -> None:
        pending = list(roots)
        for root in roots:
            self.root[root] = root
            self._leader.setdefault(root, root)
        while pending:
            poll()
            value = pending.pop()
            root = self.root[value]
            for target, joins in self.flows(value):
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

    def flows(self, value: Value) -> Iterator[tuple[Value, bool]]:
        """The values `value` flows into, each with whether others may flow there too."""
        users = {use.op: None for use in value.uses}  # one op may be given one value very often
        if value.op is not None and self._gives_again(value.op):
            users[value.op] = None
        for op in users:
            block = op.parent
            edges: tuple[Edge, ...] = ()
            if op.regions and op is not self._graph.function:
                edges = self._graph.entries(op)
            elif block is not None and op.index == len(block.ops) - 1:
                edges = self._graph.exits(block)
            for edge in edges:
                for target in self._receivers(edge, value):
                    yield target, True
            effects = effects_at(self._graph, op)
            for view in effects.views:
                if value is view.through:
                    yield view.result, not self._is_all_of(view, value)
                elif value in view.sources:
                    yield view.result, view.unsure or view.moves or len(view.sources) > 1
            if value in effects.escapes and not isinstance(value, Indirect):
                yield from ((loaded, True) for loaded in self._loaded)
            if self._graph.call(op) is not None:
                yield from self._through_call(op, value)

    def _gives_again(self, op: Op) -> bool:
        """Whether others give what an op loads once more."""
        slots = known(self._graph, known_slots)
        return slots is not None and op in slots.again

    def _is_all_of(self, view: ViewOf, aggregate: Value) -> bool:
        """Whether what is taken out of an aggregate is one value that is put there, and of the one buffer in it."""
        root = self.root.get(view.sources[0]) if len(view.sources) == 1 and not view.unsure else None
        return root is not None and self.root.get(aggregate) is root

    def _receivers(self, edge: Edge, value: Value) -> Sequence[Value]:
        """What receives a value where control takes an edge."""
        bindings = edge.bindings
        if len(bindings) < MIN_INDEXED_TARGETS:
            return [receiver for source, receiver in bindings if source is value]
        known = self._receiving.get(edge)
        if known is None:
            known = self._receiving[edge] = {}
            for source, receiver in bindings:
                known.setdefault(source, []).append(receiver)
        return known.get(value, ())

    def _through_call(self, op: Op, value: Value) -> Iterator[tuple[Value, bool]]:
        returns = self._asked[op] = self._may_return(op)
        if returns is None:
            return
        positions = passing(self._graph, op).at.get(value, ())
        for result, may in zip(results_of(self._graph, op), returns, strict=False):
            if not may.isdisjoint(positions):
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
            leader = self._find(origin.value)
            clusters.setdefault(leader, Cluster(aliases=ref(self))).origins.append(origin)
        for value, root in self.root.items():
            clusters[self._find(root)].root[value] = root
        return clusters

    # ---- the next version ------------------------------------------------------------------------------------------

    def put_right(
        self, values: Iterable[Value], gone: Collection[Op], others: Collection[Op], may_return: MayReturn
    ) -> bool:
        """Find anew the clusters that an edit touches: what the clusters of others are made of is the same.

        Args:
            values: those that are gone, and those of which the uses, or what these do, are others now.
            gone: ops that are. `others`: those that are new, or use something else.

        Returns: whether that can be done; else nothing has been.
        """
        known = {op: effects_at(self._graph, op) for op in others}
        if not all(self.stays_near(op, known) for op in others) or not self._answered(gone, may_return):
            return False
        self._may_return = may_return
        touched = {cluster for value in values if (cluster := self.cluster_of(value)) is not None}
        while True:
            again = self._of_some(touched, gone, others)
            met = {cluster for value in again.root if (cluster := self.cluster_of(value)) is not None}
            symbols = {origin.symbol for cluster in again.clusters.values() for origin in cluster.origins} - {None}
            if symbols:
                known = self.clusters.values()
                met.update(c for c in known if any(origin.symbol in symbols for origin in c.origins))
            if met <= touched:
                break
            touched |= met
        for cluster in touched:
            for value in cluster.root:
                del self.root[value]
                self._leader.pop(value, None)
        self.root.update(again.root)
        self._leader.update(again._leader)
        for cluster in again.clusters.values():
            cluster.aliases = ref(self)
        found = [pair for pair in self.clusters.items() if pair[1] not in touched]
        for pair in again.clusters.items():
            insort(found, pair, key=self._place)
        self.clusters = dict(found)
        return True

    def stays_near(self, op: Op, known: Mapping[Op, Effects]) -> bool:
        """Whether what an op does makes no values aliases that it does not name. `known`: what it does, where known."""
        model = self._graph.model(op)
        if model is None or not (model.loaded or model.escape):
            return True
        effects = known.get(op)
        loaded = effects.loaded if effects is not None else op.results  # unknown of an op that is gone
        if model.loaded and (any(may_hold_buffer(value.type) for value in loaded) or (effects is None and not loaded)):
            return False
        if not model.escape or not self._loaded:
            return True  # what escapes is never loaded
        return effects is not None and not any(may_hold_buffer(one.type) for one in effects.escapes)

    def _answered(self, gone: Collection[Op], may_return: MayReturn) -> bool:
        """Whether calls give back what they gave; and nothing looks at far ops: no aggregates are taken apart, and what
        functions give cannot be what they were passed."""
        for op in gone:
            self._asked.pop(op, None)
        if self._indirect or indirects_of(self._graph).views:
            return False
        models = self._graph.named_models.values()
        if fields_of(self._graph).some or any(model is not None and model.aggregate is not None for model in models):
            return False
        return all(may_return(op) == known for op, known in self._asked.items())

    def _of_some(self, touched: Collection[Cluster], gone: Collection[Op], others: Iterable[Op]) -> Aliases:
        """The clusters of the buffers of some, and of those that others make, in the order in which all are found."""
        known = [origin for cluster in touched for origin in cluster.origins]
        origins = sorted((one for one in known if one.value.op is None), key=lambda origin: origin.value.index)
        ops = {one.value.op for one in known if one.value.op is not None}.difference(gone).union(others)
        for op in sorted(ops, key=starts_at):
            model = self._graph.model(op)
            for origin in self._made_by(op, model) if model is not None else ():
                cluster = self.cluster_of(origin.value)
                if cluster is None or cluster in touched:
                    origins.append(origin)
        found = Aliases.__new__(Aliases)
        found._graph, found._may_return, found._indirect = self._graph, self._may_return, self._indirect
        found._asked, found._loaded, found._receiving = self._asked, self._loaded, {}
        found.root, found._leader = {}, {}
        found._spread([origin.value for origin in origins])
        found._join_symbols(origins)
        found._join_results(origins)
        found.clusters = found._collect(origins)
        return found

    def _place(self, pair: tuple[Value, Cluster]) -> tuple[int, int]:
        """Where the first buffer of a cluster is made: arguments come first."""
        value = pair[1].origins[0].value
        if value.op is None:
            return -1, value.index
        made = [one for one, _ in effects_at(self._graph, value.op).allocs]
        return value.op.span.start, made.index(value) if value in made else value.index


def _hands_out(model: OpModel) -> bool:
    """Whether ops of a model may give buffers that none of their operands is."""
    return bool(model.loaded or model.alloc) or model.call is not None or model.global_mark is not None
