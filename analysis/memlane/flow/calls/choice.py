"""Calls of a value that is one of several functions, of which some may be at hand: which is not followed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memlane.flow.control.callee import chosen, is_any, is_constant
from memlane.syntax.tree.tree import Op, Value

if TYPE_CHECKING:
    from memlane.flow.calls.function import FunctionFlow
    from memlane.flow.calls.program import Program


def among(program: Program, flow: FunctionFlow | None, call: Op) -> set[str]:
    """The symbols of functions of which a call in `flow` calls one, as far as the text tells; none where it names it.

    What control hands over may be each function of the type that is mentioned in the function of the call.
    """
    value = call.operands[0].value if call.operands and call.symbol is None else None
    found: set[str] = set()
    for symbol in chosen(value, program.models) if value is not None else ():
        if symbol is not None:
            found.add(symbol)
        elif flow is not None and value is not None:
            found |= set(_mentioned(flow, value))
    return found


def _mentioned(flow: FunctionFlow, value: Value) -> Iterator[str]:
    for op in flow.ops:
        if op.symbol is not None and is_constant(op) and any(_alike(value, one) for one in op.results):
            yield op.symbol


def _alike(one: Value, other: Value) -> bool:
    """Whether two types may be the same: one may have a name."""
    named = any((value.type or "!")[:1] == "!" for value in (one, other))
    return named or one.type == other.type


def of_any(program: Program, call: Op) -> bool:
    """Whether a call may be of any function; see `is_any`."""
    model = program.models.of(call.name)
    return model is not None and model.call is not None and is_any(call, model.call, program.models)


def may_be_defined(program: Program, flow: FunctionFlow, call: Op) -> bool:
    """Whether a call in `flow` that names no function may be of one that is at hand, or of any."""
    return of_any(program, call) or any(program.named(symbol) for symbol in among(program, flow, call))
