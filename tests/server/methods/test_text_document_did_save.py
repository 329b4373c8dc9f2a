"""textDocument/didSave: configuration files may have been saved as well, and are read again."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_client import UNPOLLED, Start, initialization
from lsprotocol import types
from programs import OWN_MODEL, OWN_OP, put


@pytest.mark.slow
async def test_configuration_files_are_read_when_a_document_is_saved(start: Start, tmp_path: Path) -> None:
    client = await start(initialization(), UNPOLLED)
    document = client.open(OWN_OP, (tmp_path / "a.mlir").as_uri())
    assert [one.code for one in await document.findings()] == ["unknown-effects"]
    put(tmp_path / "memlane.toml", OWN_MODEL)

    def saved() -> bool:
        client.text_document_did_save(types.DidSaveTextDocumentParams(document.id))
        return [one.code for one in client.findings_of(document.uri)[-1]] == ["leak"]

    await client.until("the leak", saved)  # more than once, as a file that takes long to read is known at the next
