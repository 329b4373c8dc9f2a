"""textDocument/documentSymbol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.outline import EntryKind, OutlineEntry, outline
from memlane.ide.snapshot import File
from memlane_server.convert import Converter

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_DOCUMENT_SYMBOL
MAX_DEPTH = 50
"""Entries are nested so deep; those below stand side by side, as neither end reads JSON of any depth."""

KINDS = {
    EntryKind.CHUNK: types.SymbolKind.Namespace,
    EntryKind.MODULE: types.SymbolKind.Module,
    EntryKind.FUNCTION: types.SymbolKind.Function,
    EntryKind.SYMBOL: types.SymbolKind.Constant,
    EntryKind.BUFFER: types.SymbolKind.Variable,
}


async def handle(ls: MemlaneServer, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
    """The outline of the file."""

    def work(file: File, convert: Converter) -> list[types.DocumentSymbol] | None:
        return [_symbol(convert, entry) for entry in outline(file)]

    return await ls.ask(params.text_document.uri, work, language=True)


def _symbol(convert: Converter, entry: OutlineEntry, depth: int = 0) -> types.DocumentSymbol:
    below = entry.children if depth < MAX_DEPTH else _all_below(entry) if depth == MAX_DEPTH else []
    return types.DocumentSymbol(
        entry.name or entry.detail,
        KINDS[entry.kind],
        convert.range(entry.span),
        convert.range(entry.name_span),
        detail=entry.detail or None,
        children=[_symbol(convert, child, depth + 1) for child in below] or None,
    )


def _all_below(entry: OutlineEntry) -> list[OutlineEntry]:
    """All entries in an entry, in text order."""
    found: list[OutlineEntry] = []
    pending = entry.children[::-1]
    while pending:
        found.append(pending.pop())
        pending += found[-1].children[::-1]
    return found
