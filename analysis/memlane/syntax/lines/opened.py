"""Where regions begin whose brace is not written yet: the lines behind them tell, by how far they are indented.

While the head of a loop or of a condition is being typed, or typed again, the contents of its region would be around
it: what is freed under a condition would always be freed, and what a loop defines would be defined for all that
follows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from memlane.lazy import regex
from memlane.syntax.lines.brace_lines import Brace, Key, indent_at
from memlane.syntax.lines.statements import Leaf
from memlane.syntax.shapes.holes import clean
from memlane.syntax.shapes.shape import Close, Event, Label, Open, OpShape, Rest, Template, template_of
from memlane.syntax.shapes.tokens import Fault

_Place = tuple[int, int]
"""A leaf, and a statement of it."""


def opened(leaves: Sequence[Leaf], braces: Sequence[Brace], pops: Mapping[Key, int]) -> list[Leaf] | None:
    """The leaves of a function, with a region for each operation behind which one closes that nothing has opened: the
    nearest one as far indented as that brace, if all between them is further. None: there is no such operation."""
    strays = {brace.key[:2] for brace in braces if brace.leads and pops.get(brace.key) == 0}
    found: dict[int, set[int]] = {}
    for at, number in _lacking(leaves, strays):
        found.setdefault(at, set()).add(number)
    return [_with_braces(leaf, found.get(at, ())) for at, leaf in enumerate(leaves)] if found else None


def _lacking(leaves: Sequence[Leaf], strays: Collection[_Place]) -> Iterator[_Place]:
    """The statements that lack a brace; `strays` are those with one that closes nothing."""
    before: list[tuple[int, _Place | None]] = []  # the last line at each indentation, and whether it may lack a brace
    for at, leaf in enumerate(leaves):
        cleaned, statements = clean(leaf.text), leaf.statements
        ends = [*statements.starts[1:], len(cleaned)]
        for number, (template, start) in enumerate(zip(statements.templates, statements.starts, strict=True)):
            indent, leads = indent_at(cleaned, start)
            if not leads or (template.events and isinstance(template.events[0], Label)):
                continue
            within = False
            while before and before[-1][0] > indent:
                before.pop()
                within = True
            last = before.pop()[1] if before and before[-1][0] == indent else None
            if within and last is not None and (at, number) in strays:
                yield last
            may = _may_open(template, cleaned[start : ends[number]])
            before.append((indent, (at, number) if may else None))


def _may_open(template: Template, written: str) -> bool:
    """Whether a region may begin behind a statement: after an operation, or what stands between its regions."""
    last = template.events[-1] if template.events else None
    if isinstance(last, Close):
        return written.strip() != "}"
    return isinstance(last, (OpShape, Rest))


def _with_braces(leaf: Leaf, numbers: Collection[int]) -> Leaf:
    if not numbers:
        return leaf
    templates = [
        with_brace(template) if number in numbers else template
        for number, template in enumerate(leaf.statements.templates)
    ]
    return replace(leaf, statements=replace(leaf.statements, templates=tuple(templates)))


def with_brace(template: Template, message: str = "expected '{'") -> Template:
    """A statement with the brace that it lacks behind it, and with the message about it."""
    last = template.events[-1]
    start, end = _extent(last)
    at, declared = (last.end, last.declares) if isinstance(last, OpShape) else (end, ())
    opening = Open(None, at, declared, lacking=True)
    fault = Fault(message, start, end)
    return template_of((*template.events, opening), (*template.faults, fault))


def _extent(event: Event) -> tuple[int, int]:
    """The part of a statement that the message about the missing brace marks."""
    if isinstance(event, OpShape):
        return event.name_start, event.name_end
    assert isinstance(event, (Rest, Close))
    return event.start, event.end if isinstance(event, Rest) else event.start + 1


_UNNAMED = regex(r'@(?:"[^"]*"|[\w.$-]+)\s*\(\s*[^%)\s]')


def names_types(head: str) -> bool:
    """Whether the head of a function says types of arguments without names for these: so it has no body."""
    return _UNNAMED.search(head) is not None


_LAST = regex(r"(?i).*(?:return|yield|terminator|unreachable)$")
"""Names of operations that end a function. Others that may do nothing but end stand elsewhere as well: barriers."""


def ends_body(template: Template) -> bool:
    """Whether a statement is what ends a function, by its name."""
    op = template.events[0] if template.events else None
    return isinstance(op, OpShape) and _LAST.match(op.name) is not None
