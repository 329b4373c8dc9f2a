"""The cache of `memlane check`: what was found in a text, by the text, the configuration and the version.

An entry is a small file named after all that its content depends on, so it never has to be invalidated and never
changes: it is written beside its place and moved there. One that is damaged is told, ignored and written anew. Entries
nobody asked for in `KEPT` days go. It is JSON, not pickle: a folder that comes with a repository must not be able
to run code.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from memlane import __version__
from memlane.cli.packing import pack, unpack
from memlane.cli.telling import tell
from memlane.config import Config
from memlane.contents import read_bytes
from memlane.digest import blake2b
from memlane.findings import Finding, Suppressed

NAME = ".memlane_cache"
SIGNATURE = "Signature: 8a477f597d28d172789f06886806bc55"
"""What https://bford.info/cachedir/ wants at the start of `CACHEDIR.TAG`: backup programs pass such folders over."""
TAG = f"{SIGNATURE}\n# This file is a cache directory tag created by memlane.\n"
KEPT = 30
"""Days."""
_DAY = 24 * 60 * 60

Found = tuple[tuple[Finding, ...], tuple[Suppressed, ...]]
"""What is found, and what comments silence."""


class Cache:
    """Entries below one folder.

    Args:
        folder: made when the first entry is written.
        asked: what the results depend on besides text and configuration files: options of the command line.
    """

    def __init__(self, folder: Path, asked: Sequence[str]) -> None:
        self.folder = folder
        self._entries = folder / f"{__version__}-{_code()}"
        self._asked = json.dumps(list(asked))
        self._files: dict[tuple[Path, ...], str] = {}
        self._complained = False
        self._made = False

    def key(self, source: str, config: Config) -> str:
        """The name of the entry of a text under a configuration."""
        if config.files not in self._files:
            read = [(str(path.absolute()).encode("utf-8", "surrogateescape"), _content(path)) for path in config.files]
            self._files[config.files] = _digest(*(part for both in read for part in both))
        settings = repr(sorted(config.values.items()))
        parts = (self._asked, self._files[config.files], settings, source)
        return _digest(*(part.encode("utf-8", "surrogatepass") for part in parts))

    def get(self, key: str) -> Found | None:
        """The entry of that name; None: there is none."""
        path = self._path(key)
        try:
            data = read_bytes(path)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._complain(f"cannot be read: {error.strerror or error}")
            return None
        try:
            found = _decoded(data)
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
            tell(f"cache entry {path} is damaged: checking anew")
            return None
        _touch(path)
        return found

    def put(self, key: str, found: Found) -> None:
        """Keep an entry. A folder that cannot be written is told once, and costs nothing but time."""
        path = self._path(key)
        beside = path.with_name(f"{path.name}.{os.getpid()}.new")
        try:
            self._make()
            path.parent.mkdir(exist_ok=True)
            beside.write_bytes(_encoded(found))
            os.replace(beside, path)
        except OSError as error:
            self._complain(f"cannot be written: {error.strerror or error}")

    def _path(self, key: str) -> Path:
        return self._entries / key[:2] / key[2:]

    def _make(self) -> None:
        """Make the folder, and once a day throw out what is old."""
        if self._made:
            return
        self._made = True
        self._entries.mkdir(parents=True, exist_ok=True)
        for name, text in (("CACHEDIR.TAG", TAG), (".gitignore", "# made by memlane\n*\n")):
            if not (self.folder / name).exists():
                (self.folder / name).write_text(text, encoding="utf-8")
        tag = self.folder / "CACHEDIR.TAG"
        if time.time() - tag.stat().st_mtime > _DAY:
            os.utime(tag)
            _prune(self.folder, time.time() - KEPT * _DAY)

    def _complain(self, what: str) -> None:
        if not self._complained:
            self._complained = True
            tell(f"cache {self.folder} {what}; going on without it")


def clean(folder: Path) -> bool:
    """Remove a cache; whether there was one. A folder without our tag is left alone: ValueError."""
    if not folder.exists():
        return False
    tag = folder / "CACHEDIR.TAG"
    if not tag.is_file() or tag.read_text(encoding="utf-8", errors="replace") != TAG:
        raise ValueError(f"{folder} is no cache of memlane")
    shutil.rmtree(folder)
    return True


def _encoded(found: Found) -> bytes:
    data = json.dumps(pack(*found), separators=(",", ":")).encode()
    return _digest(data).encode() + b"\n" + data


def _decoded(data: bytes) -> Found:
    digest, _, rest = data.partition(b"\n")
    if digest.decode("ascii", "replace") != _digest(rest):
        raise ValueError("not what was written")
    return unpack(json.loads(rest))


def _digest(*parts: bytes) -> str:
    """A hash of some parts, and of where they end."""
    hashed = blake2b(digest_size=32)
    for part in parts:
        hashed.update(len(part).to_bytes(8, "little"))
        hashed.update(part)
    return hashed.hexdigest()


def _content(path: Path) -> bytes:
    try:
        return read_bytes(path) if path.is_file() else b""
    except (OSError, ValueError):  # a name that is no path
        return b""  # its absence is told by whoever reads the configuration


def _touch(path: Path) -> None:
    """Remember that somebody asked for an entry, to the day."""
    try:
        if time.time() - path.stat().st_mtime > _DAY:
            os.utime(path)
    except OSError:
        return  # somebody cleans: nothing is lost


def _prune(folder: Path, before: float) -> None:
    for path in folder.glob("*/*/*"):
        try:
            if path.stat().st_mtime < before:
                path.unlink()
        except OSError:
            continue  # somebody else cleans at the same time


@cache
def _code() -> str:
    """A mark of the program itself: two checkouts that call themselves one version may find different things."""
    package = Path(__file__).resolve().parent.parent
    files = sorted(path for path in package.rglob("*") if path.suffix in (".py", ".toml", ".lark", ".txt", ".json"))
    stats = [(path.relative_to(package).as_posix(), path.stat()) for path in files]
    text = "\n".join(f"{name} {stat.st_size} {stat.st_mtime_ns}" for name, stat in stats)
    return _digest(text.encode())[:12]
