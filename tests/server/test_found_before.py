"""What was found in a text before is shown before it is read, where all that decides is as it was, and never else."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types
from tests.hostile import shapes

from memlane.cli import main
from memlane.config import Config, load_config
from memlane.findings import Finding
from memlane.ide.snapshot import File
from memlane_server.found_before import FoundBefore
from memlane_server.session import Session

URI = "file:///w/a.mlir"
LONG = shapes.functions(100)
SHORT = shapes.functions(2)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test alone."""
    monkeypatch.delenv("MEMLANE_NO_CACHE")
    monkeypatch.setenv("MEMLANE_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path


def opened(source: str = LONG, config: Config | None = None) -> tuple[File, list[tuple[Finding, ...]]]:
    """A document that nothing was read of, and what is shown of it."""
    shown: list[tuple[Finding, ...]] = []
    file = File(URI, 1, (source,), config or Config())
    file.show = shown.append
    return file, shown


def checked(source: str = LONG, config: Config | None = None) -> File:
    """A document that has been checked, with what was found kept."""
    file = File(URI, 1, (source,), config or Config())
    assert file.parts.findings
    FoundBefore().keep(file)
    return file


def configured(folder: Path, text: str) -> Config:
    (folder / "memlane.toml").write_text(text)
    config, problems = load_config(folder / "memlane.toml")
    assert problems == ()
    return config


def test_all_is_shown_before_the_text_is_read() -> None:
    before = checked()
    file, shown = opened()
    FoundBefore().show(file)
    assert file.unread
    assert shown == [before.parts.findings]
    assert file.parts.findings == before.parts.findings
    assert len(shown) == 1, "what is in view is among it"


def test_what_the_command_found_is_shown(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (folder / "a.mlir").write_text(LONG)
    for output in ([], ["--output-format", "json"]):
        assert main(["check", "a.mlir", *output]) in (0, 1)
        file, shown = opened()
        FoundBefore().show(file)
        assert shown == [file.parts.findings]
        main(["clean"])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", 'ignore = ["leak"]\n'),
        ('[op."npu.run"]\nread = [0]\n', '[op."npu.run"]\nwrite = [0]\n'),
    ],
)
def test_another_configuration_finds_other_things(folder: Path, before: str, after: str) -> None:
    checked(config=configured(folder, before))
    same, shown = opened(config=configured(folder, before))
    FoundBefore().show(same)
    assert len(shown) == 1
    other, shown = opened(config=configured(folder, after))
    FoundBefore().show(other)
    assert shown == []


def test_a_configuration_that_was_read_before_its_file_changed_is_not_taken_for_the_new_one(folder: Path) -> None:
    old = configured(folder, '[op."npu.run"]\nread = [0]\n')
    new = configured(folder, '[op."npu.run"]\nwrite = [0]\n')
    checked(config=old)
    file, shown = opened(config=new)
    FoundBefore().show(file)
    assert shown == []


def test_another_text_is_another(folder: Path) -> None:
    checked()
    file, shown = opened(LONG + "// new\n")
    FoundBefore().show(file)
    assert shown == []


def test_of_a_short_text_nothing_is_kept(folder: Path) -> None:
    checked(SHORT)
    assert not (folder / "cache").exists()


def test_of_a_text_that_was_read_nothing_is_shown() -> None:
    checked()
    file, shown = opened()
    assert file.parts.findings
    shown.clear()
    file.show = shown.append
    FoundBefore().show(file)
    assert shown == []


def test_who_wants_no_cache_has_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMLANE_NO_CACHE", "1")
    checked()
    assert not (folder / "cache").exists()


def test_a_damaged_entry_is_told_and_is_no_answer(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    checked()
    [entry] = [path for path in (folder / "cache").glob("*/*/*") if path.is_file()]
    entry.write_bytes(entry.read_bytes()[:-10])
    file, shown = opened()
    FoundBefore().show(file)
    assert shown == []
    assert "is damaged" in caplog.text


def test_only_what_is_on_disk_is_kept() -> None:
    session = Session()
    session.open(URI, 1, LONG)
    first = session.file(URI)
    assert first is not None and session.is_on_disk(first)
    session.change(URI, 2, [types.TextDocumentContentChangeWholeDocument(LONG + "// new\n")])
    edited = session.file(URI)
    assert edited is not None and not session.is_on_disk(edited)
    assert session.save(URI) is edited
    assert session.is_on_disk(edited)
