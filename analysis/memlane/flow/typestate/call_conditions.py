"""The conditions under which a call does something, in words of its caller: `%c is true and %n < 4`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from memlane.flow.dataflow.call_outcomes import Outcome
from memlane.flow.symbolic.comparisons import NEGATED
from memlane.flow.symbolic.scalar import Expr
from memlane.flow.typestate.limits import MAX_CONDITIONS_SHOWN
from memlane.syntax.tree.tree import Value

Item = TypeVar("Item")
_SIGNS = {"eq": "==", "ne": "!=", "slt": "<", "ult": "<", "sle": "<=", "ule": "<=", "sgt": ">", "ugt": ">"} | {
    "sge": ">=",
    "uge": ">=",
}


def in_words(ways: Sequence[Outcome], passed: Sequence[Value | None], numbers: Sequence[Expr | None]) -> str:
    """When a call goes one of some ways; "": that cannot be said in few words.

    Args:
        passed: what it passes.
        numbers: the same as expressions: conditions on constants hold, and are left out.
    """
    if len(ways) > MAX_CONDITIONS_SHOWN:
        return ""
    told = [_way(way, passed, numbers) for way in sorted(ways, key=lambda way: len(way.conditions))]
    return ", or ".join(dict.fromkeys(told)) if all(told) else ""


def _way(way: Outcome, passed: Sequence[Value | None], numbers: Sequence[Expr | None]) -> str:
    asked = [(expr, truth) for expr, truth in way.conditions if not _is_constant(expr, numbers)]
    if len(asked) > MAX_CONDITIONS_SHOWN:
        return ""
    told = [_condition(expr, truth, passed) for expr, truth in asked]
    return " and ".join(told) if all(told) else ""


def _is_constant(expr: Expr, numbers: Sequence[Expr | None]) -> bool:
    """Whether a condition is about constants that are passed, or a comparison of them."""
    if expr[0] == "const":
        return True
    if expr[0] == "formal":
        number = _given(expr, numbers)
        return number is not None and number[0] == "const"
    return expr[0] == "cmpi" and all(_is_constant(one, numbers) for one in expr[2:])


def _condition(expr: Expr, truth: bool, passed: Sequence[Value | None]) -> str:
    """One condition; "": it is more than a comparison of what is passed with a number or something else passed."""
    if expr[0] == "formal":
        value = _given(expr, passed)
        if value is not None and value.type not in ("i1", None):
            return f"{value.name} == {int(truth)}"  # a number is 0 or 1 there
        return f"{value.name} is {'true' if truth else 'false'}" if value is not None else ""
    if expr[0] != "cmpi" or expr[1] not in _SIGNS:
        return ""
    left, right = (_operand(one, passed) for one in expr[2:])
    sign = _SIGNS[expr[1] if truth else NEGATED[expr[1]]]
    return f"{left} {sign} {right}" if left and right else ""


def _operand(expr: Expr, passed: Sequence[Value | None]) -> str:
    if expr[0] == "const":
        return str(expr[1])
    value = _given(expr, passed) if expr[0] == "formal" else None
    return value.name if value is not None else ""


def _given(formal: Expr, passed: Sequence[Item]) -> Item | None:
    """What is passed for an argument, of some that is known of what is passed."""
    at: int = formal[1]
    return passed[at] if at < len(passed) else None
