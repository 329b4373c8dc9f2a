"""Findings of files that are not open, folders with configurations of their own, documents that are no files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from client import REAL, Client

LEAK = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n"
CLEAN = "func.func @f() {\n  return\n}\n"


def folder(path: Path, **files: str) -> dict[str, str]:
    path.mkdir()
    for name, text in files.items():
        (path / name.replace("__", ".")).write_text(text)
    return {"uri": path.as_uri(), "name": path.name}


def codes(report: dict[str, Any]) -> list[str]:
    return [one["code"] for one in report.get("items", ())]


@pytest.mark.slow
def test_files_of_folders_are_checked_on_request(tmp_path: Path) -> None:
    folders = [folder(tmp_path / "w", a__mlir=LEAK, b__mlir=CLEAN, c__txt=LEAK)]
    options = {"workspaceDiagnostics": True}
    with Client(REAL, workspaceFolders=folders, initializationOptions=options) as client:
        assert client.capabilities["diagnosticProvider"]["workspaceDiagnostics"] is True
        ask: dict[str, Any] = {"previousResultIds": []}
        items = {one["uri"]: one for one in client.request("workspace/diagnostic", ask)["items"]}
        a, b = ((tmp_path / "w" / name).as_uri() for name in ("a.mlir", "b.mlir"))
        assert {uri: codes(one) for uri, one in items.items()} == {a: ["leak"], b: []}
        ask["previousResultIds"] = [{"uri": uri, "value": one["resultId"]} for uri, one in items.items()]
        (tmp_path / "w" / "b.mlir").write_text(LEAK + "\n")
        again = {one["uri"]: one for one in client.request("workspace/diagnostic", ask)["items"]}
        assert (again[a]["kind"], codes(again[b])) == ("unchanged", ["leak"])
        client.open(a, CLEAN)
        assert {one["uri"] for one in client.request("workspace/diagnostic", ask)["items"]} == {b}


@pytest.mark.slow
def test_it_is_not_announced_by_itself() -> None:
    with Client(REAL) as client:
        assert client.capabilities["diagnosticProvider"]["workspaceDiagnostics"] is False


@pytest.mark.slow
def test_each_folder_has_its_configuration(tmp_path: Path) -> None:
    off = 'ignore = ["leak"]\n'
    folders = [folder(tmp_path / "one", memlane__toml=off), folder(tmp_path / "two")]
    with Client(REAL, workspaceFolders=folders) as client:
        for name, wanted in (("one", []), ("two", ["leak"])):
            uri = (tmp_path / name / "x.mlir").as_uri()
            client.open(uri, LEAK)
            assert [one["code"] for one in client.diagnostics(uri, 1)] == wanted


@pytest.mark.slow
@pytest.mark.parametrize(
    "uri", ["untitled:Untitled-1", "git:/w/x.mlir?ref=HEAD", "vscode-vfs://github/o/r/x.mlir", "x:"]
)
def test_documents_that_are_no_files_are_served(uri: str) -> None:
    with Client(REAL) as client:
        client.open(uri, LEAK)
        assert [one["code"] for one in client.diagnostics(uri, 1)] == ["leak"]
        symbols = client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        assert [one["name"] for one in symbols] == ["f"]
        found = client.request("memlane/lanes", {"textDocument": {"uri": uri}})
        assert found["uri"] == uri


@pytest.mark.slow
def test_a_check_of_the_workspace_publishes_what_files_have_that_are_not_open(tmp_path: Path) -> None:
    folders = [folder(tmp_path / "w", a__mlir=LEAK, b__mlir=CLEAN, c__mlir=LEAK)]
    a, c = ((tmp_path / "w" / name).as_uri() for name in ("a.mlir", "c.mlir"))
    command: dict[str, Any] = {"command": "memlane.server.checkWorkspace", "arguments": []}
    shows = {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}
    with Client(REAL, workspaceFolders=folders, capabilities=shows) as client:

        def last(uri: str) -> list[str]:
            return [one["code"] for one in client.published(uri)[-1]["diagnostics"]]

        client.open(c, CLEAN)
        assert client.diagnostics(c, 1) == []
        assert client.request("workspace/executeCommand", command) == {"files": 2, "findings": 1}
        [found] = client.published(a)[-1]["diagnostics"]
        assert (found["code"], bool(found["relatedInformation"])) == ("leak", True)
        assert last(c) == []
        client.open(a, CLEAN)
        assert client.diagnostics(a, 1) == []
        for uri in (a, c):  # as they are on disk
            client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
            client.wait(f"findings of {uri}", lambda uri=uri: last(uri) == ["leak"])
        (tmp_path / "w" / "a.mlir").unlink()
        assert client.request("workspace/executeCommand", command) == {"files": 2, "findings": 1}
        assert last(a) == []
