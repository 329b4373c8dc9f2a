"""Names that mean nothing where they are used, though the function defines something of that name: where that is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memlane.findings import Span
from memlane.syntax.names.frames import Met
from memlane.syntax.shapes.holes import NAME
from memlane.syntax.shapes.shape import Label, defined_in

Note = tuple[str, Span]
Place = tuple[Met, int, int]
"""A statement of a leaf, and a name of it by its slot."""


class Unseen:
    """The names that statements define, all of which have been read.

    Args:
        texts: those statements.
    """

    def __init__(self, texts: Sequence[Met]) -> None:
        self._texts = texts
        self._read = False
        self._values: dict[str, list[Place]] = {}
        self._blocks: dict[str, list[Place]] = {}

    def value(self, name: str, use: Span) -> tuple[str, tuple[Note, ...]] | None:
        """What is said of the name of a value that means nothing at `use`, with the place to look at; None: nothing in
        the function has the name."""
        self._index()
        span, side = _nearest(self._values.get(name, ()), use)
        if span is None:
            return None
        return f"'{name}' is defined, but in a region {side} that does not contain this use", (("defined here", span),)

    def block(self, name: str, use: Span) -> tuple[str, tuple[Note, ...]] | None:
        """The same of the name of a block."""
        self._index()
        span, side = _nearest(self._blocks.get(name, ()), use)
        if span is None:
            return None
        return f"block '{name}' is defined, but in another region, {side}: no branch leaves its own", (
            ("defined here", span),
        )

    def _index(self) -> None:
        if not self._read:
            self._read = True
            for text, number, slot, name, block in self._defined():
                (self._blocks if block else self._values).setdefault(name, []).append((text, number, slot))

    def _defined(self) -> Iterator[tuple[Met, int, int, str, bool]]:
        """Each name that is defined: its statement and slot, itself, and whether it is that of a block."""
        for text in self._texts:
            statements = text.leaf.statements
            names: list[str] | None = None
            for number, (template, first) in enumerate(zip(statements.templates, statements.names, strict=True)):
                for event in template.events:
                    names = names if names is not None else NAME.findall(text.cleaned)
                    if isinstance(event, Label):
                        yield text, number, event.slot, names[first + event.slot], True
                    for slot, _ in defined_in(event):
                        yield text, number, slot, names[first + slot], False


def _nearest(found: Sequence[Place], use: Span) -> tuple[Span | None, str]:
    """Which of some places is the last before `use`, else the first behind it, and on which side that is."""
    spans = [text.span(number, slot) for text, number, slot in found]
    above = [span for span in spans if span.start < use.start]
    if above:
        return above[-1], "above"
    return (spans[0] if spans else None), "below"
