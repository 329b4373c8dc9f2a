"""Files that are larger than all memory, or never end: refused with a message, before they are held."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memlane import dumps
from memlane.limits import MAX_BYTES_READ, MAX_SETTINGS_BYTES
from memlane.read_file import lines, read_bytes, read_text, rest
from memlane.syntax import parse
from memlane_server import symbols
from tests.hostile.test_files import run
from tests.hostile.test_writing import LEAK

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="on Windows such a file takes the room it says")
ZERO = Path("/dev/zero")
DEVICE = pytest.mark.skipif(not ZERO.exists(), reason="devices are Unix'")


def sparse(path: Path, size: int) -> None:
    """Make a file that says it is so large, and takes no room."""
    with path.open("wb") as file:
        file.truncate(size)


@pytest.mark.slow
@POSIX
@pytest.mark.parametrize("size", [MAX_BYTES_READ + 1, 1 << 40])
def test_files_larger_than_memory(tmp_path: Path, size: int) -> None:
    (tmp_path / "leak.mlir").write_text(LEAK)
    large = tmp_path / "large.mlir"
    sparse(large, size)
    code, output, errors = run(tmp_path)
    assert (code, errors) == (2, f"memlane: {large}: cannot be read: larger than 2,048 MB\n")
    assert "leak.mlir:2:8: warning[leak]" in output
    for command in (["stats"], ["parse"], ["lanes"], ["diff", str(large)]):
        done = subprocess.run(
            [sys.executable, "-m", "memlane", *command, str(large)], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout) == (2, ""), done
        assert f"{large}: cannot be read: larger than 2,048 MB" in done.stderr


@POSIX
def test_settings_larger_than_memory(tmp_path: Path) -> None:
    (tmp_path / "leak.mlir").write_text(LEAK)
    sparse(tmp_path / "memlane.toml", 1 << 40)
    sparse(tmp_path / ".gitignore", 1 << 40)
    (tmp_path / ".git").mkdir()
    code, output, errors = run(tmp_path)
    assert code == 2 and "warning[leak]" in output
    assert f"cannot read {tmp_path / 'memlane.toml'}: larger than 16 MB" in errors
    assert f"{tmp_path / '.gitignore'}: cannot be read: larger than 16 MB" in errors


@DEVICE
def test_what_never_ends() -> None:
    for endless in (
        lambda: read_bytes(ZERO, 1 << 21),
        lambda: read_text(ZERO, 1 << 21),
        lambda: [*lines(ZERO.open("rb"), 1 << 21)],
        lambda: rest(ZERO.open("rb"), 1 << 21),
    ):
        with pytest.raises(OSError, match="larger than 2 MB"):
            endless()


def test_what_ends_is_read(tmp_path: Path) -> None:
    """Up to the last byte that may be read, whether its size is known or not; ends of lines are newlines in texts."""
    data = b"a\r\nb\rc\n" * 1000
    path = tmp_path / "file"
    path.write_bytes(data)
    assert read_bytes(path, len(data)) == data == rest(io.BytesIO(data), len(data))
    assert read_text(path) == data.decode().replace("\r\n", "\n").replace("\r", "\n") == path.read_text()
    assert [*lines(io.BytesIO(b"ab\ncd\ne"), 3)] == [b"ab\n", b"cd\n", b"e"]
    for refused in (
        lambda: read_bytes(path, len(data) - 1),
        lambda: rest(io.BytesIO(data), len(data) - 1),
        lambda: [*lines(io.BytesIO(b"abc\n"), 3)],
    ):
        with pytest.raises(OSError, match="larger than"):
            refused()
    assert MAX_SETTINGS_BYTES < MAX_BYTES_READ


def test_a_dump_that_never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands before the first header is none, and may be as long as it likes."""
    monkeypatch.setattr(dumps, "MAX_BYTES_READ", 1000)
    header = b"// -----// IR Dump After CSE (cse) //----- //\n"
    before, body = [b"anything\n"] * 1000, [b"module {\n", b"}\n"]
    found = [one.text for one in dumps.dumps([*before, header, *body, header, *body])]
    assert found == ["module {\n}\n"] * 2 and parse(found[0]).problems == ()
    with pytest.raises(OSError, match="larger than"):
        list(dumps.dumps([header, *before]))


@DEVICE
def test_links_to_what_never_ends_are_no_programs(tmp_path: Path) -> None:
    """A repository may hold them; a server that searches it would read for ever."""
    (tmp_path / "leak.mlir").write_text(LEAK)
    (tmp_path / "zero.mlir").symlink_to(ZERO)
    os.mkfifo(tmp_path / "pipe.mlir")
    assert [*symbols.walk(tmp_path)] == [tmp_path / "leak.mlir"]
    assert run(tmp_path)[::2] == (1, "")


@DEVICE
def test_a_folder_of_dumps_with_a_pipe_in_it(tmp_path: Path) -> None:
    (tmp_path / "0_cse.mlir").write_text(LEAK)
    os.mkfifo(tmp_path / "1_cse.mlir")
    (tmp_path / "2_cse.mlir").symlink_to(ZERO)
    assert dumps.files_of(tmp_path) == [tmp_path / "0_cse.mlir"]
