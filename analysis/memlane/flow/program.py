"""The functions of one module and what each does to its caller's buffers.

`Program` finds functions, resolves calls and answers `Callees.outcomes` by exploring the callee with the
arguments as the caller has them: which of them are one buffer, and what is known of its flags. Answers are
remembered (answers.py), and what is said of recursion is the least that agrees with itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memlane.dialects.model import Models
from memlane.flow.alias import Aliases, OriginKind
from memlane.flow.answers import Answers, Group
from memlane.flow.calls import Outcome
from memlane.flow.cycles import components
from memlane.flow.explore import Context, Explorer
from memlane.flow.graph import Graph
from memlane.flow.scalar import Expr, constant
from memlane.flow.slice import Slice
from memlane.flow.solver import BudgetExceeded
from memlane.flow.summary import external, order, outcome
from memlane.syntax.tree import Op, Value

_MAX_CONTEXTS = 8
_MAX_OUTCOMES = 64
_MAX_DEPTH = 12
"""Recursive calls within calls whose constant arguments are told apart."""


class Question(NamedTuple):
    """What a function does with arguments as a caller has them; see `Callees.outcomes`.

    Args:
        constants: the numbers among them.
    """

    callee: FunctionFlow
    partition: tuple[int | None, ...]
    constants: tuple[int | None, ...]
    wanted: tuple[int, ...]

    @property
    def groups(self) -> int:
        """How many buffers are passed."""
        return max((group for group in self.partition if group is not None), default=-1) + 1


    def context(self) -> Context:
        """How the function is entered then."""
        entry = self.callee.graph.entry
        known: dict[Expr, Expr] = {
            ("leaf", argument): constant(number)
            for argument, number in zip(entry.arguments if entry is not None else (), self.constants, strict=False)
            if number is not None
        }
        return Context(self.partition, known)


class FunctionFlow:
    """One function: its graph, its clusters, and whether others in the module call it."""

    __slots__ = ("aliases", "callees", "callers", "graph", "group", "name", "op", "returning")

    def __init__(self, op: Op, graph: Graph) -> None:
        self.op = op
        self.name = op.symbol or ""
        self.graph = graph
        self.aliases: Aliases | None = None
        self.callers: list[Op] = []
        self.callees: dict[FunctionFlow, None] = {}
        self.group: Group | None = None
        self.returning: tuple[frozenset[int], ...] | None = None

    @property
    def private(self) -> bool:
        """Whether only this module may call it."""
        return "private" in self.op.keywords or self.op.attributes.get("sym_visibility") == '"private"'

    @property
    def entry(self) -> bool:
        """Whether execution may start here: public functions, and private ones that nobody calls."""
        return not self.private or not self.callers


class Program:
    """The functions below `ops`.

    Args:
        ops: top-level operations of one chunk.
        models: what operations do.
        source: the text of the document, for what the ops do not carry (constant bounds of affine loops).
    """

    def __init__(self, ops: Iterable[Op], models: Models, source: str = "") -> None:
        self._source = source
        self.models = models
        self.functions: dict[Op, FunctionFlow] = {}
        self.undescribed: dict[Op, list[Op]] = {}
        self._symbols: dict[str, list[FunctionFlow]] = {}
        self._calls: list[Op] = []
        self._answers = Answers[Question, Outcome](self._group_of, self._explore, _unconditional, _joined)
        self._find(ops)
        for call in self._calls:
            callee = self.callee(call)
            if callee is not None:
                callee.callers.append(call)
                caller = self._holder(call)
                if caller is not None:
                    caller.callees[callee] = None

    def _find(self, ops: Iterable[Op]) -> None:
        named: set[tuple[Op, str]] = set()
        for top in ops:
            for op in top.walk():
                model = self.models.of(op.name)
                if model is None:
                    self._undescribed(op, named)
                elif model.function is not None and op.regions and op.regions[0].blocks:
                    flow = FunctionFlow(op, Graph(op, self.models, self._source, self._symbols))
                    self.functions[op] = flow
                    self._symbols.setdefault(flow.name, []).append(flow)
                elif model.call is not None:
                    self._calls.append(op)

    def _undescribed(self, op: Op, named: set[tuple[Op, str]]) -> None:
        """Keep a function's first op of a name that takes or gives buffers and has no model."""
        if op.unparsed:
            return
        values = (*(use.value for use in op.operands), *op.results)
        if any(value is not None and (value.type or "").startswith("memref<") for value in values):
            function = next((a for a in _ancestors(op) if a in self.functions), None)
            if function is not None and (function, op.name) not in named:
                named.add((function, op.name))
                self.undescribed.setdefault(function, []).append(op)

    def callee(self, call: Op) -> FunctionFlow | None:
        """The function that `call` calls; None where its body is not at hand."""
        model = self.models.of(call.name)
        if call.symbol is None or model is None or model.call is None or model.call.indirect:
            return None
        found = self._symbols.get(call.symbol.rpartition("::")[2].lstrip("@"), [])
        if len(found) == 1:
            return found[0]
        around = set(_ancestors(call))
        near = [flow for flow in found if flow.op.parent is not None and flow.op.parent.region.op in around]
        return near[-1] if near else None

    def aliases(self, flow: FunctionFlow) -> Aliases:
        """The clusters of a function, found once."""
        if flow.aliases is None:
            flow.aliases = Aliases(flow.graph, self._may_return)
        return flow.aliases

    def group(self, flow: FunctionFlow) -> Group:
        """The functions that call each other, `flow` among them."""
        if flow.group is None:
            for members in components([flow], lambda one: one.callees if one.group is None else ()):
                group = members[0].group or Group(len(members))
                for member in members:
                    member.group = group
        assert flow.group is not None
        return flow.group

    def _group_of(self, question: Question) -> Group:
        return self.group(question.callee)

    def _may_return(self, call: Op) -> tuple[frozenset[int], ...] | None:
        if not call.results:
            return ()
        callee = self.callee(call)
        if callee is None:
            return None
        if callee.returning is None:
            for members in components([callee], lambda one: one.callees if one.returning is None else ()):
                if members[0].returning is None:
                    self._settle_returning(members)
        return callee.returning

    def _settle_returning(self, members: list[FunctionFlow]) -> None:
        """Per result of functions that call each other, the arguments it may be: the least that agrees with itself."""
        for flow in members:
            flow.returning = ()
        waiting = dict.fromkeys(reversed(members))
        while waiting:
            flow, _ = waiting.popitem()
            aliases = self.aliases(flow)
            found = _returned(flow, aliases)
            if found != flow.returning:
                flow.returning = found
                for caller in members if len(members) > 1 or flow in flow.callees else ():
                    if flow in caller.callees:
                        caller.aliases = None
                        waiting[caller] = None

    def outcomes(
        self, call: Op, partition: tuple[int | None, ...], scalars: tuple[Expr | None, ...], wanted: tuple[int, ...]
    ) -> tuple[Outcome, ...]:
        """See `Callees.outcomes`."""
        callee = self.callee(call)
        if callee is None or callee.graph.entry is None:
            groups = max((group for group in partition if group is not None), default=-1) + 1
            return (external(call, groups, wanted),)
        constants = tuple(s[1] if s is not None and s[0] == "const" else None for s in scalars)
        group = self.group(callee)
        if group.large or self._answers.depth(group) > _MAX_DEPTH:
            # Recursion that counts: each depth would ask for another number.
            constants = (None,) * len(constants)
        question = Question(callee, partition, constants, wanted)
        found = self._answers.of(question)
        return found if found is not None else (external(call, question.groups, wanted, unsure=True),)

    def _explore(self, question: Question) -> tuple[Outcome, ...] | None:
        callee, partition, _, wanted = question
        graph, aliases = callee.graph, self.aliases(callee)
        assert graph.entry is not None
        arguments = graph.entry.arguments
        values = [arguments[i] for i, group in enumerate(partition) if group is not None and i < len(arguments)]
        expressions: list[Expr] = []
        for op in _exits(callee):
            returned = [use.value for use in op.operands]
            values += [v for i in wanted if i < len(returned) and (v := returned[i]) is not None]
            expressions += [graph.expression(v) for i in wanted if i < len(returned) and (v := returned[i]) is not None]
        clusters = {id(c): c for value in values if (c := aliases.cluster_of(value)) is not None}
        part = Slice(graph, list(clusters.values()), whole=True, wanted=expressions)
        explorer = Explorer(graph, part, self, context=question.context(), summarise=True)
        try:
            explorer.run()
        except BudgetExceeded:
            return None
        groups = question.groups
        return _ordered(outcome(ending, arguments, groups, partition, wanted, graph) for ending in explorer.endings)

    def contexts(self, flow: FunctionFlow) -> list[Context]:
        """How a function is entered: an entry function with anything, a private one as its callers call it."""
        if flow.entry or flow.graph.entry is None:
            return [Context()]
        found: dict[object, Context] = {}
        for call in flow.callers:
            context = self._context(call, flow.graph.entry.arguments)
            found[context.partition, frozenset(context.constants.items())] = context
        return list(found.values()) if len(found) <= _MAX_CONTEXTS else [Context()]

    def _context(self, call: Op, formals: tuple[Value, ...]) -> Context:
        caller = self._holder(call)
        if caller is None:
            return Context()
        groups: dict[Value, int] = {}
        partition: list[int | None] = []
        known: dict[Expr, Expr] = {}
        root = self.aliases(caller).root
        for value, formal in zip(caller.graph.arguments(call), formals, strict=False):
            base = root.get(value) if value is not None else None
            partition.append(groups.setdefault(base, len(groups)) if base is not None else None)
            expr = caller.graph.expression(value) if value is not None else None
            if expr is not None and expr[0] == "const":
                known["leaf", formal] = expr
        return Context(tuple(partition), known)

    def _holder(self, op: Op) -> FunctionFlow | None:
        return next((self.functions[a] for a in _ancestors(op) if a in self.functions), None)


def _returned(flow: FunctionFlow, aliases: Aliases) -> tuple[frozenset[int], ...]:
    """Per result the positions of the arguments it may be."""
    found: list[set[int]] = []
    for op in _exits(flow):
        values = flow.graph.effects(op).returned
        found.extend(set[int]() for _ in values[len(found) :])
        for index, value in enumerate(values):
            cluster = aliases.cluster_of(value)
            for origin in cluster.origins if cluster else ():
                if origin.kind is OriginKind.ARGUMENT:
                    found[index].add(origin.value.index)
    return tuple(frozenset(positions) for positions in found)


def _unconditional(ways: tuple[Outcome, ...]) -> tuple[Outcome, ...]:
    """The conditions of each round would be those of the one before, one step further: without them it settles."""
    return tuple(dict.fromkeys(way._replace(conditions=()) for way in ways))


def _joined(one: tuple[Outcome, ...], other: tuple[Outcome, ...]) -> tuple[Outcome, ...] | None:
    return one if one == other else _ordered((*one, *other))


def _ordered(ways: Iterable[Outcome]) -> tuple[Outcome, ...] | None:
    """Ways without repetition, in a stable order; None: too many."""
    found = set(ways)
    return tuple(sorted(found, key=order)) if len(found) <= _MAX_OUTCOMES else None


def _ancestors(op: Op) -> Iterator[Op]:
    while op.parent is not None:
        op = op.parent.region.op
        yield op


def _exits(flow: FunctionFlow) -> Iterator[Op]:
    for block in flow.op.regions[0].blocks:
        if block.ops and flow.graph.effects(block.ops[-1]).returned:
            yield block.ops[-1]
