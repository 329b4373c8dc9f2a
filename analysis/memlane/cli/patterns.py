"""Patterns of names as in `.gitignore`, in bounded work: they may come from anybody, and so may the names.

A pattern becomes a regular expression that never goes back: behind each star stands the first place at which what
follows it fits, and behind each `**` but the last one the first folders at which what follows fits. Both leave the most
for what comes after, so no other place needs to be tried. The work for a name is its length times that of the pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count, groupby
from typing import NamedTuple, NoReturn

from memlane.cli.limits import MAX_PATTERN_TEXT

_ANY = "**"


class Pattern(NamedTuple):
    """A pattern, compiled.

    Args:
        regex: matches a path at its start, from the folder of the pattern on, with a slash at the end of a folder. The
            group `below` is there where it matches by a folder that the path is in.
        takes: False: a pattern that begins with `!`.
    """

    regex: re.Pattern[str]
    takes: bool


class Patterns:
    """Patterns of one folder. The last that matches a path decides; those that match a folder around it are weaker."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._last_first = [found for line in lines if (found := pattern(line)) is not None][::-1]

    def __len__(self) -> int:
        return len(self._last_first)

    def verdict(self, path: str) -> bool | None:
        """Whether `path` is meant; None: no pattern matches it. Relative, with a slash at the end of a folder."""
        weak: bool | None = None
        for regex, takes in self._last_first:
            found = regex.match(path)
            if found is None:
                continue
            if found["below"] is None:
                return takes
            weak = takes if weak is None else weak
        return weak


def pattern(line: str) -> Pattern | None:
    """The pattern in a line; None: it has none, or an invalid one, which git ignores as well."""
    text = line if line.endswith("\\ ") else line.rstrip()
    if text in ("", "/") or text.startswith("#") or len(text) > MAX_PATTERN_TEXT:
        return None
    takes = not text.startswith("!")
    parts = text.removeprefix("!").split("/")
    folder = not parts[-1]
    if not parts[0]:
        del parts[0]
    elif len(parts) == 1 or (len(parts) == 2 and folder):
        parts.insert(0, _ANY)  # a name without a slash, at any depth
    if not parts:
        return None
    parts[-1] = parts[-1] or _ANY  # what is below
    parts = [part for part, same in groupby(parts) for part in ([part] if part == _ANY else same)]
    try:
        return Pattern(re.compile(_Translator().path(parts, folder), re.DOTALL), takes)
    except ValueError:
        return None


_END = r"(?:(?P<below>/)|\Z)"
_WHOLE = "(?P<below>(?!))?"
"""The group that is never there."""


class _Translator:
    """Makes the regular expression of one pattern."""

    def __init__(self) -> None:
        self._names = count()

    def path(self, parts: list[str], folder: bool) -> str:
        """Of all parts. `folder`: the pattern ends with a slash."""
        inside = "(?P<below>/)" if folder else f"{_WHOLE}/"
        if parts in ([_ANY], [_ANY, "*"], [_ANY, "*", _ANY]):
            return f".*?{inside}" if folder or len(parts) > 2 else f"{_WHOLE}."
        runs = ["/".join(map(self._part, run)) for any_, run in groupby(parts, _ANY.__eq__) if not any_]
        texts = [self._first(f"(?:[^/]+/)*?{run}/") for run in runs[:-1]]
        texts.append(f"(?:.*/)?{runs[-1]}{inside if parts[-1] == _ANY else _END}")
        if parts[0] != _ANY:  # at the folder of the pattern
            texts[0] = f"{runs[0]}/" if len(runs) > 1 else texts[0].removeprefix("(?:.*/)?")
        return "".join(texts)

    def _part(self, glob: str) -> str:
        """Of what stands between slashes."""
        if glob == "*":
            return "[^/]+"
        first, *others = _pieces(glob)
        if not others:
            return first
        middle = [self._first(f"[^/]*?{piece}") for piece in others[:-1] if piece]
        return f"{first}{''.join(middle)}[^/]*{others[-1]}(?![^/])"

    def _first(self, text: str) -> str:
        """The first way in which `text` matches, and no other."""
        name = f"g{next(self._names)}"
        return f"(?=(?P<{name}>{text}))(?P={name})"


def _pieces(glob: str) -> list[str]:
    """What stands between the stars of a glob, as regular expressions. Raises ValueError: it is no glob."""
    pieces, at = [""], 0
    while at < len(glob):
        char = glob[at]
        at += 1
        if char == "*":
            pieces.append("")
        elif char == "?":
            pieces[-1] += "[^/]"
        elif char == "[":
            end = glob.index("]", at + 1 + glob.startswith(("!", "^"), at))
            pieces[-1] += _choice(glob[at:end])
            at = end + 1
        elif char == "\\":
            pieces[-1] += re.escape(glob[at : at + 1] or _none())
            at += 1
        else:
            pieces[-1] += re.escape(char)
    return pieces


def _none() -> NoReturn:
    raise ValueError("a backslash at the end")


def _choice(text: str) -> str:
    """One of the characters that stand between brackets, or, behind `!` or `^`, another one; never a slash."""
    others = text.startswith(("!", "^"))
    text = text[others:]
    found, slash, at = "", False, 0
    while at < len(text):
        ranged = text[at + 1 : at + 2] == "-" and at + 2 < len(text)
        low, high = text[at], text[at + 2] if ranged else text[at]
        if low > high:
            raise ValueError(f"{low}-{high} is no range")
        found += f"{re.escape(low)}-{re.escape(high)}"
        slash = slash or low <= "/" <= high
        at += 3 if ranged else 1
    return f"[^{found}/]" if others else f"(?!/)[{found}]" if slash else f"[{found}]"
