"""Of what a dimension is asked: the memref or tensor behind casts, and the operands of the allocation that give it."""

from __future__ import annotations

from memlane.dialects.model import OpModel, ViewKind
from memlane.flow.cfg.graph import Graph
from memlane.flow.scalars.limits import MAX_CASTS
from memlane.flow.symbolic.sizes import dynamic_dimensions, shape_of
from memlane.syntax.tree.tree import Op, Value


def measured(graph: Graph, op: Op) -> Value | None:
    """The value of which an op asks a dimension: of what is cast to another type, what that was before."""
    value = op.operands[0].value if op.operands else None
    for _ in range(MAX_CASTS):
        made = value.op if value is not None else None
        model = graph.model(made) if made is not None else None
        source = made.operands[0].value if made is not None and len(made.operands) == 1 else None
        if value is None or source is None or not keeps_shape(model, source, value):
            return value
        value = source
    return value


def keeps_shape(model: OpModel | None, source: Value, value: Value) -> bool:
    """Whether an op that gives `value` for its one operand gives the same buffer with the same dimensions."""
    whole = model is not None and not model.permutes and any(one.kind is ViewKind.WHOLE for one in model.view)
    shape, other = shape_of(source.type), shape_of(value.type)
    return whole and shape is not None and other is not None and len(shape[0]) == len(other[0])


def sizes_of(graph: Graph, op: Op) -> list[Value]:
    """The dynamic dimensions of the allocation of what an op asks a dimension of, in order."""
    value = measured(graph, op)
    made = value.op if value is not None else None
    model = graph.model(made) if made is not None else None
    sized = model is not None and any(alloc.sized for alloc in model.alloc)
    return dynamic_dimensions(value) if value is not None and sized else []
