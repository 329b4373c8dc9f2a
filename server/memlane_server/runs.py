"""Pieces of a document in runs of some, with what was said of each run: an edit touches one of them.

A document has thousands of pieces, and all that is done for each of them at each keystroke adds up. Where a run begins
is known from the runs before it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, compress, count, pairwise
from operator import is_not

from memlane.parts import Memory
from memlane.syntax.editing.pieces import Piece
from memlane_server.ranges import LINE_END

LENGTH = 32
"""Pieces of a run, at most."""


class Run:
    """Some pieces in a row.

    Args:
        counts: how many lines each has.

    Attributes:
        lines: of all of them.
        whole: all but the last end with a line; `ends`: so does that.
        text: what was said of them, where `says` tells so.
    """

    __slots__ = ("_elsewhere", "_layout", "_line", "_memories", "counts", "ends", "lines", "pieces", "text", "whole")

    def __init__(self, pieces: Sequence[Piece], counts: Sequence[int]) -> None:
        self.pieces = pieces
        self.counts = counts
        self.lines = sum(counts)
        self.whole = all(piece.whole_lines for piece in pieces[:-1])
        self.ends = pieces[-1].whole_lines
        self.text = b""
        self._memories: Sequence[Memory | None] | None = None
        self._line = self._layout = -1
        self._elsewhere: dict[Piece, int] = {}

    def firsts(self, line: int) -> dict[Piece, int]:
        """Where its pieces begin when it begins at a line."""
        return dict(zip(self.pieces, accumulate(self.counts, initial=line), strict=False))

    def says(self, memories: Sequence[Memory | None], line: int, layout: int, now: Callable[[Piece], int]) -> bool:
        """Whether `text` is what is to be said of some memories when the run begins at a line.

        Args:
            layout: the same number as long as each piece begins at the same line.
            now: gives that.
        """
        return (
            self._line == line
            and self._memories == memories
            and (self._layout == layout or all(now(piece) == first for piece, first in self._elsewhere.items()))
        )

    def keep(
        self, text: bytes, memories: Sequence[Memory | None] | None, line: int, layout: int, elsewhere: dict[Piece, int]
    ) -> None:
        """Keep what was said of `memories`; None: it is not to be said again.

        Args:
            elsewhere: lines of pieces of other runs that it names.
        """
        self.text, self._memories, self._line, self._layout = text, memories, line, layout
        self._elsewhere = elsewhere


class Runs:
    """The pieces of a document, version by version.

    Attributes:
        layout: another number once lines may begin elsewhere in a piece that stays.
    """

    def __init__(self) -> None:
        self.layout = 0
        self._pieces: Sequence[Piece] = ()
        self._runs: list[Run] = []
        self._numbers: list[int] = [0]
        self._lines: list[int] = [0]

    def follow(self, pieces: Sequence[Piece]) -> bool:
        """Let the document be made of `pieces` now. False where one begins in the middle of a line."""
        old = self._pieces
        first, last = _same(old, pieces)
        if first + last < max(len(old), len(pieces)):
            self._replace(first, len(old) - last, pieces)
        self._pieces = pieces
        return all(run.whole and run.ends for run in self._runs[:-1]) and all(run.whole for run in self._runs[-1:])

    def placed(self) -> Iterator[tuple[int, int, Run]]:
        """The runs, each with the number of its first piece and the line that begins at."""
        return zip(self._numbers, self._lines, self._runs, strict=False)

    def line(self, number: int) -> int:
        """The line at which the piece of that number begins."""
        run = bisect_right(self._numbers, number, 0, len(self._runs)) - 1
        return self._lines[run] + sum(self._runs[run].counts[: number - self._numbers[run]])

    def _replace(self, first: int, stop: int, pieces: Sequence[Piece]) -> None:
        """Cut the runs anew that had the pieces from number `first` to `stop` (exclusive)."""
        runs, numbers, count = self._runs, self._numbers, len(self._pieces)
        begin = min(bisect_right(numbers, first), len(runs)) - 1 if runs else 0
        end = max(begin + 1, bisect_left(numbers, stop, 0, len(runs))) if runs else 0
        if len(runs) > 4 + 4 * len(pieces) // LENGTH:  # many have become short
            begin, end = 0, len(runs)
        left, right = numbers[begin], numbers[end] + len(pieces) - count
        known = {piece: lines for run in runs[begin:end] for piece, lines in zip(run.pieces, run.counts, strict=True)}
        after = {piece: known[piece] if piece in known else lines_of(piece) for piece in pieces[left:right]}
        if _moved(known, after):
            self.layout += 1
        fresh, counts = pieces[left:right], [*after.values()]
        some = -(-len(fresh) // LENGTH)
        cuts = pairwise([len(fresh) * number // max(1, some) for number in range(some + 1)])
        runs[begin:end] = [Run(fresh[cut:until], counts[cut:until]) for cut, until in cuts]
        self._numbers = [*accumulate((len(run.pieces) for run in runs), initial=0)]
        self._lines = [*accumulate((run.lines for run in runs), initial=0)]


def lines_of(piece: Piece) -> int:
    """How many lines end in a piece."""
    text = piece.text
    return text.count("\n") if "\r" not in text else len(LINE_END.findall(text))


def _moved(before: Mapping[Piece, int], after: Mapping[Piece, int]) -> bool:
    """Whether one of some pieces, or what follows them, begins at another line. Both say how many lines each has."""
    starts = dict(zip(after, accumulate(after.values(), initial=0), strict=False))
    then = zip(before, accumulate(before.values(), initial=0), strict=False)
    return sum(before.values()) != sum(after.values()) or any(starts.get(piece, at) != at for piece, at in then)


def _same(old: Sequence[Piece], new: Sequence[Piece]) -> tuple[int, int]:
    """How many pieces are the same at the beginning, and of the others at the end."""
    most = min(len(old), len(new))
    first = next(compress(count(), map(is_not, old, new)), most)
    last = next(compress(count(), map(is_not, reversed(old), reversed(new))), most)
    return first, min(last, most - first)
