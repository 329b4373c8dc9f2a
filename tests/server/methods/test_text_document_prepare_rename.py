"""textDocument/prepareRename: the name at the cursor, where it can be another."""

from __future__ import annotations

from lsp_client import Editor, every_client
from lsprotocol import types
from programs import LEAKS


@every_client
async def test_the_name_is_offered_as_it_is(client: Editor) -> None:
    document = client.open(LEAKS)
    asked = types.PrepareRenameParams(document.id, document.at("%zero", 1))
    found = await client.text_document_prepare_rename_async(asked)
    assert found == types.PrepareRenamePlaceholder(document.range("%zero", 1), "%zero")


async def test_what_is_no_name_has_none(client: Editor) -> None:
    document = client.open(LEAKS)
    asked = types.PrepareRenameParams(document.id, document.at("memref.alloc"))
    assert await client.text_document_prepare_rename_async(asked) is None
