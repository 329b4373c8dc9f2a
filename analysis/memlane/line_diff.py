"""Where two versions of a text differ, line by line, in work that grows with their lines and not with their square.

`difflib` compares all of one version with all of the other, which is what people expect to see of small texts, and is
a square of large ones. Lines that each version has once (most define a name) cut large texts into small ones.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import Match, SequenceMatcher

MAX_LINES_WHOLE = 200
"""Lines of both versions up to which `difflib` compares them as they are."""
_MAX_CUTS = 8
"""How often what lies between such lines is cut again by lines that are there once."""
WINDOW = 64
"""Lines that are compared at once where no line tells which belong together."""


class CommonLines(SequenceMatcher[str]):
    """What lines two versions have in common. `get_opcodes` and `get_grouped_opcodes` tell, as those of `difflib`."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        super().__init__(None, old, new, autojunk=False)
        self._old, self._new = old, new
        self._found: list[Match] | None = None

    def get_matching_blocks(self) -> list[Match]:
        """See `difflib`."""
        if self._found is None:
            old, new = self._old, self._new
            small = len(old) + len(new) <= 2 * MAX_LINES_WHOLE
            self._found = super().get_matching_blocks() if small else _joined(_pairs(old, new), len(old), len(new))
        return self._found


def unified(old: Sequence[str], new: Sequence[str], before: str, after: str) -> Iterator[str]:
    """The lines of a difference in the unified format, each with its line end if it has one; none where none is.

    Args:
        old, new: lines with their ends.
        before, after: what the two versions are called.
    """
    for number, group in enumerate(CommonLines(old, new).get_grouped_opcodes()):
        if not number:
            yield f"--- {before}\n"
            yield f"+++ {after}\n"
        first, last = group[0], group[-1]
        yield f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@\n"
        for kind, start, stop, begin, end in group:
            if kind == "equal":
                yield from (f" {line}" for line in old[start:stop])
            else:
                yield from (f"-{line}" for line in old[start:stop])
                yield from (f"+{line}" for line in new[begin:end])


def _range(start: int, stop: int) -> str:
    """Lines as the format names them: from 1, with their number unless that is 1; the line before if none."""
    count = stop - start
    return str(start + 1) if count == 1 else f"{start + bool(count)},{count}"


def _joined(pairs: Iterator[tuple[int, int]], old: int, new: int) -> list[Match]:
    """Pairs of equal lines as runs of them, with the empty run at the end that `difflib` has there."""
    found: list[Match] = []
    for a, b in pairs:
        if found and found[-1].a + found[-1].size == a and found[-1].b + found[-1].size == b:
            found[-1] = found[-1]._replace(size=found[-1].size + 1)
        else:
            found.append(Match(a, b, 1))
    return [*found, Match(old, new, 0)]


def _pairs(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The lines that belong together, in order."""
    pending = [(0, len(old), 0, len(new), 0)]
    while pending:
        start, stop, begin, end, level = pending.pop()
        while start < stop and begin < end and old[start] == new[begin]:
            yield start, begin
            start, begin = start + 1, begin + 1
        if start == stop or begin == end:
            continue
        anchors = _anchors(old[start:stop], new[begin:end]) if level < _MAX_CUTS else []
        if not anchors:
            yield from _near(old, new, (start, stop, begin, end))
            continue
        ends = [*((start + a, begin + b) for a, b in anchors), (stop, end)]
        starts = [(start, begin), *ends[:-1]]
        pending += [(a, c, b, d, level + 1) for (a, b), (c, d) in zip(starts[::-1], ends[::-1], strict=True)]


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """The most lines that both versions have once, and in the same order."""
    counts, others = Counter(old), Counter(new)
    places = {line: place for place, line in enumerate(new) if others[line] == 1}
    found = [(at, places[line]) for at, line in enumerate(old) if counts[line] == 1 and line in places]
    lowest: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (_, place) in enumerate(found):
        length = bisect_left(lowest, place)
        before.append(last[length - 1] if length else -1)
        lowest[length : length + 1] = [place]
        last[length : length + 1] = [number]
    chosen: list[tuple[int, int]] = []
    number = last[-1] if last else -1
    while number >= 0:
        chosen.append(found[number])
        number = before[number]
    return chosen[::-1]


def _near(old: Sequence[str], new: Sequence[str], where: tuple[int, int, int, int]) -> Iterator[tuple[int, int]]:
    """The lines that belong together where none tells: what lies near each other is compared, one window at a time."""
    start, stop, begin, end = where
    while start < stop and begin < end:
        if old[start] == new[begin]:
            yield start, begin
            start, begin = start + 1, begin + 1
            continue
        some, others = old[start : min(stop, start + WINDOW)], new[begin : min(end, begin + WINDOW)]
        blocks = SequenceMatcher(None, some, others, autojunk=False).get_matching_blocks()
        for block in blocks:
            yield from ((start + block.a + n, begin + block.b + n) for n in range(block.size))
        last = blocks[-2] if len(blocks) > 1 else blocks[-1]
        start, begin = start + last.a + last.size, begin + last.b + last.size
