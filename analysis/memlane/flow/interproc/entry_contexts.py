"""How functions are entered: public ones with anything, private ones as their callers call them.

What a caller passes is read off its text (`Passed`). Where that is an argument of its own, and may be a number, it is
what the caller is passed: numbers go from function to function, and round among functions that call each other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from memlane.flow.cfg.scc import components
from memlane.flow.dataflow.context import Context, is_repeated, together
from memlane.flow.dataflow.solver import worklist
from memlane.flow.effects.aggregate_buffers import formals_of
from memlane.flow.interproc.aliased_arguments import fewer_contexts
from memlane.flow.interproc.call_graph import CallGraph
from memlane.flow.interproc.constant_results import passed_numbers
from memlane.flow.interproc.function import ANYTHING, FunctionFlow, Passed
from memlane.flow.interproc.limits import MAX_CONTEXTS
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.symbolic.scalar import Expr, constant
from memlane.syntax.tree.tree import Op, Value


class EntryContexts:
    """The ways in which the functions of a program are entered, each found when it is asked for."""

    def __init__(self, program: CallGraph) -> None:
        self._program = program
        self._written: dict[FunctionFlow, Sequence[Passed]] = {}
        self._received: dict[FunctionFlow, list[Passed]] = {}
        self._contexts: dict[FunctionFlow, list[Context]] = {}

    def forget(self) -> None:
        """Let go of what has ops in it."""
        self._contexts = {}

    def enter(self, flow: FunctionFlow, passed: tuple[Passed, ...]) -> None:
        """Say what the callers of a function pass, where they are elsewhere."""
        flow.passed = passed
        if flow in self._received:  # it was asked for before this was known
            self._received, self._contexts = {}, {}

    def of(self, flow: FunctionFlow) -> list[Context]:
        """The ways in which a function is entered."""
        if flow.entry or flow.graph.entry is None:
            return [Context()]
        found = self._contexts.get(flow)
        if found is None:
            every = (_context(passed, formals_of(flow.graph)) for passed in self._passed(flow))
            found = together(((one.partition, frozenset(one.constants.items())), one) for one in every)
            found = self._contexts[flow] = fewer_contexts(found) if len(found) > MAX_CONTEXTS else found
        return found

    def _passed(self, flow: FunctionFlow) -> list[Passed]:
        """What a function is passed."""
        for members in components([flow], lambda one: self._owners(one) if one not in self._received else ()):
            if members[0] not in self._received:
                self._settle(members)
        return self._received[flow]

    def _settle(self, members: Collection[FunctionFlow]) -> None:
        """Find it of one function, or of some that pass on their arguments to each other: what comes from elsewhere
        goes round until nothing is new."""
        receivers: dict[FunctionFlow, list[FunctionFlow]] = {one: [] for one in members}
        for one in members:
            self._received[one] = []
            for owner in self._owners(one):
                receivers.get(owner, []).append(one)
        places = {one: place for place, one in enumerate(members)}
        many = set[FunctionFlow]()
        worklist(members, lambda one: receivers[one] if self._receive(one, many) else (), places.__getitem__)
        for one in members:
            self._received[one] = self._received[one] or self._anyhow(one)  # else nothing calls any of them

    def _receive(self, flow: FunctionFlow, many: set[FunctionFlow]) -> bool:
        """Whether a function is passed something else by what is known of its callers now. `many`: the functions of
        which that was too much once."""
        before = self._received[flow]
        fresh = [one for passed in self._by_text(flow) for one in self._known(passed)]
        found = [*dict.fromkeys((*before, *fresh))]
        if flow in many or len(found) > MAX_CONTEXTS:
            many.add(flow)
            found = self._anyhow(flow)
        self._received[flow] = found
        return found != before

    def _anyhow(self, flow: FunctionFlow) -> list[Passed]:
        """What a function is passed, whatever its callers are."""
        return [passed.when(None) for passed in self._by_text(flow)]

    def _by_text(self, flow: FunctionFlow) -> Sequence[Passed]:
        """What a function is passed by the texts of its callers."""
        if flow.passed is not None:
            return flow.passed or (ANYTHING,)
        found = self._written.get(flow)
        if found is None:
            written = (*(written_in(self._program, call) for call in flow.callers), *((ANYTHING,) * flow.addressed))
            found = self._written[flow] = written if not flow.entry else (ANYTHING,)
        return found

    def _owners(self, flow: FunctionFlow) -> Iterator[FunctionFlow]:
        """The callers that pass a function their own arguments."""
        callers = dict.fromkeys(passed.caller for passed in self._by_text(flow) if passed.own)
        return (one for caller in callers for one in self._program.named(caller))

    def _known(self, passed: Passed) -> list[Passed]:
        """What a call passes, in each way in which its function is entered, as far as these are known."""
        callers = self._program.named(passed.caller) if passed.own else []
        return [passed.when(one) for one in self._received[callers[0]]] if len(callers) == 1 else [passed.when(None)]


def written_in(program: CallGraph, call: Op) -> Passed:
    """What a call passes, by the text of the function it stands in."""
    caller = program.holder(call)
    if caller is None:
        return ANYTHING
    groups: dict[Value, int] = {}
    root = program.aliases(caller).root
    bases = [root.get(value) if value is not None else None for value in arguments_of(caller.graph, call)]
    partition = tuple([groups.setdefault(base, len(groups)) if base is not None else None for base in bases])
    numbers = passed_numbers(program, caller, call)
    constants = tuple([number.constant for number in numbers])
    own = tuple([number.argument for number in numbers])
    own = own if any(at is not None for at in own) else ()
    return Passed(partition, constants, caller.name if own or is_repeated(partition) else "", own)


def _context(passed: Passed, formals: tuple[Value, ...]) -> Context:
    """How a function is entered by who passes that."""
    known: dict[Expr, Expr] = {
        ("leaf", formal): constant(number)
        for formal, number in zip(formals, passed.constants, strict=False)
        if number is not None
    }
    return Context(passed.partition[: len(formals)], known, (passed.caller,) if passed.caller else ())
