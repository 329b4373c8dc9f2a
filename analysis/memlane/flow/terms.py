"""Scalar ops as expressions: which computation an op stands for, and the numbers written in its text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memlane.flow.scalar import Expr
from memlane.syntax.tree import Op

if TYPE_CHECKING:
    from memlane.flow.graph import Graph

CASTS = frozenset({"index_cast", "index_castui", "extui", "extsi", "trunci"})
BINARY = frozenset({"addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minsi"})
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def term(kind: str, op: Op, parts: list[Expr]) -> Expr | None:
    """The expression of an op whose model computes `kind` of `parts`; None where it is none we know."""
    if kind == "cmpi" and len(parts) == 2:
        attribute = op.attributes.get("predicate", "")
        written = op.keywords[0] if op.keywords else (op.literal or "").strip('"')
        name = written or (PREDICATES[int(attribute.split()[0])] if attribute else "")
        return ("cmpi", name, *parts) if name in PREDICATES else None
    if kind == "select" and len(parts) == 3:
        return ("select", *parts)
    if kind in CASTS and len(parts) == 1:
        # A flag that is widened keeps its value only unsigned; the others keep theirs for the sizes of real loops.
        return parts[0] if kind != "extsi" else None
    if kind in BINARY and len(parts) == 2:
        return (kind, *parts)
    return None


_IN_PARENTHESES = re.compile(r"\s*\(([^():]*)[:)]")


def constant_of(op: Op, graph: Graph) -> int | None:
    """The integer that a constant op gives: a leading literal, the attribute `value`, or in parentheses (LLVM's)."""
    text = op.literal if op.literal is not None else op.attributes.get("value")
    if text is None:
        found = _IN_PARENTHESES.match(graph.source, op.name_span.end)
        text = found.group(1) if found is not None else None
    return written_number(text)


def written_number(text: str | None) -> int | None:
    """The integer at the end of a literal or label (`5`, `true`, `42 : i32`, `case 2`); None when there is none."""
    if not text:
        return None
    word = text.split(":")[0].split()[-1:]
    if not word:
        return None
    if word[0] in ("true", "false"):
        return int(word[0] == "true")
    digits = word[0][1:] if word[0][0] == "-" else word[0]
    return int(word[0]) if digits.isdecimal() else None
