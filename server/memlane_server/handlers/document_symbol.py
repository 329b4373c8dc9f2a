"""textDocument/documentSymbol."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.outline import EntryKind, OutlineEntry, outline
from memlane.ide.snapshot import File
from memlane_server.convert import Converter
from memlane_server.limits import MAX_SYMBOL_DEPTH

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_DOCUMENT_SYMBOL

KINDS = {
    EntryKind.CHUNK: types.SymbolKind.Namespace,
    EntryKind.MODULE: types.SymbolKind.Module,
    EntryKind.FUNCTION: types.SymbolKind.Function,
    EntryKind.SYMBOL: types.SymbolKind.Constant,
    EntryKind.BUFFER: types.SymbolKind.Variable,
}


Symbols = list[types.DocumentSymbol] | list[types.SymbolInformation]


async def handle(ls: MemlaneServer, params: types.DocumentSymbolParams) -> Symbols | None:
    """The outline of the file: nested, or for clients that show no nested one, all entries with what holds them."""
    able = ls.session.capabilities.text_document
    symbols = able.document_symbol if able is not None else None
    nested = symbols is not None and bool(symbols.hierarchical_document_symbol_support)

    def work(file: File, convert: Converter) -> Symbols | None:
        if nested:
            return [_symbol(convert, entry) for entry in outline(file)]
        return [_listed(convert, file.uri, entry, holder) for entry, holder in _every(outline(file))]

    return await ls.ask(params.text_document.uri, work, language=True)


def _every(entries: Sequence[OutlineEntry]) -> Iterator[tuple[OutlineEntry, str | None]]:
    """All entries in text order, each with the name of the one that holds it."""
    pending: list[tuple[OutlineEntry, str | None]] = [(entry, None) for entry in reversed(entries)]
    while pending:
        entry, holder = pending.pop()
        yield entry, holder
        pending += [(child, entry.name or None) for child in reversed(entry.children)]


def _listed(convert: Converter, uri: str, entry: OutlineEntry, holder: str | None) -> types.SymbolInformation:
    location = types.Location(uri, convert.range(entry.span))
    return types.SymbolInformation(location, entry.name or entry.detail, KINDS[entry.kind], container_name=holder)


def _symbol(convert: Converter, entry: OutlineEntry, depth: int = 0) -> types.DocumentSymbol:
    below = entry.children if depth < MAX_SYMBOL_DEPTH else _all_below(entry) if depth == MAX_SYMBOL_DEPTH else []
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
