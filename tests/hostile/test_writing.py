"""`--fix` and a disk, a folder or a file that will not have it: the original survives, with its mode and its names."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from memlane.cli import main
from memlane.cli.atomic_write import replace_content

LATE = (
    "func.func @f(%x: f32, %i: index) {\n  %a = memref.alloc() : memref<4xf32>\n  memref.store %x, %a[%i] : "
    "memref<4xf32>\n  %y = arith.addf %x, %x : f32\n  %z = arith.addf %y, %x : f32\n"
    "  memref.dealloc %a : memref<4xf32>\n  return\n}\n"
)
LEAK = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n"


@pytest.fixture
def late(tmp_path: Path) -> Path:
    path = tmp_path / "late.mlir"
    path.write_text(LATE)
    return path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def fix(path: Path) -> int:
    return main(["check", "--fix", "--no-cache", "-q", str(path)])


def test_mode_links_and_other_names_are_kept(late: Path, tmp_path: Path) -> None:
    late.chmod(0o640)
    link, other = tmp_path / "link.mlir", tmp_path / "other.mlir"
    link.symlink_to(late)
    assert fix(link) == 0
    assert link.is_symlink() and late.read_text() != LATE
    assert stat.S_IMODE(late.stat().st_mode) == 0o640
    late.write_text(LATE)
    os.link(late, other)
    assert fix(late) == 0
    assert other.read_text() == late.read_text() != LATE and late.stat().st_nlink == 2
    assert names(tmp_path) == ["late.mlir", "link.mlir", "other.mlir"]


class FullDisk:
    """Writing fails after some bytes."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.write = os.write

    def __call__(self, number: int, data: memoryview) -> int:
        taken = min(self.room, len(data))
        if not taken:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.room -= taken
        return self.write(number, data[:taken])


@pytest.mark.parametrize("room", [0, 1, 100])
def test_full_disk_under_a_file_of_two_names(
    late: Path, tmp_path: Path, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is written in place; what was there is put back into its own blocks, which takes no room."""
    os.link(late, tmp_path / "other.mlir")
    full, old = FullDisk(room), LATE.encode()

    def once(number: int, data: memoryview) -> int:
        return full.write(number, data) if bytes(data) == old[-len(data) :] else full(number, data)

    monkeypatch.setattr(os, "write", once)
    with pytest.raises(OSError, match="No space left"):
        replace_content(late, b"new content, " * 30)
    assert late.read_bytes() == old


FULL = """\
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
sys.dont_write_bytecode = True  # what is compiled would be cut off, for all processes after this one
resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
from memlane.cli import main
sys.exit(main(["check", "--fix", "--no-cache", "-q", sys.argv[1]]))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="limits of file sizes are Unix'")
@pytest.mark.parametrize("linked", [False, True])
def test_full_disk_under_fix(late: Path, tmp_path: Path, linked: bool) -> None:
    """No file may grow beyond 100 bytes: the kernel fails the write, as on a full disk."""
    if linked:
        os.link(late, tmp_path / "other.mlir")
    before = names(tmp_path)
    done = subprocess.run([sys.executable, "-c", FULL, str(late)], capture_output=True, text=True, check=False)
    assert late.read_text() == LATE
    assert done.returncode == 2
    assert done.stderr == f"memlane: {late}: cannot be written, and is as it was: File too large\n"
    assert names(tmp_path) == before


def test_full_file_system(late: Path, tmp_path: Path) -> None:
    """The same with a file system that has no room left, where one may be mounted."""
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "none", str(small)]
    if sys.platform != "linux" or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting a file system needs more rights")
    try:
        path = small / "late.mlir"
        path.write_text(LATE + "// " + "x" * 9000 + "\n")
        before = path.read_bytes()
        (small / "filler").write_bytes(b"x" * 4096)
        assert fix(path) == 2
        assert path.read_bytes() == before and names(small) == ["filler", "late.mlir"]
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_folder_that_takes_no_new_files(late: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file itself may be written: it is, in place. (As root every folder takes files, so the refusal is made.)"""

    def refused(*_: object) -> object:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(tempfile, "mkstemp", refused)
    inode = late.stat().st_ino
    assert fix(late) == 0
    assert late.read_text() != LATE and late.stat().st_ino == inode


def test_file_that_may_not_be_written(
    late: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Moving another into its place would work, and is not what its owner wants."""
    late.chmod(0o400)
    real = late.resolve()

    def forbidden(path: Path, mode: int) -> bool:
        return path != real or mode != os.W_OK

    monkeypatch.setattr(os, "access", forbidden)
    assert fix(late) == 2
    assert late.read_text() == LATE
    assert capsys.readouterr().err == f"memlane: {late}: cannot be written, and is as it was: Permission denied\n"


def test_file_changed_while_it_is_checked(
    late: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What somebody saved meanwhile is not lost."""
    from memlane.cli import repair

    checked = repair.Repair.checked

    def slow(self: repair.Repair, source: str, config: object) -> object:
        late.write_text(LEAK)
        return checked(self, source, config)  # pyright: ignore[reportArgumentType] -- passed on as it came

    monkeypatch.setattr(repair.Repair, "checked", slow)
    assert fix(late) == 2
    assert late.read_text() == LEAK
    assert "was changed while it was checked, and is left alone" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send itself Ctrl-C there")
@pytest.mark.parametrize("step", [(tempfile, "mkstemp"), (os, "fsync"), (os, "replace")])
def test_interrupts_wait_for_the_file(
    late: Path, tmp_path: Path, step: tuple[object, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C before and after a step of writing: the file is written, nothing is left beside it, and then all ends."""
    done = getattr(*step)

    def interrupted(*args: object, **options: object) -> object:
        os.kill(os.getpid(), signal.SIGINT)
        found = done(*args, **options)
        os.kill(os.getpid(), signal.SIGINT)
        return found

    monkeypatch.setattr(step[0], step[1], interrupted)
    with pytest.raises(KeyboardInterrupt):
        replace_content(late, b"new\n")
    assert late.read_bytes() == b"new\n"
    assert names(tmp_path) == ["late.mlir"]


@pytest.mark.slow
def test_nothing_is_left_behind_by_a_kill(tmp_path: Path) -> None:
    """Killed at any moment of `--fix`, each file has all of its old or all of its new text."""
    files = [tmp_path / f"{number}.mlir" for number in range(12)]
    for path in files:
        path.write_text(LATE)
    fixed = LATE.replace("  memref.dealloc %a : memref<4xf32>\n", "").replace(
        "  %y =", "  memref.dealloc %a : memref<4xf32>\n  %y ="
    )
    for delay in (0.3, 0.4, 0.5, 0.6):
        process = subprocess.Popen(
            [sys.executable, "-m", "memlane", "check", "--fix", "--no-cache", "-q", "-j", "1", str(tmp_path)],
            stdout=subprocess.DEVNULL,
        )
        time.sleep(delay)
        process.kill()
        process.wait()
        assert {path.read_text() for path in files} <= {LATE, fixed}
