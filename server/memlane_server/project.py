"""Project: which configuration holds for a document; read again when it changed on disk.

A file with mistakes keeps the last good configuration that was read from it; the mistakes are shown in the file itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Thread

from pygls.uris import from_fs_path, to_fs_path

from memlane.config import Config, find_config, load_config
from memlane.config.config_files import COMMAND_LINE
from memlane.dialects.problem import DataProblem

WAIT_SECONDS = 0.3
"""Seconds for which a configuration is waited for that takes long to read; until it is known, the one before holds."""
Stamp = tuple[tuple[Path, int, int], ...]
"""Which files a configuration was read from, when they were changed, and how long they are."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A configuration file as it was read; `config` is the last good one where `problems` has some."""

    config: Config
    problems: tuple[DataProblem, ...]
    stamp: Stamp


class Reading(Thread):
    """A configuration file that is being read. Nothing waits for it when the server ends."""

    def __init__(self, read: Callable[[], Loaded]) -> None:
        super().__init__(daemon=True)
        self._read = read
        self.found: Loaded | None = None
        self.start()

    def run(self) -> None:
        """Read it."""
        self.found = self._read()


@dataclass(slots=True)
class Project:
    """The configuration files met so far.

    Args:
        root: the folder of documents that have none, such as untitled ones.
        explicit: a configuration file to use for all documents, from the client's settings.
        overrides: settings of the client that stand above all files, in TOML.
    """

    root: Path | None = None
    explicit: Path | None = None
    overrides: tuple[str, ...] = ()
    _default: Config = field(default_factory=Config)
    _loaded: dict[Path, Loaded] = field(default_factory=dict[Path, Loaded])
    _reading: dict[Path, Reading] = field(default_factory=dict[Path, Reading])
    _found: dict[Path, Path | None] = field(default_factory=dict[Path, "Path | None"])
    _of_file: dict[Path, tuple[Config, Config]] = field(default_factory=dict[Path, tuple[Config, Config]])

    def config(self, uri: str) -> Config:
        """The configuration for the document `uri`: the same object until something about it changes."""
        path = file_path(uri)
        folder = path.parent if path else self.root
        if folder is None and self.explicit is None:
            return self._default
        file = self.explicit or self._find(folder or Path.cwd())
        config = self._load(file).config if file else self._default
        return self._for_file(config, path) if path else config

    def override(self, texts: tuple[str, ...]) -> list[str]:
        """Put settings in TOML above all files, in place of those before; gives what is wrong in them."""
        if texts == self.overrides:
            return []
        self.overrides = texts
        self._default, problems = load_config(None, texts)
        self._loaded.clear()
        self._reading.clear()
        return [f"{problem.where}: {problem.message}" for problem in problems]

    def forget(self, uri: str) -> None:
        """A document was closed."""
        path = file_path(uri)
        if path is not None:
            self._of_file.pop(path, None)

    def refresh(self) -> None:
        """Forget what may have changed on disk."""
        self._found.clear()
        for path, loaded in list(self._loaded.items()):
            if _stamp(path, loaded.config) == loaded.stamp:
                continue
            if path != self.explicit and not path.exists():
                del self._loaded[path]  # no setting names it
            else:
                self._loaded[path] = self._read(path, loaded)

    def problems(self) -> dict[str, list[DataProblem]]:
        """What is wrong in configuration files, by their URI; files without mistakes have an empty list."""
        found: dict[str, list[DataProblem]] = {}
        for path, loaded in self._loaded.items():
            for file in (path, *loaded.config.files):
                found.setdefault(_uri(file), [])
            for problem in loaded.problems:
                found.setdefault(_uri(Path(problem.file)), []).append(problem)
        return found

    def _find(self, folder: Path) -> Path | None:
        if folder not in self._found:
            self._found[folder] = find_config(folder)
        return self._found[folder]

    def _load(self, path: Path) -> Loaded:
        if path not in self._loaded:
            self._loaded[path] = self._read(path, None)
        return self._loaded[path]

    def _read(self, path: Path, before: Loaded | None) -> Loaded:
        """A file as it is now; where that takes long, as it was, with a stamp that has it read on."""
        reading = self._reading.get(path)
        if reading is None:
            overrides = self.overrides
            reading = self._reading[path] = Reading(lambda: _read(path, before, overrides))
            reading.join(WAIT_SECONDS)
        if reading.is_alive():
            return Loaded(before.config, before.problems, ()) if before is not None else Loaded(self._default, (), ())
        del self._reading[path]
        if reading.found is None:
            raise RuntimeError(f"{path} cannot be read because of a bug in Memlane")  # which its thread has reported
        return reading.found

    def _for_file(self, config: Config, path: Path) -> Config:
        known = self._of_file.get(path)
        if known is None or known[0] is not config:
            known = self._of_file[path] = (config, config.for_file(path))
        return known[1]


@lru_cache(maxsize=1_000)
def file_path(uri: str) -> Path | None:
    """The path of a document that is a file, else None."""
    try:
        path = to_fs_path(uri) if uri.startswith("file:") else None
    except ValueError:  # no URL, as `file://[::1/a`
        return None
    return Path(path) if path else None


def _read(path: Path, before: Loaded | None, overrides: tuple[str, ...]) -> Loaded:
    config, found = load_config(path, overrides)
    problems = tuple(problem for problem in found if problem.file != COMMAND_LINE)  # reported by `Project.override`
    good = config if before is None or not problems else before.config
    return Loaded(good, problems, _stamp(path, good))


def _stamp(path: Path, config: Config) -> Stamp:
    files = {path, *config.files, *(Path(model) for model in config.values["models"])}
    return tuple(_stamp_of(file) for file in sorted(files))


def _stamp_of(path: Path) -> tuple[Path, int, int]:
    try:
        status = path.stat()
    except (OSError, ValueError):  # not there, or no path
        return path, 0, -1
    return path, status.st_mtime_ns, status.st_size


def _uri(path: Path) -> str:
    return from_fs_path(str(path.absolute())) or str(path)
