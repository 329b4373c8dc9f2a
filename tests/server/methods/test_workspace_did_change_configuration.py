"""workspace/didChangeConfiguration: a client that cannot be asked for settings sends them; they stand above files."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_client import BARE, UNPOLLED, Editor, Start, initialization
from lsprotocol import types
from programs import LARGE, OWN_MODEL, OWN_OP

pytestmark = pytest.mark.slow
pushing = pytest.mark.parametrize("client", [BARE], indirect=True)


@pushing
async def test_a_client_without_questions_pushes_its_settings(client: Editor, folder: Path) -> None:
    (folder / "other.toml").write_text(OWN_MODEL)
    document = client.open(OWN_OP, (folder / "a.mlir").as_uri())
    assert [one.code for one in await document.findings()] == ["unknown-effects"]
    await client.configure(config="other.toml")
    await client.until("the leak", lambda: [one.code for one in client.findings_of(document.uri)[-1]] == ["leak"])


async def test_what_an_editor_says_stands_above_the_file(start: Start, tmp_path: Path) -> None:
    (tmp_path / "memlane.toml").write_text(OWN_MODEL + '[severity]\n"leak" = "hint"\n')
    client = await start(initialization(BARE, root_uri=tmp_path.as_uri()), UNPOLLED)
    document = client.open(OWN_OP, (tmp_path / "a.mlir").as_uri())
    await document.findings()

    async def shows(*wanted: tuple[str, types.DiagnosticSeverity]) -> None:
        def shown() -> list[tuple[object, object]]:
            found = client.findings_of(document.uri)[-1]
            return [(one.code, one.severity) for one in found if one.code != "unknown-effects"]

        await client.until(f"{wanted}", lambda: shown() == [*wanted])

    of_file = ("leak", types.DiagnosticSeverity.Hint)
    await client.configure(rules={"leak": "error"}, check={"ignore": None})
    await shows(("leak", types.DiagnosticSeverity.Error))
    await client.configure(rules={"leak": "default"}, check={"ignore": None})
    await shows(of_file)
    await client.configure(rules={"leak": "default"}, check={"ignore": ["leak"], "limits": {"alloc": "1 GiB"}})
    await shows()
    client.log_messages.clear()
    await client.configure(rules={"leak": "default"}, check={"limits": {"alloc": "much"}})
    await client.until("a complaint", lambda: bool(client.log_messages))
    assert "limits.alloc" in client.log_messages[-1].message
    await shows(of_file)


@pushing
async def test_the_limit_of_sizes_can_be_changed(client: Editor) -> None:
    await client.configure(sizeLimit=1)
    document = client.open(LARGE)
    assert [one.code for one in await document.findings()] == ["analysis-limit"]
    await client.configure(sizeLimit=0)
    await client.until("findings", lambda: client.findings_of(document.uri)[-1][0].code == "leak")
