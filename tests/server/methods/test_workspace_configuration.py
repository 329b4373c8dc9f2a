"""workspace/configuration: the server asks for settings, at the start and when it is told that they changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_client import Editor
from programs import OWN_MODEL, OWN_OP


@pytest.mark.slow
async def test_settings_name_another_file(client: Editor, folder: Path) -> None:
    (folder / "other.toml").write_text(OWN_MODEL)
    document = client.open(OWN_OP, (folder / "a.mlir").as_uri())
    assert [one.code for one in await document.findings()] == ["unknown-effects"]
    await client.configure(config="other.toml")
    await client.until("the leak", lambda: [one.code for one in client.findings_of(document.uri)[-1]] == ["leak"])
    client.log_messages.clear()
    await client.configure(config=7)
    await client.until("a complaint", lambda: bool(client.log_messages))
    assert "memlane.config" in client.log_messages[0].message
