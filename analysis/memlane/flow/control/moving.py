"""Addresses that are moved as numbers: so lowering aligns what an allocation gives, to the next multiple of a number.

What is computed of an address and of nothing that may be another is one in the same buffer; of what else is computed
with one nobody knows whether it is an address at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlane.dialects.model import OpModel
from memlane.syntax.tree.tree import Op, Value

if TYPE_CHECKING:
    from memlane.flow.control.graph import Graph


PARTS = 16
"""Parts of a sum that are looked at."""
MOVING = ("addi", "subi", "andi")
"""What is computed where an address is moved."""


def moved_by(graph: Graph, op: Op, model: OpModel) -> Value | None:
    """The operand of which an op gives what may be an address of the same buffer; None: not one alone."""
    values = [use.value for use in op.operands]
    if len(values) != 2 or values[0] is None or values[1] is None:
        return None
    left, right = values[0], values[1]
    if model.compute == "addi" and _is_number(graph, left):
        return right
    if model.compute in ("addi", "subi") and _is_number(graph, right):
        return left
    if model.compute == "andi" and _is_mask(graph, right):
        return left
    return right if model.compute == "andi" and _is_mask(graph, left) else None


def _is_number(graph: Graph, value: Value, parts: int = PARTS) -> bool:
    """Whether a value is computed, and no address."""
    model = graph.model(value.op) if value.op is not None else None
    if value.op is None or model is None or model.compute is None or parts < 1:
        return False
    if not model.view:
        return True  # whatever it is computed of
    used = [use.value for use in value.op.operands]
    return model.compute in MOVING and all(one is not None and _is_number(graph, one, parts // 2) for one in used)


def _is_mask(graph: Graph, value: Value) -> bool:
    """Whether it keeps the upper bits: what is left of an address is one a little before."""
    expr = graph.expression(value)
    return expr[0] == "const" and expr[1] < 0
