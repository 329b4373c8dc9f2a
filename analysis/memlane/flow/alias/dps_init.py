"""Tensors without contents, which operations write their results to: what bufferization makes buffers of.

A result in destination style takes the place of its destination; so the buffer that a `tensor.empty` will become is
in use until the last use of all that was written to it, one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import NamedTuple

from memlane.dialects import read_uses, select
from memlane.dialects.model import OpModel
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.ops_by_name import described
from memlane.flow.cfg.region_edges import ancestor
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.symbolic.scalar import Expr
from memlane.flow.symbolic.sizes import Size, shape_of
from memlane.syntax.shapes.element import is_encoded
from memlane.syntax.tree.tree import Op, Use, Value, starts_at


class Destination(NamedTuple):
    """One tensor without contents.

    Args:
        made: the op that gives it.
        sizes: of its dynamic dimensions.
        size: in bytes; None where the type does not tell.
        first: the op that writes it first; None where no op writes it, or not all uses are in its block.
        last: the op of its block that uses last what was written; None where that may go on elsewhere: to another block
            or function, into memory.
        newest: the value that was written last.
        readers: the ops that write to it and read it before.
    """

    made: Op
    sizes: tuple[Expr, ...]
    size: Size | None
    first: Op | None
    last: Op | None
    newest: Value
    readers: tuple[Op, ...]

    @property
    def name(self) -> str:
        """Its name."""
        return self.made.results[0].name

    @property
    def type(self) -> str | None:
        """Its type."""
        return self.made.results[0].type


def destinations(graph: Graph) -> Iterator[Destination]:
    """The tensors of a function that have no contents, in text order.

    Not those with an encoding: an empty sparse tensor holds zeros, and what others become is up to who made these.
    """
    for op in described(graph, lambda model: model.undefined):
        if len(op.results) == 1 and op.parent is not None and not is_encoded(op.results[0].type or ""):
            yield _destination(graph, op)


def _destination(graph: Graph, made: Op) -> Destination:
    empty = made.results[0]
    family, users = _family(graph, empty)
    writes = [use.op for use in empty.uses if (model := graph.model(use.op)) and _writes(use, model)]
    here = len(writes) == len(empty.uses) and all(op.parent is made.parent for op in writes)
    first = min(writes, key=_index) if writes and here else None
    held = [ancestor(user, made.parent) for user in users or ()]
    ordered = sorted((op for op in held if op is not None), key=_index)
    alike = [value for value in family if value.type == empty.type]
    readers = (op for use in empty.uses if (op := use.op) in writes and _reads(graph, use))
    return Destination(
        made,
        tuple(scalar_of(graph, use.value) for use in made.operands if use.value is not None),
        _size(made),
        first,
        ordered[-1] if ordered and None not in held else None,
        alike[-1],
        tuple(dict.fromkeys(readers)),
    )


def _family(graph: Graph, empty: Value) -> tuple[list[Value], list[Op] | None]:
    """What is written to a destination, in the order of the text, and who uses it; None where that is not known."""
    family = {empty: None}
    users: list[Op] = []
    pending = [empty]
    while pending:
        for use in pending.pop().uses:
            op = use.op
            model = graph.model(op)
            if model is None or model.terminator or model.call is not None or model.escape or op.successors:
                return [empty], None
            if model.regions is not None and not _writes(use, model) and not _reads(graph, use):
                return [empty], None
            users.append(op)
            for result in _results(op, use, model):
                if result not in family:
                    family[result] = None
                    pending.append(result)
    return sorted(family, key=starts_at), users


def _results(op: Op, use: Use, model: OpModel) -> Iterator[Value]:
    """The results of `op` that may be the memory of one of its operands."""
    for view in model.view:
        if view.result < len(op.results) and any(one is use for one in select(op, view.of, model)):
            yield op.results[view.result]


def _writes(use: Use, model: OpModel) -> bool:
    return any(one is use for selector in model.write for one in select(use.op, selector, model))


def _reads(graph: Graph, use: Use) -> bool:
    model = graph.model(use.op)
    return model is not None and any(one is use for one in read_uses(use.op, model))


def _size(made: Op) -> Size | None:
    """Bytes of the buffer that a tensor will be; None where the type does not tell."""
    shape = shape_of("memref" + (made.results[0].type or "").removeprefix("tensor"))
    if shape is None:
        return None
    dimensions, element = shape
    return Size(element * prod(d for d in dimensions if d is not None), tuple(use.name for use in made.operands))


def _index(op: Op) -> int:
    return op.index
