"""What a call demands of memory: the callee followed with the arguments as the caller has them.

`Program.outcomes` says what a call does to the caller's buffers; here each way it may go also carries what lives
inside meanwhile. Answers are remembered per arguments. Recursion is solved by iteration; where what it demands keeps
growing, it is unbounded.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.calls.answers import Answers, Group
from memlane.flow.calls.program import FunctionFlow, Program, Question
from memlane.flow.calls.returned import told_of
from memlane.flow.calls.summary import external
from memlane.flow.control.cycles import components
from memlane.flow.control.graph import Graph
from memlane.flow.memory.apart import apart, naming
from memlane.flow.memory.basis import Bases
from memlane.flow.memory.bound import all_of, bounds
from memlane.flow.memory.crossing import crossing
from memlane.flow.memory.extent import Extents
from memlane.flow.memory.intervals import Interval, Line, Span, interval, sharp
from memlane.flow.memory.product import Footprint, Product
from memlane.flow.memory.sparse import Short, Sparse
from memlane.flow.memory.ways import Followed, ways
from memlane.flow.scalars.amounts import UNBOUNDED, ZERO, Amount, total
from memlane.flow.scalars.assumptions import NOTHING, Assumptions
from memlane.flow.scalars.scalar import Expr, Facts
from memlane.flow.states.calls import count_groups
from memlane.flow.states.context import Context
from memlane.flow.states.solver import BudgetExceeded
from memlane.syntax.tree.tree import Op, Value

BUDGET = 2000
"""Nodes of one product graph."""
PER_POINT = 4
"""And beside that for each point, where no buffer is followed."""
SMALL = 400
"""Uses of buffers up to which all of a function's are followed along its paths."""
MANY = 32
"""Buffers up to which those that live in several blocks are followed in any case."""
LARGE = 4_000
"""Uses of buffers beyond which those that paths decide about are bounded instead."""


_MOST = 200
"""How often functions that call each other are followed for one peak: from loops and branches they ask without end."""


class Asked(NamedTuple):
    """A question, and the sizes of the buffers passed, by number."""

    question: Question
    sizes: tuple[Amount, ...]


class Ledger:
    """Footprints of the calls of one program.

    Args:
        program: the functions.
        assumed: numbers for dimensions that the text leaves open.
        counts: whether the buffers of an origin count.
        budget: how many nodes one product graph may have.
        aligned: see `Extents`.
        like: another ledger of the program, of other buffers under the same assumptions; shares what is known.
        among: the clusters with buffers that count, where somebody has them.
    """

    def __init__(
        self,
        program: Program,
        assumed: Assumptions = NOTHING,
        counts: Callable[[Origin], bool] = lambda origin: origin.owned,
        budget: int = BUDGET,
        aligned: bool = False,
        like: Ledger | None = None,
        among: Callable[[FunctionFlow], list[Cluster]] | None = None,
    ) -> None:
        self.program = program
        self.bases = like.bases if like is not None else Bases(program)
        self._among = among
        self._assumed = assumed
        self._aligned = aligned
        self._extents: dict[Op, Extents] = {}
        self.counts = counts
        self.budget = budget
        self._answers = Answers[Asked, Footprint](self._group, self._explore, _same, _MOST)
        self._takes: dict[Op, bool] = {}

    def of(
        self,
        call: Op,
        partition: tuple[int | None, ...],
        scalars: tuple[Expr | None, ...],
        wanted: tuple[int, ...],
        sizes: tuple[Amount, ...],
    ) -> tuple[Footprint, ...]:
        """See `Footprints.of`."""
        callees = self.program.callees(call)
        if not callees or any(callee.graph.entry is None for callee in callees):
            groups = count_groups(partition)
            return (Footprint(external(call, groups, wanted)),)
        constants = tuple(s[1] if s is not None and s[0] == "const" else None for s in scalars)
        if not self.takes(call):
            # Nothing inside changes what lives of them: one answer for all sizes.
            sizes = tuple(ZERO for _ in sizes)
        asked = (Question(callee, partition, constants, told_of(callee, wanted)) for callee in callees)
        told = [self._answers.of(Asked(question, sizes)) for question in asked]
        found = [one for one in told if one is not None]
        if len(found) == len(told):
            return tuple(dict.fromkeys(way for ways in found for way in ways))
        unknown = ((UNBOUNDED, frozenset[int]()),)
        ways = self.program.followed(call, partition, scalars, wanted)
        if ways is None:  # anything may have happened to what is passed
            ways = (external(call, count_groups(partition), wanted, unsure=True),)
        ways = tuple(way._replace(stays=False) for way in ways)
        return tuple(Footprint(way, peaks=(UNBOUNDED,), needs=unknown, keeps=unknown, exact=False) for way in ways)

    def counted(self, flow: FunctionFlow) -> list[Cluster]:
        """The clusters of a function with buffers that count."""
        if self._among is not None:
            return self._among(flow)
        clusters = self.program.aliases(flow).clusters.values()
        return [cluster for cluster in clusters if any(self.counts(origin) for origin in cluster.origins)]

    def size(self, flow: FunctionFlow, origin: Origin) -> Amount | None:
        """Bytes of a buffer as its function's text tells; None where its type does not."""
        return self.extents(flow).of(origin.value, {})

    def extents(self, flow: FunctionFlow) -> Extents:
        """The sizes of a function's buffers."""
        found = self._extents.get(flow.op)
        if found is None:
            text = flow.graph.source[flow.op.span.start : flow.op.span.end]
            found = self._extents[flow.op] = Extents(flow.graph, self._assumed.inside(text), self._aligned)
        return found

    def takes(self, call: Op) -> bool:
        """Whether a call may free or keep a buffer it is passed, or hand it on."""
        return any(map(self._taken_by, self.program.callees(call)))

    def _taken_by(self, callee: FunctionFlow) -> bool:
        if callee.op not in self._takes:
            for members in components([callee], lambda one: () if one.op in self._takes else one.callees):
                if members[0].op not in self._takes:
                    self._takes.update((one.op, True) for one in members)
                    self._takes.update([(one.op, _takes(one, self.program, self.takes)) for one in members])
        return self._takes[callee.op]

    def _group(self, asked: Asked) -> Group:
        return self.program.group(asked.question.callee)

    def _explore(self, asked: Asked) -> tuple[Footprint, ...] | None:
        callee, partition, _, wanted = asked.question
        followed = build(self, callee, asked.question.context(), asked.sizes, wanted)
        return ways(followed, callee.graph, asked.question.groups, partition, wanted, total(asked.sizes))


def _same(before: tuple[Footprint, ...], found: tuple[Footprint, ...]) -> tuple[Footprint, ...] | None:
    """The second of two answers of functions that call each other: where it grows it has no bound."""
    return found if not before or before == found else None


def build(
    ledger: Ledger,
    flow: FunctionFlow,
    context: Context,
    sizes: tuple[Amount, ...] | None,
    wanted: tuple[int, ...] = (),
    cross: bool = False,
) -> Followed:
    """The product graph of a function: exact where that is possible, else with free choices, else with bounds.

    Args:
        cross: buffers that need not be followed to know the peak are not, though it is known but roughly then by when
            they are used no more (crossing.py).
    """
    graph = flow.graph
    clusters = ledger.counted(flow)
    if sizes is not None:
        every, counted = ledger.program.aliases(flow).clusters.values(), {id(cluster) for cluster in clusters}
        unasked = _unasked(graph, context)
        asked = [one for one in every if not unasked.issuperset(origin.value for origin in one.origins)]
        clusters = [cluster for cluster in asked if id(cluster) in counted or _known(graph, cluster)]
    extents = ledger.extents(flow)
    facts: Facts = dict(context.constants)

    def extent(origin: Origin) -> Amount:
        return (extents.of(origin.value, facts) or ZERO) if ledger.counts(origin) else ZERO

    basis = ledger.bases.of(flow)
    line = basis.line.again()
    expressions, inner = basis.asked(extents, wanted)
    calls = list(inner)
    uses = {id(cluster): sum(len(value.uses) for value in cluster.root) for cluster in clusters}
    known: dict[int, Interval] = {}
    small = sum(uses.values()) <= SMALL
    for cluster in clusters:
        found = interval(graph, line, cluster, extent(cluster.origins[0]), ledger.takes, sizes is not None)
        if found is not None and (not small or sharp(graph, line, found, cluster)):
            known[id(cluster)] = found
    followed = [cluster for cluster in clusters if id(cluster) not in known]

    def crosses(cluster: Cluster, bound: bool) -> Interval | None:
        return crossing(graph, line, cluster, extent(cluster.origins[0]), ledger.takes, basis.hammocks, bound)

    for cluster in followed if cross or len(followed) > MANY else ():
        found = crosses(cluster, cross or not small)
        if found is not None and (cross or not small or sharp(graph, line, found, cluster)):
            known[id(cluster)] = found
    followed = [cluster for cluster in followed if id(cluster) not in known]
    deciders = basis.deciders(sizes is not None)
    if small:
        calls += deciders.around([one.origin.value.op for one in known.values() if one.origin.value.op is not None])

    def explore(part: Sparse | Short, beside: Line, budget: int) -> Product:
        return Product(basis.graph, part, ledger, extents, context, ledger.counts, sizes, beside, budget)

    def follow(cluster: Cluster) -> tuple[Product, Sparse] | None:
        if sizes is not None and _known(graph, cluster):
            return None
        asked = [expr for origin in cluster.origins for expr in extents.wanted(origin.value)]
        part = Sparse(basis.graph, (cluster,), asked)
        try:
            return explore(part, line, ledger.budget), part
        except BudgetExceeded:
            return None

    # Each by itself is followed through all blocks: these must not be more than its uses.
    worth = len(followed) > 1 and len(flow.op.regions[0].blocks) * len(followed) <= sum(
        uses[id(one)] for one in followed
    )
    separate = apart(basis.graph, line, followed, deciders, follow) if worth else {}
    calls += deciders.around(op for one in followed if id(one) in separate for op in naming(one))
    followed = [cluster for cluster in followed if id(cluster) not in separate]
    steady = [span for one in separate.values() for span in one.spans]
    besides = {origin: amount for one in separate.values() for origin, amount in one.sizes.items()}
    outer = basis.shared(wanted) if sizes is not None else set[Value]()
    shared = [cluster for cluster in followed if not outer.isdisjoint(cluster.root)]
    nobody: list[Cluster] = []
    bare = line.again()
    tries = (
        (followed, _Detail.ALL),
        (followed, _Detail.LOOPS),
        (followed, _Detail.NONE),
        (shared, _Detail.NONE),
        (nobody, _Detail.NONE),
        (nobody, _Detail.FREE),
    )
    alone: dict[int, list[Span]] = {}
    few = sum(uses[id(cluster)] for cluster in followed) <= LARGE
    for these, detail in tries if few else tries[3:]:
        if not cross and detail is not _Detail.ALL and any(crosses(cluster, True) for cluster in followed):
            return build(ledger, flow, context, sizes, wanted, cross=True)
        rest = [] if these is followed else [cluster for cluster in followed if cluster not in these]
        for cluster in rest:
            if id(cluster) not in alone:
                parts = (basis.alone(cluster, plain) for plain in (False, True))
                counted = any(map(ledger.counts, cluster.origins))
                every = all_of(graph, cluster, extent) if counted else ZERO
                alone[id(cluster)] = (
                    bounds(parts, lambda part: explore(part, bare, ledger.budget), bare, every) if counted else []
                )
        spans = [span for cluster in rest for span in alone[id(cluster)]]
        line.fill(list(known.values()), steady, spans)
        plain = detail in (_Detail.NONE, _Detail.FREE)
        part = Sparse(basis.graph, these, expressions, plain, calls)
        part.free = detail is _Detail.FREE
        if detail is _Detail.LOOPS:
            part.scalars, part.shared = set(), set()
        try:
            budget = ledger.budget + (0 if these else PER_POINT * part.points())
            budget = 10**9 if part.free else budget
            if these and part.points() > budget:  # there is a node for each
                continue
            product = explore(part, line, budget)
        except BudgetExceeded:
            continue
        sure = all(basis.hammocks.is_made(one.origin.value) for one in known.values())
        exact = product.exact and detail is _Detail.ALL and not spans and sure
        return Followed(product, line, part, exact, besides)
    raise AssertionError("the last try has no budget")


class _Detail(Enum):
    """What is known of the way to a place."""

    ALL = "every decision"
    LOOPS = "how often loops with constant bounds run; other decisions are free choices"
    NONE = "nothing"
    FREE = "nothing, nor is it said under which conditions on arguments a way is taken"


def _known(graph: Graph, cluster: Cluster) -> bool:
    """Whether the caller may know one of the buffers of a cluster."""
    if any(origin.kind is not OriginKind.ALLOCATION for origin in cluster.origins):
        return True
    for value in cluster.root:
        for use in value.uses:
            effects = graph.effects(use.op)
            if effects.unknown or value in (*effects.returned, *effects.packed, *effects.escapes):
                return True
    return False


def _unasked(graph: Graph, context: Context) -> set[Value]:
    """The arguments of which the caller does not ask what becomes of them."""
    arguments = graph.entry.arguments if graph.entry is not None else ()
    return {value for value, group in zip(arguments, context.partition, strict=False) if group is None}


def _takes(flow: FunctionFlow, program: Program, inner: Callable[[Op], bool]) -> bool:
    assert flow.graph.entry is not None
    for argument in flow.graph.formals:
        cluster = program.aliases(flow).cluster_of(argument)
        for value in cluster.root if cluster is not None else ():
            for use in value.uses:
                effects = flow.graph.effects(use.op)
                if effects.frees or effects.unknown or value in (*effects.returned, *effects.packed, *effects.escapes):
                    return True
                if flow.graph.call(use.op) is not None and inner(use.op):
                    return True
    return False
