"""The part of a document in view: its functions are analysed before all others, and their findings published first."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memlane.query.limits import MIN_LEFT

if TYPE_CHECKING:
    from memlane.findings import Span
    from memlane.query.deferred_visits import Visit
    from memlane.query.findings_store import Parts
    from memlane.syntax.editing.piece import Piece
from memlane.syntax.editing.strips import Portion


@dataclass(slots=True, eq=False)
class Viewport:
    """What is seen of a document. May be changed by any thread, at any time.

    Args:
        span: in the newest version of which a place is known; None: unknown.
        visit: gives for a version of the document who sees its functions after a check, while their ops exist.
        tell: gets what is known of a document once the functions in view are analysed, if that is not all there is.
            Of functions that are not analysed yet this has what was found before the last edit, or nothing.
    """

    span: Span | None = None
    visit: Callable[[Any], Visit] | None = None
    tell: Callable[[Parts], None] | None = None

    def ordered(self, pieces: Iterable[Piece], at: Mapping[Portion, int], seen: Callable[[], None]) -> Iterator[Piece]:
        """The pieces: those in view in text order, then the others, the nearest in front first.

        Args:
            at: where pieces stand.
            seen: called once, when those in view have been dealt with and `MIN_LEFT` are left; not where none is in
                view.
        """
        left = sorted(pieces, key=at.__getitem__)
        starts = [at[piece] for piece in left]
        some = told = False
        while left:
            number, within = self._next(left, starts)
            some = some or within
            if some and not within and not told and len(left) >= MIN_LEFT:
                told = True
                seen()
            del starts[number]
            yield left.pop(number)

    def touches(self, start: int, end: int) -> bool:
        """Whether some of what lies there is in view; `end` is exclusive."""
        return self.span is not None and start <= self.span.end and self.span.start < end

    def _next(self, left: list[Piece], starts: list[int]) -> tuple[int, bool]:
        """The number of the next piece, and whether it is in view."""
        span = self.span
        if span is None:
            return 0, False
        number = max(0, bisect_right(starts, span.start) - 1)
        for one in range(number, min(number + 2, len(left))):
            if starts[one] <= span.end and span.start < starts[one] + left[one].size:
                return one, True
        return min(bisect_left(starts, span.start), len(left) - 1), False
