"""The meaning of names in plain statements that replace others: ops without regions, and text that is not an op.

As `resolve.py` would tell, by these statements and by where else their names stand. What they define comes to mean
something, and what they do not define any more nothing, where no other statement has the name.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from memlane.findings import Span
from memlane.syntax.lines.statements import NO_OPERAND
from memlane.syntax.names.elsewhere import Elsewhere
from memlane.syntax.names.missing import Missing
from memlane.syntax.names.ones import NameUse, One, faults, undefined, uses_of
from memlane.syntax.names.scoping import Scoping
from memlane.syntax.names.undescribed import explained, foreign
from memlane.syntax.problems import Problem
from memlane.syntax.shapes import forms
from memlane.syntax.shapes.shape import Close, Event, Label, Open, OpShape, Rest, Template, defined_in
from memlane.syntax.shapes.spelling import similar_op

Known = tuple[str, int | None]
"""A name as it is used, and which of its values."""


class Numbering(NamedTuple):
    """Which numbers definitions of the function have now: those from `first` to `stop` (exclusive) have those in
    `inside`, what follows them stands `further` on."""

    first: int
    stop: int
    inside: Mapping[int, int]
    further: int

    @property
    def same(self) -> bool:
        """Whether all have the number they had."""
        return not self.further and all(old == new for old, new in self.inside.items())

    def of(self, number: int) -> int:
        """The number of what had that number; of nothing (below 0) what it was."""
        if number < self.first:
            return number
        return number + self.further if number >= self.stop else self.inside[number]

    def renumbered(self, links: array[int]) -> array[int]:
        """Links where these are the numbers; the same object where none is another."""
        if self.same or not links or max(links) < self.first:
            return links
        return array("i", map(self.of, links))


AS_BEFORE = Numbering(0, 0, {}, 0)


class Row(NamedTuple):
    """What some statements say that stand in a row.

    Args:
        links: of their uses, by the numbers of now. `problems`: theirs.
        asked: for so many mistakes something similar was looked for.
        numbering: of the function.
    """

    links: array[int]
    problems: list[Problem]
    asked: int
    numbering: Numbering


class _Link(NamedTuple):
    """The definition that a use means, by its number before the edit, or by that of `now`; below 0: none."""

    number: int
    now: bool = False


@dataclass(slots=True, eq=False)
class _Said:
    """What statements define, how many values each, and which of all of them is its first; what they use, in an op that
    begins there or in the rest of one, with links where these are known; their problems, and the suggestions for
    undefined names."""

    defines: dict[str, int] = field(default_factory=dict[str, int])
    numbers: dict[str, int] = field(default_factory=dict[str, int])
    links: dict[tuple[str, int | None, bool], int] = field(default_factory=dict[tuple[str, "int | None", bool], int])
    suggested: dict[Known, str | None] = field(default_factory=dict[Known, "str | None"])
    problems: list[Problem] = field(default_factory=list[Problem])
    asked: int = 0


def plain(templates: Iterable[Template]) -> bool:
    """Whether statements are ops without regions that go on where they end, and text that is no op."""
    events = [event for template in templates for event in template.events]
    return all(isinstance(event, (OpShape, Rest)) for event in events) and not any(
        isinstance(event, OpShape) and (event.ends or event.symbol or event.refers or "sym_name" in event.attributes)
        for event in events
    )


class Rows:
    """The statements of one row before and after an edit.

    Args:
        before, after: the statement before the row, and the one behind it.
        elsewhere, missing: of the function as it was. `told`: its problems, from which those of the old row are
            removed.
    """

    def __init__(
        self,
        before: Template,
        after: Template,
        elsewhere: Elsewhere,
        missing: Missing,
        scoping: Scoping,
        told: dict[tuple[str, Span], Problem],
    ) -> None:
        self._before, self._after = before, after
        self._elsewhere, self._missing, self._scoping = elsewhere, missing, scoping
        self._told = told
        self._around: list[str] | None = None

    def meant(self, old: Sequence[One], new: Sequence[One], links: Sequence[int]) -> Row | None:
        """What `new` says in place of `old`, which are plain; None where that takes reading all of the function.

        Args:
            links: of the uses of `old`.
        """
        if not self._stands_alone(old, new) or any(map(self._may_go_on, (old, new))):
            return None
        carried = _carries(self._before)
        if carried is None and any(isinstance(event, Rest) for one in (*old, *new) for event in one.template.events):
            return None
        was = self._was(old, links, bool(carried))
        first = self._elsewhere.definitions
        found = self._is(new, bool(carried), first, was) if was is not None else None
        if was is None or found is None:
            return None
        said, found_links = found
        others = was.defines.items() ^ said.defines.items()
        if others and any(one.rule == "undefined-value" for one in (*self._told.values(), *said.problems)):
            return None  # one of those names may be what was meant
        if any(self._elsewhere.stands(name) for name in {name for name, _ in others}):
            return None
        numbering = _numbering(first, was.defines, said.defines)
        meant = array("i", [link.number if link.now else numbering.of(link.number) for link in found_links])
        return Row(meant, said.problems, said.asked - was.asked, numbering)

    def _stands_alone(self, old: Sequence[One], new: Sequence[One]) -> bool:
        """Whether neither what stands before the row nor what follows says something else with it."""
        last = next((event for event in reversed(self._before.events) if isinstance(event, OpShape)), None)
        if last is not None and last.ends:
            return False  # the statements that follow are reported as unreachable
        following = self._after.events[0] if self._after.events else None
        if following is None or isinstance(following, (Rest, Open)):
            return False
        ops = [any(isinstance(event, OpShape) for one in row for event in one.template.events) for row in (old, new)]
        return all(ops) or not isinstance(following, Label)

    def _may_go_on(self, row: Sequence[One]) -> bool:
        """Whether text that is not a known operation continues one with unknown syntax, before it or around."""
        before = self._before
        for one in row:
            events = one.template.events
            odd = any(isinstance(event, Rest) or (isinstance(event, OpShape) and event.unknown) for event in events)
            # Where nothing before could be read, what that belongs to is not known here.
            closed = not before.events or isinstance(before.events[-1], Close)
            if odd and (closed or foreign(self._scoping, before) or self._undescribed()):
                return True
            before = one.template
        return False

    def _undescribed(self) -> bool:
        """Whether the syntax of the op around the row is unknown."""
        if self._around is None:
            self._around = self._elsewhere.around()
        return bool(self._around) and self._scoping.undescribed(self._around[0])

    def _was(self, row: Sequence[One], links: Sequence[int], carried: bool) -> _Said | None:
        """What the row said; None where it has a problem that is not known here."""
        said, number = _Said(), 0
        used: list[tuple[NameUse, int]] = []
        for one in row:
            said.problems += faults(one)
            names, slots = one.names, one.places.slots
            for event in one.template.events:
                if isinstance(event, Rest) and not carried:
                    said.problems.append(_expected(event, one))
                for use in uses_of(event, names, slots):
                    used.append((use, links[number]))
                    if links[number] != NO_OPERAND:
                        said.links[use.name, use.number, isinstance(event, OpShape)] = links[number]
                    number += 1
                carried = carried or isinstance(event, OpShape)
                if not self._define(event, names, one, said):
                    return None
            carried = carried and one.template.single is None
        if any(self._told.pop((one.message, one.span), None) is None for one in said.problems):
            return None
        for use, link in used:
            if link == -1:
                problem = self._told.pop((undefined(use), use.span), None)
                if problem is None:
                    return None
                said.suggested[use.name, use.number] = problem.suggestion
                said.asked += 1
        return said

    def _is(self, row: Sequence[One], carried: bool, first: int, was: _Said) -> tuple[_Said, list[_Link]] | None:
        """What the row says, and the links of its uses."""
        said = _Said()
        links: list[_Link] = []
        for one in row:
            said.problems += faults(one)
            names, slots = one.names, one.places.slots
            for event in one.template.events:
                if isinstance(event, Rest) and not carried:
                    said.problems.append(_expected(event, one))
                    links += [_Link(NO_OPERAND)] * len(event.operands)
                    continue
                for use in uses_of(event, names, slots):
                    link = self._link(use, isinstance(event, OpShape), first, said, was)
                    if link is None or (link.number == -1 and not self._tell(use, said, was)):
                        return None
                    links.append(link)
                carried = carried or isinstance(event, OpShape)
                if not self._define(event, names, one, said):
                    return None
            carried = carried and one.template.single is None
        return said, links

    def _link(self, use: NameUse, begun: bool, first: int, said: _Said, was: _Said) -> _Link | None:
        """The link of a use; None: that is not known.

        Args:
            begun: see `Elsewhere.visible`. `first`: the number of the row's first definition.
            said: what stands before it in the row. `was`: what the row said.
        """
        number = use.number or 0
        if use.name in said.numbers:
            there = begun and number < said.defines[use.name]
            return _Link(first + said.numbers[use.name] + number, now=True) if there else None
        if use.name in was.defines:
            return None
        meant = was.links.get((use.name, use.number, begun))
        if meant is not None:
            return _Link(meant)
        seen = self._elsewhere.visible(use.name, begun)
        if not seen:
            return None if seen is None else _Link(-1)
        return _Link(seen[0].number + number) if len(seen) == 1 and number < seen[0].size else None

    def _tell(self, use: NameUse, said: _Said, was: _Said) -> bool:
        """Add that nothing defines a name that is used; whether it is known what was meant."""
        close = self._suggestion(use, was.suggested)
        if close is None or self._elsewhere.defines(use.name):
            return False  # the message names its definition
        said.asked += 1
        said.problems.append(Problem("undefined-value", undefined(use), use.span, suggestion=close[0]))
        return True

    def _suggestion(self, use: NameUse, known: Mapping[Known, str | None]) -> tuple[str | None] | None:
        """What was probably meant by a name that nothing defines; None: that is not known."""
        if (use.name, use.number) in known:
            return (known[use.name, use.number],)
        close = self._missing.like(use.name)
        if close is None or not close[0] or use.number is None:
            return close
        return (f"{close[0]}#{use.number}",)

    def _define(self, event: Event, names: Sequence[str], one: One, said: _Said) -> bool:
        """Add what an event defines, and the problem of an op with its name; whether no name is defined twice."""
        if isinstance(event, OpShape) and event.unknown:
            self._unknown(event, one, said)
        for slot, size in defined_in(event):
            if names[slot] in said.defines:
                return False
            said.numbers[names[slot]] = sum(said.defines.values())
            said.defines[names[slot]] = size
        return True

    def _unknown(self, shape: OpShape, one: One, said: _Said) -> None:
        if self._around is None:
            self._around = self._elsewhere.around()
        if explained(self._scoping, shape.name, self._around):
            return
        close = similar_op(shape.name)
        said.asked += 1
        if close or self._around[0] not in forms.DEFAULT_DIALECTS:
            place, message = _span(one, shape.name_start, shape.name_end), f"unknown operation '{shape.name}'"
            said.problems.append(Problem("syntax", message, place, suggestion=close))


def _carries(before: Template) -> bool | None:
    """Whether text that is no op goes on with the op of the statement before it; None: that is not known."""
    if before.single is not None:
        return False
    last = before.events[-1] if before.events else None
    if isinstance(last, (OpShape, Close)):
        return True
    return False if isinstance(last, (Open, Label)) else None


def _numbering(first: int, old: Mapping[str, int], new: Mapping[str, int]) -> Numbering:
    """What numbers definitions have where those of a row are others."""
    numbers: dict[str, int] = {}
    at = first
    for name, size in new.items():
        numbers[name] = at
        at += size
    inside: dict[int, int] = {}
    stop = first
    for name, size in old.items():
        if name in numbers and new[name] == size:
            inside.update((stop + one, numbers[name] + one) for one in range(size))
        stop += size
    return Numbering(first, stop, inside, at - stop)


def _expected(event: Rest, one: One) -> Problem:
    return Problem("syntax", "expected an operation", _span(one, event.start, event.end))


def _span(one: One, start: int, end: int) -> Span:
    places = one.places
    return Span(places.at(start), max(places.at(end), places.at(start) + 1))
