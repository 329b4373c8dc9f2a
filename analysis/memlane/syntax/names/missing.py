"""Names that stand nowhere else in a function: what `resolve.py` would tell of them, without reading all of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memlane.cancellation import poll
from memlane.syntax.lines.statements import Leaf, Statements
from memlane.syntax.names.scoping import Scoping
from memlane.syntax.shapes.holes import NAME, clean
from memlane.syntax.shapes.shape import Close, Event, Label, Open, OpShape, Template
from memlane.syntax.shapes.suggest import Suggestions

MOST = 3
"""Names that are looked for: all of the text is searched for each."""


class Missing:
    """See the module.

    Args:
        leaves: of the function.
        scoping: tells which operations may declare names that are not told from its text.
    """

    def __init__(self, leaves: Sequence[Leaf], scoping: Scoping) -> None:
        self._leaves, self._scoping = leaves, scoping
        self._asked = 0
        self._outermost: list[str] | None = None
        self._usual = True
        """No operation in it has names of its own."""
        self._depth = 0
        self._op = ""

    def declares(self, template: Template) -> bool:
        """Whether a statement may declare what it mentions: in the head of a region, of an op nobody described."""
        ops = [event.name for event in template.events if isinstance(event, OpShape)]
        heads = any(isinstance(event, Open) for event in template.events)
        return heads and (not ops or any(map(self._own, ops)))

    def suggestion(self, name: str) -> tuple[str | None] | None:
        """What was probably meant by a name of a value; None where the name may mean something."""
        self._asked += 1
        if self._asked > MOST:
            return None
        found = re.compile(rf"{re.escape(name)}(?![A-Za-z0-9$._-])")
        if any(found.search(leaf.source, leaf.start, leaf.end) for leaf in self._leaves):
            return None
        if self._outermost is None:
            self._outermost = list(self._find_outermost())
        return (Suggestions().name(name, self._outermost),) if self._usual else None

    def _own(self, op: str) -> bool:
        """Whether the regions of an op may have names of their own."""
        return self._scoping.undescribed(op) or self._scoping.isolated(op)

    def _find_outermost(self) -> Iterator[str]:
        """The names that are there where the function ends, in the order in which they stand."""
        known: dict[str, None] = {}
        for leaf in self._leaves:
            poll()
            slots = list(self._slots(leaf.statements))
            names = NAME.findall(clean(leaf.text)) if slots else ()
            known.update((names[slot], None) for slot in slots)
        yield from known

    def _slots(self, statements: Statements) -> Iterator[int]:
        """What statements define outside all regions of the function's body, by the numbers of names."""
        for template, first in zip(statements.templates, statements.names, strict=True):
            single = template.single
            if single is not None:
                self._op = single.name
                if self._depth == 1:
                    yield from [first + slot for slot, _ in single.results]
                continue
            for event in template.events:
                if isinstance(event, Open):
                    self._usual &= not (self._depth and self._own(self._op))
                    self._depth += 1
                    self._op = ""
                elif isinstance(event, Close):
                    self._depth -= 1
                elif isinstance(event, OpShape):
                    self._op = event.name
                if self._depth == 1:
                    yield from [first + slot for slot in _defined(event)]


def _defined(event: Event) -> Iterator[int]:
    """The slots of the names that an event defines."""
    if isinstance(event, OpShape):
        yield from [slot for slot, _ in event.results]
    elif isinstance(event, (Open, Label)):
        yield from [slot for slot, _ in (event.defines if isinstance(event, Open) else event.arguments)]
