"""Documents above the limit of sizes: kept and edited, and it is said once that they are not analysed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from client import REAL, Client

URI = "file:///w/a.mlir"
LEAK = "func.func @f(%n: index) {\n  %a = memref.alloc(%n) : memref<?xf32>\n  return\n}\n"
LARGE = LEAK + "// " + "x" * 1_000_000 + "\n"
LIMITED = {"initializationOptions": {"memlane": {"sizeLimit": 1}}}
SAID = "not analysed: 1.0 MB are more than the 1 MB of the setting `sizeLimit`"


def end(lines: int) -> dict[str, Any]:
    """The range from a line to far beyond the text."""
    return {"start": {"line": lines, "character": 0}, "end": {"line": 900, "character": 0}}


def codes(client: Client, version: int) -> list[str]:
    return [one["code"] for one in client.diagnostics(URI, version)]


def asked(client: Client) -> list[object]:
    """What the server answers about the document."""
    document, place = {"uri": URI}, {"line": 1, "character": 3}
    return [
        client.request(f"textDocument/{method}", {"textDocument": document, "position": place, "range": end(0)})
        for method in ("hover", "documentSymbol", "inlayHint", "semanticTokens/full", "definition", "foldingRange")
    ]


@pytest.mark.slow
def test_a_large_document_is_kept_and_not_analysed() -> None:
    """It is told of once, whatever is typed; once it is small enough it is a document like any other."""
    with Client(REAL, **LIMITED) as client:
        client.open(URI, LARGE)
        (note,) = client.diagnostics(URI, 1)
        assert (note["code"], note["message"], note["severity"]) == ("analysis-limit", SAID, 3)
        for version in (2, 3):
            at = {"line": 3, "character": 1}
            client.write(client.change(URI, version, {"range": {"start": at, "end": at}, "text": " "}))
            assert not any(asked(client))
        assert [one["params"]["message"] for one in client.notifications("window/showMessage")] == [f"a.mlir: {SAID}"]
        assert len(client.published(URI)) == 1
        client.write(client.change(URI, 4, {"range": end(4), "text": ""}))
        assert codes(client, 4) == ["leak"]
        assert all(asked(client)[:2])
        client.write(client.change(URI, 5, {"range": end(4), "text": LARGE}))
        assert codes(client, 5) == ["analysis-limit"]
        client.write(client.change(URI, 6, {"text": LEAK}))
        assert codes(client, 6) == ["leak"]


@pytest.mark.slow
def test_clients_that_ask_are_told() -> None:
    with Client(REAL, **LIMITED) as client:
        client.open(URI, LARGE)
        report = client.request("textDocument/diagnostic", {"textDocument": {"uri": URI}})
        assert [one["message"] for one in report["items"]] == [SAID]


@pytest.mark.slow
def test_the_limit_can_be_changed() -> None:
    with Client(REAL, **LIMITED) as client:
        client.open(URI, LARGE)
        assert codes(client, 1) == ["analysis-limit"]
        client.notify("workspace/didChangeConfiguration", {"settings": {"memlane": {"sizeLimit": 0}}})
        client.wait("findings", lambda: client.published(URI)[-1]["diagnostics"][0]["code"] == "leak")


@pytest.mark.slow
def test_large_files_of_the_folders(tmp_path: Path) -> None:
    (tmp_path / "large.mlir").write_text(LARGE)
    (tmp_path / "small.mlir").write_text(LEAK)
    options = {"memlane": {"sizeLimit": 1, "workspaceDiagnostics": True}}
    with Client(REAL, rootUri=tmp_path.as_uri(), initializationOptions=options) as client:
        report = client.request("workspace/diagnostic", {"previousResultIds": []}, timeout=600)
        found = {one["uri"].rpartition("/")[2]: [item["code"] for item in one["items"]] for one in report["items"]}
        assert found == {"large.mlir": ["analysis-limit"], "small.mlir": ["leak"]}
