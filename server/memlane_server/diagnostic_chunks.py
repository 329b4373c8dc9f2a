"""Portions of a document in runs of some, with what was said of each run: an edit touches one of them.

A document has thousands of portions, and all that is done for each of them at each keystroke adds up. Where a run
begins is known from the runs before it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, compress, count, pairwise
from operator import is_not

from memlane.query.findings_store import FindingsMemory
from memlane.syntax.editing.strips import Portion
from memlane_server.limits import MAX_RUN_PORTIONS
from memlane_server.range_convert import LINE_END

Memories = tuple[FindingsMemory, ...]
"""What is remembered of a portion."""


class Slot:
    """A portion, and what was said of it.

    Args:
        lines: how many it has.

    Attributes:
        text: what was said, where `says` tells so.
    """

    __slots__ = ("_elsewhere", "_layout", "_line", "_memories", "lines", "portion", "text")

    def __init__(self, portion: Portion) -> None:
        self.portion = portion
        self.lines = lines_of(portion)
        self.text = b""
        self._memories: Memories | None = ()
        self._line = self._layout = -1
        self._elsewhere: Mapping[Portion, int] = {}

    def says(self, memories: Memories, line: int, layout: int, now: Callable[[Portion], int]) -> bool:
        """Whether `text` is what is to be said of some memories when the portion begins at a line.

        Args:
            layout: the same number as long as each portion begins at the same line.
            now: gives that.
        """
        if not memories:
            return self._memories == ()
        return (
            self._memories == memories
            and self._line == line
            and (self._layout == layout or all(now(portion) == first for portion, first in self._elsewhere.items()))
        )

    def keep(
        self, text: bytes, memories: Memories | None, line: int, layout: int, elsewhere: Mapping[Portion, int]
    ) -> None:
        """Keep what was said of `memories`; None: it is not to be said again.

        Args:
            elsewhere: lines of other portions that it names.
        """
        self.text, self._memories, self._line, self._layout = text, memories, line, layout
        self._elsewhere = elsewhere


class Run:
    """Some portions in a row.

    Attributes:
        lines: of all of them.
        whole: all but the last end with a line; `ends`: so does that.
        texts: what was said of them, where `says` tells so.
    """

    __slots__ = ("_layout", "_line", "_memories", "ends", "lines", "slots", "texts", "whole")

    def __init__(self, slots: Sequence[Slot]) -> None:
        self.slots = slots
        self.lines = sum([slot.lines for slot in slots])
        self.whole = all(slot.portion.whole_lines for slot in slots[:-1])
        self.ends = slots[-1].portion.whole_lines
        self.texts: Sequence[bytes] = ()
        self._memories: Sequence[Memories | None] = ()
        self._line = self._layout = -1

    def placed(self, line: int) -> Iterator[tuple[int, Slot]]:
        """Its slots, each with the line at which it begins when the run begins at a line."""
        return zip(accumulate([slot.lines for slot in self.slots], initial=line), self.slots, strict=False)

    def says(self, memories: Sequence[Memories | None], line: int, layout: int) -> bool:
        """Whether `texts` are what is to be said; see `Slot.says`. May be False where they are."""
        return self._line == line and self._layout == layout and self._memories == memories

    def keep(self, memories: Sequence[Memories | None], line: int, layout: int) -> None:
        """All slots say what is to be said of `memories`."""
        self.texts = [slot.text for slot in self.slots if slot.text]
        self._memories, self._line, self._layout = memories, line, layout


class Runs:
    """The portions of a document, version by version.

    Attributes:
        layout: another number once lines may begin elsewhere in a portion that stays.
    """

    def __init__(self) -> None:
        self.layout = 0
        self._portions: Sequence[Portion] = ()
        self._runs: list[Run] = []
        self._numbers: list[int] = [0]
        self._lines: list[int] = [0]

    def follow(self, portions: Sequence[Portion]) -> bool:
        """Let the document be made of `portions` now. False where one begins in the middle of a line."""
        old = self._portions
        first, last = _same(old, portions)
        if first + last < max(len(old), len(portions)):
            self._replace(first, len(old) - last, portions)
        self._portions = portions
        return all(run.whole and run.ends for run in self._runs[:-1]) and all(run.whole for run in self._runs[-1:])

    def placed(self) -> Iterator[tuple[int, int, Run]]:
        """The runs, each with the number of its first portion and the line that begins at."""
        return zip(self._numbers, self._lines, self._runs, strict=False)

    def line(self, number: int) -> int:
        """The line at which the portion of that number begins."""
        run = bisect_right(self._numbers, number, 0, len(self._runs)) - 1
        return self._lines[run] + sum([slot.lines for slot in self._runs[run].slots[: number - self._numbers[run]]])

    def _replace(self, first: int, stop: int, portions: Sequence[Portion]) -> None:
        """Cut the runs anew that had the portions from number `first` to `stop` (exclusive)."""
        runs, numbers, count = self._runs, self._numbers, len(self._portions)
        begin = min(bisect_right(numbers, first), len(runs)) - 1 if runs else 0
        end = max(begin + 1, bisect_left(numbers, stop, 0, len(runs))) if runs else 0
        if len(runs) > 4 + 4 * len(portions) // MAX_RUN_PORTIONS:  # many have become short
            begin, end = 0, len(runs)
        left, right = numbers[begin], numbers[end] + len(portions) - count
        known = {slot.portion: slot for run in runs[begin:end] for slot in run.slots}
        fresh = [known.get(portion) or Slot(portion) for portion in portions[left:right]]
        if _moved([*known.values()], fresh):
            self.layout += 1
        runs[begin:end] = [Run(fresh[cut:until]) for cut, until in pairwise(_cuts(len(fresh)))]
        self._numbers = [*accumulate((len(run.slots) for run in runs), initial=0)]
        self._lines = [*accumulate((run.lines for run in runs), initial=0)]


def _cuts(count: int) -> list[int]:
    """Where runs of so many slots begin, and where the last one ends; they are as long as each other."""
    some = -(-count // MAX_RUN_PORTIONS)
    return [count * number // max(1, some) for number in range(some + 1)]


def lines_of(portion: Portion) -> int:
    """How many lines end in a portion."""
    text = portion.text
    return text.count("\n") if "\r" not in text else len(LINE_END.findall(text))


def _moved(before: Sequence[Slot], after: Sequence[Slot]) -> bool:
    """Whether one of some portions, or what follows them, begins at another line."""
    firsts, then = (accumulate([slot.lines for slot in slots], initial=0) for slots in (after, before))
    starts = dict(zip(after, firsts, strict=False))
    moved = any(starts.get(slot, first) != first for slot, first in zip(before, then, strict=False))
    return moved or sum(slot.lines for slot in before) != sum(slot.lines for slot in after)


def _same(old: Sequence[Portion], new: Sequence[Portion]) -> tuple[int, int]:
    """How many portions are the same at the beginning, and of the others at the end."""
    most = min(len(old), len(new))
    first = next(compress(count(), map(is_not, old, new)), most)
    last = next(compress(count(), map(is_not, reversed(old), reversed(new))), most)
    return first, min(last, most - first)
