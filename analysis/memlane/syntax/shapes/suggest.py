"""What was probably meant by a name that means nothing."""

from __future__ import annotations

from collections.abc import Collection

from memlane.syntax.shapes.limits import MAX_NAMES_COMPARED, MAX_SUGGESTIONS
from memlane.syntax.shapes.spelling import similar_op


class Suggestions:
    """Looks for similar names, for the first mistakes of a function. `asked`: of so many."""

    __slots__ = ("asked",)

    def __init__(self) -> None:
        self.asked = 0

    def name(self, name: str, names: Collection[str]) -> str | None:
        """The one of `names` most like `name`, None where none is close."""
        if not self._one():
            return None
        if len(names) > MAX_NAMES_COMPARED:  # a slip of the finger is found all the same
            size, start = len(name), name[:3]
            names = sorted(one for one in names if one.startswith(start) and abs(len(one) - size) < 2)
            names = names[:MAX_NAMES_COMPARED]
        return similar(name, names)

    def op(self, name: str) -> str | None:
        """The op that a name without a dialect was probably meant to be."""
        return similar_op(name) if self._one() else None

    def _one(self) -> bool:
        self.asked += 1
        return self.asked <= MAX_SUGGESTIONS


def similar(name: str, names: Collection[str]) -> str | None:
    """The name most like `name`, None where none is close."""
    from difflib import get_close_matches  # costs milliseconds that a clean start need not pay

    return next(iter(get_close_matches(name, list(names), 1, 0.7)), None)
