"""Programs with marks that are no part of them: `~` is the cursor, `«...»` are the places that a feature shall give."""

from __future__ import annotations

from dataclasses import dataclass

from memlane.config import Config
from memlane.findings import Span
from memlane.ide.snapshot import File


@dataclass(frozen=True)
class Marked:
    """A program without its marks, and where they were."""

    file: File
    cursor: int
    places: list[Span]

    def at(self, span: Span | None) -> str | None:
        """The text of a span."""
        return None if span is None else self.file.text.source[slice(*span)]


def marked(text: str) -> Marked:
    """Take the marks out of `text`."""
    source: list[str] = []
    cursor, starts, places = -1, list[int](), list[Span]()
    for character in text:
        if character == "~":
            cursor = len(source)
        elif character == "«":
            starts.append(len(source))
        elif character == "»":
            places.append(Span(starts.pop(), len(source)))
        else:
            source.append(character)
    return Marked(File("file:///a.mlir", 1, ("".join(source),), Config()), cursor, sorted(places))


def unmarked(source: str, places: list[Span]) -> str:
    """`source` with marks around `places`, as a failing test shows them."""
    for span in sorted(places, reverse=True):
        source = f"{source[: span.start]}«{source[slice(*span)]}»{source[span.end :]}"
    return source
