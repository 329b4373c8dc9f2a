"""What calls demand of memory: what is asked for each, and what the answers rest on.

Answers are remembered per arguments. Recursion is solved by iteration; where what it demands keeps growing, it is
unbounded. How a function is followed is for `Ledger` (footprint.py), which builds on what asks here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin
from memlane.flow.cfg.scc import components
from memlane.flow.dataflow.call_outcomes import count_groups
from memlane.flow.effects.aggregate_buffers import formals_of
from memlane.flow.interproc.procedure_summary import external
from memlane.flow.interproc.program import FunctionFlow, Program, Question
from memlane.flow.interproc.return_summary import told_of
from memlane.flow.interproc.scc_solver import Answers, Group
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.peak.extent import Extents
from memlane.flow.peak.peak_inputs import Bases
from memlane.flow.peak.product import Footprint
from memlane.flow.peak.touching_ops import never, only_makes
from memlane.flow.symbolic.amounts import UNBOUNDED, ZERO, Amount
from memlane.flow.symbolic.assumptions import NOTHING, Assumptions
from memlane.flow.symbolic.scalar import Expr
from memlane.syntax.tree.tree import Op

MAX_PRODUCT_NODES = 2000
"""Nodes of one product graph."""
_MAX_QUESTIONS = 200
"""How often functions that call each other are followed for one peak: from loops and branches they ask without end."""


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
    ) -> None:
        self.program = program
        self.bases = like.bases if like is not None else Bases(program)
        self._among = among
        self.assumed = assumed
        self._aligned = aligned
        self._inside: dict[Op, Mapping[str, int]] = like._inside if like is not None else {}
        self._extents: dict[Op, Extents] = {}
        self.counts = counts
        self.budget, self.hasty = budget, hasty
        self.movable = never if stays else only_makes
        self._answers = Answers[SizedQuestion, Footprint](self._group, self._explore, _same, _MAX_QUESTIONS)
        self._takes: dict[Op, bool] = {}
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
        callees = self.program.callees(call)
        if not callees or any(callee.graph.entry is None for callee in callees):
            groups = count_groups(partition)
            return (Footprint(external(call, groups, wanted)),)
        if not self.takes(call):
            # Nothing inside changes what lives of them: one answer for all sizes.
            sizes = tuple(ZERO for _ in sizes)
        known = ((callee, self._known(callee, scalars)) for callee in callees)
        asked = (Question(callee, partition, constants, told_of(callee, wanted)) for callee, constants in known)
        told = [self._answers.of(SizedQuestion(question, sizes)) for question in asked]
        found = [one for one in told if one is not None]
        if len(found) == len(told):
            return tuple(dict.fromkeys(way for ways in found for way in ways))
        unknown = ((UNBOUNDED, frozenset[int]()),)
        ways = self.program.followed(call, partition, scalars, wanted)
        if ways is None:  # anything may have happened to what is passed
            ways = (external(call, count_groups(partition), wanted, unsure=True),)
        ways = tuple(way._replace(stays=False) for way in ways)
        return tuple(Footprint(way, peaks=(UNBOUNDED,), needs=unknown, keeps=unknown, exact=False) for way in ways)

    def _known(self, callee: FunctionFlow, scalars: Sequence[Expr | None]) -> tuple[int | None, ...]:
        """What is passed that is constant. Each distinguished iteration of a loop would be another question: with
        `hasty`, only flags are part of the question."""
        constants = tuple(one[1] if one is not None and one[0] == "const" else None for one in scalars)
        if not self.hasty:
            return constants
        flags = {at for at, formal in enumerate(formals_of(callee.graph)) if formal.type == "i1"}
        return tuple(one if at in flags else None for at, one in enumerate(constants))

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
        return any(map(self._taken_by, self.program.callees(call)))

    def _taken_by(self, callee: FunctionFlow) -> bool:
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


def _same(before: tuple[Footprint, ...], found: tuple[Footprint, ...]) -> tuple[Footprint, ...] | None:
    """The second of two answers of functions that call each other: where it grows it has no bound."""
    return found if not before or before == found else None


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
