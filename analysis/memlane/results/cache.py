"""The cache of results: what was found in a text, by the text, the configuration and the version.

An entry is a small file named after all that its content depends on, so it never has to be invalidated and never
changes: it is written beside its place and moved there. One that is damaged is reported, ignored and written anew.
Entries that were not used for `MAX_DAYS_UNUSED` days are removed.

It is JSON, not pickle: a folder that comes with a repository must not be able to run code. Nor is such a folder used
unless the user names it: the cache is in the user's own cache folder, for all projects. No link is followed in it, and
only files that begin as entries do are removed.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from pathlib import Path

from memlane import __version__
from memlane.config import Config
from memlane.digest import blake2b
from memlane.findings import Finding, Savings, Suppressed
from memlane.read_file import rest
from memlane.results.anchors import anchored, open_regular
from memlane.results.leftovers import new_beside, remove_leftovers
from memlane.results.limits import MAX_DAYS_UNUSED
from memlane.results.serialize import pack, unpack

SIGNATURE = "Signature: 8a477f597d28d172789f06886806bc55"
"""What https://bford.info/cachedir/ wants at the start of `CACHEDIR.TAG`: backup programs pass such folders over."""
TAG = f"{SIGNATURE}\n# This file is a cache directory tag created by memlane.\n"
_OWN = {"CACHEDIR.TAG": TAG, ".gitignore": "# made by memlane\n*\n"}
"""Files of the folder itself."""
MAGIC = b"memlane cache entry\n"
"""The first bytes of an entry."""
_LEVELS = tuple(map(re.compile, (r"[\w.+-]+-[0-9a-f]{12}", r"[0-9a-f]{2}", r"[0-9a-f]{62}")))
"""Names of folders, of folders in these, and of entries."""
_DAY = 24 * 60 * 60
PEAKS = "peaks"
"""Asked for: which functions could do with less memory. The findings are the same with it and without."""

Found = tuple[tuple[Finding, ...], tuple[Suppressed, ...], Savings]
"""What is found, what comments silence, and which functions could do with far less memory."""


class Cache:
    """Entries below one folder, which is made when the first is written.

    Args:
        tell: gets, in a sentence, what is wrong with the folder, once, and which entries are damaged.
    """

    def __init__(self, folder: Path, tell: Callable[[str], None]) -> None:
        self.folder = folder
        self._tell = tell
        self._complained = False
        self._made = False

    @cached_property
    def _version(self) -> str:
        """The name of the folder of the entries that this version made."""
        return f"{__version__}-{_code()}"

    def get(self, key: str) -> Found | None:
        """The entry of that name, or None."""
        try:
            with self._below(key[:2]) as folder, os.fdopen(open_regular(folder / key[2:]), "rb") as file:
                data = rest(file)
                if data.startswith(MAGIC) and time.time() - os.fstat(file.fileno()).st_mtime > _DAY:
                    _touch(file.fileno())
        except FileNotFoundError:
            return None
        except OSError as error:
            self._complain(f"cannot be read: {error.strerror or error}")
            return None
        try:
            return _decoded(data)
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
            entry = self.folder / self._version / key[:2] / key[2:]
            self._tell(f"cache entry {entry} is damaged: checking anew")
            return None

    def put(self, key: str, found: Found) -> None:
        """Keep an entry. A folder that cannot be written is reported once, and costs nothing but time."""
        try:
            self._make()
            with self._below(key[:2], make=True) as folder:
                _write(folder / key[2:], _encoded(found))
        except OSError as error:
            self._complain(f"cannot be written: {error.strerror or error}")

    @contextmanager
    def _below(self, *names: str, make: bool = False) -> Generator[Path, None, None]:
        """The folder of the entries of this version, or one in it, anchored."""
        top, own = _place(self.folder)
        with anchored(top, (*own, self._version, *names), make) as folder:
            yield folder

    def _make(self) -> None:
        """Make the folder, and once a day remove what is old."""
        if self._made:
            return
        self._made = True
        top, own = _place(self.folder)
        top.mkdir(parents=True, exist_ok=True)
        with anchored(top, own, make=True) as folder:
            for name, text in _OWN.items():
                with suppress(FileExistsError):
                    number = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
                    with os.fdopen(number, "w", encoding="utf-8") as file:
                        file.write(text)
            if _due(folder):
                _prune(folder, (), time.time() - MAX_DAYS_UNUSED * _DAY)

    def _complain(self, what: str) -> None:
        if not self._complained:
            self._complained = True
            self._tell(f"cache {self.folder} {what}; going on without it")


def cache_key(text: str, config: Config, asked: Sequence[str] = ()) -> str:
    """The name of the entry of a text under a configuration.

    Args:
        text: its `text_digest`.
        asked: what else was looked for.
    """
    settings = repr(sorted(config.values.items()))
    parts = (json.dumps(list(asked)), config.digest, settings, text)
    return _digest(*(part.encode("utf-8", "surrogatepass") for part in parts))


def text_digest(source: str) -> str:
    """What stands for a text in the names of its entries."""
    return _digest(source.encode("utf-8", "surrogatepass"))


def cache_folder(asked: Path | None = None) -> Path | None:
    """Where results are kept: as asked, as `MEMLANE_CACHE_DIR` says, or in the user's cache folder; None: no home."""
    said = os.environ.get("MEMLANE_CACHE_DIR")
    return asked or (Path(said) if said else user_folder())


def is_off() -> bool:
    """Whether the user wants no results to be kept: `MEMLANE_NO_CACHE` is set."""
    return bool(os.environ.get("MEMLANE_NO_CACHE"))


def user_folder() -> Path | None:
    """Where the system keeps caches of this user; None: the user has no home."""
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "memlane" / "Cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "memlane"
    said = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (said if said.is_absolute() else home / ".cache") / "memlane"


def clean(folder: Path) -> bool:
    """Remove a cache; whether there was one.

    Raises:
        ValueError: the folder has no tag of ours, or holds something else, which is left.
        OSError: it cannot be removed, or is a link.
    """
    if not os.path.lexists(folder):
        return False
    top, own = _place(folder)
    with anchored(top, own) as inside:
        if _text(inside / "CACHEDIR.TAG") != TAG:
            raise ValueError(f"{folder} is no cache of memlane")
        _prune(inside, (), None)
        for name, text in _OWN.items():
            if _text(inside / name) == text:
                (inside / name).unlink()
        left = sorted(os.listdir(inside))
    if left:
        raise ValueError(f"{folder} holds {left[0]}, which does not belong to the cache and is kept")
    folder.rmdir()
    return True


def _place(folder: Path) -> tuple[Path, tuple[str, ...]]:
    """The folder from which on no link is followed on the way to a cache, and the names on this way."""
    if folder.is_absolute() or ".." in folder.parts or not folder.parts:
        folder = folder.absolute()
        return folder.parent, (folder.name,)
    return Path.cwd(), folder.parts


def _write(path: Path, data: bytes) -> None:
    """Put an entry at an anchored path. It is not flushed: one that is lost is written anew."""
    number, beside = new_beside(path)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def _encoded(found: Found) -> bytes:
    data = json.dumps(pack(*found), separators=(",", ":")).encode()
    return MAGIC + _digest(data).encode() + b"\n" + data


def _decoded(data: bytes) -> Found:
    digest, _, packed = data.removeprefix(MAGIC).partition(b"\n")
    if not data.startswith(MAGIC) or digest.decode("ascii", "replace") != _digest(packed):
        raise ValueError("not what was written")
    return unpack(json.loads(packed))


def _digest(*parts: bytes) -> str:
    """A hash of some parts, and of where they end."""
    hashed = blake2b(digest_size=32)
    for part in parts:
        hashed.update(len(part).to_bytes(8, "little"))
        hashed.update(part)
    return hashed.hexdigest()


def _touch(number: int) -> None:
    """Remember that an open file was used now."""
    with suppress(OSError):  # the file may be another user's
        os.utime(number)


def _text(path: Path) -> str | None:
    """The contents of one of the folder's own files; None for other files."""
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            return file.read(len(TAG) + 1).decode("utf-8", "replace")
    except OSError:
        return None


def _due(folder: Path) -> bool:
    """Whether a day has passed since old entries were removed; remembers that they are now. No: without our tag."""
    try:
        with os.fdopen(open_regular(folder / "CACHEDIR.TAG"), "rb") as file:
            if file.read(len(TAG) + 1) != TAG.encode() or time.time() - os.fstat(file.fileno()).st_mtime <= _DAY:
                return False
            os.utime(file.fileno())
    except OSError:
        return False
    return True


def _prune(top: Path, names: tuple[str, ...], before: float | None) -> None:
    """Remove the entries below `top` that were last used before that time, and folders without any. None: all."""
    with suppress(OSError), anchored(top, names) as folder:
        level = len(names)
        remove_leftovers(folder)
        for name in filter(_LEVELS[level].fullmatch, os.listdir(folder)):
            if level < len(_LEVELS) - 1:
                _prune(top, (*names, name), before)
                with suppress(OSError):  # it holds something, or is no folder
                    (folder / name).rmdir()
            elif _is_entry(folder / name, before):
                (folder / name).unlink()


def _is_entry(path: Path, before: float | None) -> bool:
    """Whether there is an entry at an anchored path, last used before that time."""
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            used = os.fstat(file.fileno()).st_mtime
            return (before is None or used < before) and file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


@cache
def _code() -> str:
    """A mark of the program itself: two checkouts that call themselves one version may find different things."""
    package = Path(__file__).resolve().parent.parent
    files = sorted(path for path in package.rglob("*") if path.suffix in (".py", ".toml", ".lark", ".txt", ".json"))
    stats = [(path.relative_to(package).as_posix(), path.stat()) for path in files]
    text = "\n".join(f"{name} {stat.st_size} {stat.st_mtime_ns}" for name, stat in stats)
    return _digest(text.encode())[:12]
