"""A function after an edit of some of its lines: statements that the edit does not touch are not read again.

What a line says depends on its own text and on the next line that is not blank (scan.py). So reading begins at the
statement before the one that is edited, and ends where a statement begins where an old one did, behind the edit and in
the same depth of regions. Where names are used and defined as before, they mean what they meant; else all names of the
function are resolved again.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple

from memlane.cancellation import poll
from memlane.syntax.editing.limits import MAX_LEAF_STATEMENTS
from memlane.syntax.editing.piece import Piece, Sort
from memlane.syntax.lines.line import Kind
from memlane.syntax.lines.memo import Memo
from memlane.syntax.lines.scan import Scanner
from memlane.syntax.lines.statements import NO_POPS, Leaf, Statements, joined, no_links, small
from memlane.syntax.names.ones import Some
from memlane.syntax.names.resolve import Resolver
from memlane.syntax.names.scoping import Scoping
from memlane.syntax.names.unmoved import Meant, unmoved
from memlane.syntax.shapes.holes import BLOCK, HOLE, VALUE
from memlane.syntax.shapes.shape import Template


class _Window(NamedTuple):
    """Some leaves in a row of a function, `first` to `last` (exclusive), the first of which starts `at`."""

    first: int
    last: int
    at: int
    text: str
    statements: Statements


class _WindowReading(NamedTuple):
    """Statements of a window in place of `gone`, with the text between the offsets `start` and `stop`, which was read
    again as `text`. All that follows stands `further` on; `names`: so many more names come before it.

    Args:
        fresh: relative to `start` and the first name of those that are gone.
    """

    gone: range
    start: int
    stop: int
    text: str
    further: int
    names: int
    fresh: Statements

    @property
    def those(self) -> range:
        """The numbers of all that are fresh."""
        return range(len(self.fresh.templates))


def amended(piece: Piece, start: int, end: int, content: str, memo: Memo, scoping: Scoping) -> Piece | None:
    """The function of `piece` with `content` in place of its text from `start` to `end` (exclusive).

    None where that is more than some statements inside it: then it has to be cut anew.
    """
    if piece.sort is not Sort.FUNCTION or piece.damaged or piece.odd or not 0 < start <= end < piece.size:
        return None
    if piece.leaves[0].statements.templates[0].faults:
        return None  # a head without its brace: what follows decides
    window = _window(piece, start, end)
    if window is None or not (_usual(window.text) and _usual(content) and window.text.endswith("\n")):
        return None
    reading = _read(window, start - window.at, end - window.at, content, memo, piece.leaves[0].statements.starts[0])
    if reading is None:
        return None
    replaced = _leaves(piece, window, reading)
    if replaced is None:
        return None
    first, last, leaves = replaced
    meant = _unmoved(piece, window, reading, range(first, last), scoping)
    if meant is not None:
        resolved = meant.resolved
        _give_links(leaves, meant.links)
        every = [*_renumbered(piece.leaves[:first], meant), *leaves, *_renumbered(piece.leaves[last:], meant)]
    else:
        those = [*piece.leaves[:first], *leaves, *piece.leaves[last:]]
        every = [replace(leaf, links=no_links(leaf.statements)) for leaf in those]
        resolver, at = Resolver(scoping), 0
        for leaf in every:
            poll()
            resolver.run(leaf, at, leaf.links)
            at += leaf.end - leaf.start
        resolved = resolver.finish()
    return Piece(tuple(every), Sort.FUNCTION, resolved, before=piece.strips)


def _usual(text: str) -> bool:
    """Whether nothing of a text is cleaned before it is read."""
    return text.isascii() and not any(one in text for one in ("\r", VALUE, BLOCK, HOLE))


def _window(piece: Piece, start: int, end: int) -> _Window | None:
    """The leaves around an edit: with two statements before it, that of the function's head not among them, and what
    follows."""
    leaves = piece.leaves
    ends = list(accumulate(leaf.end - leaf.start for leaf in leaves))
    first = bisect_right(ends, start)
    last = min(len(leaves), bisect_right(ends, end) + 2)
    at = ends[first - 1] if first else 0
    starts = leaves[first].statements.starts
    if first and bisect_right(starts, start - at) < 2:
        first -= 1
        at = ends[first - 1] if first else 0
    if any(leaf.statements.pops for leaf in leaves[first:last]):
        return None
    return _Window(first, last, at, "".join([leaf.text for leaf in leaves[first:last]]), joined(leaves[first:last]))


def _read(window: _Window, start: int, end: int, content: str, memo: Memo, indent: int) -> _WindowReading | None:
    """Read what an edit between two offsets of a window touches; `indent`: that of the function."""
    old, text = window.statements, window.text
    number = bisect_right(old.starts, start) - 2
    if number < (0 if window.first else 1):
        return None
    begin = _line_of(text, old.starts[number])
    if begin is None or _line_of(text, old.starts[number + 1]) is None:
        return None
    scanner = Scanner(text[begin:start] + content + text[end:], memo)
    further = len(content) - (end - start)
    behind, resumes = end + further - begin, begin - further
    templates: list[Template] = []
    starts: list[int] = []
    names: list[int] = []
    depth = lowest = ended = 0
    while scanner.has(scanner.at):
        line = scanner.known(scanner.at)
        if line.kind == Kind.BLANK:
            scanner.advance(line)
            continue
        if scanner.offset > behind:
            place = scanner.offset + line.indent + resumes
            next_ = bisect_left(old.starts, place)
            if next_ < len(old.starts) and old.starts[next_] == place:
                gone = range(number, next_)
                if not _as_deep(old, gone, depth, lowest, ended):
                    return None
                first, name = old.names[number], old.names[next_]
                fresh = Statements(tuple(templates), array("i", starts), array("i", names), NO_POPS)
                stop = scanner.offset + resumes
                more = scanner.name - (name - first)
                return _WindowReading(gone, begin, stop, scanner.source[: scanner.offset], further, more, fresh)
        if line.head or line.kind in (Kind.SEPARATOR, Kind.RESOURCE):
            return None
        if line.kind == Kind.CLOSE and line.indent <= indent:
            return None
        offset, name, template = scanner.statement(line)
        templates.append(template)
        starts.append(offset)
        names.append(name)
        lowest = min(lowest, depth + template.lowest)
        depth += template.depth
        ended = min(ended, depth)
    return None


def _line_of(text: str, at: int) -> int | None:
    """Where the line of the statement `at` starts; None where it is not the first of its line."""
    begin = text.rfind("\n", 0, at) + 1
    return None if text[begin:at].strip() else begin


def _as_deep(old: Statements, gone: range, depth: int, lowest: int, ended: int) -> bool:
    """Whether regions are open as before behind some statements, and none around them was closed.

    Args:
        depth: of the regions that are open now, from where the statements begin.
        lowest: how few are open somewhere in them. `ended`: where one of them ends: `} else {` opens another at once.
    """
    deep = least = left = 0
    for template in old.templates[gone.start : gone.stop]:
        least = min(least, deep + template.lowest)
        deep += template.depth
        left = min(left, deep)
    return deep == depth and lowest >= least and ended >= left


def _leaves(piece: Piece, window: _Window, reading: _WindowReading) -> tuple[int, int, list[Leaf]] | None:
    """Which leaves of the piece are others now, from the first to the last (exclusive), and which; None: too long."""
    counts = list(accumulate(len(leaf.statements.templates) for leaf in piece.leaves[window.first : window.last]))
    first, last = bisect_right(counts, reading.gone.start), bisect_left(counts, max(reading.gone.stop, 1))
    leaves = piece.leaves[window.first + first : window.first + last + 1]
    begin = sum(leaf.end - leaf.start for leaf in piece.leaves[window.first : window.first + first])
    name = sum(leaf.count for leaf in piece.leaves[window.first : window.first + first])
    low, high = counts[first - 1] if first else 0, counts[last]
    old, gone, fresh = window.statements, reading.gone, reading.fresh
    templates = [*old.templates[low : gone.start], *fresh.templates, *old.templates[gone.stop : high]]
    if not templates or len(templates) > 2 * MAX_LEAF_STATEMENTS:
        return None
    at, before = reading.start - begin, old.names[gone.start] - name
    starts = [start - begin for start in old.starts[low : gone.start]]
    starts += [start + at for start in fresh.starts]
    starts += [start - begin + reading.further for start in old.starts[gone.stop : high]]
    names = [number - name for number in old.names[low : gone.start]]
    names += [number + before for number in fresh.names]
    names += [number - name + reading.names for number in old.names[gone.stop : high]]
    end = begin + sum(leaf.end - leaf.start for leaf in leaves)
    text = window.text[begin : reading.start] + reading.text + window.text[reading.stop : end]
    count = sum(leaf.count for leaf in leaves) + reading.names
    return window.first + first, window.first + last + 1, _cut(templates, starts, names, text, count)


def _cut(templates: list[Template], starts: list[int], names: list[int], text: str, count: int) -> list[Leaf]:
    """One leaf, or two where it were too long."""
    middle = len(templates) // 2
    place = _line_of(text, starts[middle]) if len(templates) > MAX_LEAF_STATEMENTS else None
    if place is None:
        return [_leaf(templates, starts, names, text, count)]
    name = names[middle]
    return [
        _leaf(templates[:middle], starts[:middle], names[:middle], text[:place], name),
        _leaf(
            templates[middle:],
            [start - place for start in starts[middle:]],
            [number - name for number in names[middle:]],
            text[place:],
            count - name,
        ),
    ]


def _leaf(templates: list[Template], starts: list[int], names: list[int], text: str, count: int) -> Leaf:
    statements = Statements(tuple(templates), small(starts), small(names), NO_POPS)
    return Leaf(text, 0, len(text), statements, count, no_links(statements))


def _unmoved(piece: Piece, window: _Window, reading: _WindowReading, which: range, scoping: Scoping) -> Meant | None:
    """The links, where all names mean what they meant before. `which`: the leaves whose links are all known."""
    old, gone = window.statements, reading.gone
    leaves = piece.leaves[which.start : which.stop]
    before = sum(len(leaf.statements.templates) for leaf in piece.leaves[window.first : which.start])
    links = array("i")
    for leaf in leaves:
        links.extend(leaf.links)
    begin = sum(template.uses for template in old.templates[before : gone.start])
    end = begin + sum(template.uses for template in old.templates[gone.start : gone.stop])
    follows = old.templates[gone.stop] if gone.stop < len(old.templates) else None
    meant = unmoved(
        piece.resolved,
        Some(window.text[: reading.stop], window.at, old, gone, links[begin:end], follows),
        Some(reading.text, window.at + reading.start, reading.fresh, reading.those, follows=follows),
        piece.leaves,
        window.first,
        scoping,
    )
    if meant is None:
        return None
    before, after = map(meant.numbering.renumbered, (links[:begin], links[end:]))
    return meant._replace(links=before + meant.links + after)


def _renumbered(leaves: Sequence[Leaf], meant: Meant) -> Iterator[Leaf]:
    """Leaves whose uses mean definitions by the numbers that those have now."""
    for leaf in leaves:
        links = meant.numbering.renumbered(leaf.links)
        yield leaf if links is leaf.links else replace(leaf, links=links)


def _give_links(leaves: Sequence[Leaf], links: array[int]) -> None:
    """Have the uses in leaves mean what `links` say, one by one."""
    at = 0
    for leaf in leaves:
        size = len(leaf.links)
        leaf.links[:] = links[at : at + size]
        at += size
