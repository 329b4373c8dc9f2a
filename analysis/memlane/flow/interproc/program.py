"""The functions of one module and what each does to its caller's buffers.

`Program` finds functions, resolves calls and answers `Callees.outcomes` by exploring the callee with the
arguments as the caller has them: which of them are one buffer, and what is known of its flags. Answers are memoised
(scc_solver.py), and summaries of recursive functions are a least fixpoint.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest

from memlane.dialects.model import Models
from memlane.flow.alias.alias import Aliases
from memlane.flow.control.aggregate_buffers import formals_of, handed_back
from memlane.flow.control.call_arguments import arguments_of
from memlane.flow.control.callee import called
from memlane.flow.control.expressions import scalar_of
from memlane.flow.control.function_graph import function_graph
from memlane.flow.control.function_pointers import FunctionValues
from memlane.flow.control.graph import Graph, Source
from memlane.flow.control.scc import components
from memlane.flow.dataflow.call_outcomes import passed_at
from memlane.flow.dataflow.context import Context, Known, is_repeated, known_of, together
from memlane.flow.dataflow.solver import BudgetExceeded
from memlane.flow.interproc.address_taken import calling_or_naming, take_address
from memlane.flow.interproc.aliased_arguments import fewer_contexts, own_wrongs, told_at_call
from memlane.flow.interproc.context_abstraction import Asking
from memlane.flow.interproc.function import ANYTHING, DeferredFunctions, FunctionFlow, Passed, Question, ancestors
from memlane.flow.interproc.function_arguments import PassedOn
from memlane.flow.interproc.indirect_calls import all_of
from memlane.flow.interproc.may_free import lent, may_free
from memlane.flow.interproc.may_summary import of_others
from memlane.flow.interproc.nonreturning import CallsInText, awaited, comes_back, may_end
from memlane.flow.interproc.procedure_summary import outcome
from memlane.flow.interproc.return_summary import exits, returned, told_of
from memlane.flow.interproc.scc_solver import Group
from memlane.flow.interproc.summary_engine import Explored, Form, Summaries, Ways, fewer, ordered
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.scalar import Expr, constant
from memlane.flow.symbolic.types import is_buffer
from memlane.flow.typestate.explorer import Explorer
from memlane.flow.typestate.nonterminating import endings
from memlane.syntax.tree.tree import Op, Value

__all__ = ["FunctionFlow", "Program", "Question"]

_MAX_CONTEXTS = 8


class Program:
    """The functions below `ops`.

    Args:
        ops: top-level operations of one chunk.
        models: what operations do.
        source: the text of the document, for what the ops do not carry (constant bounds of affine loops), or what
            gives it.
        elsewhere: further functions. Then the program has no others.
    """

    def __init__(
        self, ops: Iterable[Op], models: Models, source: Source = "", elsewhere: DeferredFunctions | None = None
    ) -> None:
        self._source = source
        self.models = models
        self.functions: dict[Op, FunctionFlow] = {}
        self.undescribed: dict[Op, list[Op]] = {}
        self._symbols: dict[str, list[FunctionFlow]] = {}
        self._tables: dict[tuple[Op | None, str], FunctionFlow] = {}
        self._elsewhere = elsewhere
        self._asking = Asking()
        self._passed_on = PassedOn(self)
        self.answers = Summaries(self.group, self._explore)
        self._entered: dict[FunctionFlow, tuple[object, list[Context]]] = {}
        self._numbers: tuple[tuple[Expr | None, ...], tuple[Known, ...]] = (), ()
        self._united: tuple[list[Ways], Ways | None] = [], ()
        calls: list[Op] = []
        for op in ops:
            self._find(op, calls)
        self._connect(calls)

    def put(self, flow: FunctionFlow, op: Op, known: Graph | None = None) -> tuple[Op, Graph]:
        """`op` is what `flow` from elsewhere is: for those who build it. `known`: its graph, where that is right, also
        as to its text."""
        calls: list[Op] = []
        graph = known if known is not None and self._find_named(known, calls, flow) else self._find(op, calls, flow)
        self._connect(calls)
        return op, graph

    def forget(self) -> None:
        """Let go of all functions; those from elsewhere can be put again. What calls do is still known."""
        self.functions, self.undescribed, self._symbols, self._tables = {}, {}, {}, {}
        self._entered, self._numbers = {}, ((), ())

    def defines(self, symbol: str) -> bool:
        """Whether the program has a function of that name."""
        return symbol in (self._symbols if self._elsewhere is None else self._elsewhere)

    def named(self, symbol: str) -> list[FunctionFlow]:
        """The functions of the program that a symbol may name."""
        name = _name(symbol)
        if self._elsewhere is None:
            return self._symbols.get(name, [])
        found = self._elsewhere.find(name) if name in self._elsewhere else None
        return [found] if found is not None else []

    def _find(self, top: Op, calls: list[Op], known: FunctionFlow | None = None) -> Graph:
        """Look through an op. `calls` takes what calls a function or names one. `known`: the function that it is."""
        named: set[tuple[Op, str]] = set()
        defined = self._symbols if self._elsewhere is None else self._elsewhere
        outer: Graph | None = None
        for op in top.walk():
            model = self.models.of(op.name)
            if model is None:
                self._undescribed(op, named)
            if model is not None and model.function is not None and op.has_body():
                graph = function_graph(op, self.models, self._source, defined, self.never_comes_back)
                flow = known if known is not None and op is top else _present(op, graph)
                self._keep(flow, op)
                outer = graph if outer is None else outer
            elif op.symbol is not None or (model is not None and model.call is not None):
                calls.append(op)
        return outer or function_graph(top, self.models, self._source, defined)

    def _keep(self, flow: FunctionFlow, op: Op) -> None:
        """Add the function that `op` is."""
        self.functions[op] = flow
        self._symbols.setdefault(flow.name, []).append(flow)
        self._tables[op.parent.region.op if op.parent is not None else None, flow.name] = flow

    def _find_named(self, graph: Graph, calls: list[Op], flow: FunctionFlow) -> bool:
        """The same by the names of its ops; whether that can be done: no other function stands in it."""
        models = graph.named_models
        functions = [name for name, model in models.items() if model is not None and model.function is not None]
        if [op for name in functions for op in graph.named[name]] != [graph.function] or graph.entry is None:
            return False
        self._keep(flow, graph.function)
        calls += sorted(calling_or_naming(models, graph.named), key=_start)
        named: set[tuple[Op, str]] = set()
        for name, model in models.items():
            for op in graph.named[name] if model is None else ():
                self._undescribed(op, named)
        if graph.function in self.undescribed:
            self.undescribed[graph.function].sort(key=_start)
        return True

    def _connect(self, calls: Iterable[Op]) -> None:
        self._entered = {}
        chosen: dict[Op, FunctionValues] = {}
        for call in calls:
            callee = self.callee(call)
            if callee is not None:
                callee.callers.append(call)
                caller = self._holder(call)
                if caller is not None:
                    caller.calls[call] = callee
            elif call.symbol is None:
                self._choose(call, chosen)
            elif flows := self.named(call.symbol):
                take_address(call, self._holder(call), flows, self.models)

    def _choose(self, call: Op, chosen: dict[Op, FunctionValues]) -> None:
        """Store the functions of the program of which a call calls one. `chosen`: by functions."""
        function = next((a for a in ancestors(call) if a in self.functions), None)
        if function is None:
            return
        if function not in chosen:
            chosen[function] = FunctionValues(function, self.models)
        named = [self.named(symbol) for symbol in sorted(all_of(call, chosen[function], self.models))]
        if named and all(len(flows) == 1 for flows in named):
            callees = self.functions[function].choices[call] = tuple(flows[0] for flows in named)
            for callee in callees:
                callee.callers.append(call)

    def _undescribed(self, op: Op, named: set[tuple[Op, str]]) -> None:
        """Keep a function's first op of a name that takes or gives buffers and has no model."""
        if op.unparsed:
            return
        values = (*(use.value for use in op.operands), *op.results)
        if any(value is not None and is_buffer(value.type, self.models.memory) for value in values):
            function = next((a for a in ancestors(op) if a in self.functions), None)
            if function is not None and (function, op.name) not in named:
                named.add((function, op.name))
                self.undescribed.setdefault(function, []).append(op)

    def callee(self, call: Op) -> FunctionFlow | None:
        """The function that `call` calls; None if the program does not have its body."""
        model = self.models.of(call.name)
        symbol = called(call, model.call, self.models) if model is not None and model.call is not None else None
        if symbol is None:
            return None
        name = _name(symbol)
        if self._elsewhere is not None:
            return self._elsewhere.find(name)
        if len(found := self._symbols.get(name, ())) <= 1:
            return found[0] if found else None
        # The one in the nearest op around that holds one of that name (MLIR, "Symbols and Symbol Tables").
        return next((self._tables[one, name] for one in (*ancestors(call), None) if (one, name) in self._tables), None)

    def callees(self, call: Op) -> tuple[FunctionFlow, ...]:
        """The functions of which `call` calls one; empty if the program lacks one of them."""
        callee = self.callee(call)
        if callee is not None:
            return (callee,)
        holder = self._holder(call) if call.symbol is None else None
        return holder.choices.get(call, ()) if holder is not None else ()

    def aliases(self, flow: FunctionFlow) -> Aliases:
        """The clusters of a function, found once."""
        if flow.aliases is None:
            graph, standing = flow.graph, flow.standing
            known = standing.find_aliases(self._may_return) if standing is not None else None
            flow.aliases = known or Aliases(graph, self._may_return)
        return flow.aliases

    def group(self, flow: FunctionFlow) -> Group:
        """The functions that call each other, `flow` among them."""
        if flow.group is None:
            for members in components([flow], lambda one: one.callees if one.group is None else ()):
                inside = sum(callee in members for member in members for callee in member.callees)
                group = members[0].group or Group(len(members), inside)
                for member in members:
                    member.group = group
        assert flow.group is not None
        return flow.group

    def _may_return(self, call: Op) -> tuple[frozenset[int], ...] | None:
        if not call.results:
            return ()
        told = [self.returning(callee) for callee in self.callees(call)]
        if len(told) < 2:
            return told[0] if told else None
        return tuple(frozenset[int]().union(*those) for those in zip_longest(*told, fillvalue=frozenset[int]()))

    def returning(self, flow: FunctionFlow) -> tuple[frozenset[int], ...]:
        """Per result of a function the positions of the arguments it may be, and a negative number that all those have
        that may be the same new buffer."""
        if flow.returning is None:
            for members in components([flow], lambda one: one.callees if one.returning is None else ()):
                if members[0].returning is None:
                    self._settle_returning(members)
        assert flow.returning is not None
        return flow.returning

    def _settle_returning(self, members: list[FunctionFlow]) -> None:
        """Per result of functions that call each other, the arguments it may be: the least that agrees with itself."""
        for flow in members:
            flow.returning = ()
        waiting = dict.fromkeys(reversed(members))
        while waiting:
            flow, _ = waiting.popitem()
            aliases = self.aliases(flow)
            found = returned(flow, aliases)
            if found != flow.returning:
                flow.returning = found
                for caller in members if len(members) > 1 or flow in flow.callees else ():
                    if flow in caller.callees:
                        caller.aliases = None
                        waiting[caller] = None

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
            found = self._passed_on.of(call, partition, scalars, wanted)
            return of_others(self, call, partition, wanted, self._holder(call)) if found is None else found
        passed = self.numbers(scalars)
        told: list[Ways] = []
        pairs = is_repeated(partition)
        for callee in callees:
            constants = self._asking.numbers(self._holder(call), callee, passed)
            ways = self.answers.of(Question(callee, partition, constants, wanted))
            if ways is None:
                return None
            told.append(told_at_call(ways, partition, lambda: self.passed(call)) if pairs and callee.private else ways)
        return told[0] if len(told) == 1 else self._several(told)

    def calling(self, flow: FunctionFlow) -> CallsInText:
        """What the text of a function says of whether it comes back."""
        if self._elsewhere is not None:
            ends, callees = self._elsewhere.calling(flow)
            return CallsInText(ends, tuple(callees))
        graph = flow.graph
        calls = [op for name, model in graph.named_models.items() if awaited(model) for op in graph.named[name]]
        ends = may_end(graph.named_models.values(), map(graph.model, calls))
        return CallsInText(ends, tuple(callee for op in calls if (callee := self.callee(op)) is not None))

    def never_comes_back(self, call: Op) -> bool:
        """Whether a call is of a function that ends the program."""
        callee = self.callee(call) if awaited(self.models.of(call.name)) else None
        return callee is not None and not comes_back(self, callee)

    def may_free(self, call: Op) -> frozenset[int] | None:
        """See `Callees.may_free`."""
        return may_free(self, call)

    def numbers(self, scalars: tuple[Expr | None, ...]) -> tuple[Known, ...]:
        """Those that a call passes among other arguments. Who follows buffers one by one asks of the same again."""
        if scalars is not self._numbers[0]:
            self._numbers = scalars, known_of(scalars)
        return self._numbers[1]

    def _several(self, told: list[Ways]) -> Ways | None:
        """The ways of a call of one of several functions: the same object for the same ones, by which callers know that
        they have seen to them."""
        before, found = self._united
        if len(before) != len(told) or any(one is not other for one, other in zip(before, told, strict=True)):
            found = ordered(way for ways in told for way in ways)
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
        clusters = {id(c): c for value in values if (c := aliases.cluster_of(value)) is not None}
        part = Slice(
            graph,
            list(clusters.values()),
            whole=True,
            wanted=expressions,
            plain=form in (Form.PLAIN, Form.FREE),
            lending=lent(self, callee, {value for cluster in clusters.values() for value in cluster.root}),
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
        return Explored(fewer(ends) if part.free else ordered(ends), len(reached.came_from))

    def _recurs(self, flow: FunctionFlow, op: Op) -> bool:
        """Whether an op calls a function of which one may call `flow`."""
        return any(self.group(callee) is self.group(flow) for callee in self.callees(op))

    def contexts(self, flow: FunctionFlow) -> list[Context]:
        """How a function is entered: an entry function with anything, a private one as its callers call it."""
        if flow.entry or flow.graph.entry is None:
            return [Context()]
        known = self._entered.get(flow)
        if known is None or known[0] is not flow.passed:
            known = self._entered[flow] = flow.passed, self._contexts(flow)
        return known[1]

    def _contexts(self, flow: FunctionFlow) -> list[Context]:
        others = (ANYTHING,) if flow.addressed else ()
        told = flow.passed if flow.passed is not None else (*map(self.passed, flow.callers), *others)
        every = (_context(passed, formals_of(flow.graph)) for passed in told)
        found = together(((one.partition, frozenset(one.constants.items())), one) for one in every)
        return fewer_contexts(found) if len(found) > _MAX_CONTEXTS else found

    def passed(self, call: Op) -> Passed:
        """What a call passes, by the text of the function it stands in."""
        caller = self._holder(call)
        if caller is None:
            return Passed((), ())
        groups: dict[Value, int] = {}
        partition: list[int | None] = []
        constants: list[int | None] = []
        root = self.aliases(caller).root
        for value in arguments_of(caller.graph, call):
            base = root.get(value) if value is not None else None
            partition.append(groups.setdefault(base, len(groups)) if base is not None else None)
            expr = scalar_of(caller.graph, value) if value is not None else None
            constants.append(expr[1] if expr is not None and expr[0] == "const" else None)
        given = tuple(partition)
        return Passed(given, tuple(constants), caller.name if is_repeated(given) else "")

    def _holder(self, op: Op) -> FunctionFlow | None:
        return next((self.functions[a] for a in ancestors(op) if a in self.functions), None)


def _name(symbol: str) -> str:
    """That of a function, without the modules around it."""
    return symbol.rpartition("::")[2].lstrip("@")


def _present(op: Op, graph: Graph) -> FunctionFlow:
    return FunctionFlow(op.symbol or "", lambda _: (op, graph))


def _context(passed: Passed, formals: tuple[Value, ...]) -> Context:
    """How a function is entered by who passes that."""
    known: dict[Expr, Expr] = {
        ("leaf", formal): constant(number)
        for formal, number in zip(formals, passed.constants, strict=False)
        if number is not None
    }
    return Context(passed.partition[: len(formals)], known, (passed.caller,) if passed.caller else ())


def _start(op: Op) -> int:
    return op.span.start
