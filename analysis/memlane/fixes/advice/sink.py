"""`early-alloc`: the allocation goes down to the first use of its buffer."""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Fix
from memlane.fixes.advice.subject import OfBuffer, alone
from memlane.fixes.edit_writer import Writer


def fixes(subject: OfBuffer) -> Iterator[Fix]:
    """One fix: right before the operation of its block that uses the buffer first, or holds the first use."""
    plain = subject.plain
    if not plain.held or not alone(plain.made):
        return
    writer = Writer(subject.text)
    writer.move(plain.made, {}, before=plain.held[0])
    yield subject.fix(f"Allocate {plain.name} right before its first use", writer.edits())
