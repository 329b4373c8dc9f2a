"""`--baseline`: what is known is left out, what is new is shown, what is gone is forgotten."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memlane.cli import main

ONE = "func.func @one() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n"
TWO = ONE.replace("one", "two")
CLEAN = "func.func @one() {\n  return\n}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current directory with two leaks in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.mlir").write_text(ONE)
    (tmp_path / "sub" / "b.mlir").write_text(ONE)
    return tmp_path


def check(*arguments: str) -> int:
    return main(["check", "--quiet", "--output-format", "concise", "--baseline", "base.json", *arguments])


def entries(folder: Path) -> dict[str, list[str]]:
    findings = json.loads((folder / "base.json").read_text())["findings"]
    return {program: list(known.values()) for program, known in findings.items()}


def test_life_of_a_baseline(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    leak = "leak: buffer %a of 16 bytes is never freed"
    assert check("--write-baseline") == 0
    assert entries(folder) == {"a.mlir": [leak], "sub/b.mlir": [leak]}

    (folder / "a.mlir").write_text("// moved\n" + ONE + TWO)
    assert check() == 1
    assert capsys.readouterr().out.startswith("a.mlir:7:8: "), "only what is new"
    assert entries(folder) == {"a.mlir": [leak], "sub/b.mlir": [leak]}, "and it is not recorded"

    (folder / "a.mlir").write_text(CLEAN)
    assert check("a.mlir") == 0
    assert entries(folder) == {"sub/b.mlir": [leak]}, "what is gone is forgotten, what was not checked is kept"
    (folder / "a.mlir").write_text(ONE)
    assert check() == 1, "and is new when it comes back"

    monkeypatch.chdir(folder / "sub")
    assert main(["check", "--baseline", "../base.json", "b.mlir"]) == 0, "wherever it is asked from"


def test_programs_that_are_gone_are_forgotten(folder: Path) -> None:
    assert check("--write-baseline") == 0
    (folder / "a.mlir").unlink()
    assert check("sub") == 0
    assert list(entries(folder)) == ["sub/b.mlir"]


def test_a_baseline_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert check() == 2
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 2
    assert err.startswith("memlane: base.json: No such file or directory; make one")


LIST = '{"version": 1, "findings": {"gone.mlir": ["leak"]}}'


@pytest.mark.parametrize("text", ["", "[]", '{"version": 2}', '{"version": 1}', "{", LIST])
def test_a_file_that_is_no_baseline(text: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "base.json").write_text(text)
    assert check() == 2
    assert (folder / "base.json").read_text() == text
    assert "is no baseline" in capsys.readouterr().err


def test_comments_are_not_added_for_what_is_known(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check("--write-baseline") == 0
    assert check("--add-ignore") == 2
    assert "--add-ignore would silence what the baseline knows" in capsys.readouterr().err
    assert (folder / "a.mlir").read_text() == ONE


def test_writing_needs_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--write-baseline"]) == 2
    assert "needs --baseline" in capsys.readouterr().err
