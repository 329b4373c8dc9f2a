"""textDocument/linkedEditingRange: all mentions of a value or block, to be typed at once."""

from __future__ import annotations

from lsp_client import Editor
from lsprotocol import types
from programs import CALLS


async def test_linked_editing(client: Editor) -> None:
    document = client.open(CALLS)
    asked = types.LinkedEditingRangeParams(document.id, document.at("%v"))
    found = await client.text_document_linked_editing_range_async(asked)
    assert found is not None
    assert [document.shown(one) for one in found.ranges] == ["%v", "%v"]


async def test_symbols_are_renamed_instead(client: Editor) -> None:
    document = client.open(CALLS)
    asked = types.LinkedEditingRangeParams(document.id, document.at("@main"))
    assert await client.text_document_linked_editing_range_async(asked) is None
