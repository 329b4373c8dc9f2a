"""Where regions end that nothing closes: the lines behind them tell, by how far they are indented.

While a region is being typed, all that follows in the function would be in it: a buffer freed after a loop would be
freed in each iteration.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from memlane.syntax.lines.brace_lines import Brace, Key, indent_at
from memlane.syntax.lines.statements import BEFORE, Leaf
from memlane.syntax.shapes.holes import clean
from memlane.syntax.shapes.shape import Close, Label


def ended(leaves: Sequence[Leaf], braces: Sequence[Brace], pops: Mapping[Key, int]) -> dict[Key, int]:
    """`pops`, and how many of the regions that are left open end before which statement (`BEFORE`)."""
    left = _left_open(braces, pops)
    found = dict(pops)
    if not left:
        return found
    regions = _Regions(left)
    inside = iter(braces)
    brace = next(inside, None)
    for leaf, statement, indent, label in _lines(leaves):
        while brace is not None and brace.key[:2] < (leaf, statement):
            regions.take(brace, found)
            brace = next(inside, None)
        count = regions.ended_by(indent, label)
        if count:
            found[leaf, statement, BEFORE] = count
            regions.end(count)
    while brace is not None:
        regions.take(brace, found)
        brace = next(inside, None)
    return found


def _left_open(braces: Iterable[Brace], pops: Mapping[Key, int]) -> set[Key]:
    """The braces inside the function that no other closes."""
    stack: list[Key] = []
    left: set[Key] = set()
    for brace in braces:
        if brace.opens:
            stack.append(brace.key)
            continue
        count = pops.get(brace.key, 1)
        gone = stack[len(stack) - count :]
        left.update(gone[1:])
        del stack[len(stack) - count :]
    return left.union(stack[1:])


class _Regions:
    """The regions around a place, from the outside inwards.

    Args:
        left: the braces that no other closes.
    """

    def __init__(self, left: Collection[Key]) -> None:
        self._left = left
        self._stack: list[Brace] = []
        self._over: set[Key] = set()
        self._open: list[Brace] = []
        """Of the stack those that are not over."""
        self._runs: list[tuple[int, int]] = []
        """For each of them where those begin that nothing closes, up to it; and how far these are indented at most."""

    def take(self, brace: Brace, found: dict[Key, int]) -> None:
        """Open or close: a brace closes none of those that are over."""
        if brace.opens:
            self._stack.append(brace)
            self._push(brace)
            return
        count = found.pop(brace.key, 1)
        gone = self._stack[len(self._stack) - count :]
        del self._stack[len(self._stack) - len(gone) :]
        count -= sum(1 for one in gone if one.key in self._over)
        if count != 1:
            found[brace.key] = count
        self._pop(sum(1 for one in gone if one.key not in self._over))

    def end(self, count: int) -> None:
        """So many of those that are open are over."""
        self._over.update(one.key for one in self._open[len(self._open) - count :])
        self._pop(count)

    def ended_by(self, indent: int, label: bool) -> int:
        """How many end before a line that is indented so; a block's name may stand where its operation does."""
        size, least = len(self._open), indent + label
        start = max(1, self._runs[-1][0]) if self._runs else 1
        number = bisect_left(self._runs, least, start, max(start, size), key=_highest)
        while number < size:
            if self._open[number - 1].indent < indent and least <= self._open[number].indent:
                return size - number
            number += 1
        return 0

    def _push(self, brace: Brace) -> None:
        number = len(self._open)
        start, highest = self._runs[-1] if self._runs else (0, -1)
        if brace.key not in self._left:
            self._runs.append((number + 1, -1))
        elif start > number - 1:
            self._runs.append((number, brace.indent))
        else:
            self._runs.append((start, max(highest, brace.indent)))
        self._open.append(brace)

    def _pop(self, count: int) -> None:
        del self._open[len(self._open) - count :]
        del self._runs[len(self._runs) - count :]


def _highest(run: tuple[int, int]) -> int:
    return run[1]


def _lines(leaves: Sequence[Leaf]) -> Iterator[tuple[int, int, int, bool]]:
    """The statements that begin their line, but with a closing brace: leaf, number, indentation, is it a label."""
    for at, leaf in enumerate(leaves):
        cleaned, statements = clean(leaf.text), leaf.statements
        for number, (template, start) in enumerate(zip(statements.templates, statements.starts, strict=True)):
            first = template.events[0] if template.events else None
            indent, leads = indent_at(cleaned, start)
            if leads and first is not None and not isinstance(first, Close):
                yield at, number, indent, isinstance(first, Label)
