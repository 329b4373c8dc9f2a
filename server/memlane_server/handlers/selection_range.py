"""textDocument/selectionRange."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.findings import Span
from memlane.ide.selection import selections
from memlane.ide.snapshot import File
from memlane_server.convert import Converter
from memlane_server.limits import MAX_SELECTION_STEPS

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_SELECTION_RANGE


async def handle(ls: MemlaneServer, params: types.SelectionRangeParams) -> list[types.SelectionRange] | None:
    """What to select when a selection grows, for each position."""

    def work(file: File, convert: Converter) -> list[types.SelectionRange] | None:
        return [_chain(convert, selections(file, convert.offset(position))) for position in params.positions]

    return await ls.ask(params.text_document.uri, work, language=True)


def _chain(convert: Converter, spans: list[Span]) -> types.SelectionRange:
    """Each span inside the next, the largest last; of very many the innermost and the largest."""
    chain: types.SelectionRange | None = None
    for span in (*reversed(spans[MAX_SELECTION_STEPS:][-1:]), *reversed(spans[:MAX_SELECTION_STEPS])):
        chain = types.SelectionRange(convert.range(span), chain)
    return chain or types.SelectionRange(convert.range(Span(0, 0)))
