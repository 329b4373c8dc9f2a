"""workspace/didChangeWatchedFiles: configuration files hold for programs beside them, and are read again on change.

The server looks at them every few seconds, too. Mistakes are shown in the file, and the last good one is kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from lsp_client import UNPOLLED, Editor, Opened, Start, initialization
from lsprotocol import types
from programs import OWN_MODEL, OWN_OP, put

pytestmark = pytest.mark.slow


def opened(client: Editor, folder: Path) -> Opened:
    """The program in a folder."""
    return client.open(OWN_OP, (folder / "a.mlir").as_uri())


def codes(found: Sequence[types.Diagnostic]) -> list[object]:
    return [one.code for one in found if one.code != "unknown-effects"]


async def shows(document: Opened, *wanted: str) -> None:
    """Wait until these findings of a document are published."""
    await document.client.until(f"{wanted}", lambda: codes(document.client.findings_of(document.uri)[-1]) == [*wanted])


async def test_a_file_beside_the_program_holds_and_is_reloaded(client: Editor, tmp_path: Path) -> None:
    config = tmp_path / "memlane.toml"
    config.write_text(OWN_MODEL)
    document = opened(client, tmp_path)
    assert codes(await document.findings()) == ["leak"]
    put(config, OWN_MODEL + '[severity]\n"leak" = "error"\n')
    change = types.FileEvent(config.as_uri(), types.FileChangeType.Changed)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
    error = types.DiagnosticSeverity.Error
    await client.until("an error", lambda: client.findings_of(document.uri)[-1][0].severity is error)
    config.unlink()
    await shows(document)


async def test_a_change_is_heeded_when_it_is_told(start: Start, tmp_path: Path) -> None:
    client = await start(initialization(), UNPOLLED)
    document = opened(client, tmp_path)
    assert codes(await document.findings()) == []
    config = tmp_path / "memlane.toml"
    put(config, OWN_MODEL)

    def told() -> bool:
        change = types.FileEvent(config.as_uri(), types.FileChangeType.Created)
        client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
        return codes(client.findings_of(document.uri)[-1]) == ["leak"]

    await client.until("the leak", told)  # more than once, as a file that takes long to read is known at the next


async def test_a_new_file_is_noticed_without_being_told(client: Editor, tmp_path: Path) -> None:
    document = opened(client, tmp_path)
    assert codes(await document.findings()) == []
    put(tmp_path / "memlane.toml", OWN_MODEL)
    await shows(document, "leak")


async def test_mistakes_are_shown_in_the_file_and_the_last_good_one_is_kept(client: Editor, tmp_path: Path) -> None:
    config = tmp_path / "memlane.toml"
    config.write_text(OWN_MODEL)
    document = opened(client, tmp_path)
    assert codes(await document.findings()) == ["leak"]
    put(config, "# a comment\nignroe = []\n")
    await client.until("the mistake", lambda: bool(client.findings_of(config.as_uri())))
    [found] = client.findings_of(config.as_uri())[-1]
    assert found.range.start.line == 1
    assert "ignroe" in found.message and "ignore" in found.message
    assert codes(await document.changed(OWN_OP).findings()) == ["leak"]
    put(config, OWN_MODEL)
    await client.until("all well", lambda: not client.findings_of(config.as_uri())[-1])


async def test_mistakes_go_with_their_file(client: Editor, tmp_path: Path) -> None:
    config = tmp_path / "memlane.toml"
    put(config, OWN_MODEL + "nonsense = 1\n")
    document = opened(client, tmp_path)
    await client.until("the mistake", lambda: bool(client.findings_of(config.as_uri())))
    assert client.findings_of(config.as_uri())[-1]
    await document.findings()
    config.unlink()
    await client.until("no mistake", lambda: not client.findings_of(config.as_uri())[-1])
    await shows(document)
