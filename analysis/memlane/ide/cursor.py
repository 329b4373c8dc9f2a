"""What is at a place: the function, the buffers that the name there may stand for, what is wrong in the function."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from memlane.findings import Certainty, Severity, Span
from memlane.ide.buffer_names import memory_at
from memlane.ide.lanes import FunctionLanes
from memlane.ide.snapshot import File


@dataclass(frozen=True, slots=True)
class BufferHere:
    """A buffer that the name at the cursor may stand for.

    Args:
        name, span: of what it is allocated by.
        size: in words, None where the type does not tell.
        certainty: the name always stands for it, or on some paths.
        names: all places that name its memory, in text order.
    """

    name: str
    span: Span
    type: str | None
    size: str | None
    certainty: Certainty
    names: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Cursor:
    """What there is to say; `counts` is of the findings in the function, or of the file outside of one."""

    function: FunctionLanes | None
    buffers: tuple[BufferHere, ...]
    counts: dict[Severity, int]


def cursor(file: File, offset: int, function: FunctionLanes | None) -> Cursor:
    """What is at `offset`, which is in `function`, if it is in one."""
    span = function.span if function is not None else Span(0, len(file.text.source))
    counts = Counter(one.severity for one in file.checked.findings if span.start <= one.report.span.start < span.end)
    return Cursor(function, tuple(_buffers(file, offset)), dict(counts))


def _buffers(file: File, offset: int) -> list[BufferHere]:
    memory = memory_at(file, offset)
    if memory is None:
        return []
    certainty = Certainty.ALWAYS if len(memory.origins) == 1 else Certainty.SOME
    names = {span for value in memory.names for span in (value.span, *(use.span for use in value.uses))}
    return [
        BufferHere(
            origin.value.name,
            origin.value.span,
            origin.value.type,
            str(size) if (size := origin.size or origin.asked) is not None else None,
            certainty,
            tuple(sorted(names)),
        )
        for origin in memory.origins
    ]
