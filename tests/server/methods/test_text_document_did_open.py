"""textDocument/didOpen: a document, of a file or not, is served by its text, with the configuration of its folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_client import Editor, Start, initialization, many
from lsprotocol import types

LEAK = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n"


@pytest.mark.parametrize(
    "uri", ["untitled:Untitled-1", "git:/w/x.mlir?ref=HEAD", "vscode-vfs://github/o/r/x.mlir", "x:"]
)
async def test_documents_that_are_no_files_are_served(client: Editor, uri: str) -> None:
    document = client.open(LEAK, uri)
    assert [one.code for one in await document.findings()] == ["leak"]
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document.id))
    assert [one.name for one in many(symbols)] == ["f"]
    found = await client.protocol.send_request_async("memlane/lanes", {"textDocument": {"uri": uri}})
    assert found.uri == uri


@pytest.mark.slow
async def test_each_folder_has_its_configuration(start: Start, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    (tmp_path / "one" / "memlane.toml").write_text('ignore = ["leak"]\n')
    folders = [types.WorkspaceFolder((tmp_path / name).as_uri(), name) for name in ("one", "two")]
    client = await start(initialization(workspace_folders=folders))
    for name, wanted in (("one", []), ("two", ["leak"])):
        document = client.open(LEAK, (tmp_path / name / "x.mlir").as_uri())
        assert [one.code for one in await document.findings()] == wanted
