"""Which of several fixes that do not hold together brought what is new: those beside whose edits it stands."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from memlane.findings import Edit


def beside(edits: Iterable[Edit], fixes: Sequence[tuple[Edit, ...]], places: Iterable[int]) -> set[int]:
    """The numbers of the fixes that change the text nearest to one of the places.

    Args:
        edits: of all fixes together.
        fixes: the edits of each.
        places: offsets in the text after the edits.
    """
    earlier = _Earlier(edits)
    ends = sorted((end, number) for number, own in enumerate(fixes) for edit in own for end in edit.span)
    found: set[int] = set()
    for place in map(earlier.offset, places):
        after = bisect_left(ends, (place, 0))
        near = ends[max(0, after - 1) : after + 1]
        least = min((abs(end - place) for end, _ in near), default=0)
        found.update(number for end, number in near if abs(end - place) == least)
    return found


class _Earlier:
    """Where in the text before some edits stands what is in the text after them."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self._edits = sorted(edits, key=lambda edit: edit.span)
        self._starts: list[int] = []
        more = 0
        for edit in self._edits:
            self._starts.append(edit.span.start + more)
            more += len(edit.content) - (edit.span.end - edit.span.start)

    def offset(self, after: int) -> int:
        """The offset before; of what was put in, that where it was."""
        number = bisect_right(self._starts, after) - 1
        if number < 0:
            return after
        edit = self._edits[number]
        return edit.span.end + max(0, after - self._starts[number] - len(edit.content))
