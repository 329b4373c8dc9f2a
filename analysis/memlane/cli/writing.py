"""Replacing the content of a file so that nothing is lost: at any moment it has all of the old or all of the new text.

The new text is written beside the file, flushed to the disk and moved into its place. Where that cannot be (a folder
that takes no new files, a file that has several names, or an owner who would be lost) it is written into the file
itself, and what was there is put back when that fails.
"""

from __future__ import annotations

import os
import shutil
import signal
import stat
import tempfile
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from memlane.endings import SIGNALS


def replace_content(path: Path, data: bytes) -> None:
    """Make `data` the content of `path`, which may be new. Symbolic links stay, and so do mode, owner and hard links.

    Raises:
        OSError: it cannot be written; the file is as it was.
    """
    path = path.resolve()
    with _undisturbed():
        _replace(path, data)


@contextmanager
def _undisturbed() -> Generator[None, None, None]:
    """Ctrl-C and the like take effect when the file is written: in between they would leave something behind."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    if None in before.values() or threading.current_thread() is not threading.main_thread():
        yield  # the signals are not ours
        return
    caught: list[int] = []
    for number in SIGNALS:
        signal.signal(number, lambda number, _: caught.append(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in caught[:1]:
            signal.raise_signal(number)


def _replace(path: Path, data: bytes) -> None:
    before = path.stat() if path.exists() else None
    if before is not None and not os.access(path, os.W_OK):
        raise PermissionError(13, "Permission denied", str(path))  # a move would not mind
    if before is not None and (before.st_nlink > 1 or not stat.S_ISREG(before.st_mode)):
        _overwrite(path, data)
        return
    try:
        beside = _beside(path, data, before)
    except PermissionError:
        if before is None:
            raise
        _overwrite(path, data)
        return
    try:
        os.replace(beside, path)
    except BaseException:
        _remove(beside)
        raise
    _flush_folder(path.parent)


def _beside(path: Path, data: bytes, before: os.stat_result | None) -> Path:
    """A new file in the same folder that has the content, flushed, with mode and owner of the old one."""
    number, name = tempfile.mkstemp(".new", f".{path.name[:100]}.", path.parent)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if before is None:
            os.chmod(name, 0o666 & ~_umask())
        else:
            shutil.copystat(path, name)
            os.utime(name)
            now = os.stat(name)
            if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
                os.chown(name, before.st_uid, before.st_gid)  # not ours to give away: PermissionError
                os.chmod(name, stat.S_IMODE(before.st_mode))  # giving away takes set-user-id bits
    except BaseException:
        _remove(Path(name))
        raise
    return Path(name)


def _overwrite(path: Path, data: bytes) -> None:
    """Write into the file itself; its own blocks are there for what has to be put back."""
    old = path.read_bytes() if path.is_file() else None
    with open(path, "r+b" if old is not None else "wb", buffering=0) as file:
        try:
            _write(file.fileno(), data)
            file.truncate(len(data)) if old is not None else None
        except BaseException:
            if old is not None:
                file.seek(0)
                _write(file.fileno(), old)
                file.truncate(len(old))
            raise
        if old is not None:
            os.fsync(file.fileno())


def _write(number: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(number, view) :]


def _remove(path: Path) -> None:
    with suppress(OSError):  # what matters is told by the error under way
        path.unlink()


def _flush_folder(folder: Path) -> None:
    """So that the move itself survives a loss of power; systems that cannot do that do without."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
