"""Places in other files that a text mentions: `loc("f.py":3:7)`. Nothing here looks at those files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memlane.findings import Span
from memlane.ide.snapshot import File
from memlane.lazy import regex

_LOCATION = regex(r'"(?P<path>(?:[^"\\\n]|\\.)+)":(?P<line>\d+):(?P<column>\d+)(?=[\s)\],]|\Z)')
_NO_FILES = ("-", "<stdin>", "<unknown>")


@dataclass(frozen=True, slots=True)
class FileMention:
    """A mention: of a file, a line and a column, both from 1, as the text says them."""

    span: Span
    path: str
    line: int
    column: int


def links(file: File) -> Iterator[FileMention]:
    """The mentions in a file, in text order."""
    yield from _mentions(file.text.source, 0, len(file.text.source))


def mention_at(file: File, offset: int) -> FileMention | None:
    """The one that `offset` touches."""
    source = file.text.source
    start, end = source.rfind("\n", 0, offset) + 1, source.find("\n", offset)
    found = _mentions(source, start, len(source) if end < 0 else end)
    return next((one for one in found if one.span.start <= offset <= one.span.end), None)


def _mentions(source: str, start: int, end: int) -> Iterator[FileMention]:
    for match in _LOCATION.finditer(source, start, end):
        path = match["path"].replace('\\"', '"').replace("\\\\", "\\")
        line = source[source.rfind("\n", 0, match.start()) + 1 : match.start()]
        if "loc" in line and path not in _NO_FILES and not path.startswith("mlir-"):
            yield FileMention(Span(*match.span()), path, int(match["line"]), int(match["column"]))
