"""$/setTrace: on request, or from the start on, each answer is followed by what it took."""

from __future__ import annotations

import re

import pytest
from lsp_client import Editor, Start, initialization
from lsprotocol import types


async def test_each_answer_says_what_it_took_while_tracing_is_on(client: Editor) -> None:
    client.traces.clear()
    document = client.open("func.func @f() { return }\n")
    symbols, folds = types.DocumentSymbolParams(document.id), types.FoldingRangeParams(document.id)
    await client.text_document_document_symbol_async(symbols)
    client.set_trace(types.SetTraceParams(types.TraceValue.Messages))
    await client.text_document_document_symbol_async(symbols)
    client.set_trace(types.SetTraceParams(types.TraceValue.Verbose))
    await client.text_document_folding_range_async(folds)
    client.set_trace(types.SetTraceParams(types.TraceValue.Off))
    await client.text_document_folding_range_async(folds)
    await client.until("traces", lambda: len(client.traces) >= 2)
    assert [re.sub(r"[\d.]+ ms", "", one.message) for one in client.traces] == [
        "textDocument/documentSymbol took ",
        "textDocument/foldingRange took ",
    ]
    assert [one.verbose is not None for one in client.traces] == [False, True]


@pytest.mark.slow
async def test_tracing_from_the_start(start: Start) -> None:
    client = await start(initialization(trace=types.TraceValue.Messages))
    await client.workspace_symbol_async(types.WorkspaceSymbolParams(""))
    await client.until("trace", lambda: bool(client.traces))
