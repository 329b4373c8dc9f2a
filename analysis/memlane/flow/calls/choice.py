"""Calls of a value that is one of several functions, of which some may be at hand.

Which of them it is under which condition is not followed. Where all are at hand, a call may do what any of them does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from memlane.dialects.model import Models
from memlane.flow.control.callee import (
    choices,
    given_by_branches,
    is_any,
    is_handed_in,
    is_handed_over,
    is_private,
    is_selection,
    names_function,
)
from memlane.syntax.tree.tree import Op, Value

if TYPE_CHECKING:
    from memlane.flow.calls.function import FunctionFlow
    from memlane.flow.calls.program import Program

MOST = 16
"""Functions of which a call may call any."""


def among(program: Program, flow: FunctionFlow | None, call: Op) -> set[str]:
    """The symbols of functions of which a call in `flow` calls one, as far as the text tells; none where it names it.

    What control hands over may be each function of the type that is mentioned in the function of the call.
    """
    return _symbols(_called(flow.op if flow is not None else None, call, program.models), program.models)


def all_of(function: Op, call: Op, models: Models) -> set[str] | None:
    """The symbols of functions of which a call in a function calls one; None: it may be another one."""
    found = [one for one in _called(function, call, models) if not _passes_on(one, models)]
    if not found or any(one.op is None or not names_function(one.op, models) for one in found):
        return None
    symbols = _symbols(found, models)
    return symbols if len(symbols) <= MOST else None


def may_be_own(program: Program, flow: FunctionFlow | None, call: Op) -> bool:
    """Whether a call in `flow` may be of a private function that others at hand have chosen.

    Who may be called from elsewhere keeps to the rules for function boundaries, and so does what is passed to those.
    """
    if flow is None:
        return False
    private = is_private(flow.op)
    for one in _called(flow.op, call, program.models):
        if private and is_handed_in(one, program.models):
            return True
        if one.op is not None and program.callee(one.op) is not None:
            return True
    return False


def _called(function: Op | None, call: Op, models: Models) -> Iterator[Value]:
    """The values of which a call in a function calls one, where no constant is what it calls."""
    value = call.operands[0].value if call.operands and call.symbol is None else None
    if value is None or (value.op is not None and names_function(value.op, models)):
        return
    pending, seen = [value], set[Value]()
    while pending:
        for one in choices(pending.pop(), models):
            if one in seen:
                continue
            seen.add(one)
            yield one
            if is_handed_over(one, models) and function is not None:
                given = given_by_branches(one)
                pending += given or ()
                yield from _alike_in(function, one) if given is None else ()


def _alike_in(function: Op, value: Value) -> Iterator[Value]:
    """The values of a function that control may hand over as a value."""
    for op in function.walk():
        yield from (one for one in op.results if _alike(value, one))
        for region in op.regions:
            yield from (one for block in region.blocks for one in block.arguments if _alike(value, one))


def _alike(one: Value, other: Value) -> bool:
    """Whether two types may be the same: one may have a name."""
    named = any((value.type or "!")[:1] == "!" for value in (one, other))
    return named or one.type == other.type


def _passes_on(value: Value, models: Models) -> bool:
    """Whether a value is one of others."""
    return is_handed_over(value, models) or (value.op is not None and is_selection(value.op, models))


def _symbols(values: Iterable[Value], models: Models) -> set[str]:
    ops = (one.op for one in values)
    return {op.symbol for op in ops if op is not None and op.symbol is not None and names_function(op, models)}


def of_any(program: Program, call: Op) -> bool:
    """Whether a call may be of any function; see `is_any`."""
    model = program.models.of(call.name)
    return model is not None and model.call is not None and is_any(call, model.call, program.models)


def may_be_defined(program: Program, flow: FunctionFlow, call: Op) -> bool:
    """Whether a call in `flow` that names no function may be of one that is at hand, or of any."""
    return (
        of_any(program, call)
        or may_be_own(program, flow, call)
        or any(program.named(symbol) for symbol in among(program, flow, call))
    )
