"""Where a name is defined: SSA values, blocks, symbols, aliases."""

from __future__ import annotations

import re

from memlane.findings import Span
from memlane.ide.locate import name_at, touches
from memlane.ide.snapshot import File
from memlane.ide.symbol_mentions import symbol_meant
from memlane.lazy import regex
from memlane.syntax.tree.tree import Op

_ALIAS = regex(r'[#!][A-Za-z_][\w$]*(?![\w$.])|"(?:[^"\\\n]|\\.)*"|//.*')
"""An alias, or a string or a comment, in which none stands."""


def definition(file: File, offset: int) -> Span | None:
    """The place of the definition of what `offset` touches; a definition's own place is itself."""
    name = name_at(file.named(offset), offset)
    if name is not None and not isinstance(name.thing, Op):
        if name.value is not None:
            return name.value.span
        return Span(name.block.span.start, name.block.span.start + len(name.block.label or "")) if name.block else None
    meant = symbol_meant(file, offset)
    if meant is not None:
        return meant[1].span if meant[1] is not None else None
    return _alias(file, offset)


def _alias(file: File, offset: int) -> Span | None:
    """Where the alias of an attribute, type or location that `offset` touches is defined in its chunk: `#map`, `!t`."""
    source = file.text.source
    start, end = source.rfind("\n", 0, offset) + 1, source.find("\n", offset)
    found = _ALIAS.finditer(source, start, len(source) if end < 0 else end)
    name = next((one[0] for one in found if one[0][0] in "#!" and touches(Span(*one.span()), offset)), None)
    chunk = next((one.span for one in file.near(None).chunks if touches(one.span, offset)), None)
    if name is None or chunk is None:
        return None
    defined = re.compile(rf"^[ \t]*({re.escape(name)})[ \t]*=", re.MULTILINE).search(source, chunk.start, chunk.end)
    return Span(*defined.span(1)) if defined is not None else None
