"""How the text of a function differs from that of an earlier version, where that is a matter of single statements."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import compress, count
from operator import is_not
from typing import NamedTuple
from weakref import ReferenceType, ref

from memlane.flow.memo.exploration_memo import UNCHANGED, TextChange
from memlane.query.edit_diff import Enclosing, op_begins, straight
from memlane.syntax.editing.piece import Piece
from memlane.syntax.editing.splice import Splice
from memlane.syntax.lines.common import common
from memlane.syntax.lines.statements import NO_OPERAND, NO_POPS, Statements, joined, unlike
from memlane.syntax.shapes.holes import NAME, clean
from memlane.syntax.shapes.shape import Label, Open, OpShape, Rest, Template


class Difference(NamedTuple):
    """Some statements in a row, of one function, in place of others. All else is the same.

    Args:
        old, new: statements of the function before and now, all that differ among them. `gone`, `come`: which of them.
        before, now: their texts. `at`: where these begin in the function.
    """

    old: Statements
    new: Statements
    gone: range
    come: range
    before: str
    now: str
    at: int


def difference(old: Piece, new: Piece) -> Difference | None:
    """What is different in `new`; None where that is more than statements each of which is an op that neither has
    regions nor decides where control goes, and none of them the last of its block; or than one op, or the head of one
    with regions, in place of one of the same name which leads to the same blocks."""
    found = _different(old, new, 1)
    if found is None or 0 in (found.gone.start, len(found.old.templates) - found.gone.stop):
        return None
    one, other, gone, come = found[:4]
    follows = other.templates[come.stop]
    if follows.events and isinstance(follows.events[0], Rest):
        return None  # what may belong to the op that is another
    if _same_op(one.templates[gone.start : gone.stop], other.templates[come.start : come.stop]):
        return found if _leads_alike(found) else None
    if not op_begins(other, come.stop):
        return None
    those = *(one.templates[number] for number in gone), *(other.templates[number] for number in come)
    return found if all(map(_ordinary, those)) else None


def exchange(old: Piece, new: Piece) -> Difference | None:
    """The same, of whole ops of one block with all that is in them, none of them the last of it; None: there are none
    around all that is different."""
    most = max(len(old.leaves), len(new.leaves))
    more = 1
    while True:
        found = _different(old, new, more)
        if found is None:
            return None
        one, other, gone, come, before, now, at = found
        if more == 1 and not (straight(one, gone) and straight(other, come)) and _outermost(old, found):
            return None
        behind = len(one.templates) - gone.stop
        those = Enclosing(one, other, gone.start, behind, 0 if at else 1)
        if those.gone is not None and those.come is not None:
            return Difference(one, other, those.gone, those.come, before, now, at)
        if more >= most:
            return None
        more *= 8


def _outermost(old: Piece, found: Difference) -> bool:
    """Whether what differs begins in a block of the function's body: then only the function is around it."""
    depth = sum(template.depth for template in found.old.templates[: found.gone.start])
    at = 0
    for leaf in old.leaves:
        if at == found.at:
            break
        if leaf.statements.pops:
            return False
        depth += sum(template.depth for template in leaf.statements.templates)
        at += leaf.end - leaf.start
    return depth == 1 and not found.old.pops


def _different(old: Piece, new: Piece, more: int) -> Difference | None:
    """The statements that differ, with so many leaves more at either side. Of the last two pieces remembered: what is
    different is asked for what following buffers gave, and again for the ops."""
    global _last
    last = _last  # read once: other threads replace it
    if last is not None and last.more == more and last.old() is old and last.new() is new:
        return last.found
    found = _compared(old, new, more)
    _last = _Last(ref(old), ref(new), more, found)
    return found


class _Last(NamedTuple):
    old: ReferenceType[Piece]
    new: ReferenceType[Piece]
    more: int
    found: Difference | None


_last: _Last | None = None


def _compared(old: Piece, new: Piece, more: int) -> Difference | None:
    at, those, others = unlike(old.leaves, new.leaves, more)
    one, other = joined(those), joined(others)
    before, now = "".join([leaf.text for leaf in those]), "".join([leaf.text for leaf in others])
    alike = _alike(one, other, before, now)
    if alike is None:
        return None
    first, last = alike
    gone, come = range(first, len(one.templates) - last), range(first, len(other.templates) - last)
    return Difference(one, other, gone, come, before, now, at) if _closed_alike(one, other, gone, come) else None


def _closed_alike(one: Statements, other: Statements, gone: range, come: range) -> bool:
    """Whether regions that are not closed by braces of their own end at the same statements: none of the different
    ones."""
    if not one.pops and not other.pops:
        return True
    further = come.stop - gone.stop
    moved = {(at + further if at >= gone.stop else at, event): count for (at, event), count in one.pops.items()}
    return (
        moved == other.pops
        and not any(at in gone for at, _ in one.pops)
        and not any(at in come for at, _ in other.pops)
    )


def changed(old: Piece, new: Piece, at: int) -> TextChange | None:
    """What is different in `new`, which is at `at`; None where that is unknown."""
    if old is new:
        return UNCHANGED
    found = difference(old, new)
    nested = found is None
    found = found or exchange(old, new)
    if found is None:
        return None
    one, other, gone, come, before, now, begin = found
    defined, defines = list(_defined(one, before, gone)), list(_defined(other, now, come))
    same = defined == defines and not nested
    names = frozenset[str]() if same else frozenset(name for name, _ in (*defined, *defines))
    start, stop = other.starts[come.start], other.starts[come.stop]
    asks = not nested and _first(found, old=False)[0] is not None and _hands_alike(found)
    return TextChange(at + begin + start, at + begin + stop, names, asks)


def spliced(old: Piece, new: Piece) -> Splice | None:
    """The same, for a caller that has the ops of `old`."""
    if old.odd or new.odd:
        return None
    found = difference(old, new)
    if found is None or any(template.depth for template in found.new.templates[found.come.start : found.come.stop]):
        found = exchange(old, new)
    if found is None:
        return None
    one, other, gone, come, _, now, at = found
    first, last = other.starts[come.start], other.starts[come.stop]
    name = other.names[come.start]
    statements = Statements(
        other.templates[come.start : come.stop],
        array("i", [start - first for start in other.starts[come.start : come.stop]]),
        array("i", [number - name for number in other.names[come.start : come.stop]]),
        _within(other, come),
    )
    links = array("i")
    for leaf in new.leaves:
        links.extend(leaf.links)
    if NO_OPERAND in links:
        links = array("i", [link for link in links if link != NO_OPERAND])
    start, stop = one.starts[gone.start], one.starts[gone.stop]
    return Splice(at + start, at + stop, at + first, last - stop, statements, now[first:last], links)


def _within(statements: Statements, those: range) -> Mapping[tuple[int, int], int]:
    """The entries for closing braces among some statements, of which the first is number 0."""
    pops = statements.pops.items()
    return {(at - those.start, event): count for (at, event), count in pops if at in those} or NO_POPS


def _alike(one: Statements, other: Statements, before: str, now: str) -> tuple[int, int] | None:
    """How many statements are the same at the beginning, and how many others at the end; None: it makes no sense."""
    most = min(len(before), len(now))
    head = common(before, now, most)
    tail = common(before[::-1], now[::-1], most - head)
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


def _plain(template: Template) -> bool:
    """Whether a statement is one op, without regions."""
    if len(template.events) != 1 or template.depth or template.lowest:
        return False
    return isinstance(template.events[0], OpShape)


def _ordinary(template: Template) -> bool:
    """Whether it is, and its block does not end with that op."""
    return _plain(template) and not any(isinstance(event, OpShape) and event.ends for event in template.events)


def _leads_alike(found: Difference) -> bool:
    """Whether an op has the same successors as the one it replaces, and forwards as many values to each: in generic
    form an attribute says how many."""
    (one, names), (other, names_now) = (_first(found, old) for old in (True, False))
    if one is None or other is None:
        return one is other
    if one.generic or len(one.operands) != len(other.operands):
        return False
    led, leads = (
        [(written[target.slot], target.first, target.last) for target in shape.successors]
        for shape, written in ((one, names), (other, names_now))
    )
    return led == leads


def _hands_alike(found: Difference) -> bool:
    """Whether an op with other successors forwards the same values as the one it replaces."""

    def handed(old: bool) -> list[tuple[str, int | None]]:
        shape, names = _first(found, old)
        assert shape is not None
        those = (shape.operands[target.first : target.last] for target in shape.successors)
        return [(names[operand.slot], operand.number) for operands in those for operand in operands]

    return handed(old=True) == handed(old=False)


def _first(found: Difference, old: bool) -> tuple[OpShape | None, list[str]]:
    """The op with which what is gone begins, or what is new, and the names that its statement mentions."""
    statements, text, those = (found.old, found.before, found.gone) if old else (found.new, found.now, found.come)
    events = statements.templates[those.start].events if those else ()
    shape = events[0] if events else None
    if not isinstance(shape, OpShape) or not shape.successors:
        return None, []
    return shape, _names(statements, text, those.start)


def _same_op(old: Sequence[Template], new: Sequence[Template]) -> bool:
    """Whether each is one op, or the head of one whose region it opens, and both are of one name: what follows them,
    and what stands in their regions, says the same in either."""
    if len(old) != 1 or len(new) != 1 or len(old[0].events) != len(new[0].events):
        return False
    if not old[0].events:
        return False  # text that is no op
    (one, *opening), (other, *_) = old[0].events, new[0].events
    if not (isinstance(one, OpShape) and isinstance(other, OpShape)):
        return False
    if (one.name, one.bare, one.generic) != (other.name, other.bare, other.generic):
        return False
    return all(map(_head if opening else _plain, (*old, *new)))


def _head(template: Template) -> bool:
    """Whether a statement is the beginning of an op, as far as where its first region opens."""
    if len(template.events) != 2 or template.depth != 1 or template.lowest:
        return False
    event, opening = template.events
    return isinstance(event, OpShape) and not event.successors and isinstance(opening, Open)


def _defined(statements: Statements, text: str, those: range) -> Iterator[tuple[str, int]]:
    """The names that some statements define, each with how many values it stands for."""
    for number in those:
        defined: list[tuple[int, int]] = []
        for event in statements.templates[number].events:
            if isinstance(event, OpShape):
                defined += event.results
            elif isinstance(event, (Open, Label)):
                defined += [(one.slot, 1) for one in (event.defines if isinstance(event, Open) else event.arguments)]
        if defined:
            names = _names(statements, text, number)
            yield from ((names[slot], size) for slot, size in defined)


def _names(statements: Statements, text: str, number: int) -> list[str]:
    """The names that a statement mentions, in order."""
    end = statements.starts[number + 1] if number + 1 < len(statements.starts) else len(text)
    return NAME.findall(clean(text[statements.starts[number] : end]))
