"""Places in other files that a text mentions: `loc("f.py":3:7)`. Nothing here looks at those files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memlane.findings import Span
from memlane.ide.snapshot import File

_LOCATION = re.compile(r'"(?P<path>(?:[^"\\\n]|\\.)+)":(?P<line>\d+):(?P<column>\d+)(?=[\s)\],]|\Z)')
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
    source = file.text.source
    for match in _LOCATION.finditer(source):
        path = match["path"].replace('\\"', '"').replace("\\\\", "\\")
        line = source[source.rfind("\n", 0, match.start()) + 1 : match.start()]
        if "loc" in line and path not in _NO_FILES and not path.startswith("mlir-"):
            yield FileMention(Span(*match.span()), path, int(match["line"]), int(match["column"]))
