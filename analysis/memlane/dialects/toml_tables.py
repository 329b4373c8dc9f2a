"""Checked access to a TOML table: every value is asked for by key and type, every mistake becomes a `DataProblem`.

`Table.finish` reports the keys that were never read, so the keys a reader understands are listed nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

from memlane.dialects.limits import MAX_PROBLEMS
from memlane.dialects.notation import NotationError
from memlane.dialects.problem import DataProblem, TomlLines, dotted, unknown

T = TypeVar("T")
_TYPES: dict[type, str] = {bool: "true or false", int: "an integer", str: "a string", list: "a list", dict: "a table"}


class TomlSource:
    """A file being read: its name and text, where things are in it, and the problems found so far."""

    __slots__ = ("_lines", "file", "problems", "text")

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.problems: list[DataProblem] = []
        self.text = text
        self._lines: TomlLines | None = None

    @property
    def full(self) -> bool:
        """Whether so much is wrong that no more is noted."""
        return len(self.problems) > MAX_PROBLEMS

    def problem(self, path: tuple[str, ...], message: str, choices: tuple[str, ...] = ()) -> None:
        """Notes that `path` is wrong; after `MAX_PROBLEMS` only that there is more."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(self.made(path, message, choices))
        elif not self.full:
            self.problems.append(self.made(path, "there are more mistakes, which are not reported"))

    def made(self, path: tuple[str, ...], message: str, choices: tuple[str, ...] = ()) -> DataProblem:
        """The problem that `path` is wrong, without noting it."""
        return DataProblem(self.file, self._line(path), dotted(path), message, choices)

    def place(self, path: tuple[str, ...]) -> str:
        """Where `path` is, as `file:line`."""
        return f"{self.file}:{self._line(path)}"

    def _line(self, path: tuple[str, ...]) -> int:
        self._lines = self._lines or TomlLines(self.text)
        return self._lines.of(path)


class Table:
    """One table of a source. Asking for a key marks it as known, whether or not it is there."""

    __slots__ = ("_known", "_values", "path", "source")

    def __init__(self, source: TomlSource, values: dict[str, Any], path: tuple[str, ...] = ()) -> None:
        self.source = source
        self.path = path
        self._values = values
        self._known: list[str] = []

    def problem(self, key: str, message: str, choices: tuple[str, ...] = ()) -> None:
        """Notes that the value of `key` is wrong; the table itself for an empty key."""
        self.source.problem((*self.path, key) if key else self.path, message, choices)

    def raw(self, key: str) -> Any:
        """The value of `key` as TOML has it, None if absent."""
        self._known.append(key)
        return self._values.get(key)

    def peek(self, key: str) -> Any:
        """The same, without marking the key as known."""
        return self._values.get(key)

    def __iter__(self) -> Iterator[str]:
        """All keys that are there, in the order of the file."""
        return iter(self._values)

    def get(self, key: str, kind: type[T], default: T) -> T:
        """The value of `key` if it is there and of type `kind`, else `default`."""
        value = self.raw(key)
        if value is None:
            return default
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.problem(key, f"expected {_TYPES.get(kind, kind.__name__)}, found {value!r}")
            return default
        return value

    def list(self, key: str) -> list[object]:
        """The list at `key`, an empty one if absent."""
        return cast("list[object]", self.get(key, list, []))

    def choice(self, key: str, choices: tuple[str, ...]) -> str | None:
        """The value of `key` if it is one of `choices`."""
        value = self.get(key, str, "")
        if value and value not in choices:
            self.problem(key, unknown("value", value, choices), choices)
            return None
        return value or None

    def strings(self, key: str) -> tuple[str, ...]:
        """A list of strings, empty if absent."""
        values = self.list(key)
        if bad := [value for value in values if not isinstance(value, str)]:
            self.problem(key, f"expected a list of strings, found {bad[0]!r} in it")
        return tuple(value for value in values if isinstance(value, str))

    def parsed(self, key: str, parse: Callable[[object], T]) -> T | None:
        """The value of `key` read by a parser of `notation`."""
        value: object = self.raw(key)
        if value is None:
            return None
        try:
            return parse(value)
        except NotationError as error:
            self.problem(key, str(error))
            return None

    def each(self, key: str, parse: Callable[[object], T]) -> tuple[T, ...]:
        """The items of the list at `key`, each read by a parser; the bad ones are left out."""
        found: list[T] = []
        for value in self.list(key):
            try:
                found.append(parse(value))
            except NotationError as error:
                self.problem(key, str(error))
        return tuple(found)

    def table(self, key: str) -> Table:
        """The table at `key`, an empty one if absent."""
        return Table(self.source, cast("dict[str, Any]", self.get(key, dict, {})), (*self.path, key))

    def tables(self, key: str) -> tuple[Table, ...]:
        """The tables of the list at `key`; a single table counts as a list of one."""
        value: object = self.raw(key)
        if value is None:
            return ()
        items = cast("list[object]", value if isinstance(value, list) else [value])
        if bad := [item for item in items if not isinstance(item, dict)]:
            self.problem(key, f"expected a list of tables, found {bad[0]!r} in it")
        path = (*self.path, key)
        return tuple(Table(self.source, cast("dict[str, Any]", item), path) for item in items if isinstance(item, dict))

    def named(self, key: str) -> Iterator[tuple[str, Table]]:
        """The tables inside the table at `key`, with their names."""
        group = self.table(key)
        for name in group:
            yield name, group.table(name)

    def finish(self) -> None:
        """Reports every key that was never asked for, listing those that were."""
        for key in self._values:
            if key not in self._known and not self.source.full:
                choices = tuple(sorted(set(self._known)))
                self.problem(key, unknown("key", key, choices), choices)
