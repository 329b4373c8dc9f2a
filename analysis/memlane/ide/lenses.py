"""Code lenses above functions: their places are computed at once, their text when they come into view."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memlane.findings import Finding, Severity, Span
from memlane.format import times
from memlane.ide.lanes import FunctionLanes
from memlane.ide.snapshot import File
from memlane.syntax.editing.piece import Piece
from memlane.syntax.shapes.shape import OpShape
from memlane.syntax.tree.tree import Function

COUNTED = (Severity.ERROR, Severity.WARNING)


@dataclass(frozen=True, slots=True)
class LensPlace:
    """A function that may have something to do with memory; `span` is of its name, or its start."""

    function: Function
    span: Span


def places(file: File, span: Span | None = None) -> Iterator[LensPlace]:
    """The functions that allocate, free or call; `span`: of those that touch it."""
    for function in file.functions:
        if span is not None and not (function.span.start <= span.end and span.start <= function.span.end):
            continue
        if function.symbol is not None and isinstance(function.key, Piece) and _handles_memory(file, function.key):
            yield LensPlace(function, name_of(file, function))


def name_of(file: File, function: Function) -> Span:
    """Where a function says its name; its start, where that is not to be seen."""
    spelled = re.escape(function.symbol or "")
    found = re.compile(rf'@(?:{spelled}(?![\w$.])|"{spelled}")|"{spelled}"').search(
        file.text.source, function.span.start, function.span.end
    )
    return Span(*found.span()) if found and function.symbol else Span(function.span.start, function.span.start)


def peak_words(function: FunctionLanes) -> str:
    """The peak, and the ideal where that is less: `peak 60 MiB, ideal 1.5 MiB (40x)`."""
    bound = "" if function.exact else "at most "
    if function.ideal.words == function.peak.words:
        return f"peak {bound}{function.peak.words}"
    peak, ideal = function.peak.number, function.ideal.number
    factor = f" {times(peak / ideal)}" if peak and ideal else ""
    return f"peak {bound}{function.peak.words}, ideal {function.ideal.words}{factor}"


def title(function: FunctionLanes, findings: tuple[Finding, ...]) -> str:
    """What a lens says: the peak and how many errors and warnings there are."""
    inside = [one for one in findings if function.span.start <= one.report.span.start < function.span.end]
    count = sum(one.severity in COUNTED for one in inside)
    said = [peak_words(function)] if function.buffers or function.peak.number != 0 else []
    if count:
        said.append(f"{count} finding{'s' if count != 1 else ''}")
    return " · ".join(said) or "no buffers"


def _handles_memory(file: File, piece: Piece) -> bool:
    for template in piece.statements.templates:
        for event in template.events:
            model = file.models.of(event.name) if isinstance(event, OpShape) else None
            if model is not None and (model.alloc or model.free or model.call is not None):
                return True
    return False
