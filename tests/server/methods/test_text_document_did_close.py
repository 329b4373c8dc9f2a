"""textDocument/didClose: the document is forgotten, and its findings are cleared."""

from __future__ import annotations

from lsp_client import Editor
from lsprotocol import types
from programs import LEAK


async def test_closing_clears(client: Editor) -> None:
    document = client.open(LEAK)
    assert await document.findings()
    document = document.inserted(0, "\n")
    assert await document.findings()
    client.close(document.uri)
    told = client.findings_of
    await client.until("publication", lambda: len(told(document.uri)) == 3 and not told(document.uri)[-1])


async def test_what_is_closed_has_no_answers(client: Editor) -> None:
    document = client.open(LEAK)
    asked = types.HoverParams(document.id, document.at("%a"))
    assert await client.text_document_hover_async(asked) is not None
    client.close(document.uri)
    assert await client.text_document_hover_async(asked) is None
