"""Paths given on the command line to the files to check: directories are searched, gitignore rules respected.

A file that is named is taken whatever it is called and whatever ignores it.
"""

from __future__ import annotations

import codecs
import errno
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from memlane.cli.atomic_write import Changed, replace_content
from memlane.cli.check_result import Failure
from memlane.cli.limits import MAX_PATTERNS
from memlane.cli.patterns import Patterns
from memlane.limits import MAX_SETTINGS_BYTES
from memlane.other_languages import language_of
from memlane.read_file import read_bytes, rest

NEVER = frozenset({".git", ".memlane_cache", ".hg", ".jj", ".svn", ".venv", "node_modules", "__pycache__"})
"""Directories that never contain a user's programs."""

BYTECODE = b"ML\xefR"
"""First bytes of MLIR bytecode."""


class Search(NamedTuple):
    """What counts in a directory: patterns as in `.gitignore`, relative to `root`."""

    root: Path = Path()
    include: tuple[str, ...] = ("*.mlir",)
    exclude: tuple[str, ...] = ()
    gitignore: bool = True


class _Ignore(NamedTuple):
    """The ignore rules written in one directory."""

    directory: Path
    patterns: Patterns


def find(paths: Iterable[str], search: Callable[[Path], Search]) -> tuple[list[Path], list[Failure]]:
    """The files at and below `paths`, each once; those of a directory sorted, its own files before its folders'.

    `search` says how to look in a directory of `paths`; those below it are searched in the same way.
    """
    found: dict[Path, None] = {}
    failures: list[Failure] = []
    for name in paths:
        if not name:  # a variable of a shell that is not set, and no folder
            failures.append(Failure("''", "no such file or directory"))
            continue
        for file in _below(Path(name), search):
            if isinstance(file, Path):
                found[file] = None
            else:
                failures.append(file)
    return list(found), failures


def _below(path: Path, search: Callable[[Path], Search]) -> Iterator[Path | Failure]:
    try:
        if path.is_dir():
            yield from _Walk(search(path)).files(path)
        elif path.exists():
            yield path
        else:
            yield Failure(str(path), "no such file or directory")
    except OSError as error:  # a name that is too long, a folder that may not be entered
        yield _unreadable(path, error)


def _unreadable(path: Path, error: OSError) -> Failure:
    return Failure(str(path), f"cannot be read: {error.strerror or error}")


def read(path: Path) -> str | Failure:
    """The text of a file, or why it has none. Line ends stay as they are; a byte order mark goes."""
    try:
        return decode(str(path), read_bytes(path))
    except OSError as error:
        return _unreadable(path, error)


def read_stdin(name: str) -> str | Failure:
    """The same of what comes in, which is called `name`."""
    if getattr(sys.stdin, "name", "") == os.devnull:  # what `main` puts in the place of a closed stream
        return Failure(name, "cannot be read: standard input is closed")
    try:
        return decode(name, rest(sys.stdin.buffer))
    except OSError as error:
        return _unreadable(Path(name), error)


def write(path: Path, text: str, before: str | None = None, within: Path | None = None) -> Failure | None:
    """Put a text into the file it was read from, byte order mark and line ends as they were; says why it failed.

    Args:
        path: the file.
        text: its new text.
        before: what was read: a file that was changed since is left alone; None: any contents are replaced.
        within: the folder in which it was found, which links to it must not leave; None: the file itself was named.
    """
    try:
        data = read_bytes(path)
        if before is not None and decode(str(path), data) != before:
            raise Changed
        mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
        replace_content(path, mark + text.encode("utf-8"), within, data if before is not None else None)
    except Changed:
        return Failure(str(path), "was changed while it was checked, and is left alone; check it again")
    except OSError as error:
        return Failure(str(path), f"cannot be written, and is as it was: {error.strerror or error}")
    return None


def decode(name: str, data: bytes) -> str | Failure:
    """UTF-8 to text, or why not."""
    language = language_of(name)
    if language is not None:
        return Failure(name, f"is {language} and not MLIR: it is not checked")
    if data.startswith(BYTECODE):
        return Failure(name, "is MLIR bytecode; print it as text first (`mlir-opt FILE`)")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return Failure(name, f"is not UTF-8: byte 0x{data[error.start]:02x} in line {line}")


class _Walk:
    """Goes through directories."""

    def __init__(self, search: Search) -> None:
        self.search = search
        root = search.root.resolve()
        self.excluded = _spec(root, search.exclude) if search.exclude else ()
        suffix = search.include[0][1:] if len(search.include) == 1 else "*"
        self.suffix = None if "*" in suffix or "/" in suffix else suffix  # `*.mlir`, the usual, needs no patterns
        self.included = _spec(root, search.include) if self.suffix is None else ()

    def files(self, top: Path) -> Iterator[Path | Failure]:
        """The files below `top`."""
        real = top.resolve()  # links to folders are not followed, so that it is known of all below
        stack = [(top, real, _above(real) if self.search.gitignore else ())]
        while stack:
            directory, real, ignores = stack.pop()
            if self.search.gitignore:
                try:
                    ignores = (*ignores, *_rules(real, ".gitignore"))
                except OSError as error:
                    yield _unreadable(directory / ".gitignore", error)
            try:
                entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
            except OSError as error:
                yield Failure(str(directory), f"cannot be searched: {error.strerror}")
                continue
            below: list[tuple[Path, Path, tuple[_Ignore, ...]]] = []
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in NEVER and not self._passed_over(real / entry.name, ignores, "/"):
                        below.append((Path(entry), real / entry.name, ignores))
                elif self._wanted(real / entry.name, ignores):
                    yield from _file(entry)
            stack += reversed(below)

    def _wanted(self, path: Path, ignores: tuple[_Ignore, ...]) -> bool:
        named = path.name.endswith(self.suffix) if self.suffix is not None else _matched(path, self.included, "")
        return named and not self._passed_over(path, ignores, "")

    def _passed_over(self, path: Path, ignores: tuple[_Ignore, ...], end: str) -> bool:
        return _matched(path, self.excluded, end) or _matched(path, ignores, end)


def _file(entry: os.DirEntry[str]) -> Iterator[Path | Failure]:
    """The entry, if it is a file or leads to one; a pipe or a device in a folder is not a program."""
    try:
        if entry.is_file():
            yield Path(entry)
    except OSError as error:  # a link that leads to itself
        yield _unreadable(Path(entry), error)


def _above(directory: Path) -> tuple[_Ignore, ...]:
    """The rules around `directory` (absolute), outermost first, when it lies in a git repository."""
    parents = list(directory.parents)
    if (directory / ".git").exists():
        return _rules(directory, ".git/info/exclude")
    for count, parent in enumerate(parents):
        if (parent / ".git").exists():
            inside = [rule for between in reversed(parents[: count + 1]) for rule in _rules(between, ".gitignore")]
            return (*_rules(parent, ".git/info/exclude"), *inside)
    return ()


def _rules(directory: Path, name: str) -> tuple[_Ignore, ...]:
    file = directory / name
    if not file.is_file():
        return ()
    lines = read_bytes(file, MAX_SETTINGS_BYTES).decode("utf-8", "replace").splitlines()
    if len(lines) > MAX_PATTERNS:
        raise OSError(errno.EFBIG, f"more than {MAX_PATTERNS:,} lines", str(file))
    return _spec(directory, lines)


def _spec(directory: Path, patterns: Sequence[str]) -> tuple[_Ignore, ...]:
    return (_Ignore(directory, Patterns(patterns)),)


def _matched(path: Path, rules: tuple[_Ignore, ...], end: str) -> bool:
    """What the nearest of `rules` that speaks of `path` (absolute) says. `end` is `/` for a directory."""
    for rule in reversed(rules):
        verdict = rule.patterns.verdict(os.path.relpath(path, rule.directory).replace(os.sep, "/") + end)
        if verdict is not None:
            return verdict
    return False
