"""Where a name is defined: SSA values, blocks, symbols."""

from __future__ import annotations

from memlane.findings import Span
from memlane.ide.locate import name_at
from memlane.ide.symbols import resolve, symbol_at
from memlane.snapshot import File
from memlane.syntax.tree import Op


def definition(file: File, offset: int) -> Span | None:
    """The place of the definition of what `offset` touches; a definition's own place is itself."""
    name = name_at(file.tree, offset)
    if name is not None and not isinstance(name.thing, Op):
        if name.value is not None:
            return name.value.span
        return Span(name.block.span.start, name.block.span.start + len(name.block.label or "")) if name.block else None
    source = file.text.source
    mention = symbol_at(source, file.tree, offset)
    if mention is None:
        return None
    symbol = resolve(source, file.tree, offset, source[slice(*mention)][1:].strip('"'), file.models)
    return symbol.span if symbol else None
