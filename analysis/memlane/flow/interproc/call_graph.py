"""The functions of one module, and which of them each call calls.

`CallGraph` finds functions and resolves calls; it knows of each function what its text says. What calls do is for
`Program`, which is built on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import zip_longest

from memlane.dialects.model import Models
from memlane.dialects.op_names import seems_to_free
from memlane.flow.alias.alias import Aliases
from memlane.flow.cfg.callee import called
from memlane.flow.cfg.function_pointers import FunctionValues
from memlane.flow.cfg.graph import Graph, Source
from memlane.flow.cfg.scc import components
from memlane.flow.interproc.address_taken import calling_or_naming, take_address
from memlane.flow.interproc.calls_in_text import CallsInText, all_of, awaited, may_end
from memlane.flow.interproc.function import Body, DeferredFunctions, FunctionFlow
from memlane.flow.interproc.return_summary import returned
from memlane.flow.interproc.scc_solver import Group
from memlane.flow.memory.function_graph import function_graph
from memlane.flow.symbolic.types import is_buffer
from memlane.syntax.tree.tree import Op, ancestors, starts_at


class CallGraph:
    """The functions below `ops`.

    Args:
        ops: top-level operations of one chunk.
        models: what operations do.
        source: the text of the document, for what the ops do not carry (constant bounds of affine loops), or what
            gives it.
        elsewhere: further functions. Then the program has no others.
        ends: whether a call is of a function that ends the program.
    """

    def __init__(
        self,
        ops: Iterable[Op],
        models: Models,
        source: Source,
        elsewhere: DeferredFunctions | None,
        ends: Callable[[CallGraph, Op], bool],
    ) -> None:
        self._source = source
        self.models = models
        self.functions: dict[Op, FunctionFlow] = {}
        self.undescribed: dict[Op, list[Op]] = {}
        self._symbols: dict[str, list[FunctionFlow]] = {}
        self._tables: dict[tuple[Op | None, str], FunctionFlow] = {}
        self._elsewhere = elsewhere
        self.ends = partial(ends, self)
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
            if op.regions and op.has_body() and self.models.is_function(op.name):
                graph = function_graph(op, self.models, self._source, defined, self.ends)
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
        functions = [name for name in models if self.models.is_function(name)]
        if [op for name in functions for op in graph.named[name]] != [graph.function] or graph.entry is None:
            return False
        self._keep(flow, graph.function)
        naming = (op for op in calling_or_naming(models, graph.named) if op is not graph.function)
        calls += sorted(naming, key=starts_at)
        named: set[tuple[Op, str]] = set()
        for name, model in models.items():
            for op in graph.named[name] if model is None else ():
                self._undescribed(op, named)
        if graph.function in self.undescribed:
            self.undescribed[graph.function].sort(key=starts_at)
        return True

    def _connect(self, calls: Iterable[Op]) -> None:
        chosen: dict[Op, FunctionValues] = {}
        for call in calls:
            callee = self.callee(call)
            if callee is not None:
                callee.callers.append(call)
                caller = self.holder(call)
                if caller is not None:
                    caller.calls[call] = callee
            elif call.symbol is None:
                self._choose(call, chosen)
            elif flows := self.named(call.symbol):
                take_address(call, self.holder(call), flows, self.models)

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
        """Keep a function's first op of a name that takes or gives buffers and has no model, or that seems to free what
        it takes, whatever that is."""
        if op.unparsed:
            return
        values = (*(use.value for use in op.operands), *op.results)
        handles = any(value is not None and is_buffer(value.type, self.models.memory) for value in values)
        if handles or (seems_to_free(op.name) and op.operands):
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
        holder = self.holder(call) if call.symbol is None else None
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
        key = CallGraph.group
        if key not in flow.memo:
            for members in components([flow], lambda one: one.callees if key not in one.memo else ()):
                recursive = len(members) > 1 or members[0] in members[0].callees
                group = members[0].memo.get(key) or Group(len(members), recursive)
                for member in members:
                    member.memo[key] = group
        return flow.memo[key]

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
        key = CallGraph.returning
        if key not in flow.memo:
            for members in components([flow], lambda one: one.callees if key not in one.memo else ()):
                if key not in members[0].memo:
                    try:
                        self._settle_returning(members)
                    except BaseException:  # less than the answers is known
                        for one in members:
                            one.aliases = None
                            one.memo.pop(key, None)
                        raise
        return flow.memo[key]

    def _settle_returning(self, members: list[FunctionFlow]) -> None:
        """Per result of functions that call each other, the arguments it may be: the least that agrees with itself."""
        key = CallGraph.returning
        for flow in members:
            flow.memo[key] = ()
        waiting = dict.fromkeys(reversed(members))
        while waiting:
            flow, _ = waiting.popitem()
            aliases = self.aliases(flow)
            found = returned(flow, aliases)
            if found != flow.memo[key]:
                flow.memo[key] = found
                for caller in members if len(members) > 1 or flow in flow.callees else ():
                    if flow in caller.callees:
                        caller.aliases = None
                        waiting[caller] = None

    def calling(self, flow: FunctionFlow) -> CallsInText:
        """What the text of a function says of whether it comes back."""
        if self._elsewhere is not None:
            ends, callees = self._elsewhere.calling(flow)
            return CallsInText(ends, tuple(callees))
        graph = flow.graph
        calls = [op for name, model in graph.named_models.items() if awaited(model) for op in graph.named[name]]
        ends = may_end(graph.named_models.values(), map(graph.model, calls))
        return CallsInText(ends, tuple(callee for op in calls if (callee := self.callee(op)) is not None))

    def holder(self, op: Op) -> FunctionFlow | None:
        """The function that an op stands in."""
        return next((self.functions[a] for a in ancestors(op) if a in self.functions), None)


def _name(symbol: str) -> str:
    """That of a function, without the modules around it."""
    return symbol.rpartition("::")[2].lstrip("@")


def _present(op: Op, graph: Graph) -> FunctionFlow:
    return FunctionFlow(op.symbol or "", lambda _: Body(op, graph))
