"""workspace/diagnostic: findings of the `.mlir` files of the open folders that are not open, if a setting says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_client import BARE, Editor, Start, every_client, initialization
from lsprotocol import types
from programs import LARGE

LEAK = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n"
CLEAN = "func.func @f() {\n  return\n}\n"


def announced(client: Editor) -> bool:
    said = client.answer.capabilities.diagnostic_provider
    assert said is not None
    return said.workspace_diagnostics


@pytest.mark.slow
async def test_files_of_folders_are_checked_on_request(start: Start, tmp_path: Path) -> None:
    for name, text in (("a.mlir", LEAK), ("b.mlir", CLEAN), ("c.txt", LEAK)):
        (tmp_path / name).write_text(text)
    folder = types.WorkspaceFolder(tmp_path.as_uri(), "w")
    options = {"workspaceDiagnostics": True}
    client = await start(initialization(BARE, workspace_folders=[folder], initialization_options=options))
    assert announced(client)
    a, b = ((tmp_path / name).as_uri() for name in ("a.mlir", "b.mlir"))

    async def reports(known: dict[str, str]) -> dict[str, list[object] | str]:
        """The codes of the findings of each file, or that they are the same; `known` gets the ids of the results."""
        asked = types.WorkspaceDiagnosticParams([types.PreviousResultId(*one) for one in known.items()])
        found: dict[str, list[object] | str] = {}
        for one in (await client.workspace_diagnostic_async(asked)).items:
            full = isinstance(one, types.WorkspaceFullDocumentDiagnosticReport)
            found[one.uri] = [finding.code for finding in one.items] if full else "unchanged"
            known[one.uri] = one.result_id or ""
        return found

    known: dict[str, str] = {}
    assert await reports(known) == {a: ["leak"], b: []}
    (tmp_path / "b.mlir").write_text(LEAK + "\n")
    assert await reports({**known}) == {a: "unchanged", b: ["leak"]}
    client.open(CLEAN, a)
    assert await reports({**known}) == {b: ["leak"]}


@every_client
async def test_it_is_not_announced_by_itself(client: Editor) -> None:
    assert not announced(client)


@pytest.mark.slow
async def test_large_files_of_the_folders_are_said_to_be_too_large(start: Start, tmp_path: Path) -> None:
    (tmp_path / "large.mlir").write_text(LARGE)
    (tmp_path / "small.mlir").write_text(LEAK)
    options = {"memlane": {"sizeLimit": 1, "workspaceDiagnostics": True}}
    client = await start(initialization(BARE, root_uri=tmp_path.as_uri(), initialization_options=options))
    found = {
        one.uri.rpartition("/")[2]: [item.code for item in one.items]
        for one in (await client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams([]))).items
        if isinstance(one, types.WorkspaceFullDocumentDiagnosticReport)
    }
    assert found == {"large.mlir": ["analysis-limit"], "small.mlir": ["leak"]}
