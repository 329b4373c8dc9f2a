"""New files beside those that they were to replace, left there by a process that was killed in between.

Each has a name that nothing else gives, and its writer holds a lock on it, which ends with its process. So one that can
be locked is left over. On systems without such locks, open files cannot be removed.
"""

from __future__ import annotations

import os
import re
import tempfile
from contextlib import suppress
from pathlib import Path

from memlane.lazy import regex
from memlane.results.anchors import open_regular
from memlane.results.limits import MAX_NAME

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

LOCKS = fcntl is not None
_NAME = regex(r"\..*\.memlane-[a-z0-9_]{8}\.new", re.DOTALL)


def new_beside(path: Path) -> tuple[int, Path]:
    """A new file in the folder of `path`, open and locked, that `remove_leftovers` knows."""
    while True:
        number, name = tempfile.mkstemp(".new", f".{path.name[:MAX_NAME]}.memlane-", path.parent)
        if fcntl is None:
            return number, Path(name)
        with suppress(OSError):  # a file system without locks
            fcntl.flock(number, fcntl.LOCK_EX)
        if os.fstat(number).st_nlink:
            return number, Path(name)
        os.close(number)  # taken for one that is left over, before it was locked


def remove_leftovers(folder: Path) -> None:
    """Remove the files of `new_beside` in an anchored folder that are not being written any more."""
    with suppress(OSError):  # nothing depends on it
        for name in filter(_NAME.fullmatch, os.listdir(folder)):
            with suppress(OSError):  # a link, another user's, or being written
                _remove_unlocked(folder / name)


def _remove_unlocked(path: Path) -> None:
    number = open_regular(path)
    try:
        if fcntl is not None:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
    finally:
        os.close(number)
    if fcntl is None:
        path.unlink()  # refused where it is open
