"""What calls demand of memory: what is asked for each, and what the answers rest on.

Answers are remembered per arguments. Recursion is solved by iteration; where what it demands keeps growing, it is
unbounded. How a function is followed is for `Ledger` (footprint.py), which builds on what asks here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin
from memlane.flow.cfg.scc import components
from memlane.flow.dataflow.call_outcomes import Effect, count_groups, place_of
from memlane.flow.dataflow.context import Known
from memlane.flow.effects.aggregate_buffers import formals_of
from memlane.flow.interproc.procedure_summary import external
from memlane.flow.interproc.program import FunctionFlow, Program, Question
from memlane.flow.interproc.return_summary import told_of
from memlane.flow.interproc.scc_solver import Answers, Group
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.peak.extent import Extents
from memlane.flow.peak.limits import MAX_PRODUCT_NODES, MAX_QUESTIONS
from memlane.flow.peak.peak_inputs import Bases
from memlane.flow.peak.product import Footprint
from memlane.flow.peak.separable_peak import Separate
from memlane.flow.peak.sparse_product import Sparse
from memlane.flow.peak.touching_ops import never, only_makes
from memlane.flow.symbolic.amounts import UNBOUNDED, Amount
from memlane.flow.symbolic.assumptions import NOTHING, Assumptions
from memlane.flow.symbolic.scalar import Expr
from memlane.syntax.tree.tree import Op


class SizedQuestion(NamedTuple):
    """A question, and the sizes of the buffers passed, by number."""

    question: Question
    sizes: tuple[Amount, ...]


class CallDemands(ABC):
    """Footprints of the calls of one program.

    Args:
        program: the functions.
        assumed: numbers for dimensions that the text leaves open.
        counts: whether the buffers of an origin count.
        budget: how many nodes one product graph may have.
        hasty: a way to follow a function that is too much for one call is not tried for others, and what single
            buffers take at most is the same for all. What calls are found to take is less exact then, and rests on
            which is asked for first.
        aligned: see `Extents`.
        like: the same of the program, of other buffers under the same assumptions; shares what is known.
        stays: allocations stay where they are in the ideal case, too.
        among: the clusters with buffers that count, where the caller has them.
        brief: only the most that lives at once is asked for, not when buffers are used.
        exact: only peaks are asked for that are numbers, and that some execution reaches. A function with another one
            is followed no further: `NotANumber` is raised, or `BudgetExceeded` where all else would be a bound. Of
            functions that are called for one, what is no number in their terms may be one in the caller's.
    """

    def __init__(
        self,
        program: Program,
        assumed: Assumptions = NOTHING,
        counts: Callable[[Origin], bool] = lambda origin: origin.owned,
        budget: int = MAX_PRODUCT_NODES,
        hasty: bool = False,
        aligned: bool = False,
        like: CallDemands | None = None,
        stays: bool = False,
        among: Callable[[FunctionFlow], list[Cluster]] | None = None,
        brief: bool = False,
        exact: bool = False,
    ) -> None:
        self.program = program
        self.bases = like.bases if like is not None else Bases(program)
        self._among = among
        self.assumed = assumed
        self._aligned = aligned
        self._inside: dict[Op, Mapping[str, int]] = like._inside if like is not None else {}
        self._extents: dict[Op, Extents] = {}
        self.counts = counts
        self.budget, self.hasty, self.brief, self.exact = budget, hasty, brief, exact
        self.movable = never if stays else only_makes
        self._answers = Answers[SizedQuestion, Footprint](self._group, self._explore, MAX_QUESTIONS)
        self.separate: dict[Cluster, Separate] = {}
        self._takes: dict[Op, bool] = {}
        self._decides: dict[tuple[Op, tuple[int, ...]], frozenset[int]] = {}
        self._counted: dict[Op, list[Cluster]] = {}

    def of(
        self,
        call: Op,
        partition: tuple[int | None, ...],
        scalars: tuple[Expr | None, ...],
        wanted: tuple[int, ...],
        sizes: tuple[Amount, ...],
    ) -> tuple[Footprint, ...]:
        """See `Footprints.of`."""
        callees, groups = self.program.callees(call), count_groups(partition)
        if not callees or any(callee.graph.entry is None for callee in callees):
            return (Footprint(external(call, groups, wanted)),)
        takes = self.takes(call)
        # Where nothing is taken, what is passed lives until the call is over: nothing is asked about it.
        about, sizes = (partition, sizes) if takes else ((None,) * len(partition), ())
        known = [one[1] if one is not None and one[0] == "const" else None for one in scalars]
        asked = ((callee, told_of(callee, wanted)) for callee in callees)
        questions = (Question(one, about, self.constants(one, known, results), results) for one, results in asked)
        told = [self._answers.of(SizedQuestion(question, sizes)) for question in questions]
        found = [one for one in told if one is not None]
        if len(found) == len(told):
            ways = dict.fromkeys(way for ways in found for way in ways)
            return tuple(ways if takes or not groups else (_lent(way, call, groups) for way in ways))
        unknown = ((UNBOUNDED, frozenset[int]()),)
        ways = self.program.followed(call, partition, scalars, wanted)
        if ways is None:  # anything may have happened to what is passed
            ways = (external(call, groups, wanted, unsure=True),)
        ways = tuple(way._replace(stays=False) for way in ways)
        return tuple(Footprint(way, peaks=(UNBOUNDED,), needs=unknown, keeps=unknown, exact=False) for way in ways)

    def constants(self, callee: FunctionFlow, known: Iterable[Known], wanted: tuple[int, ...]) -> tuple[Known, ...]:
        """What is passed that is constant, as far as a function asks it. Each distinguished iteration of a loop would
        be another question: with `hasty`, only flags are part of the question."""
        deciding = self._deciding(callee, wanted)
        return tuple(one if at in deciding else None for at, one in enumerate(known))

    def _deciding(self, callee: FunctionFlow, wanted: tuple[int, ...]) -> frozenset[int]:
        """The positions of the arguments that paths, sizes and wanted results depend on."""
        found = self._decides.get((callee.op, wanted))
        if found is None:
            basis = self.bases.of(callee)
            expressions, calls = basis.asked(self.extents(callee), wanted)
            asked = Sparse(basis.graph, self.counted(callee), expressions, also=calls).decided
            formals = enumerate(formals_of(callee.graph))
            found = frozenset(at for at, one in formals if one in asked and not (self.hasty and one.type != "i1"))
            self._decides[callee.op, wanted] = found
        return found

    def counted(self, flow: FunctionFlow) -> list[Cluster]:
        """The clusters of a function with buffers that count."""
        if self._among is not None:
            return self._among(flow)
        found = self._counted.get(flow.op)
        if found is None:  # each call asks, with what it passes
            clusters = self.program.aliases(flow).clusters.values()
            found = [cluster for cluster in clusters if any(self.counts(origin) for origin in cluster.origins)]
            self._counted[flow.op] = found
        return found

    def size(self, flow: FunctionFlow, origin: Origin) -> Amount | None:
        """Bytes of a buffer as its function's text tells; None where its type does not."""
        return self.extents(flow).of(origin.value, {})

    def extents(self, flow: FunctionFlow) -> Extents:
        """The sizes of a function's buffers."""
        found = self._extents.get(flow.op)
        if found is None:
            found = self._extents[flow.op] = Extents(flow.graph, self._numbers(flow), self._aligned)
        return found

    def _numbers(self, flow: FunctionFlow) -> Mapping[str, int]:
        """Those assumed in a function, whose text says some: for n memories it is read once."""
        found = self._inside.get(flow.op)
        if found is None:
            text = flow.graph.source[flow.op.span.start : flow.op.span.end]
            found = self._inside[flow.op] = self.assumed.inside(text, flow.name)
        return found

    def takes(self, call: Op) -> bool:
        """Whether a call may free or keep a buffer it is passed, or hand it on."""
        return any(map(self.takes_some, self.program.callees(call)))

    def takes_some(self, callee: FunctionFlow) -> bool:
        """The same of a function."""
        if callee.op not in self._takes:
            for members in components([callee], lambda one: () if one.op in self._takes else one.callees):
                if members[0].op not in self._takes:
                    self._takes.update((one.op, True) for one in members)
                    self._takes.update([(one.op, _takes(one, self.program, self.takes)) for one in members])
        return self._takes[callee.op]

    def _group(self, asked: SizedQuestion) -> Group:
        return self.program.group(asked.question.callee)

    @abstractmethod
    def _explore(self, asked: SizedQuestion) -> tuple[Footprint, ...] | None:
        """The ways of a function that is entered so; None where they are too many."""


def _lent(way: Footprint, call: Op, groups: int) -> Footprint:
    """A way of a call that reads and writes what it is passed, and neither frees, keeps nor hands it on."""
    outcome = way.outcome._replace(groups=(Effect(first=place_of(call)),) * groups)
    every = frozenset(range(groups))
    needs, keeps = (tuple((amount, every) for amount, _ in each) for each in (way.needs, way.keeps))
    return way._replace(outcome=outcome, needs=needs, keeps=keeps)


def _takes(flow: FunctionFlow, program: Program, inner: Callable[[Op], bool]) -> bool:
    assert flow.graph.entry is not None
    for argument in formals_of(flow.graph):
        cluster = program.aliases(flow).cluster_of(argument)
        for value in cluster.root if cluster is not None else ():
            for use in value.uses:
                effects = effects_at(flow.graph, use.op)
                if effects.frees or effects.unknown or value in (*effects.returned, *effects.packed, *effects.escapes):
                    return True
                if flow.graph.call(use.op) is not None and inner(use.op):
                    return True
    return False
