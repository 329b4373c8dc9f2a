"""Whether names still mean what they meant after an edit of some statements, by these alone.

They do where each statement defines what it defined before, and opens and closes the same regions. What it uses may be
less than before: what is left means what it meant. Problems of the statement itself are told anew.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from memlane.findings import Edit, Span
from memlane.syntax.lines.statements import Statements
from memlane.syntax.names.frames import Resolved
from memlane.syntax.names.missing import Missing
from memlane.syntax.problems import Problem, Problems
from memlane.syntax.shapes.holes import NAME, Places, clean
from memlane.syntax.shapes.shape import Alias, Close, Event, Label, Open, Operand, OpShape, Rest, Template
from memlane.syntax.shapes.suggest import MOST

_UNDEFINED = " is not defined"


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


class Meant(NamedTuple):
    """What is known of names of the function, and of each use of the statements, in a row, what it means."""

    resolved: Resolved
    links: array[int]


class _One(NamedTuple):
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


class _Row(NamedTuple):
    """What statements in a row mean in place of others.

    Args:
        links: of their uses. `fresh`: their problems.
        differing: where the others stood whose text was another; None: nowhere. What follows begins `further` on.
    """

    links: array[int]
    fresh: list[Problem]
    differing: Span | None
    further: int


class _Use(NamedTuple):
    name: str
    number: int | None
    span: Span


def unmoved(known: Resolved, old: Some, new: Some, missing: Missing) -> Meant | None:
    """What is known of the names of a function in which `new` stands in place of `old`; None where names mean
    something else now, or may.

    Args:
        known: what was known before.
        missing: of the function as it was.
    """
    told = {(problem.message, problem.span): problem for problem in known.problems}
    if known.others or len(told) != len(known.problems):
        return None
    row = (_one_by_one if len(old.those) == len(new.those) else _together)(old, new, told, missing)
    if row is None or (row.differing is not None and _reach(known, told.values(), row.differing)):
        return None
    links, fresh, differing, further = row
    if differing is None:
        return Meant(known, links)
    renewed = bool(fresh) or len(told) < len(known.problems)
    suggested = known.suggested + _undefined_in(fresh) + _undefined_in(told.values()) - _undefined_in(known.problems)
    if renewed and max(known.suggested, suggested) > MOST:
        return None  # then others get a suggestion
    if not further and not renewed:
        return Meant(known, links)
    return Meant(replace(_moved_on(known, told.values(), fresh, differing.end, further), suggested=suggested), links)


def _one_by_one(old: Some, new: Some, told: dict[tuple[str, Span], Problem], missing: Missing) -> _Row | None:
    """What as many statements mean as there were, each for itself; None: that is not known. `told`: see `_meant`."""
    links = array("i")
    fresh: list[Problem] = []
    differing: Span | None = None
    at = further = 0
    for before, after in zip(_ones(old), _ones(new), strict=True):
        were = old.links[at : at + before.template.uses]
        at += before.template.uses
        if before.text != after.text:
            differing = Span(differing.start if differing else before.at, before.at + len(before.text))
            further += len(after.text) - len(before.text)
        if before.template is after.template and before.text.rstrip() == after.text.rstrip():
            links.extend(were)
        elif (meant := _meant(before, after, were, told, missing)) is not None:
            links.extend(meant[0])
            fresh += meant[1]
        else:
            return None
    return _Row(links, fresh, differing, further)


def _together(old: Some, new: Some, told: dict[tuple[str, Span], Problem], missing: Missing) -> _Row | None:
    """What statements mean that are more or fewer than there were, where they say the same one after the other; None:
    that is not known. A line that is no statement any more belongs to the one before it, with all that it says."""
    ones, others = [*_ones(old)], [*_ones(new)]
    if not ones or not others or any(missing.declares(one.template) for one in (*ones, *others)):
        return None
    if _goes_on(ones[-1]) != _goes_on(others[-1]) or any(link < 0 for link in old.links):
        return None
    said, says = ([part for one in some for part in _defines(one, alone=False) or (None,)] for some in (ones, others))
    if said != says or None in said or _used(ones) != _used(others):
        return None
    if any(told.pop((fault.message, fault.span), None) is None for one in ones for fault in _faults(one)):
        return None
    differing = Span(ones[0].at, ones[-1].at + len(ones[-1].text))
    further = sum(len(one.text) for one in others) - (differing.end - differing.start)
    return _Row(array("i", old.links), [fault for one in others for fault in _faults(one)], differing, further)


def _used(ones: Iterable[_One]) -> list[tuple[str, int | None]]:
    """What statements use, in a row."""
    return [use[:2] for one in ones for use in _uses(one)]


def _ones(some: Some) -> Iterator[_One]:
    statements, text = some.statements, some.text
    starts, templates = statements.starts, statements.templates
    for number in some.those:
        last = number + 1 == some.those.stop
        begin, end = starts[number], len(text) if last else starts[number + 1]
        next_ = some.follows if last else templates[number + 1]
        continued = next_ is None or not next_.events or isinstance(next_.events[0], (Rest, Open))
        yield _One(templates[number], text[begin:end], some.at + begin, continued)


def _meant(
    old: _One, new: _One, links: Sequence[int], told: dict[tuple[str, Span], Problem], missing: Missing
) -> tuple[list[int], list[Problem]] | None:
    """What the uses of a statement mean that stands in place of another, and its problems; None: that is not known.

    Args:
        links: of the uses of the old one.
        told: the problems of the function, of which those of the old one are taken out.
    """
    said = _defines(old)
    if said is None or said != _defines(new):
        return None
    if not _used_alike(old, new) and (not _used_once(old, new) or missing.declares(new.template)):
        return None
    known: dict[tuple[str, int | None], int] = {}
    undefined: dict[tuple[str, int | None], str | None] = {}
    for use, link in zip(_uses(old), links, strict=True):
        known[use.name, use.number] = link
        if link < 0:
            problem = told.pop((_undefined(use), use.span), None)
            if problem is None:
                return None
            undefined[use.name, use.number] = problem.suggestion
    if any(told.pop((fault.message, fault.span), None) is None for fault in _faults(old)):
        return None
    meant: list[int] = []
    problems = [*_faults(new)]
    for use in _uses(new):
        what = use.name, use.number
        if what not in known:
            close = missing.suggestion(use.name)
            if close is None:
                return None
            known[what] = -1
            undefined[what] = f"{close[0]}#{use.number}" if close[0] and use.number is not None else close[0]
        if known[what] < 0:
            problems.append(Problem("undefined-value", _undefined(use), use.span, suggestion=undefined[what]))
        meant.append(known[what])
    return meant, problems


def _used_alike(old: _One, new: _One) -> bool:
    """Whether two statements use the same names in the same order."""
    return _used([old]) == _used([new])


def _used_once(old: _One, new: _One) -> bool:
    """Whether all names that either of two statements uses stand in one event: in others they may mean others."""
    using = {number for one in (old, new) for number, event in enumerate(one.template.events) if _operands(event)}
    return len(using) < 2


def _operands(event: Event) -> tuple[Operand, ...]:
    return event.operands if isinstance(event, (OpShape, Rest)) else ()


def _undefined_in(problems: Iterable[Problem]) -> int:
    """How many names are not defined, of which something similar is looked for each time."""
    return sum(problem.message.endswith(_UNDEFINED) for problem in problems)


def _undefined(use: _Use) -> str:
    return f"'{use.name}'{_UNDEFINED}"


def _goes_on(one: _One) -> bool:
    """Whether what follows a statement goes on with its op: not with one that is told to be whole."""
    return one.continued and one.template.single is None


def _defines(one: _One, alone: bool = True) -> list[object] | None:
    """What a statement says of names but for its uses; None where it says more.

    Args:
        alone: it is compared with one other statement, and not with several.
    """
    names, template = one.names, one.template
    regions = not alone or one.continued or any(not isinstance(event, OpShape) for event in template.events)
    said: list[object] = []
    if alone:
        said.append(_goes_on(one))
    for event in template.events:
        if isinstance(event, OpShape):
            if event.unknown or event.symbol or event.refers or event.declares or "sym_name" in event.attributes:
                return None
            said.append((event.name, event.generic) if regions or event.ends else "op")
            said.append([(names[slot], count) for slot, count in event.results])
            said.append([names[target.slot] for target in event.successors])
        elif isinstance(event, Open):
            said.append(("{", [names[slot] for slot, _ in event.defines]))
        elif isinstance(event, Label):
            said.append((names[event.slot], [names[slot] for slot, _ in event.arguments]))
        elif isinstance(event, Alias):
            return None
        else:
            said.append("}" if isinstance(event, Close) else "rest")
    return said


def _uses(one: _One) -> Iterator[_Use]:
    names, slots = one.names, one.places.slots
    for event in one.template.events:
        for slot, number, _ in _operands(event):
            end = slots[slot] + len(names[slot]) + (1 + len(str(number)) if number is not None else 0)
            yield _Use(names[slot], number, Span(slots[slot], end))


def _faults(one: _One) -> Iterator[Problem]:
    if one.template.faults:
        places = one.places
        for fault in one.template.faults:
            start, end = places.at(fault.start), places.at(fault.end)
            yield Problem("syntax", fault.message, Span(start, max(end, start + 1)), suggestion=fault.repair)


def _reach(known: Resolved, problems: Iterable[Problem], place: Span) -> bool:
    """Whether something is told of part of a place, which would have to be told anew, too."""
    spans = [span for problem in problems for span in _spans(problem)]
    spans += [span for _, span in known.references]
    return any(place.start <= span.end and span.start < place.end for span in spans)


def _spans(problem: Problem) -> list[Span]:
    edits = problem.fix.edits if problem.fix is not None else ()
    return [problem.span, *(span for _, span in problem.notes), *(edit.span for edit in edits)]


def _moved_on(
    known: Resolved, problems: Iterable[Problem], fresh: Sequence[Problem], end: int, further: int
) -> Resolved:
    """What is known where `problems` are left and `fresh` come in, and all behind `end` stands further on."""

    def moved(span: Span) -> Span:
        return Span(span.start + further, span.end + further) if span.start >= end else span

    found = Problems()
    for problem in (*(_moved(one, moved) for one in problems), *fresh):
        found.add(problem)
    first, others = found.first()
    return Resolved(first, known.symbols, tuple([(name, moved(span)) for name, span in known.references]), others)


def _moved(problem: Problem, move: Callable[[Span], Span]) -> Problem:
    """The problem with `move` done to all its spans."""
    fix = problem.fix
    if fix is not None:
        fix = replace(fix, edits=tuple([Edit(move(edit.span), edit.content) for edit in fix.edits]))
    notes = tuple([(text, move(span)) for text, span in problem.notes])
    return replace(problem, span=move(problem.span), notes=notes, fix=fix)
