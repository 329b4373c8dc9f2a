"""Statements of a function one by one, and the names in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memlane.findings import Span
from memlane.syntax.lines.statements import Statements
from memlane.syntax.problems import Problem
from memlane.syntax.shapes.holes import NAME, Places, clean
from memlane.syntax.shapes.shape import Event, Open, Operand, OpShape, Rest, Template


class Some(NamedTuple):
    """Some statements in a row, `those` of `statements`, whose offsets are those of `text`, which begins `at` an offset
    of the function and ends where they end. `links`: of what they use. `follows`: what comes behind them, where that
    is known.
    """

    text: str
    at: int
    statements: Statements
    those: range
    links: Sequence[int] = ()
    follows: Template | None = None


class One(NamedTuple):
    """A statement. `text` is its own, and what stands between it and the next; it begins `at` an offset of the
    function.

    `continued`: what follows may go on with its op.
    """

    template: Template
    text: str
    at: int
    continued: bool

    @property
    def names(self) -> list[str]:
        """The names in it, by slot."""
        return NAME.findall(clean(self.text))

    @property
    def places(self) -> Places:
        """Where things stand in the function."""
        text = clean(self.text)
        return Places(text, 0, len(text), self.at)


class NameUse(NamedTuple):
    """A name that is used, `number` of what it stands for where that is written, and where it stands."""

    name: str
    number: int | None
    span: Span


def ones(some: Some) -> Iterator[One]:
    """Each of some statements."""
    statements, text = some.statements, some.text
    starts, templates = statements.starts, statements.templates
    for number in some.those:
        last = number + 1 == some.those.stop
        begin, end = starts[number], len(text) if last else starts[number + 1]
        next_ = some.follows if last else templates[number + 1]
        continued = next_ is None or not next_.events or isinstance(next_.events[0], (Rest, Open))
        yield One(templates[number], text[begin:end], some.at + begin, continued)


def operands(event: Event) -> tuple[Operand, ...]:
    """What an event uses."""
    return event.operands if isinstance(event, (OpShape, Rest)) else ()


def uses(one: One) -> Iterator[NameUse]:
    """What a statement uses, in text order."""
    if one.template.uses:
        names, slots = one.names, one.places.slots
        for event in one.template.events:
            yield from uses_of(event, names, slots)


def uses_of(event: Event, names: Sequence[str], slots: Sequence[int]) -> Iterator[NameUse]:
    """What an event uses. `names` of its statement, and where these stand."""
    for slot, number, _ in operands(event):
        end = slots[slot] + len(names[slot]) + (1 + len(str(number)) if number is not None else 0)
        yield NameUse(names[slot], number, Span(slots[slot], end))


def faults(one: One) -> Iterator[Problem]:
    """What is wrong with a statement by itself."""
    if one.template.faults:
        places = one.places
        for fault in one.template.faults:  # lenient ones are of regions' ends
            start, end = places.at(fault.start), places.at(fault.end)
            yield Problem("syntax", fault.message, Span(start, max(end, start + 1)), suggestion=fault.repair)


UNDEFINED = " is not defined"


def undefined(use: NameUse) -> str:
    """The message about an undefined name."""
    return f"'{use.name}'{UNDEFINED}"
