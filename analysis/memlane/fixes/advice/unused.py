"""`unused-buffer`: the allocation goes, and with it all that was only done to the buffer."""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Fix
from memlane.fixes.advice.subject import OfBuffer
from memlane.fixes.edit_writer import Writer
from memlane.rules._plain import for_nothing


def fixes(subject: OfBuffer) -> Iterator[Fix]:
    """One fix: buffer, views and writes, where the writes are never read."""
    plain, graph = subject.plain, subject.graph
    if len(plain.made.results) != 1 or not for_nothing(graph, plain):
        return
    writer = Writer(subject.text)
    for op in (plain.made, plain.freed, *plain.users):
        writer.remove(op)
    what = f"Remove {plain.name}, which is never " + ("read, and what is written to it" if plain.users else "used")
    yield subject.fix(what, writer.edits())
