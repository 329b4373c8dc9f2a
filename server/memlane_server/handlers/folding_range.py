"""textDocument/foldingRange."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.findings import Span
from memlane.ide.folding import comments, regions
from memlane.ide.snapshot import File
from memlane_server.convert import Converter

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_FOLDING_RANGE


async def handle(ls: MemlaneServer, params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
    """Ops with regions and long comments."""

    def work(file: File, convert: Converter) -> list[types.FoldingRange] | None:
        folds = [_fold(convert, span, None) for span in regions(file)]
        folds += [_fold(convert, span, types.FoldingRangeKind.Comment) for span in comments(file)]
        return [fold for fold in folds if fold.start_line < fold.end_line]

    return await ls.ask(params.text_document.uri, work, language=True)


def _fold(convert: Converter, span: Span, kind: types.FoldingRangeKind | None) -> types.FoldingRange:
    """The lines of `span`; the closing brace of regions stays visible."""
    first, last = convert.text.position(span.start).line, convert.text.position(span.end).line
    return types.FoldingRange(first, last if kind else max(first, last - 1), kind=kind)
