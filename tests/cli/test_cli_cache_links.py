"""A cache that somebody prepared: no link in it or to it is followed, and nothing that is no entry is removed."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from memlane.cli import main
from memlane.results.cache import MAGIC, TAG, user_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links take rights there")
LEAK = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n"
OLD = time.time() - 400 * 24 * 60 * 60
VERSION, PART, ENTRY = "1.0-0123456789ab", "ab", "0" * 62


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, a project with a program and a prepared cache, beside things of the user's."""
    home, folder = tmp_path / "home", tmp_path / "project"
    (home / "sub" / "sub").mkdir(parents=True)
    for name in ("key", f"sub/{ENTRY}", f"sub/sub/{ENTRY}"):
        (home / name).write_bytes(MAGIC + b"precious\n")
        os.utime(home / name, (OLD, OLD))
    cache = folder / ".memlane_cache"
    (cache / VERSION / PART).mkdir(parents=True)
    (cache / "CACHEDIR.TAG").write_text(TAG)
    os.utime(cache / "CACHEDIR.TAG", (OLD, OLD))
    (folder / "a.mlir").write_text(LEAK)
    monkeypatch.chdir(folder)
    monkeypatch.delenv("MEMLANE_NO_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    return folder


def all_of(folder: Path) -> dict[str, tuple[bytes, float]]:
    """The files below a folder: content and time."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path): (path.read_bytes(), path.stat().st_mtime) for path in files}


def run(*options: str) -> int:
    return main(["check", "-q", "-j", "1", "--output-format", "concise", *options, "a.mlir"])


def swap(place: Path, target: Path) -> None:
    """Put a link in the place of a file or folder."""
    place.rename(place.with_name("moved")) if place.exists() else None
    place.symlink_to(target)


LINKS = {
    ".memlane_cache": "home",
    ".memlane_cache/CACHEDIR.TAG": "home/key",
    ".memlane_cache/.gitignore": "home/key",
    f".memlane_cache/{VERSION}": "home/sub",
    f".memlane_cache/{VERSION}/{PART}": "home/sub/sub",
    f".memlane_cache/{VERSION}/{PART}/{ENTRY}": "home/key",
}


@pytest.mark.parametrize("place", LINKS)
@pytest.mark.parametrize("command", [["check"], ["clean"]], ids=" ".join)
def test_no_link_is_followed(folder: Path, place: str, command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    home = folder.parent / "home"
    swap(folder / place, folder.parent / LINKS[place])
    before = all_of(home)
    for _ in range(2):
        if command == ["check"]:
            assert run("--cache-dir", ".memlane_cache") == 1
            assert "never freed" in capsys.readouterr().out
        else:
            assert main(["clean", "--cache-dir", ".memlane_cache"]) in (0, 2)
    assert all_of(home) == before and (folder / place).is_symlink()


def test_dangling_links_make_no_file(folder: Path) -> None:
    for name in ("CACHEDIR.TAG", ".gitignore"):
        (folder / ".memlane_cache" / name).unlink(missing_ok=True)
        (folder / ".memlane_cache" / name).symlink_to(folder.parent / "home" / "new")
    assert run("--cache-dir", ".memlane_cache") == 1
    assert not (folder.parent / "home" / "new").exists()


def test_the_version_of_this_program_as_a_link(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Entries would be written through it."""
    run("--cache-dir", ".memlane_cache")
    [version] = [path for path in (folder / ".memlane_cache").iterdir() if path.is_dir() and path.name != VERSION]
    swap(version, folder.parent / "home" / "sub")
    before = all_of(folder.parent / "home")
    assert run("--cache-dir", ".memlane_cache") == 1
    out, err = capsys.readouterr()
    assert "going on without it" in err and "never freed" in out
    assert all_of(folder.parent / "home") == before


def test_a_folder_on_the_way_is_a_link(folder: Path) -> None:
    (folder / "build").symlink_to(folder.parent / "home")
    before = all_of(folder.parent / "home")
    assert run("--cache-dir", "build/cache") == 1
    assert all_of(folder.parent / "home") == before


def test_only_entries_are_removed(folder: Path) -> None:
    """Regular files with an entry's name and first bytes, which are old."""
    part = folder / ".memlane_cache" / VERSION / PART
    kept = [part / "notes.txt", part / ("1" * 62), part.parent / ENTRY, part.parent.parent / ENTRY]
    for path in kept:
        path.write_bytes(b"precious\n")
    other = part / ("2" * 62)
    other.mkdir()
    os.mkfifo(part / ("3" * 62))
    old, new = part / ENTRY, part / ("4" * 62)
    for path in (old, new):
        path.write_bytes(MAGIC + b"x\n{}")
    for path in (*kept, other, old):
        os.utime(path, (OLD, OLD))
    assert run("--cache-dir", ".memlane_cache") == 1
    assert not old.exists() and new.exists() and all(path.exists() for path in (*kept, other))
    assert main(["clean", "--cache-dir", ".memlane_cache"]) == 2
    assert not new.exists() and all(path.exists() for path in (*kept, other))


def test_entries_that_are_pipes_or_devices(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("--cache-dir", "cache")
    [entry] = [path for path in (folder / "cache").glob("*/*/*") if path.is_file()]
    entry.unlink()
    os.mkfifo(entry)
    assert run("--cache-dir", "cache") == 1
    assert "going on without it" in capsys.readouterr().err


def test_a_prepared_cache_is_not_used_unasked(folder: Path) -> None:
    """It could say that nothing is wrong. What is kept is kept where the user's caches are."""
    before = all_of(folder)
    assert run() == 1
    assert all_of(folder) == before
    kept = [path for path in (folder.parent / "caches" / "memlane").glob("*/*/*") if path.is_file()]
    assert len(kept) == (1 if sys.platform == "linux" else 0)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other folders")
def test_where_the_users_caches_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for said in ("", "relative/folder"):
        monkeypatch.setenv("XDG_CACHE_HOME", said)
        assert user_folder() == tmp_path / ".cache" / "memlane"
    monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")
    assert user_folder() == Path("/elsewhere/memlane")
