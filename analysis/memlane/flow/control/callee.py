"""Which function a call calls, and what of its operands it passes."""

from __future__ import annotations

from memlane.dialects.model import Call, Models
from memlane.syntax.tree.tree import Op, Value


def called(op: Op, call: Call, models: Models) -> str | None:
    """The symbol of the function that a call names, or that the constant names which it calls; None: another one."""
    if op.symbol is not None and not call.indirect:
        return op.symbol
    callee = op.operands[0].value if op.operands else None
    made = callee.op if callee is not None else None
    if made is None or made.operands or made.regions or op.symbol:
        return None
    model = models.of(made.name)
    return made.symbol if model is None or model.call is None else None  # what another call gives is not what it calls


def behind_callee(op: Op, call: Call, models: Models, passed: list[Value | None]) -> list[Value | None]:
    """What a call passes, without what it calls, which may come first."""
    return passed[1:] if op.symbol is None and not call.indirect and called(op, call, models) is not None else passed
