"""Dimensions of buffers and tensors: numbers that their types say, what their allocation was given, or unknown ones.

An unknown one is an expression of its own, `("dim", ("leaf", value), position)`: asked for twice, it is the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlane.dialects import select
from memlane.dialects.model import OpModel
from memlane.flow.scalars.scalar import Expr, constant
from memlane.flow.scalars.sizes import shape_of
from memlane.syntax.tree.tree import Op, Value

if TYPE_CHECKING:
    from memlane.flow.control.graph import Graph

_MAX_STEPS = 32
_TENSOR = "tensor"


def dimension(graph: Graph, value: Value, position: int) -> Expr | Value:
    """Elements of one dimension, or the value that an allocation was given for it."""
    for _ in range(_MAX_STEPS):
        dimensions = _dimensions(value.type)
        model = graph.model(value.op) if value.op is not None else None
        if dimensions is None or position >= len(dimensions):
            break
        known = dimensions[position]
        if known is not None:
            return constant(known)
        if value.op is None or model is None:
            break
        given = _given(value.op, model, dimensions[:position].count(None)) if model.alloc else None
        source = _same_shape(value.op, model)
        if given is not None or source is None:
            return given if given is not None else _unknown(value, position)
        value = source
    return _unknown(value, position)


def read_off(graph: Graph, op: Op) -> Expr | Value | None:
    """The same of the dimension that an op gives, where its position is a constant; None where it is none."""
    source, position = (use.value for use in op.operands) if len(op.operands) == 2 else (None, None)
    model = graph.model(position.op) if position is not None and position.op is not None else None
    if source is None or position is None or model is None or model.compute != "constant":
        return None
    number = graph.expression(position)
    return dimension(graph, source, number[1]) if number[0] == "const" and number[1] >= 0 else None


def _unknown(value: Value, position: int) -> Expr:
    return ("dim", ("leaf", value), constant(position))


def _given(op: Op, model: OpModel, order: int) -> Value | None:
    """What an allocation is given for one of the dimensions that its type does not say."""
    if not all(alloc.sized and alloc.bytes is None and alloc.elements is None for alloc in model.alloc):
        return None
    sizes = [use.value for use in op.operands if use.value is not None and use.value.type in ("index", None)]
    return sizes[order] if order < len(sizes) else None


def _same_shape(op: Op, model: OpModel) -> Value | None:
    """What has the dimensions of an op's result."""
    views = [view for view in model.view if view.same_shape]
    uses = select(op, views[0].of, model) if len(views) == 1 else ()
    return uses[0].value if len(uses) == 1 else None


def _dimensions(type_: str | None) -> tuple[int | None, ...] | None:
    """What a type says of dimensions (None: nothing); None where it does not say how many there are."""
    if type_ is not None and type_.startswith(_TENSOR + "<"):
        type_ = "memref" + type_.removeprefix(_TENSOR)
    shape = shape_of(type_)
    return shape[0] if shape is not None else None
