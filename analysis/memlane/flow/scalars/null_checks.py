"""Conditions that test whether a pointer is null, in the form that summaries use: `("holds", "null", pointer)`.

What is done where an argument is null is done to no buffer: a caller who passes one never takes that way.
"""

from __future__ import annotations

from memlane.flow.cfg.graph import Graph
from memlane.flow.symbolic.range import Range
from memlane.flow.symbolic.scalar import FALSE, TRUE, Expr
from memlane.flow.symbolic.types import is_pointer
from memlane.syntax.tree.tree import Value

_NULL = "null"


def is_null(graph: Graph, value: Value) -> bool:
    """Whether a value is the null pointer, or a constant that is no buffer either (`NULL`, as C writes it)."""
    model = graph.model(value.op) if value.op is not None else None
    return model is not None and model.compute in ("zero", "constant") and is_pointer(value.type)


def asks_null(graph: Graph, key: Expr, fact: Expr | Range) -> tuple[Expr, Expr] | None:
    """A fact about a pointer, where that says whether it is null, as a condition and its truth; else None."""
    if key[0] == "leaf" and is_pointer(key[1].type) and isinstance(fact, Range):
        null = TRUE if fact.low == fact.high == 0 else FALSE if 0 in fact.holes else None
        return (("holds", _NULL, key), null) if null is not None else None
    if key[0] != "cmpi" or key[1] not in ("eq", "ne") or fact not in (TRUE, FALSE):
        return None
    sides = [part for part in key[2:] if part[0] == "leaf" and is_pointer(part[1].type)]
    others = [part for part in sides if not is_null(graph, part[1])]
    if len(sides) != 2 or len(others) != 1:
        return None
    return ("holds", _NULL, others[0]), TRUE if (fact == TRUE) == (key[1] == "eq") else FALSE


def null_formal(condition: tuple[Expr, bool]) -> int | None:
    """The position of the argument that is null where a condition is as it says; None: it says nothing of that."""
    expr, truth = condition
    return expr[2][1] if truth and asks_of_null(expr) and expr[2][0] == "formal" else None


def asks_of_null(expr: Expr) -> bool:
    """Whether a condition is that a pointer is null."""
    return expr[:2] == ("holds", _NULL)
