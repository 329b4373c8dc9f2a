"""The cache: what it gives back is what would be found anew, whatever is done to it."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

import memlane.checking
from memlane.checking import check
from memlane.cli import main
from memlane.config import Config
from memlane.findings import Saving, Savings
from memlane.fixes import with_fixes
from memlane.results.cache import MAGIC, TAG
from memlane.results.serialize import pack, unpack

EXAMPLES = sorted((Path(__file__).resolve().parent.parent.parent / "examples").glob("*.mlir"))
SAVINGS = Savings((Saving("main", 4096, 1024, True), Saving("other", 64, 0, False)), 3)
LEAK = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current directory with a program and a configuration, and a cache that is on."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MEMLANE_NO_CACHE")
    monkeypatch.setenv("MEMLANE_CACHE_DIR", ".memlane_cache")
    (tmp_path / "memlane.toml").write_text("")
    (tmp_path / "a.mlir").write_text(LEAK)
    return tmp_path


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are analysed."""
    seen: list[str] = []
    real = memlane.checking.check

    def counted(source: str, config: Config | None = None) -> memlane.checking.Checked:
        seen.append(source)
        return real(source, config)

    monkeypatch.setattr(memlane.checking, "check", counted)
    return seen


def run(*arguments: str) -> int:
    return main(["check", "--quiet", "--output-format", "concise", "--jobs", "1", *arguments])


def entries(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / ".memlane_cache").glob("*/*/*") if path.is_file())


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_nothing_is_lost(path: Path) -> None:
    checked = with_fixes(check(path.read_text(encoding="utf-8")))
    packed = json.loads(json.dumps(pack(checked.findings, checked.suppressed, SAVINGS)))
    assert unpack(packed) == (checked.findings, checked.suppressed, SAVINGS)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["full", "json", "sarif"])
def test_the_second_run_says_the_same_and_analyses_nothing(
    form: str, checks: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [str(path) for path in EXAMPLES]
    outputs: list[str] = []
    for _ in range(2):
        assert run(*paths, "--show-fixes", "--output-format", form) == 1
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1] != ""
    assert len(checks) >= len(paths)
    before = len(checks)
    assert run(*paths, "--show-fixes") == 1
    assert len(checks) == before


def test_an_entry_depends_on_all_that_decides(folder: Path, checks: list[str]) -> None:
    (folder / "models.toml").write_text("")
    changes = [
        ("a.mlir", LEAK.replace("4xf32", "5xf32"), ()),
        ("memlane.toml", 'ignore = ["late-free"]', ()),
        ("memlane.toml", 'per-file-ignores = { "a.mlir" = ["late-free"] }', ()),
        ("memlane.toml", 'models = ["models.toml"]', ()),
        ("models.toml", '[op."npu.run"]\nread = [0]\n', ()),
        ("models.toml", "", ("--config", 'op."npu.run".read = [0]')),
        ("models.toml", "", ("--select", "leak")),
        ("models.toml", "", ("--error", "leak")),
        ("models.toml", "", ("--isolated",)),
    ]
    run("a.mlir")
    assert len(checks) == 1
    for number, (name, text, arguments) in enumerate(changes, 2):
        (folder / name).write_text(text)
        for _ in range(2):
            run("a.mlir", *arguments)
        assert len(checks) == number, (name, text, arguments)


def test_the_name_of_a_file_does_not_matter(
    folder: Path, checks: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    run("a.mlir")
    (folder / "a.mlir").rename(folder / "b.mlir")
    capsys.readouterr()
    assert run("b.mlir") == 1
    assert capsys.readouterr().out.startswith("b.mlir:2:8: warning[leak]")
    assert len(checks) == 1


@pytest.mark.parametrize("damage", [b"", b"{}", b"\xff\xfe\n{}", b"0" * 64 + b'\n{"findings": []}', MAGIC, None])
def test_a_damaged_entry_is_told_and_written_anew(
    damage: bytes | None, folder: Path, checks: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    run("a.mlir")
    (entry,) = entries(folder)
    good = entry.read_bytes()
    entry.write_bytes(good.replace(b"never freed", b"never feeed") if damage is None else damage)
    capsys.readouterr()
    assert run("a.mlir") == 1
    out, err = capsys.readouterr()
    assert "never freed" in out
    assert "is damaged: checking anew" in err
    assert entry.read_bytes() == good
    assert len(checks) == 2


def test_the_folder_says_what_it_is(folder: Path) -> None:
    run("a.mlir")
    assert (folder / ".memlane_cache" / "CACHEDIR.TAG").read_text() == TAG
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True, timeout=600)
    command = ["git", "-C", str(folder), "status", "--porcelain", "--untracked-files=all"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600).stdout.split()
    assert listed == ["??", "a.mlir", "??", "memlane.toml"]


def test_without_a_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("a.mlir", "--no-cache")
    monkeypatch.setenv("MEMLANE_NO_CACHE", "1")
    run("a.mlir")
    assert not (folder / ".memlane_cache").exists()


def test_another_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("a.mlir", "--cache-dir", "one")
    monkeypatch.setenv("MEMLANE_CACHE_DIR", "two")
    run("a.mlir")
    assert {path.name for path in folder.iterdir() if path.is_dir()} == {"one", "two"}


def test_a_folder_that_cannot_be_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / ".memlane_cache").write_text("in the way")
    (folder / "b.mlir").write_text(LEAK.replace("@f", "@g"))
    assert run("a.mlir", "b.mlir") == 1
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 2
    assert len(err.splitlines()) == 1
    assert "going on without it" in err


@pytest.mark.parametrize(("days", "stays"), [(29.9, True), (30.1, False)])
def test_entries_that_were_not_used_for_a_month_go(folder: Path, days: float, stays: bool) -> None:
    run("a.mlir")
    (old,) = entries(folder)
    long_ago = time.time() - days * 24 * 60 * 60
    for path in (old, folder / ".memlane_cache" / "CACHEDIR.TAG"):
        os.utime(path, (long_ago, long_ago))
    (folder / "b.mlir").write_text(LEAK.replace("@f", "@g"))
    run("b.mlir")
    assert len(entries(folder)) == 1 + stays
    assert (old in entries(folder)) == stays


def test_an_entry_that_is_asked_for_stays(folder: Path) -> None:
    run("a.mlir")
    (old,) = entries(folder)
    long_ago = time.time() - 40 * 24 * 60 * 60
    for path in (old, folder / ".memlane_cache" / "CACHEDIR.TAG"):
        os.utime(path, (long_ago, long_ago))
    (folder / "b.mlir").write_text(LEAK.replace("@f", "@g"))
    run("a.mlir", "b.mlir")
    assert old in entries(folder)
    assert len(entries(folder)) == 2


def test_fixes_are_made_whatever_is_known(folder: Path) -> None:
    run("a.mlir")
    assert main(["check", "--quiet", "--fix", "a.mlir"]) == 0
    assert "memref.dealloc" in (folder / "a.mlir").read_text()
    assert main(["check", "--quiet", "--fix", "a.mlir"]) == 0


def test_several_processes_write_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(8):
        (folder / f"{number}.mlir").write_text(LEAK.replace("@f", f"@f{number % 4}"))
    outputs: list[str] = []
    for _ in range(2):
        run(".", "--jobs", "3")
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    assert len(entries(folder)) == 5


def test_clean(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("a.mlir")
    capsys.readouterr()
    assert main(["clean"]) == 0
    assert capsys.readouterr().out.startswith("Removed ")
    assert not (folder / ".memlane_cache").exists()
    assert main(["clean"]) == 0
    assert capsys.readouterr().out.startswith("No cache in ")
    assert main(["clean", "--cache-dir", str(folder)]) == 2
    assert capsys.readouterr().err.endswith(" is no cache of memlane\n")
    assert (folder / "a.mlir").exists()
