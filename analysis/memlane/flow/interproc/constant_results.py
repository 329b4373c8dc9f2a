"""Which results of functions are one number, or one of the arguments, whichever way a function ends.

Flags that say who owns a buffer are often such: `true` beside a new buffer, or what the function was passed. By the
texts of the functions, so that it is known before any of them is followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memlane.flow.cfg.graph import Graph
from memlane.flow.effects.aggregate_buffers import handed_back
from memlane.flow.interproc.call_graph import CallGraph
from memlane.flow.interproc.function import FunctionFlow
from memlane.flow.interproc.return_summary import exits
from memlane.flow.interproc.scc_fixpoint import Least
from memlane.flow.memory.call_arguments import passed_scalars
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.symbolic.scalar import Expr, simplify
from memlane.flow.symbolic.types import is_integer
from memlane.syntax.tree.tree import Op


class KnownNumber(NamedTuple):
    """A number as a function knows it.

    Args:
        constant: what it is; None: that is unknown.
        argument: the position of the argument of the function that it is; None: of none.
    """

    constant: int | None = None
    argument: int | None = None


_ANY = KnownNumber()


class _CallResult(NamedTuple):
    """A result of a call.

    Args:
        callees: the functions of which one is called.
        place: the position of the result.
        passed: what the call passes.
    """

    callees: tuple[FunctionFlow, ...]
    place: int
    passed: tuple[KnownNumber, ...]


Numbers = tuple[KnownNumber | None, ...]
"""Per result what it is; None: no way is known on which the function comes back."""
_Sources = tuple[tuple[KnownNumber | _CallResult, ...], ...]
"""Per result what it may be."""


class ConstantResults(Least[_Sources, Numbers]):
    """The question for them, see `Least`."""

    def __init__(self, program: CallGraph) -> None:
        self._program = program

    def read(self, flow: FunctionFlow) -> _Sources:
        found: list[list[KnownNumber | _CallResult]] = []
        for op in exits(flow) if flow.graph.entry is not None else ():
            values = handed_back(flow.graph, op)
            found.extend([] for _ in values[len(found) :])
            for at, sources in enumerate(found):
                value = values[at] if at < len(values) else None
                expr = simplify(scalar_of(flow.graph, value), {}) if value is not None else None
                sources.append(_read(self._program, flow.graph, expr))
        return tuple(map(tuple, found))

    def asked(self, text: _Sources) -> list[FunctionFlow]:
        return [callee for call in _calls(text) for callee in call.callees]

    def alone(self, text: _Sources) -> Numbers:
        return (None,) * len(text)

    def together(self, text: _Sources, before: Numbers) -> Numbers:
        given = [[self.settled(source) for source in sources] for sources in text]
        return tuple(
            _joined(known for known in (one, *fresh) if known is not None)
            for one, fresh in zip(before, given, strict=True)
        )

    def settled(self, source: KnownNumber | _CallResult) -> KnownNumber | None:
        """What a number is by what is known of the callee; None: that does not come back, as far as is known."""
        return _joined(self._given(source)) if isinstance(source, _CallResult) else source

    def _given(self, call: _CallResult) -> Iterator[KnownNumber]:
        for callee in call.callees:
            known = self.known(callee) or ()
            number = known[call.place] if call.place < len(known) else _ANY
            if number is not None and number.argument is not None:
                yield call.passed[number.argument] if number.argument < len(call.passed) else _ANY
            elif number is not None:
                yield number


def passed_numbers(program: CallGraph, caller: FunctionFlow, call: Op) -> list[KnownNumber]:
    """The numbers that a call passes, as its function knows them."""
    asking = ConstantResults(program)
    found: list[KnownNumber] = []
    for expr in passed_scalars(caller.graph, call).plain:
        source = _read(program, caller.graph, expr)
        if isinstance(source, _CallResult):
            for callee in source.callees:
                asking.of(callee)
        found.append(asking.settled(source) or _ANY)
    return found


def constant_results(program: CallGraph, flow: FunctionFlow) -> Numbers:
    """Per result of a function what it is."""
    return ConstantResults(program).of(flow)


def _joined(numbers: Iterable[KnownNumber]) -> KnownNumber | None:
    """What is one of some; None of none."""
    some = {*numbers}
    return some.pop() if len(some) == 1 else _ANY if some else None


def _calls(text: _Sources) -> Iterator[_CallResult]:
    return (source for sources in text for source in sources if isinstance(source, _CallResult))


def _read(program: CallGraph, graph: Graph, number: Expr | None) -> KnownNumber | _CallResult:
    """What something is by the text of its function."""
    known = _own(graph, number)
    if known != _ANY or number is None or number[0] != "leaf":
        return known
    value = number[1]
    if value.op is None or graph.call(value.op) is None or not is_integer(value.type):
        return _ANY
    callees = program.callees(value.op)
    if not callees or value not in value.op.results:
        return _ANY
    passed = passed_scalars(graph, value.op).plain
    return _CallResult(callees, value.index, tuple([_own(graph, one) for one in passed]))


def _own(graph: Graph, number: Expr | None) -> KnownNumber:
    """The same where no call decides."""
    if number is None or number[0] not in ("const", "leaf"):
        return _ANY
    if number[0] == "const":
        return KnownNumber(constant=number[1])
    value = number[1]
    if graph.entry is None or value not in graph.entry.arguments or not is_integer(value.type):
        return _ANY
    return KnownNumber(argument=value.index)
