"""The product graph of a function: which of its buffers are followed along its paths, and what the others take.

Exact where that is possible, else with free choices, else with bounds. A buffer is taken from its text where that tells
when it lives (live_intervals.py), else from the blocks that it crosses (dominated_interval.py), else followed by itself
(separable_peak.py), else together with the others; what is too much to follow is bounded one by one (cluster_bound.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.context import Context
from memlane.flow.dataflow.solver import BudgetExceeded
from memlane.flow.interproc.program import FunctionFlow
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.peak.call_demands import CallDemands
from memlane.flow.peak.callee_outcomes import FollowedFunction
from memlane.flow.peak.cluster_bound import all_of, bounds
from memlane.flow.peak.dominated_interval import crossing
from memlane.flow.peak.limits import MAX_BUFFERS_ALL_EXPLORED, MAX_USES_ALL_EXPLORED, MAX_USES_EXPLORED
from memlane.flow.peak.live_intervals import Interval, LiveSpan, Timeline, interval, sharp
from memlane.flow.peak.product import Product
from memlane.flow.peak.separable_peak import Alone, Separate, alone, apart, naming
from memlane.flow.peak.sparse_product import Short, Sparse
from memlane.flow.symbolic.amounts import ZERO, Amount
from memlane.flow.symbolic.scalar import Facts
from memlane.syntax.tree.tree import Value

NODES_PER_POINT = 4
"""Nodes of a product graph beside its budget for each point, where no buffer is followed."""
_NO_BUDGET = 10**9


class _Detail(Enum):
    """What is known of the way to a place."""

    ALL = "every decision"
    LOOPS = "how often loops with constant bounds run; other decisions are free choices"
    NONE = "nothing"
    FREE = "nothing, nor is it said under which conditions on arguments a way is taken"


def build(
    ledger: CallDemands,
    flow: FunctionFlow,
    context: Context,
    sizes: tuple[Amount, ...] | None,
    wanted: tuple[int, ...] = (),
) -> FollowedFunction:
    """What following a function gives.

    Args:
        ledger: tells which buffers count, what calls demand, and how much may be followed.
        flow: the function.
        context: how it is entered.
        sizes: of the buffers passed, by number; None: arguments are not followed.
        wanted: the results that the caller asks for.

    Raises:
        BudgetExceeded, NotANumber: with `ledger.exact`, see `CallDemands`.
    """
    for cross in (False, True):
        followed = _Building(ledger, flow, context, sizes, wanted, cross).followed()
        if followed is not None:
            return followed
    raise AssertionError("the last try has no budget")


class _Building:
    """One way to build it.

    Args:
        cross: buffers that need not be followed to know the peak are not, though it is known but roughly then by when
            they are used no more.
    """

    def __init__(
        self,
        ledger: CallDemands,
        flow: FunctionFlow,
        context: Context,
        sizes: tuple[Amount, ...] | None,
        wanted: tuple[int, ...],
        cross: bool,
    ) -> None:
        self._ledger, self._flow, self._context = ledger, flow, context
        self._sizes, self._wanted, self._cross = sizes, wanted, cross
        self._graph = flow.graph
        self._extents = ledger.extents(flow)
        self._facts: Facts = dict(context.constants)
        self._basis = ledger.bases.of(flow)
        self._line = self._basis.line.again()
        self._bare = self._basis.line.again()
        self._deciders = self._basis.deciders(sizes is not None)
        self._expressions, inner = self._basis.asked(self._extents, wanted)
        self._calls = list(inner)
        # What one takes at most; while functions that call each other are asked again and again it is not known yet.
        shared = ledger.hasty and not ledger.program.group(flow).recursive
        self._entered = Context(context.partition) if shared else context
        self._alone = self._basis.bounds.setdefault((context.partition, sizes), {}) if shared else {}

    def followed(self) -> FollowedFunction | None:
        """What following gives; None where all is too much, and the peak is known without following some."""
        clusters = self._clusters()
        self._uses = {cluster: sum(len(value.uses) for value in cluster.root) for cluster in clusters}
        self._small = sum(self._uses.values()) <= MAX_USES_ALL_EXPLORED
        known = self._by_text(clusters)
        known |= self._crossing([cluster for cluster in clusters if cluster not in known])
        if self._small:
            made = [one.origin.value.op for one in known.values()]
            self._calls += self._deciders.around([op for op in made if op is not None])
        rest = [cluster for cluster in clusters if cluster not in known]
        separate = self._separate(rest)
        self._calls += self._deciders.around(op for one in rest if one in separate for op in naming(one))
        rest = [cluster for cluster in rest if cluster not in separate]
        return self._together(rest, list(known.values()), list(separate.values()))

    def _clusters(self) -> list[Cluster]:
        """Those with buffers that count, or that the caller asks about."""
        clusters = self._ledger.counted(self._flow)
        if self._sizes is None:
            return clusters
        counted = set(clusters)
        asked = self._basis.standing(_asked(self._graph, self._context))
        return [cluster for cluster in asked if cluster in counted or _known(self._graph, cluster)]

    def _extent(self, origin: Origin) -> Amount:
        return self._size(origin, self._facts)

    def _most(self, origin: Origin) -> Amount:
        """The extent, whatever is known of arguments that does not count."""
        return self._size(origin, dict(self._entered.constants))

    def _size(self, origin: Origin, facts: Facts) -> Amount:
        return (self._extents.of(origin.value, facts) or ZERO) if self._ledger.counts(origin) else ZERO

    def _by_text(self, clusters: Iterable[Cluster]) -> dict[Cluster, Interval]:
        """The buffers, by the identity of their cluster, of which the text tells when they live."""
        graph, line, called = self._graph, self._line, self._sizes is not None
        takes, movable = self._ledger.takes, self._ledger.movable
        found = (
            (one, interval(graph, line, one, self._extent(one.origins[0]), takes, called, movable)) for one in clusters
        )
        return {one: known for one, known in found if known is not None and self._suffices(one, known)}

    def _crossing(self, clusters: Sequence[Cluster]) -> dict[Cluster, Interval]:
        """The same of those that live in several blocks, where they are many or need not be followed."""
        if not self._cross and len(clusters) <= MAX_BUFFERS_ALL_EXPLORED:
            return {}
        found = ((one, self._crosses(one, self._cross or not self._small)) for one in clusters)
        return {one: known for one, known in found if known is not None and (self._cross or self._suffices(one, known))}

    def _suffices(self, cluster: Cluster, found: Interval) -> bool:
        """Whether it is enough to know when a buffer lives."""
        return not self._small or sharp(self._graph, self._line, found, cluster)

    def _crosses(self, cluster: Cluster, bound: bool) -> Interval | None:
        extent, body, ledger = self._extent(cluster.origins[0]), self._basis.body, self._ledger
        return crossing(self._graph, self._line, cluster, extent, ledger.takes, body, bound, ledger.movable)

    def _separate(self, clusters: Sequence[Cluster]) -> dict[Cluster, Alone]:
        """Those that are followed by themselves, by identity. Each is followed through all blocks then: these must not
        be more than its uses."""
        blocks = len(self._flow.op.regions[0].blocks)
        if len(clusters) < 2 or blocks * len(clusters) > sum(self._uses[one] for one in clusters):
            return {}
        return apart(self._basis.graph, clusters, self._deciders, self._apart)

    def _apart(self, cluster: Cluster) -> Alone | None:
        """What a cluster takes by itself, whatever is passed that it does not depend on: that is found out once."""
        if self._sizes is not None and _known(self._graph, cluster):
            return None
        known = self._ledger.separate.setdefault(cluster, Separate())
        part = None
        if known.decided is None:
            part = self._by_itself(cluster)
            known.decided = frozenset(part.decided)
        constants = {expr: one for expr, one in self._context.constants.items() if expr[1] in known.decided}
        context = self._context._replace(constants=constants)
        key = context.partition if context.pairs else (), frozenset(constants.items())
        if key not in known.found:
            known.found[key] = self._read_alone(part or self._by_itself(cluster), context)
        return known.found[key]

    def _by_itself(self, cluster: Cluster) -> Sparse:
        asked = [expr for origin in cluster.origins for expr in self._extents.wanted(origin.value)]
        return Sparse(self._basis.graph, (cluster,), asked)

    def _read_alone(self, part: Sparse, context: Context) -> Alone | None:
        try:
            product = self._explore(part, self._line, self._ledger.budget, context, None)
        except BudgetExceeded:
            return None
        return alone(self._basis.graph, self._line, product, part)

    def _explore(
        self, part: Sparse | Short, beside: Timeline, budget: int, context: Context, sizes: tuple[Amount, ...] | None
    ) -> Product:
        """Raises `BudgetExceeded`. `sizes`: of the buffers passed; None: the caller asks for nothing."""
        graph, ledger = self._basis.graph, self._ledger
        numbers = ledger.exact and self._sizes is None  # callers may know what a callee does not
        return Product(graph, part, ledger, self._extents, context, ledger.counts, sizes, beside, budget, numbers)

    def _together(
        self, clusters: list[Cluster], known: Sequence[Interval], separate: Sequence[Alone]
    ) -> FollowedFunction | None:
        """The others followed together: in as much detail as the budget allows, and as many as it allows."""
        steady = [span for one in separate for span in one.spans]
        for number, (these, detail) in enumerate(self._tries(clusters)):
            if number and self._ledger.exact:  # all that follows are bounds
                raise BudgetExceeded
            if number < self._basis.refused or these is None:
                continue
            if not self._cross and detail is not _Detail.ALL and any(self._crosses(one, True) for one in clusters):
                return None
            spans = [] if these is clusters else [s for one in clusters if one not in these for s in self._bounds(one)]
            self._line.fill(known, steady, spans)
            part = self._part(these, detail)
            try:
                product = self._explored(part, bool(these))
            except BudgetExceeded:
                self._basis.refused = number + 1 if self._ledger.hasty else 0
                continue
            sure = all(self._basis.body.is_made(one.origin.value) for one in known)
            exact = product.exact and detail is _Detail.ALL and not spans and sure
            if self._ledger.exact and not exact:
                raise BudgetExceeded
            return FollowedFunction(product, self._line, part, exact, _sizes(separate))
        return None

    def _tries(self, clusters: list[Cluster]) -> Iterator[tuple[list[Cluster] | None, _Detail]]:
        """What to follow, and in which detail; None: it is too much from the start."""
        few = sum(self._uses[cluster] for cluster in clusters) <= MAX_USES_EXPLORED
        for detail in (_Detail.ALL, _Detail.LOOPS, _Detail.NONE):
            yield clusters if few else None, detail
        outer = self._basis.shared(self._wanted) if self._sizes is not None else set[Value]()
        yield [cluster for cluster in clusters if not outer.isdisjoint(cluster.root)], _Detail.NONE
        yield [], _Detail.NONE
        yield [], _Detail.FREE

    def _bounds(self, cluster: Cluster) -> list[LiveSpan]:
        """What the buffers of a cluster that is not followed take where, at most."""
        if not any(map(self._ledger.counts, cluster.origins)):
            return []
        found = self._alone.get(cluster)
        if found is None:
            parts = (self._basis.alone(cluster, plain) for plain in (False, True))
            every = all_of(self._graph, cluster, self._most)
            budget, bare, context = self._ledger.budget, self._bare, self._entered
            found = bounds(parts, lambda part: self._explore(part, bare, budget, context, self._sizes), bare, every)
            self._alone[cluster] = found
        return found

    def _part(self, these: list[Cluster], detail: _Detail) -> Sparse:
        plain = detail in (_Detail.NONE, _Detail.FREE)
        part = Sparse(self._basis.graph, these, self._expressions, plain, self._calls)
        part.free = detail is _Detail.FREE
        if detail is _Detail.LOOPS:
            part.scalars, part.shared = set(), set()
        return part

    def _explored(self, part: Sparse, follows: bool) -> Product:
        """Raises `BudgetExceeded`. `follows`: some buffer is followed."""
        if part.free:
            return self._explore(part, self._line, _NO_BUDGET, self._context, self._sizes)
        points, budget = part.points(), self._ledger.budget
        if follows and points > budget:  # there is a node for each
            raise BudgetExceeded
        budget += 0 if follows else NODES_PER_POINT * points
        return self._explore(part, self._line, budget, self._context, self._sizes)


def _sizes(separate: Iterable[Alone]) -> Mapping[Origin, Amount]:
    return {origin: amount for one in separate for origin, amount in one.sizes.items()}


def _known(graph: Graph, cluster: Cluster) -> bool:
    """Whether the caller may know one of the buffers of a cluster."""
    if any(origin.kind is not OriginKind.ALLOCATION for origin in cluster.origins):
        return True
    for value in cluster.root:
        for use in value.uses:
            effects = effects_at(graph, use.op)
            if effects.unknown or value in (*effects.returned, *effects.packed, *effects.escapes):
                return True
    return False


def _asked(graph: Graph, context: Context) -> list[Value]:
    """The arguments of which the caller asks what becomes of them."""
    arguments = graph.entry.arguments if graph.entry is not None else ()
    groups = context.partition
    return [value for at, value in enumerate(arguments) if at >= len(groups) or groups[at] is not None]
