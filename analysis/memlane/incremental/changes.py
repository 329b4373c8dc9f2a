"""How the text of a function differs from that of an earlier version, where that is a matter of single statements."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import compress, count
from operator import is_not

from memlane.flow.recall import UNCHANGED, Change
from memlane.syntax.holes import NAME, clean
from memlane.syntax.pieces import Piece
from memlane.syntax.shape import OpShape, Template
from memlane.syntax.statements import Statements, joined


def changed(old: Piece, new: Piece, at: int) -> Change | None:
    """What is different in `new`, which stands at `at`.

    None where more than some statements in a row, each an op that neither has regions nor decides where control goes,
    and none of them the last of its block.
    """
    if old is new:
        return UNCHANGED
    one, other = joined(old.leaves), joined(new.leaves)
    if one.pops or other.pops:
        return None
    before, now = old.text, new.text
    alike = _alike(one, other, before, now)
    if alike is None:
        return None
    first, last = alike
    gone = range(first, len(one.templates) - last)
    come = range(first, len(other.templates) - last)
    if first == 0 or last == 0 or not _begins_an_op(other.templates[come.stop]):
        return None
    if not all(_plain(one.templates[number]) for number in gone):
        return None
    if not all(_plain(other.templates[number]) for number in come):
        return None
    defined, defines = list(_defined(one, before, gone)), list(_defined(other, now, come))
    names = frozenset[str]() if defined == defines else frozenset(name for name, _ in (*defined, *defines))
    return Change(at + other.starts[first], len(gone), len(come), names)


def _alike(one: Statements, other: Statements, before: str, now: str) -> tuple[int, int] | None:
    """How many statements are the same at the beginning, and how many others at the end; None: it makes no sense."""
    most = min(len(before), len(now))
    head = _common(before, now, most)
    tail = _common(before[::-1], now[::-1], most - head)
    shortest = min(len(one.templates), len(other.templates))
    starts, others = [*one.starts, len(before)], [*other.starts, len(now)]
    same = next(compress(count(), map(is_not, one.templates, other.templates)), shortest)
    first = min(same, bisect_right(starts, head, 1) - 1, bisect_right(others, head, 1) - 1)
    same = next(compress(count(), map(is_not, one.templates[::-1], other.templates[::-1])), shortest)
    behind = len(starts) - bisect_left(starts, len(before) - tail) - 1
    last = min(same, behind, shortest - first)
    while first < shortest - last and one.templates[first] is other.templates[first]:  # but for what follows it?
        texts = before[starts[first] : starts[first + 1]].rstrip(), now[others[first] : others[first + 1]].rstrip()
        if starts[first] != others[first] or texts[0] != texts[1]:
            break
        first += 1
    further = len(now) - len(before)
    if starts[:first] != others[:first]:
        return None
    moved = [start + further for start in starts[len(one.templates) - last :]]
    return (first, last) if moved == others[len(other.templates) - last :] else None


def _common(one: str, other: str, most: int) -> int:
    """How many characters, `most` at most, are the same at the beginning."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _begins_an_op(template: Template) -> bool:
    return bool(template.events) and isinstance(template.events[0], OpShape)


def _plain(template: Template) -> bool:
    """Whether a statement is one op, without regions and blocks."""
    if len(template.events) != 1 or template.depth or template.lowest:
        return False
    event = template.events[0]
    return isinstance(event, OpShape) and not event.successors and not event.declares


def _defined(statements: Statements, text: str, those: range) -> Iterator[tuple[str, int]]:
    """The names that some statements define, each with how many values it stands for."""
    for number in those:
        shape = statements.templates[number].events[0]
        assert isinstance(shape, OpShape)
        if shape.results:
            end = statements.starts[number + 1] if number + 1 < len(statements.starts) else len(text)
            names = NAME.findall(clean(text[statements.starts[number] : end]))
            yield from ((names[slot], size) for slot, size in shape.results)
