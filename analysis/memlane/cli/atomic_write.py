"""Replacing the content of a file so that nothing is lost: at any moment it has all of the old or all of the new text.

The new text is written beside the file, flushed to the disk and moved into its place. Where that cannot be (a folder
that takes no new files, a file that was named and has several names, or an owner who would be lost) it is written into
the file itself, and what was there is put back when that fails.

Nothing is written outside the folder that was named, whatever links lead there. A file that was found in a folder and
has several names gets a content of its own: the others may be anywhere.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
import stat
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from memlane.results.anchors import anchored, open_regular
from memlane.results.leftovers import LOCKS, new_beside, remove_leftovers
from memlane.signals import SIGNALS

_cleared: set[Path] = set()
"""Folders in which this process has looked for what others left behind."""


def replace_content(path: Path, data: bytes, within: Path | None = None, before: bytes | None = None) -> None:
    """Make `data` the content of `path`, which may be new. Symbolic links stay, and so do mode, owner and hard links.

    Args:
        path: where links lead to another file, that one is written.
        data: the content.
        within: the folder in which the file was found; None: the file itself was named.
        before: the content that it has; one that has another is left alone.

    Raises:
        Changed: it has another content than `before`.
        OSError: it cannot be written, or a link leads out of `within`; the file is as it was.
    """
    real = _real(path)
    top = within.resolve() if within is not None else real.parent
    if not real.is_relative_to(top):
        raise _leads_out(path, within or top)
    try:
        with _undisturbed(), anchored(top, real.relative_to(top).parts[:-1]) as folder:
            if real.parent not in _cleared:
                _cleared.add(real.parent)
                remove_leftovers(folder)
            _Target(real, folder / real.name, within is None).replace(data, before)
    except OSError as error:
        raise _about(path, error) from None


def write_output(path: Path, text: str, make: bool = False) -> None:
    """Make `text` the content of a file that the command line names for output. `make`: folders that lack, too.

    A link at its place is followed only as far as it stays below the current folder, or in the folder of the path
    where that is elsewhere: a link in a folder from another person may lead to a file that the user does not mean.

    Raises:
        OSError: it cannot be written; the file is as it was. `filename` is its path.
    """
    data = text.encode("utf-8", "backslashreplace")
    try:
        if _is_stream(path):
            with path.open("wb") as stream:
                stream.write(data)
            return
        real, top = _real(path), _folder_meant(path)
        below = real.relative_to(top).parts if real.is_relative_to(top) else None
        if below is None:
            raise _leads_out(path, top)
        if make:
            top.mkdir(parents=True, exist_ok=True)
            with anchored(top, below[:-1], make=True):
                pass  # the folders are there
        replace_content(real, data, top)
    except OSError as error:
        raise _about(path, error) from None


class Changed(Exception):
    """The file was changed since it was read."""


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except RuntimeError:  # what links that lead to each other are until Python 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None


def _is_stream(path: Path) -> bool:
    """Whether what is written there goes on to somewhere: a pipe, a terminal, `/dev/stdout`."""
    if path.is_absolute() and path.parts[1:2] in (("dev",), ("proc",)):
        return True
    return os.path.lexists(path) and not path.is_symlink() and not path.is_file() and not path.is_dir()


def _folder_meant(path: Path) -> Path:
    """The folder in which a file for output is meant to be, without links."""
    here = Path.cwd()
    inside = ".." not in path.parts and (here / path).is_relative_to(here)
    return here.resolve() if inside else path.parent.resolve()


def _leads_out(path: Path, top: Path) -> OSError:
    return OSError(errno.ELOOP, f"a link leads out of {top}; name what it leads to if that is meant", str(path))


def _about(path: Path, error: OSError) -> OSError:
    """The same error, said of the path that the user knows."""
    return OSError(error.errno, error.strerror or str(error), str(path))


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


class _Target:
    """A file to be replaced.

    Args:
        real: its path, without links.
        path: the same, anchored.
        named: the user named this very file, so that all its names are meant.
    """

    def __init__(self, real: Path, path: Path, named: bool) -> None:
        self._real = real
        self._path = path
        self._named = named

    def replace(self, data: bytes, before: bytes | None) -> None:
        """Give it another content."""
        status = self._path.lstat() if os.path.lexists(self._path) else None
        if before is not None and self._content() != before:
            raise Changed
        if status is not None and stat.S_ISLNK(status.st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))  # it was none when links were followed
        if status is not None and not os.access(self._real, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))  # a move would not mind
        if status is not None and self._named and (status.st_nlink > 1 or not stat.S_ISREG(status.st_mode)):
            self._overwrite(data)
            return
        if not self._moved(data, status):
            self._overwrite(data)

    def _moved(self, data: bytes, before: os.stat_result | None) -> bool:
        """Put a new file into its place; False: that may not be, and the file can be written itself."""
        try:
            number, beside = new_beside(self._path)
        except PermissionError:
            if before is None or before.st_nlink > 1:
                raise
            return False
        try:
            with os.fdopen(number, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
                if not self._dressed(beside, before):
                    _remove(beside)
                    return False
                if LOCKS:  # so that it stays locked as long as it has this name
                    os.replace(beside, self._path)
            if not LOCKS:  # where what is open cannot be moved
                os.replace(beside, self._path)
        except BaseException:
            _remove(beside)
            raise
        _flush_folder(self._path.parent)
        return True

    def _content(self) -> bytes:
        with os.fdopen(open_regular(self._path), "rb") as file:
            return file.read()

    def _dressed(self, name: Path, before: os.stat_result | None) -> bool:
        """Give the new file what the old one has beside its content; False: it cannot have its owner."""
        if before is None:
            os.chmod(name, 0o666 & ~_umask())
            return True
        shutil.copystat(self._path, name)
        os.utime(name)
        now = os.stat(name)
        if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
            try:
                os.chown(name, before.st_uid, before.st_gid)
            except PermissionError:  # not ours to give away
                return False
            os.chmod(name, stat.S_IMODE(before.st_mode))  # giving away takes set-user-id bits
        return True

    def _overwrite(self, data: bytes) -> None:
        """Write into the file itself; its own blocks are there for what has to be put back."""
        if not self._path.is_file():  # a device that was named
            with open(self._path, "wb", buffering=0) as stream:
                _write(stream.fileno(), data)
            return
        with os.fdopen(open_regular(self._path, os.O_RDWR), "r+b", buffering=0) as file:
            old = file.read()
            file.seek(0)
            try:
                _write(file.fileno(), data)
                file.truncate(len(data))
            except BaseException:
                file.seek(0)
                _write(file.fileno(), old)
                file.truncate(len(old))
                raise
            os.fsync(file.fileno())


def _write(number: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(number, view) :]


def _remove(path: Path) -> None:
    with suppress(OSError):  # the error being raised matters more
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
