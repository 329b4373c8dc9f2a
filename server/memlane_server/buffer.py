r"""Buffer: the text of an open document while it is edited, as a list of leaves.

A leaf is some hundred lines in one string, so that a keystroke copies a leaf and not the file. Lines end at `\n`,
`\r\n` or `\r` and nowhere else (LSP, "Text Documents"); a `\r\n` never lies across two leaves. Columns are code
points; `convert.py` turns a client's columns into them.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, pairwise

from memlane.lazy import regex

LINES_PER_LEAF = 256
"""A leaf is cut when an edit makes it twice as long."""

_ENDS = ("\n", "\r")
_LINE = regex(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


class Buffer:
    """A text under edit. Not shared between threads: `leaves()` gives an immutable copy of the moment.

    It is cut on first access to its lines, as by an edit: a text that is only read is stored once.
    """

    __slots__ = ("_counts", "_leaves", "_sums", "_uncut")

    def __init__(self, source: str = "") -> None:
        self._uncut = source
        """All of the text, until it is cut."""
        self._leaves: list[str] = []
        self._counts: list[int] = []
        self._sums: list[int] | None = None

    def leaves(self) -> tuple[str, ...]:
        """The text in pieces, to be joined where all of it is needed."""
        return (self._uncut,) if self._uncut else tuple(self._leaves)

    @property
    def source(self) -> str:
        """The whole text."""
        return "".join(self.leaves())

    @property
    def size(self) -> int:
        """Its length in code points."""
        return sum(map(len, self.leaves()))

    @property
    def line_count(self) -> int:
        """Number of lines; a text that ends with a line end has an empty last one."""
        sums = self._prefix_sums()
        lines = sums[-1] if sums else 0
        return lines if lines and not self._leaves[-1].endswith(_ENDS) else lines + 1

    def line(self, line: int) -> str:
        """Line `line` (0-based) without what ends it; "" beyond the last one."""
        leaf, inner = self._leaf_of(line)
        if leaf == len(self._leaves):
            return ""
        text = self._leaves[leaf]
        start, end = _extent(text, inner)
        return text[start:end]

    def offset(self, line: int, column: int) -> int:
        """Code points before a (line, column) place, clamped as `replace` does."""
        leaf, inner = self._leaf_of(line)
        before = sum(map(len, self._leaves[:leaf]))
        return before + _offset(self._leaves[leaf], inner, column) if leaf < len(self._leaves) else before

    def replace(self, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
        """Put `text` in the place of what stands between two (line, column) places, `start` inclusive, `end` exclusive.

        Places beyond a line's end mean its end; beyond the text, the end of the text.
        """
        first, start_line = self._leaf_of(start[0])
        last, end_line = self._leaf_of(end[0])
        head = self._leaves[first] if first < len(self._leaves) else ""
        tail = self._leaves[last] if last < len(self._leaves) else ""
        before = head[: _offset(head, start_line, start[1])]
        after = tail[_offset(tail, end_line, end[1]) :]
        self._splice(first, last + 1, before + text + after)

    def _splice(self, first: int, stop: int, text: str) -> None:
        """Put `text` in the place of leaves `first` to `stop`, and mend the line ends at both borders."""
        leaves = self._leaves
        while first > 0 and not _may_follow(leaves[first - 1], text):
            first -= 1
            text = leaves[first] + text
        while stop < len(leaves) and not _may_follow(text, leaves[stop]):
            text += leaves[stop]
            stop += 1
        leaves[first:stop], self._counts[first:stop] = _cut(text)
        self._sums = None

    def _prefix_sums(self) -> list[int]:
        if self._uncut:
            self._leaves, self._counts = _cut(self._uncut)
            self._uncut = ""
        if self._sums is None:
            self._sums = list(accumulate(self._counts))
        return self._sums

    def _leaf_of(self, line: int) -> tuple[int, int]:
        """The leaf that holds `line` and the line's number in it; one beyond the leaves for the empty last line."""
        sums = self._prefix_sums()
        leaf = bisect_right(sums, line)
        return leaf, line - (sums[leaf - 1] if leaf else 0)


def _cut(source: str) -> tuple[list[str], list[int]]:
    """Leaves of `LINES_PER_LEAF` lines or somewhat more, never twice as many, and how many lines each has."""
    if source and "\r" not in source:  # nearly all that is typed
        count = source.count("\n") + (not source.endswith("\n"))
        if count < 2 * LINES_PER_LEAF:
            return [source], [count]
        return _cut_coarsely(source, len(source) * LINES_PER_LEAF // count)
    return _cut_finely(source)


def _cut_finely(source: str) -> tuple[list[str], list[int]]:
    lines = _LINE.findall(source)
    if not lines:
        return [], []
    pieces = max(1, len(lines) // LINES_PER_LEAF)
    borders = [len(lines) * piece // pieces for piece in range(pieces + 1)]
    leaves = ["".join(lines[start:stop]) for start, stop in pairwise(borders)]
    return leaves, [stop - start for start, stop in pairwise(borders)]


def _cut_coarsely(source: str, size: int) -> tuple[list[str], list[int]]:
    """The same, a leaf every `size` characters, each cut further where its lines are short. A tenth of the time."""
    leaves: list[str] = []
    counts: list[int] = []
    at = 0
    while at < len(source):
        end = source.find("\n", at + size - 1) + 1 or len(source)
        text = source[at:end]
        count = text.count("\n") + (not text.endswith("\n"))
        finer = _cut_finely(text) if count >= 2 * LINES_PER_LEAF else ([text], [count])
        leaves += finer[0]
        counts += finer[1]
        at = end
    return leaves, counts


def _offset(leaf: str, line: int, column: int) -> int:
    """The offset of a place in `leaf`, clamped to its line."""
    start, end = _extent(leaf, line)
    return start + min(max(column, 0), end - start)


def _extent(leaf: str, line: int) -> tuple[int, int]:
    """Where line `line` of `leaf` begins, and where it ends without what ends it; beyond the last one the end."""
    if "\r" not in leaf:
        rest = leaf.split("\n", line)
        if len(rest) <= line:
            return len(leaf), len(leaf)
        start = len(leaf) - len(rest[-1])
        end = leaf.find("\n", start)
        return start, end if end >= 0 else len(leaf)
    at = 0
    for number, match in enumerate(_LINE.finditer(leaf)):
        if number == line:
            return at, at + len(match.group().rstrip("\r\n"))
        at = match.end()
    return at, at


def _may_follow(leaf: str, following: str) -> bool:
    """Whether two pieces of text may be two leaves: a line ends between them, and not in the middle of a pair."""
    return leaf.endswith(_ENDS) and not (leaf.endswith("\r") and following.startswith("\n"))
