"""Flags that are made of too much to be asked for wherever they are used: they are looked at where they are made."""

from __future__ import annotations

from memlane.flow.cfg.graph import Graph
from memlane.flow.scalars.expressions import computed_flags
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.scalar import Expr
from memlane.syntax.tree.tree import Value


def computed(graph: Graph, part: Slice) -> dict[Value, Expr]:
    """Those that paths of a slice follow, each with what it is made of."""
    return {value: expr for value, expr in computed_flags(graph).items() if value in part.scalars}
