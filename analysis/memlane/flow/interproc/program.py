"""What each function of one module does to its caller's buffers.

`Program` answers `Callees.outcomes` by exploring the callee with the
arguments as the caller has them: which of them are one buffer, and what is known of its flags. Answers are memoised
(scc_solver.py), and summaries of recursive functions are a least fixpoint.
"""

from __future__ import annotations

from collections.abc import Iterable

from memlane.dialects.model import Models
from memlane.flow.cfg.graph import Graph, Source
from memlane.flow.dataflow.call_outcomes import passed_at
from memlane.flow.dataflow.context import Context, Known, is_repeated, known_of
from memlane.flow.dataflow.solver import BudgetExceeded
from memlane.flow.effects.aggregate_buffers import formals_of, handed_back
from memlane.flow.interproc.aliased_arguments import own_wrongs, told_at_call
from memlane.flow.interproc.call_graph import CallGraph
from memlane.flow.interproc.context_abstraction import Asking
from memlane.flow.interproc.entry_contexts import EntryContexts, written_in
from memlane.flow.interproc.function import DeferredFunctions, FunctionFlow, Question
from memlane.flow.interproc.function_arguments import PassedOn
from memlane.flow.interproc.may_free import lent, may_free
from memlane.flow.interproc.may_summary import of_others
from memlane.flow.interproc.nonreturning import never_comes_back
from memlane.flow.interproc.out_of_sight import replaced
from memlane.flow.interproc.procedure_summary import outcome
from memlane.flow.interproc.return_summary import exits, told_of
from memlane.flow.interproc.summary_engine import Explored, Form, Summaries, Ways, fewer, ordered
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.scalar import Expr
from memlane.flow.typestate.explorer import Explorer
from memlane.flow.typestate.nonterminating import endings
from memlane.syntax.tree.tree import Op

__all__ = ["FunctionFlow", "Program", "Question"]


class Program(CallGraph):
    """The functions of a module, with what they do; for the arguments see `CallGraph`."""

    def __init__(
        self, ops: Iterable[Op], models: Models, source: Source = "", elsewhere: DeferredFunctions | None = None
    ) -> None:
        super().__init__(ops, models, source, elsewhere, never_comes_back)
        self._asking = Asking()
        self.answers = Summaries(self.group, self._explore)
        self.passed_on = PassedOn(self, self.answers)
        self.entered = EntryContexts(self)
        self._numbers: tuple[tuple[Expr | None, ...], tuple[Known, ...]] = (), ()
        self._united: tuple[list[Ways], Ways | None] = [], ()

    def put(self, flow: FunctionFlow, op: Op, known: Graph | None = None) -> tuple[Op, Graph]:
        """See `CallGraph.put`."""
        self.entered.forget()
        return super().put(flow, op, known)

    def forget(self) -> None:
        """See `CallGraph.forget`."""
        super().forget()
        self.entered.forget()
        self._numbers = (), ()

    def outcomes(
        self, call: Op, partition: tuple[int | None, ...], scalars: tuple[Expr | None, ...], wanted: tuple[int, ...]
    ) -> Ways:
        """See `Callees.outcomes`."""
        found = self.followed(call, partition, scalars, wanted)
        if found is None:
            raise BudgetExceeded
        return found

    def followed(
        self, call: Op, partition: tuple[int | None, ...], scalars: tuple[Expr | None, ...], wanted: tuple[int, ...]
    ) -> Ways | None:
        """The same; None where they are too many."""
        callees = self.callees(call)
        if not callees or any(callee.graph.entry is None for callee in callees):
            found = self.passed_on.of(call, partition, scalars, wanted)
            return of_others(self, call, partition, wanted, self.holder(call)) if found is None else found
        passed = self.numbers(scalars)
        told: list[Ways] = []
        pairs = is_repeated(partition)
        for callee in callees:
            constants = self._asking.numbers(self.holder(call), callee, passed)
            ways = self.answers.of(Question(callee, partition, constants, wanted))
            if ways is None:
                return None
            told.append(
                told_at_call(ways, partition, lambda: written_in(self, call)) if pairs and callee.private else ways
            )
        return told[0] if len(told) == 1 else self._several(told, callees, len(partition))

    def may_free(self, call: Op) -> frozenset[int] | None:
        """See `Callees.may_free`."""
        return may_free(self, call)

    def replaced(self, call: Op) -> frozenset[tuple[int, int]]:
        """See `Callees.replaced`."""
        return replaced(self, call)

    def numbers(self, scalars: tuple[Expr | None, ...]) -> tuple[Known, ...]:
        """Those that a call passes among other arguments. Who follows buffers one by one asks of the same again."""
        if scalars is not self._numbers[0]:
            self._numbers = scalars, known_of(scalars)
        return self._numbers[1]

    def _several(self, told: list[Ways], callees: tuple[FunctionFlow, ...], position: int) -> Ways | None:
        """The ways of a call of one of several functions, each where that is the one: the same object for the same
        ones, by which callers know that they have seen to them. `position`: of what is called, behind the arguments."""
        before, found = self._united
        if len(before) != len(told) or any(one is not other for one, other in zip(before, told, strict=True)):
            called: list[Expr] = [("cmpi", "eq", ("formal", position), ("function", one.name)) for one in callees]
            found = ordered(
                way._replace(conditions=(*way.conditions, (asked, True)))
                for asked, ways in zip(called, told, strict=True)
                for way in ways
            )
            self._united = told, found
        return found

    def _explore(self, question: Question, form: Form) -> Explored:
        callee, partition, _, asked = question
        wanted = told_of(callee, asked)
        graph, aliases = callee.graph, self.aliases(callee)
        assert graph.entry is not None
        arguments = formals_of(graph)
        values = [arguments[i] for i in passed_at(partition[: len(arguments)])]
        expressions: list[Expr] = []
        for op in exits(callee):
            handed = handed_back(graph, op)
            given = [v for i in wanted if i < len(handed) and (v := handed[i]) is not None]
            values += given
            expressions += [scalar_of(graph, value) for value in given]
        clusters = dict.fromkeys(c for value in values if (c := aliases.cluster_of(value)) is not None)
        part = Slice(
            graph,
            list(clusters),
            whole=True,
            wanted=expressions,
            plain=form in (Form.PLAIN, Form.FREE),
            lending=lent(self, callee, {value for cluster in clusters for value in cluster.root}),
        )
        part.free = form is Form.FREE
        explorer = Explorer(graph, part, self, context=question.context(), summarise=True)
        try:
            reached = explorer.run()
        except BudgetExceeded:
            return Explored(None, 0)
        # Of functions that call each other more ends may be known later, and what seems to go round for ever may end.
        growing = self.group(callee).recursive
        found = explorer.endings if growing else endings(explorer, graph, reached)
        groups, own = question.groups, own_wrongs(question, found, part, self, lambda op: self._recurs(callee, op))
        ends = (outcome(ending, arguments, groups, partition, wanted, graph, part.root, own) for ending in found)
        return Explored(fewer(ends) if part.free else ordered(ends), len(reached.pairs))

    def _recurs(self, flow: FunctionFlow, op: Op) -> bool:
        """Whether an op calls a function of which one may call `flow`."""
        return any(self.group(callee) is self.group(flow) for callee in self.callees(op))

    def contexts(self, flow: FunctionFlow) -> list[Context]:
        """See `EntryContexts.of`."""
        return self.entered.of(flow)
