"""Mistakes in data files as values, and where in the text they are.

TOML readers say what a file means but not where; `TomlLines` finds the line of a table or key again in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from memlane.lazy import regex

_HEADER = regex(r"\[\[?(?P<path>[^\[\]]+)\]")
_KEY = regex(r"""^\s*(?P<path>(?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_PART = regex(r"""[\w-]+|"[^"]*"|'[^']*'""")


@dataclass(frozen=True, slots=True)
class DataProblem:
    """A mistake in a configuration or model file.

    Args:
        file: as it was given.
        line: 1-based; 1 where only the file is known.
        where: the table and key, as in TOML: `op."my.alloc".alloc`.
        message: what is wrong, one line, without the choices.
        choices: the valid ones, if they can be listed.
    """

    file: str
    line: int
    where: str
    message: str
    choices: tuple[str, ...] = ()

    def __str__(self) -> str:
        """`file:line: where: message; did you mean ...? Valid: ...`, for people."""
        place = f"{self.where}: " if self.where else ""
        valid = f" (valid: {', '.join(self.choices)})" if self.choices else ""
        return f"{self.file}:{self.line}: {place}{self.message}{valid}"


def unknown(kind: str, name: str, choices: Iterable[str]) -> str:
    """The message for a name that is not in `choices`, with the nearest of them."""
    import difflib  # Costs milliseconds that a clean start need not pay.

    near = difflib.get_close_matches(name, list(choices), n=1)
    hint = f"; did you mean `{near[0]}`?" if near else ""
    return f"unknown {kind} `{name}`{hint}"


class TomlLines:
    """Finds tables and keys in the text of a TOML file."""

    __slots__ = ("_at",)

    def __init__(self, text: str) -> None:
        self._at: dict[tuple[str, ...], int] = {}
        table: tuple[str, ...] = ()
        for number, line in enumerate(text.splitlines(), 1):
            if header := _header(line.strip()):
                table = _parts(header)
                for length in range(1, len(table) + 1):
                    self._at.setdefault(table[:length], number)
            elif key := _KEY.match(line):
                path = table + _parts(key["path"])
                for length in range(len(table) + 1, len(path) + 1):
                    self._at.setdefault(path[:length], number)

    def of(self, path: tuple[str, ...]) -> int:
        """The 1-based line of `path`, else of the nearest table around it, else 1."""
        while path:
            if path in self._at:
                return self._at[path]
            path = path[:-1]
        return 1


def _header(line: str) -> str:
    """The path in the header of a table; empty: the line is not a header."""
    found = _HEADER.match(line)
    alone = found is not None and line[found.end("path") :].lstrip("] \t")[:1] in ("", "#")
    return found["path"].strip() if found is not None and alone else ""


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PART.findall(dotted))


def dotted(path: tuple[str, ...]) -> str:
    """A path as TOML writes it: parts that are no bare keys in quotes."""
    return ".".join(part if re.fullmatch(r"[\w-]+", part) else f'"{part}"' for part in path)
