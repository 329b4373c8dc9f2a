"""Flags that are made of too much to be asked for wherever they are used: they are looked at where they are made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memlane.flow.control.expressions import computed_flags
from memlane.flow.control.graph import Graph
from memlane.flow.symbolic.scalar import Expr
from memlane.syntax.tree.tree import Op, Value

if TYPE_CHECKING:
    from memlane.flow.slicing.slice import Slice


def computed(graph: Graph, part: Slice) -> dict[Value, Expr]:
    """Those that paths of a slice follow, each with what it is made of."""
    return {value: expr for value, expr in computed_flags(graph).items() if value in part.scalars}


def made_of(graph: Graph, part: Slice, flag: Value) -> Iterator[tuple[Expr, Op]]:
    """What one of them is made of, and the op that makes it, where paths of the slice pass that."""
    block = flag.op.parent if flag.op is not None else None
    while block is not None and block.region is not part.scope:
        block = block.region.op.parent
    if block in part.blocks and flag.op is not None:
        yield computed_flags(graph)[flag], flag.op
