"""All names of the same thing in the file, or of the same memory, with what each mention does to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from memlane.findings import Span
from memlane.flow import FunctionFlow
from memlane.ide.buffer_names import frees, memory_of
from memlane.ide.locate import enclosing, name_at
from memlane.ide.partial_trees import Linked
from memlane.ide.references import pack, references
from memlane.ide.snapshot import File
from memlane.syntax.tree.tree import Value


class MentionAccess(Enum):
    """What a mention does."""

    NAME = "name"
    READ = "read"
    WRITE = "write"
    """For memory: it is allocated or freed here. For other names: it is defined here."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """A mention. `own`: of the very name that was asked about; else of another one of the same memory."""

    span: Span
    access: MentionAccess
    own: bool = True


def highlights(file: File, offset: int) -> list[Highlight]:
    """The mentions of what `offset` touches, in text order."""
    linked = file.about(offset)
    name = name_at(linked.tree, offset)
    if name is not None and name.value is not None:
        found = {one.span: one for one in (*_of_memory(file, name.value, linked), *_of_value(file, name.value, linked))}
        return [found[span] for span in sorted(found)]
    return [Highlight(span, MentionAccess.NAME) for span in references(file, offset)]


def _of_value(file: File, value: Value, linked: Linked) -> Iterator[Highlight]:
    flow = _flow(value, linked)
    yield Highlight(value.span, MentionAccess.WRITE)
    for use in (use for one in pack(value) for use in one.uses):
        yield Highlight(use.span, MentionAccess.WRITE if frees(file, use, flow) else MentionAccess.READ)


def _of_memory(file: File, value: Value, linked: Linked) -> Iterator[Highlight]:
    """The mentions of all names that may stand for the same memory."""
    memory = memory_of(file, value, linked)
    if memory is None:
        return
    flow = _flow(value, linked)
    origins = {origin.value.span for origin in memory.origins}
    for name in memory.names:
        yield Highlight(name.span, MentionAccess.WRITE if name.span in origins else MentionAccess.NAME, own=False)
        for use in name.uses:
            yield Highlight(use.span, MentionAccess.WRITE if frees(file, use, flow) else MentionAccess.READ, own=False)


def _flow(value: Value, linked: Linked) -> FunctionFlow | None:
    return linked.flow(enclosing(linked.tree, value.span.start), value.span.start)
