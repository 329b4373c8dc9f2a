"""Which statements of a function stand in which, and which come together; what they use and define, in numbers.

What a leaf says by itself is noted once, for as long as some version has its statements: the next version walks over
what opens and closes, not over all.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, repeat
from typing import NamedTuple
from weakref import WeakKeyDictionary

from memlane.syntax.lines.statements import Leaf, Statements
from memlane.syntax.shapes.shape import Alias, Close, Label, Open, OpShape, Rest


class Sketch(NamedTuple):
    """Of the statements of a leaf.

    Args:
        used: how many names are used before each, and by all. `defined`: how many values are defined.
        steps: those that are more than one op, with a letter for each event.
    """

    used: array[int]
    defined: array[int]
    steps: tuple[tuple[int, str], ...]


_LETTERS = {OpShape: "o", Open: "{", Close: "}", Label: "^", Rest: "r", Alias: ""}
_sketches: WeakKeyDictionary[Statements, Sketch] = WeakKeyDictionary()


def sketch(statements: Statements) -> Sketch:
    """That of some statements."""
    found = _sketches.get(statements)
    if found is None:
        templates = statements.templates
        used = array("i", [0, *accumulate([template.uses for template in templates])])
        defined = array("i", [0, *accumulate([template.defines for template in templates])])
        steps = [
            (number, "".join([_LETTERS[type(event)] for event in template.events]))
            for number, template in enumerate(templates)
            if template.single is None
        ]
        found = _sketches[statements] = Sketch(used, defined, tuple(steps))
    return found


class Nesting:
    """How the statements of a function belong together; they are numbered through it.

    Attributes:
        together: of a statement in which an op with regions begins: those without which it is not that op, as where its
            regions begin and end, and the last op of each block.
    """

    def __init__(self, leaves: Sequence[Leaf]) -> None:
        self.together: dict[int, list[int]] = {}
        self._steps: list[int] = []
        """The statements that are more than one op, and"""
        self._before: list[int] = []
        """which each of them stands in, and"""
        self._after: list[int] = []
        """which those stand in that follow; -1 for none."""
        self._walk(leaves)

    def around(self, number: int) -> int:
        """The statement that one stands in; -1 for none."""
        at = bisect_left(self._steps, number)
        if at < len(self._steps) and self._steps[at] == number:
            return self._before[at]
        return self._after[at - 1] if at else -1

    def all_around(self, number: int) -> Iterator[int]:
        """Those that one stands in, the innermost first."""
        while (number := self.around(number)) >= 0:
            yield number

    def first(self, count: int) -> Iterator[int]:
        """Which each of the first so many statements stands in."""
        next_, parent = 0, -1
        for step, before, after in zip(self._steps, self._before, self._after, strict=True):
            if step >= count:
                break
            yield from repeat(parent, step - next_)
            yield before
            next_, parent = step + 1, after
        yield from repeat(parent, count - next_)

    def _walk(self, leaves: Sequence[Leaf]) -> None:
        open_: list[int] = []
        """The statements in which ops begin of which a region is open."""
        last: list[int] = [-1]
        """The last op so far of each block that is open."""
        first, next_ = 0, 0
        for leaf in leaves:
            for place, letters in sketch(leaf.statements).steps:
                number = first + place
                if number > next_:
                    last[-1] = number - 1  # one op
                next_ = number + 1
                self._steps.append(number)
                self._before.append(open_[-1] if open_ else -1)
                for letter in letters:
                    self._step(number, letter, open_, last)
                self._after.append(open_[-1] if open_ else -1)
            first += len(leaf.statements.templates)

    def _step(self, number: int, letter: str, open_: list[int], last: list[int]) -> None:
        if letter == "o":
            last[-1] = number
        elif letter == "{":
            open_.append(last[-1] if last[-1] >= 0 else number)
            self._belongs(open_[-1], number)
            last.append(-1)
        elif letter == "}" and open_:
            self._belongs(open_[-1], last.pop())
            self._belongs(open_.pop(), number)
        elif letter == "^" and open_:
            self._belongs(open_[-1], last[-1])
            self._belongs(open_[-1], number)
            last[-1] = -1
        elif letter == "r":
            self._belongs(last[-1], number)
            self._belongs(number, last[-1])

    def _belongs(self, one: int, other: int) -> None:
        """Let one statement come with another."""
        if one >= 0 and other >= 0 and one != other:
            self.together.setdefault(one, []).append(other)
