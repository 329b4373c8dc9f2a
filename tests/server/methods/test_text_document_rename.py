"""textDocument/rename: another name for a value, block or symbol; one that is taken is refused."""

from __future__ import annotations

import pytest
from lsp_client import Editor, every_client
from lsprotocol import types
from programs import LEAKS
from pygls.exceptions import JsonRpcInvalidParams


@every_client
async def test_rename_changes_all_mentions(client: Editor) -> None:
    document = client.open(LEAKS)
    edit = await client.text_document_rename_async(types.RenameParams(document.id, document.at("%zero", 1), "nil"))
    edits = document.edits(edit)
    assert [one.range for one in edits] == [document.range("%zero", nth) for nth in range(3)]
    assert {one.new_text for one in edits} == {"%nil"}


async def test_rename_gives_the_reason_why_not(client: Editor) -> None:
    document = client.open(LEAKS)
    with pytest.raises(JsonRpcInvalidParams, match="already defined"):
        await client.text_document_rename_async(types.RenameParams(document.id, document.at("%zero"), "%lost"))


@every_client
async def test_edits_are_of_one_version_where_the_client_can_tell(client: Editor) -> None:
    document = client.open(LEAKS)
    edit = await client.text_document_rename_async(types.RenameParams(document.id, document.at("%zero"), "nil"))
    workspace = client.capabilities.workspace if client.capabilities is not None else None
    able = workspace is not None and workspace.workspace_edit is not None and workspace.workspace_edit.document_changes
    assert edit is not None and (edit.changes is None) == bool(able) == (edit.document_changes is not None)
    for change in edit.document_changes or ():
        assert isinstance(change, types.TextDocumentEdit)
        assert change.text_document == types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
