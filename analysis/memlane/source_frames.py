"""The places in other files that statements come from: `loc("model.py":12:5)`, through aliases, call sites and fusions.

A location is read from the text behind a statement, on the line where that begins, as compilers print it. Its frames
come innermost first: the callee of a call site before its caller. Nothing here opens the files.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from memlane.findings import Report, Span
from memlane.lazy import regex
from memlane.limits import MAX_DEPTH, MAX_PARTS

_ALIAS = regex(r"\n#([\w$.-]+)[ \t]*=[ \t]*loc\(")
_FIRST_ALIAS = regex(_ALIAS.pattern.removeprefix(r"\n"))
_CHUNK = regex(r"\n// -----")
"""Each begins with the end of the line before: a pattern that begins with `^` takes 25 times as long to look for."""
_SPACE = regex(r"\s*")
_START = regex(r'(?<![\w$.-])loc\(|"(?:[^"\\\n]|\\.)*"|//')
_PLACE = regex(r'"((?:[^"\\\n]|\\.)*)":(\d+):(\d+)(?:\s+to\s+(?:\d+)?:\d+)?')
_NAME = regex(r'"(?:[^"\\\n]|\\.)*"')
_USED = regex(r"#([\w$.-]+)")
_END = regex(r"\)[ \t]*(?://|\r|\n|\Z)")
_LIBRARY = regex(r"(?:^|/)(?:site-packages|dist-packages|lib/python[\d.]+)/|^<|^-$")
"""Paths of installed packages, of what the interpreter brings and of no file."""


def has_locations(text: str) -> bool:
    """Whether there may be a location in a text: names of allocations end as one begins."""
    return text.count("loc(") > text.count("alloc(")


@dataclass(frozen=True, slots=True)
class SourceFrame:
    """A place in a file; line and column count from 1."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


def spoken_of(report: Report) -> tuple[Span, ...]:
    """What a finding is about: its operation, then its buffer."""
    return (report.span, report.buffer.span) if report.buffer is not None else (report.span,)


LocationAliases = Mapping[str, tuple[str, int]]
"""By names without their `#`, what they stand for: a text, and where in it stands what is in the parentheses."""


class SourceFrames:
    """The locations of one text.

    Args:
        aliases: gives those of the chunk around an offset; None: they are looked for in the text.
    """

    def __init__(self, source: str, aliases: Callable[[int], LocationAliases] | None = None) -> None:
        self._source = source
        self._any = has_locations(source)
        self._aliases = aliases or _ScannedAliases(source).of
        self._line = Span(1, 0)  # the last one asked about: a long line may have many findings
        self._frame: SourceFrame | None = None
        self._stands: dict[tuple[str, int], list[SourceFrame | str]] = {}
        """The first parts of what aliases stand for, the last of them first."""

    def of_statement(self, offset: int) -> SourceFrame | None:
        """Where the statement comes from whose first line `offset` is in: the innermost frame that is in no installed
        package, else the innermost one; None where its line does not end with a location that names a file."""
        if not self._any:
            return None
        if not self._line.start <= offset <= self._line.end:
            end = self._source.find("\n", offset)
            self._line = Span(self._source.rfind("\n", 0, offset) + 1, len(self._source) if end < 0 else end)
            self._frame = self._of_line(*self._line)
        return self._frame

    def _of_line(self, start: int, end: int) -> SourceFrame | None:
        last = self._source[start:end].rstrip()
        if not last.endswith(")") and "//" not in last:
            return None
        for found in _START.finditer(self._source, start, end):
            if found[0] == "//":
                return None
            if found[0] == "loc(":
                frames, stop = self._read(found.end(), start)
                if _END.match(self._source, stop):
                    return _chosen(frames)
        return None

    def of_report(self, report: Report) -> SourceFrame | None:
        """Where what a finding is about comes from: its operation, else its buffer."""
        return next(filter(None, (self.of_statement(span.start) for span in spoken_of(report))), None)

    def _read(self, start: int, offset: int) -> tuple[list[SourceFrame], int]:
        """The frames of the location that begins at `start`, and where its text ends."""
        reader = _LocationReader(self._source, start)
        parts = reader.location(0)
        return [*self._frames(parts, offset)], reader.place

    def _frames(self, parts: list[SourceFrame | str], offset: int) -> Iterator[SourceFrame]:
        """The frames of some parts, as far as they are looked at; an alias that is named again gives no other ones."""
        waiting, seen = parts[:MAX_PARTS][::-1], set[str]()
        for _ in range(MAX_PARTS):
            if not waiting:
                break
            part = waiting.pop()
            if isinstance(part, SourceFrame):
                yield part
            elif part not in seen:
                seen.add(part)
                waiting += self._named(part, offset)

    def _named(self, name: str, offset: int) -> list[SourceFrame | str]:
        """What an alias stands for: read once, as many statements may name it."""
        found = self._aliases(offset).get(name)
        if found is None:
            return []
        if found not in self._stands:
            self._stands[found] = _LocationReader(*found).location(0)[:MAX_PARTS][::-1]
        return self._stands[found]


class _ScannedAliases:
    """The aliases of locations of a text, found when one is asked for, once for each chunk."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._known: dict[int, LocationAliases] = {}

    def of(self, offset: int) -> LocationAliases:
        """Those of the chunk around an offset."""
        number = bisect_right(self._starts, offset) - 1
        if number not in self._known:
            self._known[number] = location_aliases(self._source, *self._starts[number : number + 2])
        return self._known[number]

    @cached_property
    def _starts(self) -> list[int]:
        """Where chunks begin; looked for once, as a text without any is long to search."""
        return [0, *(found.start() + 1 for found in _CHUNK.finditer(self._source))]


def location_aliases(text: str, start: int = 0, end: int | None = None) -> LocationAliases:
    """Those that a text, or a part of it, defines."""
    end = len(text) if end is None else end
    first = _FIRST_ALIAS.match(text, start, end)
    found = chain([first] if first is not None else [], _ALIAS.finditer(text, start, end))
    return {one[1]: (text, one.end()) for one in found}


class _LocationReader:
    """Reads one location. What is no location ends it."""

    def __init__(self, source: str, place: int) -> None:
        self._source = source
        self.place = place
        self._end: int | None = None
        """Of the line: behind it there is no list of what a fusion is for. None: not looked for yet."""

    def location(self, depth: int) -> list[SourceFrame | str]:
        """Its frames, and the aliases that stand for more, innermost first."""
        if depth > MAX_DEPTH:
            return []
        if place := self._take(_PLACE):
            path = place[1].replace('\\"', '"').replace("\\\\", "\\")
            return [SourceFrame(path, int(place[2]), int(place[3]))]
        if alias := self._take(_USED):
            return [alias[1]]
        if self._take(_NAME):
            return self._inside(depth) if self._next("(") else []
        if self._next("callsite("):
            callee = self.location(depth + 1)
            caller = self.location(depth + 1) if self._next("at") else []
            self._next(")")
            return callee + caller
        if self._next("fused"):
            return self._fused(depth)
        self._next("unknown")
        return []

    def _inside(self, depth: int) -> list[SourceFrame | str]:
        found = self.location(depth + 1)
        self._next(")")
        return found

    def _fused(self, depth: int) -> list[SourceFrame | str]:
        if self._next("<"):
            if self._end is None:
                end = self._source.find("\n", self.place)
                self._end = end if end >= 0 else len(self._source)
            end = self._source.find(">[", self.place, self._end)
            if end < 0:
                self._end = self.place  # not to be looked for again
            self.place = end + 1 if end >= 0 else self.place
        found: list[SourceFrame | str] = []
        more = self._next("[")
        while more:
            found += self.location(depth + 1)
            more = self._next(",")
        self._next("]")
        return found

    def _next(self, text: str) -> bool:
        start = self._space()
        if not self._source.startswith(text, start):
            return False
        self.place = start + len(text)
        return True

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self._source, self._space())
        if found is not None:
            self.place = found.end()
        return found

    def _space(self) -> int:
        found = _SPACE.match(self._source, self.place)
        return found.end() if found is not None else self.place


def _chosen(frames: Iterator[SourceFrame] | list[SourceFrame]) -> SourceFrame | None:
    known = list(frames)
    return next((one for one in known if not _LIBRARY.search(one.path)), known[0] if known else None)
