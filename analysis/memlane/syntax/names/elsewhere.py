"""The meaning of names at other places of a function than some statements, derived from these places alone.

All of the text is searched for each name, which is a fraction of what resolving all of them takes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from memlane.cancellation import poll
from memlane.findings import Span
from memlane.syntax.lines.statements import Leaf, Statements
from memlane.syntax.names.limits import MAX_SEARCHES, MIN_STATEMENTS
from memlane.syntax.names.scoping import Scoping
from memlane.syntax.shapes.holes import NAME, clean, whole
from memlane.syntax.shapes.shape import Close, Event, Label, Open, OpShape, defined_in, definitions_of

SHARE = 10
"""See `MIN_STATEMENTS`."""


class NamedDefinition(NamedTuple):
    """Where a name is defined: event `event` of a statement of a leaf, definition `number` of the function.

    `size`: how many values it stands for.
    """

    leaf: int
    statement: int
    event: int
    number: int
    size: int


class _Gist(NamedTuple):
    """What a leaf says in short: regions opened less those closed, and the least on the way; how many values it
    defines; whether blocks begin in it, and whether regions do that may have names of their own."""

    depth: int
    lowest: int
    definitions: int
    labels: bool
    apart: bool


class Elsewhere:
    """See the module.

    Args:
        leaves: of the function. `scoping`: tells which operations have names of their own.
        row: what the statements take of it. `leaf`, `statement`: where they begin.
    """

    def __init__(self, leaves: Sequence[Leaf], scoping: Scoping, row: Span, leaf: int, statement: int) -> None:
        self._leaves, self._scoping = leaves, scoping
        self._row, self._leaf, self._statement = row, leaf, statement
        self._gists = _gists.setdefault(scoping, WeakKeyDictionary())
        self._seen: dict[tuple[str, bool], list[NamedDefinition] | None] = {}
        self._searches = 0
        self._most = MIN_STATEMENTS + sum(len(leaf.statements.templates) for leaf in leaves) // SHARE

    @property
    def definitions(self) -> int:
        """How many values are defined before the statements."""
        before = sum(self._gist(leaf).definitions for leaf in self._leaves[: self._leaf])
        templates = self._leaves[self._leaf].statements.templates[: self._statement]
        return before + sum([template.defines for template in templates])

    def stands(self, name: str) -> bool:
        """Whether another statement has the name, or a comment behind one; also where too much was looked for."""
        return next(self._mentions(name), None) is not None if self._may_search() else True

    def defines(self, name: str) -> bool:
        """Whether another statement defines the name, seen from here or not; also where too much was looked for."""
        if not self._may_search():
            return True
        return any(next(self._defining(name, *place), None) is not None for place in self._mentions(name))

    def visible(self, name: str, begun: bool) -> list[NamedDefinition] | None:
        """The definitions of the name that can be seen from the statements, which stand before them and on all ways to
        them; None where others may come to be seen, or too much was looked for.

        Args:
            begun: an op of its own begins there; else it may be that before, whose results are not there yet.
        """
        if (name, begun) not in self._seen:
            self._seen[name, begun] = self._visible_of(name, begun) if self._may_search() else None
        return self._seen[name, begun]

    def _visible_of(self, name: str, begun: bool) -> list[NamedDefinition] | None:
        seen: list[NamedDefinition] = []
        for leaf, statement in self._mentions(name):
            self._most -= 1
            if self._most < 0:
                return None
            for definition in self._defining(name, leaf, statement):
                after = (leaf, statement) >= (self._leaf, self._statement)
                visible = None if after else self._visible(definition, begun)
                if visible is None:
                    return None
                if visible:
                    seen.append(definition)
        return seen

    def _may_search(self) -> bool:
        self._searches += 1
        return self._searches <= MAX_SEARCHES

    def _mentions(self, name: str) -> Iterator[tuple[int, int]]:
        """The statements but for those of the row, by leaf and number, that have the name, or a comment behind them."""
        pattern, at = whole(name), 0
        for number, leaf in enumerate(self._leaves):
            first, start = at - leaf.start, leaf.start
            at += leaf.end - leaf.start
            last = -1
            for match in pattern.finditer(leaf.source, start, leaf.end):
                statement = bisect_right(leaf.statements.starts, match.start() - start) - 1
                if statement > last and not self._row.start <= match.start() + first < self._row.end:
                    yield number, statement
                    last = statement

    def around(self) -> list[str]:
        """The names of the ops whose regions are open at the statements, from the inside."""
        open_: list[str] = []
        closed, stop = 0, self._statement
        for leaf in reversed(self._leaves[: self._leaf + 1]):
            gist = self._gist(leaf)
            if stop < 0 and closed >= gist.depth - gist.lowest and (not open_ or open_[-1]):
                closed -= gist.depth
                continue
            templates = leaf.statements.templates
            for template in reversed(templates if stop < 0 else templates[:stop]):
                for event in reversed(template.events):
                    if isinstance(event, Close):
                        closed += 1
                    elif isinstance(event, Open):
                        closed -= 1
                        if closed < 0:
                            open_.append("")
                            closed = 0
                    elif isinstance(event, OpShape) and not closed and open_ and not open_[-1]:
                        open_[-1] = event.name
            stop = -1
        return open_

    def _names(self, leaf: int, statement: int) -> list[str]:
        """The names of a statement, by slot."""
        one = self._leaves[leaf]
        starts = one.statements.starts
        end = one.start + starts[statement + 1] if statement + 1 < len(starts) else one.end
        return NAME.findall(clean(one.source[one.start + starts[statement] : end]))

    def _defining(self, name: str, leaf: int, statement: int) -> Iterator[NamedDefinition]:
        templates = self._leaves[leaf].statements.templates
        if statement < 0 or not templates[statement].defines:
            return
        names = self._names(leaf, statement)
        number: int | None = None
        for position, event in enumerate(templates[statement].events):
            further = 0
            for slot, size in defined_in(event):
                if names[slot] == name:
                    if number is None:
                        number = sum(self._gist(one).definitions for one in self._leaves[:leaf])
                        number += sum([template.defines for template in templates[:statement]])
                    before = sum(map(definitions_of, templates[statement].events[:position]))
                    yield NamedDefinition(leaf, statement, position, number + before + further, size)
                further += size

    def _visible(self, definition: NamedDefinition, begun: bool) -> bool | None:
        """Whether the block of a definition, or one in it, is that of the statements; None: unknown here."""
        leaf, statement, position = definition[:3]
        template = self._leaves[leaf].statements.templates[statement]
        whole = template.single is not None or not isinstance(template.events[position], OpShape)
        depth, rest = 0, template.events[position + 1 :]
        while (leaf, statement) < (self._leaf, self._statement):
            templates = self._leaves[leaf].statements.templates
            if statement == 0 and rest is templates[0].events and leaf < self._leaf and whole:
                gist = self._gist(self._leaves[leaf])
                if depth + gist.lowest < 0:
                    return False
                if gist.apart or (gist.labels and depth + gist.lowest <= 0):
                    return None
                depth, leaf = depth + gist.depth, leaf + 1
            else:
                if self._apart(rest):
                    return None
                for event in rest:
                    depth += isinstance(event, Open) - isinstance(event, Close)
                    if depth < 0:
                        return False
                    if not depth and isinstance(event, Label):
                        return None
                    whole = whole or (not depth and isinstance(event, OpShape))
                leaf, statement = (leaf, statement + 1) if statement + 1 < len(templates) else (leaf + 1, 0)
            rest = self._leaves[leaf].statements.templates[statement].events
        return True if whole or (begun and not depth) else None

    def _apart(self, events: Sequence[Event]) -> bool:
        """Whether a region begins among some events that may have names of its own."""
        op = ""
        for event in events:
            if isinstance(event, OpShape):
                op = event.name
            elif isinstance(event, Open):
                if self._scoping.undescribed(op) or self._scoping.isolated(op):
                    return True
                op = ""
        return False

    def _gist(self, leaf: Leaf) -> _Gist:
        found = self._gists.get(leaf.statements)
        if found is None:
            found = self._gists[leaf.statements] = self._read(leaf.statements)
        return found

    def _read(self, statements: Statements) -> _Gist:
        poll()
        depth = lowest = definitions = 0
        events: list[Event] = []
        for template in statements.templates:
            single = template.single
            if single is not None:
                events.append(single)
                definitions += template.defines
                continue
            lowest = min(lowest, depth + template.lowest)
            depth += template.depth
            events += template.events
            definitions += template.defines
        labels = any(isinstance(event, Label) for event in events)
        return _Gist(depth, lowest, definitions, labels, self._apart(events))


_gists: WeakKeyDictionary[Scoping, WeakKeyDictionary[Statements, _Gist]] = WeakKeyDictionary()
