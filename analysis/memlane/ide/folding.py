"""What can be folded: ops with regions, runs of comment lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memlane.findings import Span
from memlane.ide.per_function_memo import per_function
from memlane.ide.snapshot import File
from memlane.lazy import regex
from memlane.syntax.shapes.shape import Open, Template
from memlane.syntax.tree.tree import Op

_COMMENTS = regex(r"^[ \t]*//(?! -----)[^\n]*(?:\n[ \t]*//(?! -----)[^\n]*)+", re.MULTILINE)


def regions(file: File) -> Iterator[Span]:
    """The text of ops that have regions, from the op's name to the last brace."""
    for chunk in file.near(None).chunks:
        for op in chunk.ops:
            yield from _of_op(op)
    for _, spans in per_function(file, "folding", lambda _, op: tuple(_of_op(op)), _may_fold):
        yield from spans


def _may_fold(statement: Template) -> bool:
    return any(isinstance(event, Open) for event in statement.events)


def _of_op(op: Op) -> Iterator[Span]:
    for inner in op.walk():
        if inner.regions:
            yield Span(inner.name_span.start, inner.span.end)


def comments(file: File) -> Iterator[Span]:
    """Comments of several lines."""
    for match in _COMMENTS.finditer(file.text.source):
        yield Span(*match.span())
