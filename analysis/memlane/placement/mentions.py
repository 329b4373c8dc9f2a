"""What the operations of a function do to some of its buffers, with a bit for each root of their clusters.

A root that gets its buffers from others over edges alone, each of which moves its buffer, is an *owner* like the
operation that allocates: the buffer is then the owner's, under no other name. Every other root denotes all owners that
flow into it; its uses are theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

from memlane.dialects.model import Aggregate, ViewKind
from memlane.flow.alias.alias import Aliases, Cluster
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.scc import components
from memlane.flow.effects.aggregate_buffers import results_of
from memlane.flow.effects.effects import Effects
from memlane.flow.fastpath.borrowed import Lending
from memlane.flow.interproc.program import FunctionFlow, Program
from memlane.flow.memory.call_arguments import passed_scalars, passing
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.streams import is_awaited_by_stream
from memlane.flow.symbolic.scalar import Expr
from memlane.flow.symbolic.types import is_buffer
from memlane.placement.limits import MAX_FAMILY_ROOTS
from memlane.syntax.tree.tree import Block, Op, Value


class Act(IntEnum):
    """What an operation does to buffers; of one operation in this order, the last first."""

    USE = 0
    FREE = 1
    DEFINE = 2


@dataclass(slots=True, eq=False)
class Family:
    """Clusters that are looked at together, and what is known of their names without regard to control flow.

    Args:
        bit: of each root. `root`: of each name.
        origins: the buffers that this function may have to free, by the bit of their first name.
        flows: the roots that may get a buffer from each root.
        given: roots that may get a buffer from another.
        joined: roots that get buffers otherwise than over edges.
        uses: the names that each operation uses.
        frees: the deallocations that may be taken out, with the root that each names.
        conditional: those that happen under a flag, with the root that each names: they stay, but may stand further up.
        feeding: operations that only name a buffer for its deallocation.
        made: the roots that each operation defines.
        blocked: roots whose deallocations have to stay: kept in memory, freed by a callee or under a condition, or
            perhaps one buffer with another.
        hidden: those of them that may be used where none of their names is: kept out of sight, or by work that nothing
            waits for.
        unsure: roots that an operation without a model took.
        begun: by token the operations that are done with their buffers once it is waited for.
        further: of each token those that stand for it, too: the tokens in an order in which they come behind it.
    """

    clusters: Sequence[Cluster]
    bit: dict[Value, int] = field(default_factory=dict[Value, int])
    root: dict[Value, Value] = field(default_factory=dict[Value, Value])
    origins: dict[int, Origin] = field(default_factory=dict[int, Origin])
    flows: dict[Value, set[Value]] = field(default_factory=dict[Value, set[Value]])
    given: set[Value] = field(default_factory=set[Value])
    joined: set[Value] = field(default_factory=set[Value])
    uses: dict[Op, list[Value]] = field(default_factory=dict[Op, list[Value]])
    frees: dict[Op, Value] = field(default_factory=dict[Op, Value])
    conditional: dict[Op, Value] = field(default_factory=dict[Op, Value])
    feeding: set[Op] = field(default_factory=set[Op])
    made: dict[Op, list[Value]] = field(default_factory=dict[Op, list[Value]])
    blocked: set[Value] = field(default_factory=set[Value])
    hidden: set[Value] = field(default_factory=set[Value])
    unsure: set[Value] = field(default_factory=set[Value])
    begun: dict[Value, list[Op]] = field(default_factory=dict[Value, list[Op]])
    further: dict[Value, list[Value]] = field(default_factory=dict[Value, list[Value]])

    def bits(self, roots: Iterable[Value]) -> int:
        """Those of some roots."""
        found = 0
        for root in roots:
            found |= self.bit[root]
        return found

    def freed_root(self, op: Op) -> Value:
        """The root that a deallocation names."""
        return self.frees[op] if op in self.frees else self.conditional[op]

    def hide(self, names: Iterable[Value]) -> None:
        """Note that what some names denote may be used where none of its names is."""
        roots = {self.root[name] for name in names}
        self.hidden |= roots
        self.blocked |= roots


class MentionReader:
    """Reads the clusters of one function. `graph`: its control flow."""

    def __init__(self, program: Program, flow: FunctionFlow, graph: Graph) -> None:
        self._program, self._function, self._graph = program, flow, graph
        self._aliases: Aliases = program.aliases(flow)
        self._lending = Lending(program, flow)
        self._entry = flow.entry
        self._known_freed: dict[Op, Mapping[Cluster, Value]] = {}

    def families(self) -> Iterator[Family]:
        """All clusters with buffers that this function has to free, and does, by families of some roots: no two of them
        that one operation frees, so that each names one root of a family."""
        clusters: list[Cluster] = []
        size = 0
        for cluster, together in self._freed().items():
            if together and any(self._owns(origin) for origin in cluster.origins):
                yield self._read([cluster])
            elif any(self._owns(origin) for origin in cluster.origins):
                clusters.append(cluster)
                size += len(cluster.root) if len(cluster.origins) > 1 else 1
                if size >= MAX_FAMILY_ROOTS:
                    yield self._read(clusters)
                    clusters, size = [], 0
        if clusters:
            yield self._read(clusters)

    def _freed(self) -> Mapping[Cluster, bool]:
        """The clusters of which something is freed, by operations that may be taken out; and whether one of these frees
        buffers of other clusters, too."""
        found: dict[Cluster, bool] = {}
        models = self._graph.named_models
        for name, ops in self._graph.named.items():
            model = models[name]
            for op in ops if model is not None and (model.free or model.call is not None) else ():
                freed = self._clusters_freed(op)
                for cluster in freed:
                    found[cluster] = found.get(cluster, False) or len(freed) > 1
        every = self._aliases.clusters.values() if found else ()
        return {cluster: found[cluster] for cluster in every if cluster in found}

    def _clusters_freed(self, op: Op) -> Mapping[Cluster, Value]:
        """The clusters of the buffers that an operation frees, each one buffer, whatever is so, or one under a flag,
        and the name of each; none where it does something else."""
        found = self._known_freed.get(op)
        if found is None:
            effects = effects_at(self._graph, op)
            found = self._known_freed[op] = self._find_freed(op, effects) if effects.frees else {}
        return found

    def _find_freed(self, op: Op, effects: Effects) -> Mapping[Cluster, Value]:
        """The same, found out."""
        first, *others = effects.frees
        if others and any(free.condition is not None for free in effects.frees):
            return {}
        if op.regions or op.successors or effects.waits or effects.allocs or effects.completion:
            return {}
        if (op.results and not first.retained) or self._program.callee(op) is not None:
            return {}
        cluster_of = self._aliases.cluster_of
        names = {cluster_of(free.value): free.value for free in effects.frees}
        found = {cluster: name for cluster, name in names.items() if cluster is not None}
        kept = {cluster_of(value) for value in first.retained}
        alone = len(found) == len(effects.frees) and None not in kept and kept.isdisjoint(found)
        return found if alone else {}

    def _owns(self, origin: Origin) -> bool:
        """Whether this function may have to free a buffer."""
        return origin.owned or (origin.kind is OriginKind.ARGUMENT and not self._entry)

    def _read(self, clusters: Sequence[Cluster]) -> Family:
        family = Family(clusters)
        for cluster in clusters:
            self._name(family, cluster)
            for origin in cluster.origins:
                if self._owns(origin):
                    family.origins[family.bit[origin.value]] = origin
            self._use(family, cluster)
            if len({*cluster.root.values()}) > 1:
                self._flow(family, cluster)
            self._tell_apart(family, cluster)
        self._follow_tokens(family)
        return family

    def _name(self, family: Family, cluster: Cluster) -> None:
        family.root.update(cluster.root)
        for root in cluster.root.values():
            if root not in family.bit:
                family.bit[root] = 1 << len(family.bit)
                if root.op is not None:
                    family.made.setdefault(root.op, []).append(root)

    def _tell_apart(self, family: Family, cluster: Cluster) -> None:
        """Buffers of which it is not known whether they are one, or the function's: those that a call gives in several
        places, or perhaps not anew; arguments that callers may pass twice."""
        seen: dict[object, Value] = {}
        for origin in cluster.origins:
            other = seen.setdefault(origin.symbol or origin.value.op or origin.kind, origin.value)
            if other is not origin.value:
                family.blocked |= {other, origin.value}
            twice = origin.kind is OriginKind.ARGUMENT and origin.value.index in self._twice
            if twice or (origin.kind is OriginKind.CALL and not self._is_new(origin)):
                family.blocked.add(origin.value)

    @cached_property
    def _twice(self) -> set[int]:
        """The positions of arguments for which a caller passes one buffer."""
        found: set[int] = set()
        for context in self._program.contexts(self._function):
            times = Counter(group for group in context.partition if group is not None)
            found.update(at for at, group in enumerate(context.partition) if group is not None and times[group] > 1)
        return found

    def _is_new(self, origin: Origin) -> bool:
        """Whether what a call gives is a new buffer whichever way it goes."""
        call = origin.value.op
        if call is None or not self._program.callees(call):
            return call is not None
        results = results_of(self._graph, call)
        at = results.index(origin.value) if origin.value in results else -1
        ways = self._program.followed(call, *self._passed(call), (at,)) if at >= 0 else None
        told = [dict(way.results).get(at) for way in ways or () if not way.stays]
        return bool(told) and all(source is not None and source.fresh and not source.kept for source in told)

    def _passed(self, call: Op) -> tuple[tuple[int | None, ...], tuple[Expr | None, ...]]:
        """The buffers and the scalars that a call passes."""
        passed = passing(self._graph, call)
        numbers: dict[Value, int] = {}
        partition: list[int | None] = []
        for value in passed.values:
            root = self._aliases.root.get(value) if value is not None else None
            partition.append(numbers.setdefault(root, len(numbers)) if root is not None else None)
        return tuple(partition), passed_scalars(self._graph, call).plain

    # ---- uses --------------------------------------------------------------------------------------------------------

    def _use(self, family: Family, cluster: Cluster) -> None:
        for value in cluster.root:
            for use in value.uses:
                family.uses.setdefault(use.op, []).append(value)
        for op in {use.op: None for value in cluster.root for use in value.uses}:
            self._look_at(family, cluster, op)

    def _look_at(self, family: Family, cluster: Cluster, op: Op) -> None:
        effects, root = effects_at(self._graph, op), cluster.root
        named = family.uses[op]
        if effects.frees and self._frees(family, op, effects, cluster):
            return
        if effects.frees:
            family.blocked.update(root[value] for value in named if value in root)
        if effects.unknown:
            family.unsure.update(root[value] for value in named if value in root)
        kept = (*effects.escapes, *effects.acquires)
        family.hide(value for value in kept if value in root)
        for view in effects.views:
            if view.moves:
                family.blocked.update(root[one] for one in (view.result, *view.sources) if one in root)
        if effects.completion:
            self._wait(family, op, effects, named)
        for around in self._background(op.parent):
            self._wait(family, op, effects_at(self._graph, around), named)
        if self._graph.call(op) is not None:
            if self._lending.takes(op, cluster):
                family.hide(value for value in named if value in root)
            if not self._program.callees(op) and any(_may_lead_there(result.type) for result in op.results):
                family.unsure.update(root[value] for value in named if value in root)
        if self._feeds(op, effects, cluster):
            family.feeding.add(op)

    def _background(self, block: Block | None) -> Iterator[Op]:
        """The operations around a block whose regions run in the background."""
        around = block.region.op if block is not None else None
        while around is not None and around is not self._graph.function:
            effects = effects_at(self._graph, around)
            if effects.completion or effects.detached:
                yield around
            around = around.parent.region.op if around.parent is not None else None

    def _wait(self, family: Family, op: Op, effects: Effects, named: Iterable[Value]) -> None:
        """Keep what stands for the completion of work; where nothing does, its end is out of sight."""
        for token in effects.completion:
            family.begun.setdefault(token, []).append(op)
        if not effects.completion:
            family.hide(named)

    def _follow_tokens(self, family: Family) -> None:
        """What an operation names is used until that is waited for which stands for its completion: where all who may
        wait for it name it, or what is made of it."""
        lost: list[Value] = []
        behind: dict[Value, list[Value]] = {}
        pending = [*family.begun]
        found: dict[Value, list[Value]] = {}
        while pending:
            token = pending.pop()
            if token in found:
                continue
            further = found[token] = [*self._further(token)]
            for one in further:
                behind.setdefault(one, []).append(token)
            pending += further
            if any(self._hands_on(use.op) for use in token.uses) or is_awaited_by_stream(self._graph, token):
                lost.append(token)
        groups = [*components(family.begun, found.__getitem__)]
        family.further = {token: found[token] for members in reversed(groups) for token in members}
        seen = {*lost}
        while lost:
            token = lost.pop()
            for op in family.begun.get(token, ()):
                family.hide(family.uses[op])
            fresh = [one for one in behind.get(token, ()) if one not in seen]
            seen.update(fresh)
            lost += fresh

    def _further(self, token: Value) -> Iterator[Value]:
        """The tokens that stand for what a token stands for, too."""
        for use in token.uses:
            effects = effects_at(self._graph, use.op)
            yield from (group for one, group in effects.joins if one is token)
            yield from effects.completion if effects.waits else ()

    def _hands_on(self, op: Op) -> bool:
        """Whether an operation may give a token another name, or let it escape."""
        model = self._graph.model(op)
        if self._graph.call(op) is not None or model is None:
            return True
        if op.regions:
            return any(edge.bindings for edge in self._graph.entries(op))
        return model.terminator

    def _frees(self, family: Family, op: Op, effects: Effects, cluster: Cluster) -> bool:
        """Keep a deallocation that does nothing else; whether it may be taken out."""
        freed = self._clusters_freed(op)
        if not freed:
            return False
        conditional = effects.frees[0].condition is not None
        if cluster in freed:
            (family.conditional if conditional else family.frees)[op] = cluster.root[freed[cluster]]
        return not conditional

    def _feeds(self, op: Op, effects: Effects, cluster: Cluster) -> bool:
        """Whether an operation gives another name to a buffer for nothing but its deallocation."""
        model = self._graph.model(op)
        if model is None or op.regions or not op.results or not effects.views or effects.unknown:
            return False
        if model.aggregate is Aggregate.INSERT:
            return False
        acts = (effects.reads, effects.writes, effects.allocs, effects.frees, effects.completion, effects.waits)
        if any(acts) or self._graph.call(op) is not None:
            return False
        named = [result for result in op.results if result in cluster.root]
        others = any(result.uses for result in op.results if result not in cluster.root)
        return not others and bool(named) and all(self._only_freed(result, cluster, 4) for result in named)

    def _only_freed(self, value: Value, cluster: Cluster, deep: int) -> bool:
        """Whether a name is only used to free, perhaps by further names."""
        if not value.uses or not deep:
            return False
        for use in value.uses:
            effects = effects_at(self._graph, use.op)
            if self._clusters_freed(use.op):
                continue
            further = [view.result for view in effects.views if view.result in cluster.root]
            others = any(result.uses for result in use.op.results if result not in further)
            if not further or others or effects.reads or effects.writes or effects.unknown:
                return False
            if not all(self._only_freed(one, cluster, deep - 1) for one in further):
                return False
        return True

    # ---- flows -------------------------------------------------------------------------------------------------------

    def _flow(self, family: Family, cluster: Cluster) -> None:
        """Which roots get buffers from which."""
        root = cluster.root
        for value, at in root.items():
            for target, _ in self._aliases.flows(value):
                to = root.get(target)
                if to is not None and to is not at:
                    family.flows.setdefault(at, set()).add(to)
                    family.given.add(to)
        for one in set(root.values()):
            if self._is_joined(one):
                family.joined.add(one)

    def _is_joined(self, root: Value) -> bool:
        """Whether a root gets its buffers from an operation, or what is kept at some place, rather than over edges."""
        if root.op is None:
            return root.block is None
        return not root.op.regions or any(view.result is root for view in effects_at(self._graph, root.op).views)


def _may_lead_there(type_: str | None) -> bool:
    """Whether what a function of which nothing is known gives may be an address in what it was passed: of memrefs the
    rules for function boundaries say that it is not."""
    return type_ is None or not (is_buffer(type_) or type_ in ("i1", "i8", "i16", "f16", "f32", "f64", "bf16"))


def is_whole(graph: Graph, value: Value, root: Mapping[Value, Value]) -> bool:
    """Whether a name shows all of what its root has, from its start."""
    while root.get(value) is not value:
        views = effects_at(graph, value.op).views if value.op is not None else ()
        found = next((view for view in views if view.result is value), None)
        if (
            found is None
            or found.unsure
            or found.may_shift
            or found.kind is not ViewKind.WHOLE
            or len(found.sources) != 1
        ):
            return False
        value = found.sources[0]
    return True
