"""Names that mean nothing where they are used, though the function defines something of that name: where that is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memlane.findings import Span
from memlane.syntax.limits import MAX_PROBLEMS_PER_RULE
from memlane.syntax.names.frames import Frame, Met, defined_at
from memlane.syntax.problems import Problem
from memlane.syntax.shapes.holes import NAME
from memlane.syntax.shapes.shape import Label, defined_in

Place = tuple[Met, int, int]
"""A statement of a leaf, and a name of it by its slot."""


class Lost(NamedTuple):
    """A name that means nothing where it stands, and one of those that are known there that is much alike."""

    name: str
    span: Span
    close: str | None


class Unseen:
    """Names of values and blocks that mean nothing where they are used, of one function; the first of each are kept
    until all is read."""

    def __init__(self) -> None:
        self._lost_values: list[Lost] = []
        self._lost_blocks: list[Lost] = []
        self._texts: Sequence[Met] = ()
        self._values: dict[str, list[Place]] = {}
        self._blocks: dict[str, list[Place]] = {}

    def value(self, lost: Lost) -> Iterator[Problem]:
        """A use of a value; the problem if so many were found that it is not known where it is defined."""
        if len(self._lost_values) < MAX_PROBLEMS_PER_RULE:
            self._lost_values.append(lost)
        else:
            yield _plain_value(lost)

    def block(self, lost: Lost) -> Iterator[Problem]:
        """The same of a branch to a block."""
        if len(self._lost_blocks) < MAX_PROBLEMS_PER_RULE:
            self._lost_blocks.append(lost)
        else:
            yield _plain_block(lost)

    def problems(self, texts: Sequence[Met]) -> Iterator[Problem]:
        """The problems of the names that are kept. `texts`: the statements that were read."""
        if not self._lost_values and not self._lost_blocks:
            return
        self._texts = texts
        self._index()
        for lost in self._lost_values:
            span, side = _nearest(self._values.get(lost.name, ()), lost.span)
            message = f"'{lost.name}' is defined, but in a region {side} that does not contain this use"
            yield _elsewhere("undefined-value", message, lost, span) if span is not None else _plain_value(lost)
        for lost in self._lost_blocks:
            span, side = _nearest(self._blocks.get(lost.name, ()), lost.span)
            message = f"block '{lost.name}' is defined, but in another region, {side}: no branch leaves its own"
            yield _elsewhere("undefined-block", message, lost, span) if span is not None else _plain_block(lost)

    def _index(self) -> None:
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


def outside(frames: Sequence[Frame], isolated: Frame, lost: Lost, texts: Sequence[Met]) -> list[Problem]:
    """The problem of a name that the regions `frames` around an isolated one define at its end; empty if none does."""
    known = next((one.scope.values[lost.name] for one in frames if lost.name in one.scope.values), None)
    if known is None:
        return []
    message = f"'{lost.name}' is defined outside of '{isolated.op.name}', whose regions see no values from there"
    return [_elsewhere("undefined-value", message, lost, defined_at(texts, known))]


def _plain_value(lost: Lost) -> Problem:
    return Problem("undefined-value", f"'{lost.name}' is not defined", lost.span, suggestion=lost.close)


def _plain_block(lost: Lost) -> Problem:
    message = f"block '{lost.name}' is not defined in this region"
    return Problem("undefined-block", message, lost.span, suggestion=lost.close)


def _elsewhere(rule: str, message: str, lost: Lost, span: Span) -> Problem:
    return Problem(rule, message, lost.span, (("defined here", span),))


def _nearest(found: Sequence[Place], use: Span) -> tuple[Span | None, str]:
    """Which of some places is the last before `use`, else the first behind it, and on which side that is."""
    spans = [text.span(number, slot) for text, number, slot in found]
    above = [span for span in spans if span.start < use.start]
    if above:
        return above[-1], "above"
    return (spans[0] if spans else None), "below"
