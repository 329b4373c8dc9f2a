"""What can be folded: ops with regions, runs of comment lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memlane.findings import Span
from memlane.snapshot import File

_COMMENTS = re.compile(r"^[ \t]*//(?! -----)[^\n]*(?:\n[ \t]*//(?! -----)[^\n]*)+", re.MULTILINE)


def regions(file: File) -> Iterator[Span]:
    """The text of ops that have regions, from the op's name to the last brace."""
    for op in file.tree.walk():
        if op.regions:
            yield Span(op.name_span.start, op.span.end)


def comments(file: File) -> Iterator[Span]:
    """Comments of several lines."""
    for match in _COMMENTS.finditer(file.text.source):
        yield Span(*match.span())
