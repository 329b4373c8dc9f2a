"""What of the numbers that a call passes is worth asking about: questions that cannot differ are one.

A function is followed once for each question about it. Numbers on which nothing in it depends make no difference; and
where one function passes very many different ones, it is asked what holds for all of them, with the conditions.
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.context import Known, known_of
from memlane.flow.effects.aggregate_buffers import formals_of
from memlane.flow.interproc.function import FunctionFlow
from memlane.flow.interproc.limits import MAX_FOLLOWED_OPS, MIN_DISTINGUISHED
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.scalars.expressions import computed_flags, scalar_of
from memlane.flow.symbolic.scalar import leaves
from memlane.syntax.tree.tree import Op, Value, used

Numbers = tuple[Known, ...]


class Asking:
    """The numbers of one program's calls. What is known of a function is known as long as its flow is."""

    def __init__(self) -> None:
        self._deciding: dict[FunctionFlow, frozenset[int]] = {}
        self._many: dict[tuple[FunctionFlow, FunctionFlow], bool] = {}

    def numbers(self, caller: FunctionFlow | None, callee: FunctionFlow, passed: Numbers) -> Numbers:
        """Those to ask about, of what a call passes."""
        if passed.count(None) == len(passed):
            return passed
        found = self._told(callee, passed)
        if caller is None or not any(number is not None for number in found):
            return found
        many = self._many.get((caller, callee))
        if many is None:
            many = self._many[caller, callee] = self._are_many(caller, callee)
        return (None,) * len(found) if many else found

    def _told(self, callee: FunctionFlow, passed: Numbers) -> Numbers:
        deciding = self._deciding.get(callee)
        if deciding is None:
            deciding = self._deciding[callee] = frozenset(_deciding(callee.graph))
        return tuple(number if position in deciding else None for position, number in enumerate(passed))

    def _are_many(self, caller: FunctionFlow, callee: FunctionFlow) -> bool:
        """Whether a function passes more numbers to another than are distinguished, by its text, not its paths."""
        graph = caller.graph
        seen: set[Numbers] = set()
        for call, called in caller.calls.items():
            if called is callee:
                values = arguments_of(graph, call)
                passed = known_of(scalar_of(graph, value) if value is not None else None for value in values)
                seen.add(self._told(callee, passed))
        return len(seen) > MIN_DISTINGUISHED and len(seen) * callee.operations > MAX_FOLLOWED_OPS


def _deciding(graph: Graph) -> Iterator[int]:
    """The positions of the arguments on which it may depend what a function does, or gives back."""
    entry, _ = graph.entry, formals_of(graph)  # which have their numbers then
    computed, seen = computed_flags(graph), set[Value]()
    for op in graph.function.walk() if entry is not None else ():
        pending = [scalar_of(graph, value) for value in _asked(graph, op)]
        while pending:
            for leaf in leaves(pending.pop()):
                if leaf.block is entry:
                    yield leaf.index
                elif leaf in computed and leaf not in seen:
                    seen.add(leaf)
                    pending.append(computed[leaf])


def _asked(graph: Graph, op: Op) -> Iterator[Value]:
    """The values by which an op decides something, passes something on, or ends a block."""
    if op is graph.function:
        return
    last = op.parent is not None and op.index == len(op.parent.ops) - 1
    if op.regions or last or graph.call(op) is not None or effects_at(graph, op).frees or graph.selects(op):
        yield from used(op)
