"""Where a name is defined: SSA values, blocks, symbols."""

from __future__ import annotations

from memlane.findings import Span
from memlane.ide.locate import name_at
from memlane.ide.snapshot import File
from memlane.ide.symbol_mentions import symbol_meant
from memlane.syntax.tree.tree import Op


def definition(file: File, offset: int) -> Span | None:
    """The place of the definition of what `offset` touches; a definition's own place is itself."""
    name = name_at(file.named(offset), offset)
    if name is not None and not isinstance(name.thing, Op):
        if name.value is not None:
            return name.value.span
        return Span(name.block.span.start, name.block.span.start + len(name.block.label or "")) if name.block else None
    meant = symbol_meant(file, offset)
    return meant[1].span if meant is not None and meant[1] is not None else None
