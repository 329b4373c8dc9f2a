"""textDocument/foldingRange: the regions of operations, and comments of several lines."""

from __future__ import annotations

from lsp_client import Editor
from lsprotocol import types
from programs import LEAKS


async def test_regions_and_comments_fold_and_closing_braces_stay_visible(client: Editor) -> None:
    document = client.open(LEAKS)
    found = await client.text_document_folding_range_async(types.FoldingRangeParams(document.id))
    folds = sorted((fold.start_line, fold.end_line, fold.kind) for fold in found or ())
    assert folds == [(0, 12, None), (1, 2, types.FoldingRangeKind.Comment), (3, 7, None), (9, 11, None)]
