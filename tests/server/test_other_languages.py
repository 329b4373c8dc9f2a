"""Documents of other languages that an editor offers: nothing is said of them."""

from __future__ import annotations

import pytest
from client import FAKE, Client, insertion

TEXT = "a LEAK\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("uri", "language"),
    [
        ("file:///w/ops.td", "tablegen"),
        ("file:///w/ops.td", "mlir"),
        ("file:///w/ops.TD", ""),
        ("file:///w/rewrites.pdll", "pdll"),
        ("file:///w/main.cpp", "cpp"),
        ("file:///w/a.mlir", "python"),
        ("untitled:Untitled-1", "plaintext"),
    ],
)
def test_nothing_is_said(uri: str, language: str) -> None:
    with Client(FAKE) as client:
        document = {"uri": uri, "languageId": language, "version": 1, "text": TEXT}
        client.notify("textDocument/didOpen", {"textDocument": document})
        client.write(client.change(uri, 2, insertion(TEXT, 0, "LEAK ")))
        assert (
            client.request(
                "textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
            )
            is None
        )
        client.open("file:///w/b.mlir", TEXT)
        assert len(client.diagnostics("file:///w/b.mlir", 1)) == 1
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        client.open("file:///w/c.mlir", TEXT)
        assert len(client.diagnostics("file:///w/c.mlir", 1)) == 1
        assert all(not said["diagnostics"] for said in client.published(uri))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("uri", "language"),
    [
        ("file:///w/a.mlir", ""),
        ("file:///w/a.mlir", "plaintext"),
        ("untitled:Untitled-1", "mlir"),
        ("file:///w/a", "MLIR"),
    ],
)
def test_mlir_is_checked_whatever_its_file_is_called(uri: str, language: str) -> None:
    with Client(FAKE) as client:
        document = {"uri": uri, "languageId": language, "version": 1, "text": TEXT}
        client.notify("textDocument/didOpen", {"textDocument": document})
        assert len(client.diagnostics(uri, 1)) == 1


@pytest.mark.slow
def test_a_document_that_becomes_mlir() -> None:
    """Editors close and open a document whose language is changed."""
    uri = "file:///w/a.mlir"
    with Client(FAKE) as client:
        document = {"uri": uri, "languageId": "python", "version": 1, "text": TEXT}
        client.notify("textDocument/didOpen", {"textDocument": document})
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        client.open(uri, TEXT, version=2)
        assert len(client.diagnostics(uri, 2)) == 1
