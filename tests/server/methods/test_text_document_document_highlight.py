"""textDocument/documentHighlight: mentions of the name at the cursor and of all other names of its memory.

Allocating and freeing are writes."""

from __future__ import annotations

from lsp_client import Editor
from lsprotocol import types
from programs import CALLS, LATE

READ, WRITE = types.DocumentHighlightKind.Read, types.DocumentHighlightKind.Write


async def test_what_is_done_to_a_buffer(client: Editor) -> None:
    document = client.open(LATE)
    asked = types.DocumentHighlightParams(document.id, document.at("%b"))
    found = await client.text_document_document_highlight_async(asked)
    assert found is not None
    assert [(document.shown(one.range), one.kind) for one in found] == [("%b", WRITE), ("%b", READ), ("%b", WRITE)]
    assert [one.range.start.line for one in found] == [6, 7, 9]


async def test_other_names_of_the_memory_are_shown_too(client: Editor) -> None:
    document = client.open(CALLS)
    asked = types.DocumentHighlightParams(document.id, document.at("%v"))
    found = await client.text_document_document_highlight_async(asked)
    assert found is not None
    assert {document.shown(one.range) for one in found} == {"%a", "%v", "%w", "%s"}
