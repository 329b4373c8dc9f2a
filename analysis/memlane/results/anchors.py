"""Folders that stay what they are while files in them are written, whatever links take the place of their names.

A path is looked up name by name at each use, so that a folder in its middle may have become a link to somewhere else
since it was checked. An anchor is a path that begins at an open folder instead. Linux has such paths; elsewhere the
folder is checked once, just before.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

_OPEN = Path("/proc/self/fd")
"""Each open file of this process, as a path."""
_FOLDER = getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


@contextmanager
def anchored(top: Path, names: Sequence[str] = (), make: bool = False) -> Generator[Path, None, None]:
    """A path of the folder that is reached from `top` by `names`, none of which is a link. `make`: those that lack.

    Raises:
        OSError: there is no such folder, or one of the names is a link.
    """
    if not _OPEN.is_dir():  # no Linux
        yield _checked(top, names, make)
        return
    number = os.open(top, os.O_RDONLY | _FOLDER)
    try:
        for name in names:
            number = _entered(number, name, make)
        yield _OPEN / str(number)
    finally:
        os.close(number)


def _entered(number: int, name: str, make: bool) -> int:
    """The folder `name` in an open one, which is closed where that is found."""
    if make:
        with suppress(FileExistsError):  # whether it is a folder shows when it is opened
            os.mkdir(name, dir_fd=number)
    found = os.open(name, os.O_RDONLY | _FOLDER | _NO_LINK, dir_fd=number)
    os.close(number)
    return found


def _checked(top: Path, names: Sequence[str], make: bool) -> Path:
    for name in names:
        top = top / name
        if make and not os.path.lexists(top):
            top.mkdir()
        if not stat.S_ISDIR(top.lstat().st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(top))
    return top


def open_regular(path: Path, flags: int = os.O_RDONLY) -> int:
    """The number of the file at an anchored path, opened.

    Raises:
        OSError: the file does not exist, or it is a link, a pipe or another kind of irregular file.
    """
    if not _NO_LINK and stat.S_ISLNK(path.lstat().st_mode):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    without_wait = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    number = os.open(path, flags | _NO_LINK | without_wait)
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise OSError(errno.EINVAL, "no regular file", str(path))
    return number
