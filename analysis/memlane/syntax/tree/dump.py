"""The structure of a tree as JSON values (design.md section 6), for tests against other parsers."""

from __future__ import annotations

from typing import Any

from memlane.findings import Span
from memlane.syntax.tree.tree import Op, Region, Tree, Use
from memlane.text import Text

Json = dict[str, Any]


def structure(tree: Tree, text: Text) -> list[Json]:
    """One object per op in text order: rows and columns 1-based, columns in code points.

    `parent` is the number of the enclosing op in the list. A region is `{"label", "blocks"}`, a block
    `{"label", "arguments", "operations"}` with the numbers of its ops.
    """
    ops = list(tree.walk())
    numbers = {op: number for number, op in enumerate(ops)}
    return [_op(op, numbers, text) for op in ops]


def _op(op: Op, numbers: dict[Op, int], text: Text) -> Json:
    forwarded = (use for successor in op.successors for use in successor.operands)
    uses = sorted((*op.operands, *forwarded), key=lambda use: use.span)
    return {
        "name": op.name,
        "location": _place(op.name_span, text),
        "results": [value.name for value in op.results],
        "operands": [_use(use, text) for use in uses],
        "successors": [successor.name for successor in op.successors],
        "parent": numbers[op.parent.region.op] if op.parent is not None else None,
        "regions": [_region(region, numbers, text) for region in op.regions],
    }


def _use(use: Use, text: Text) -> Json:
    definition = _place(use.value.span, text) if use.value is not None else None
    return {"name": use.name, "location": _place(use.span, text), "definition": definition}


def _region(region: Region, numbers: dict[Op, int], text: Text) -> Json:
    return {
        "label": region.label,
        "blocks": [
            {
                "label": block.label,
                "arguments": [{"name": value.name, "location": _place(value.span, text)} for value in block.arguments],
                "operations": [numbers[op] for op in block.ops],
            }
            for block in region.blocks
        ],
    }


def _place(span: Span, text: Text) -> Json:
    line, column = text.position(span.start)
    return {"row": line + 1, "column": column + 1}
