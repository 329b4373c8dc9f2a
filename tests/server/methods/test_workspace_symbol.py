"""workspace/symbol: symbols of open documents and of the `.mlir` files in the open folders, by parts of their names."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_client import Editor, Start, initialization, many
from lsprotocol import types
from programs import CALLS


async def named(client: Editor, query: str) -> list[str]:
    found = await client.workspace_symbol_async(types.WorkspaceSymbolParams(query))
    return [one.name for one in many(found)]


@pytest.mark.slow
async def test_symbols_of_open_documents_and_of_folders(start: Start, tmp_path: Path) -> None:
    for name, text in (
        ("a/one.mlir", "func.func @first() {\n  call @second() : () -> ()\n  return\n}\n"),
        ("b.txt", "@no"),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "x.mlir").write_text("func.func @hidden() { return }\n")
    (tmp_path / "bad.mlir").write_bytes(b"\xff\xfe func.func @bad\n")
    folder = types.WorkspaceFolder(tmp_path.as_uri(), "w")
    client = await start(initialization(workspace_folders=[folder]))
    client.open(CALLS)
    assert await named(client, "") == ["@main", "@make", "@drop", "@really", "@first"]
    assert await named(client, "@fst") == ["@first"]
    assert await named(client, "REALLY") == ["@really"]
    [found] = many(await client.workspace_symbol_async(types.WorkspaceSymbolParams("first")))
    assert found.location.uri == (tmp_path / "a" / "one.mlir").as_uri()
    event = types.WorkspaceFoldersChangeEvent(added=[], removed=[folder])
    client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
    assert "@first" not in await named(client, "")
