"""What was probably meant by a name that means nothing."""

from __future__ import annotations

from collections.abc import Collection

from memlane.syntax.shapes.mistakes import similar_op

_MANY = 2_000


class Suggestions:
    """Looks for similar names, for so many mistakes of a function and no more: looking costs."""

    __slots__ = ("left",)

    def __init__(self, left: int = 20) -> None:
        self.left = left

    def name(self, name: str, names: Collection[str]) -> str | None:
        """The one of `names` most like `name`, None where none is close."""
        if not self._one():
            return None
        if len(names) > _MANY:  # a slip of the finger is found all the same
            size, start = len(name), name[:3]
            names = [one for one in names if one.startswith(start) and abs(len(one) - size) < 2][:_MANY]
        return similar(name, names)

    def op(self, name: str) -> str | None:
        """The op that a name without a dialect was probably meant to be."""
        return similar_op(name) if self._one() else None

    def _one(self) -> bool:
        self.left -= 1
        return self.left >= 0


def similar(name: str, names: Collection[str]) -> str | None:
    """The name most like `name`, None where none is close."""
    from difflib import get_close_matches  # costs milliseconds that a clean start need not pay

    return next(iter(get_close_matches(name, list(names), 1, 0.7)), None)
