"""Where two versions of a text differ, line by line, in work that grows with their lines and not with their square.

`difflib` compares all of one version with all of the other, which is what people expect to see of small texts, and is
a square of large ones. Lines that each version has once (most define a name) cut large texts into small ones.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import Match, SequenceMatcher
from itertools import pairwise

from memlane.limits import MAX_CUTS, MAX_LINES_WHOLE

WINDOW = 64
"""Lines that are compared at once where no line tells which belong together."""

_Run = tuple[int, int, int]
"""Equal lines: where they begin in the one version and in the other, and how many there are."""


class CommonLines(SequenceMatcher[str]):
    """What lines two versions have in common. `get_opcodes` and `get_grouped_opcodes` tell, as those of `difflib`."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        small = len(old) + len(new) <= 2 * MAX_LINES_WHOLE
        # What `difflib` prepares for its own comparison takes longer than comparing large texts.
        super().__init__(None, old if small else (), new if small else (), autojunk=False)
        self._found = None if small else _joined(_runs(old, new), len(old), len(new))

    def get_matching_blocks(self) -> list[Match]:
        """See `difflib`."""
        return super().get_matching_blocks() if self._found is None else self._found


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


def _joined(runs: Iterator[_Run], old: int, new: int) -> list[Match]:
    """The runs, those that adjoin as one, with the empty one at the end that `difflib` has there."""
    found: list[Match] = []
    for a, b, size in runs:
        if found and found[-1].a + found[-1].size == a and found[-1].b + found[-1].size == b:
            found[-1] = found[-1]._replace(size=found[-1].size + size)
        else:
            found.append(Match(a, b, size))
    return [*found, Match(old, new, 0)]


def _runs(old: Sequence[str], new: Sequence[str]) -> Iterator[_Run]:
    """The lines that belong together, in order."""
    pending = [(0, len(old), 0, len(new), 0)]
    while pending:
        start, stop, begin, end, level = pending.pop()
        size = _alike(old, new, (start, stop, begin, end))
        if size:
            yield start, begin, size
        start, begin = start + size, begin + size
        if start == stop or begin == end:
            continue
        anchors = _anchors(old[start:stop], new[begin:end]) if level < MAX_CUTS else []
        if not anchors:
            yield from _near(old, new, (start, stop, begin, end))
            continue
        ends = [*((start + a, begin + b) for a, b in anchors), (stop, end)]
        starts = [(start, begin), *ends[:-1]]
        pending += [(a, c, b, d, level + 1) for (a, b), (c, d) in zip(starts[::-1], ends[::-1], strict=True)]


def _alike(old: Sequence[str], new: Sequence[str], where: tuple[int, int, int, int]) -> int:
    """How many lines from two starts on are equal."""
    start, stop, begin, end = where
    size, most = 0, min(stop - start, end - begin)
    while size < most and old[start + size] == new[begin + size]:
        size += 1
    return size


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """The most lines that both versions have once, and in the same order; of those that follow one another in both the
    first."""
    counts, others = Counter(old), Counter(new)
    places = {line: place for place, line in enumerate(new) if others[line] == 1}
    found = [(at, places[line]) for at, line in enumerate(old) if line in places and counts[line] == 1]
    chosen = _in_order(found)
    return [pair for pair, last in zip(chosen, [(-1, -1), *chosen], strict=False) if pair != (last[0] + 1, last[1] + 1)]


def _in_order(found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest part of pairs whose first numbers rise in which the second ones rise as well."""
    if all(earlier[1] < later[1] for earlier, later in pairwise(found)):
        return found
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


def _near(old: Sequence[str], new: Sequence[str], where: tuple[int, int, int, int]) -> Iterator[_Run]:
    """The lines that belong together where none tells: what lies near each other is compared, one window at a time."""
    start, stop, begin, end = where
    while start < stop and begin < end:
        size = _alike(old, new, (start, stop, begin, end))
        if size:
            yield start, begin, size
            start, begin = start + size, begin + size
            continue
        some, others = old[start : min(stop, start + WINDOW)], new[begin : min(end, begin + WINDOW)]
        blocks = SequenceMatcher(None, some, others, autojunk=False).get_matching_blocks()
        yield from ((start + block.a, begin + block.b, block.size) for block in blocks if block.size)
        last = blocks[-2] if len(blocks) > 1 else blocks[-1]
        start, begin = start + last.a + last.size, begin + last.b + last.size
