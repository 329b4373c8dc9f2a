"""Which function a call calls, and what of its operands it passes."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from memlane.dialects.model import Call, Models, OpModel
from memlane.flow.cfg.function_pointers import FunctionValues, is_constant
from memlane.syntax.shapes.forms import PRIVATE
from memlane.syntax.shapes.vocabulary import registered
from memlane.syntax.tree.tree import Op, Value

HELPER_ARRAYS = 5
"""Arrays that the helper takes (dealloc_helper.py)."""
_LINKAGE = tuple([f"#llvm.linkage<{word}>" for word in PRIVATE])


def is_private(function: Op) -> bool:
    """Whether only the module of a function may call it."""
    said = function.attributes
    return (
        any(word in function.keywords for word in PRIVATE)
        or said.get("sym_visibility") == '"private"'
        or said.get("linkage") in _LINKAGE
    )


def called(op: Op, call: Call, models: Models) -> str | None:
    """The symbol of the function that a call names, or that the constant names which it calls; None: another one."""
    if op.symbol is not None and not call.indirect:
        return op.symbol
    callee = op.operands[0].value if op.operands else None
    made = callee.op if callee is not None else None
    if made is None or not is_constant(made) or op.symbol:
        return None
    model = models.of(made.name)
    return made.symbol if model is None or model.call is None else None  # what another call gives is not what it calls


def types_to_come(call: Op) -> bool:
    """Whether a call gives what has no type: those of MLIR's own operations are written, so it is half typed."""
    return any(result.type is None for result in call.results) and registered(call.name)


def as_called(op: Op, model: OpModel, call: Call, models: Models, defined: Container[str]) -> OpModel:
    """The model of a call: of the function, if that is well known; else of the op.

    Args:
        defined: functions with a body: their effects are those of the body, except where only their name defines them
            (dealloc_helper.py).
    """
    if model.opaque:
        return models.opaque(op.name, op.symbol or (op.literal or "").strip('"')) or model
    direct = op.symbol is not None
    symbol = (op.symbol if direct else called(op, call, models)) or ""
    known = models.functions.get(symbol)
    if known is None or (symbol in defined and not (direct and known.compute and takes_arrays(op))):
        return model
    return known if direct else replace(known, first=1)


def takes_arrays(call: Op) -> bool:
    """Whether a call of the helper of deallocations is passed its arrays as they are: lowered, each is several
    operands."""
    return len(call.operands) == HELPER_ARRAYS


def is_any(op: Op, call: Call, models: Models) -> bool:
    """Whether a call may be of any function that takes pointers, of which the functions that free are some.

    A `memref` is passed to whatever function it is as it is to those that are declared only: it is lent.
    """
    return not call.indirect and called(op, call, models) is None


def behind_callee(
    op: Op, call: Call, models: Models, passed: list[Value | None], chosen: FunctionValues
) -> list[Value | None]:
    """What a call passes, without what it calls, which may come first. `chosen`: of the function it stands in."""
    callee = op.operands[0].value if op.operands else None
    if op.symbol is not None or call.indirect or callee is None:
        return passed
    return passed[1:] if called(op, call, models) is not None or chosen.of(callee).symbols else passed
