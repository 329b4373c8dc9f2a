"""Whether names still mean what they meant after an edit of some statements, by these alone.

They do where each statement defines what it defined before, and opens and closes the same regions. What it uses may be
less than before: what is left means what it meant. Problems of the statement itself are computed again.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from memlane.findings import Edit, Span
from memlane.syntax.lines.common import common
from memlane.syntax.lines.statements import Leaf
from memlane.syntax.names.elsewhere import Elsewhere
from memlane.syntax.names.frames import Resolved
from memlane.syntax.names.missing import Missing
from memlane.syntax.names.ones import UNDEFINED, One, Some, faults, ones, operands, undefined, uses
from memlane.syntax.names.rows import AS_BEFORE, Numbering, Rows, plain
from memlane.syntax.names.scoping import Scoping
from memlane.syntax.names.undescribed import foreign
from memlane.syntax.problems import Problem, Problems
from memlane.syntax.shapes.limits import MAX_SUGGESTIONS
from memlane.syntax.shapes.shape import Alias, Close, Label, Open, OpShape


class Meant(NamedTuple):
    """What is known of names of the function, and of each use of the statements, in a row, what it means; by numbers
    that definitions have now."""

    resolved: Resolved
    links: array[int]
    numbering: Numbering


class _Row(NamedTuple):
    """What statements in a row mean in place of others.

    Args:
        links: of their uses. `fresh`: their problems.
        differing: where the others stood whose text was another; None: nowhere. What follows begins `further` on.
        asked: for so many mistakes more something similar was looked for.
    """

    links: array[int]
    fresh: list[Problem]
    differing: Span | None
    further: int
    asked: int = 0
    numbering: Numbering = AS_BEFORE


def unmoved(
    known: Resolved, old: Some, new: Some, leaves: Sequence[Leaf], first: int, scoping: Scoping
) -> Meant | None:
    """What is known of the names of a function in which `new` stands in place of `old`; None where names mean
    something else now, or may.

    Args:
        known: what was known before.
        leaves: of the function as it was; the statements of `old` begin with those of number `first`.
    """
    told = {(problem.message, problem.span): problem for problem in known.problems}
    if known.others or len(told) != len(known.problems):
        return None
    if _may_mistake(old, new, scoping):
        return None
    left = dict(told)
    row = _plain(old, new, left, leaves, first, scoping)
    if row is None:
        left = told
        row = _by_statement(known, old, new, left, Missing(leaves, scoping))
    if row is None or (row.differing is not None and _reach(known, left.values(), row.differing)):
        return None
    links, fresh, differing, further, asked, numbering = row
    if differing is None:
        return Meant(known, links, numbering)
    renewed = bool(fresh) or len(left) < len(known.problems)
    suggested = known.suggested + asked
    if renewed and max(known.suggested, suggested) > MAX_SUGGESTIONS:
        return None  # then others get a suggestion
    if not further and not renewed:
        return Meant(known, links, numbering)
    moved = _moved_on(known, left.values(), fresh, differing.end, further)
    return Meant(replace(moved, suggested=suggested), links, numbering)


def _plain(
    old: Some,
    new: Some,
    told: dict[tuple[str, Span], Problem],
    leaves: Sequence[Leaf],
    first: int,
    scoping: Scoping,
) -> _Row | None:
    """What plain statements mean in place of plain ones; None: unknown, or they are not plain. `told`: see `_meant`."""
    were, are = [*ones(old)], [*ones(new)]
    most = min(len(were), len(are))
    head = next((number for number in range(most) if were[number].text != are[number].text), most)
    rest = range(1, most - head + 1)
    tail = next((number - 1 for number in rest if were[-number].text != are[-number].text), most - head)
    changed, fresh = were[head : len(were) - tail], are[head : len(are) - tail]
    if not changed and not fresh:
        return _Row(array("i", old.links), [], None, 0)
    at = changed[0].at if changed else fresh[0].at
    stop = at + sum(len(one.text) for one in changed)
    further = sum(len(one.text) for one in fresh) - (stop - at)
    if changed and fresh and _alike(changed[0], fresh[0]):  # but for the space behind it
        at += common(changed[0].text, fresh[0].text)
        head, changed, fresh = head + 1, changed[1:], fresh[1:]
    differing = Span(at, stop)
    begin = sum(one.template.uses for one in were[:head])
    end = begin + sum(one.template.uses for one in changed)
    if not changed and not fresh:
        return _Row(array("i", old.links), [], differing, further)
    behind = were[len(were) - tail].template if tail else old.follows
    if not head or behind is None or not plain([one.template for one in (*changed, *fresh)]):
        return None
    span = Span(changed[0].at if changed else differing.end, differing.end)
    elsewhere = Elsewhere(leaves, scoping, span, *_place(leaves, first, old.those.start + head))
    rows = Rows(were[head - 1].template, behind, elsewhere, Missing(leaves, scoping), scoping, told)
    row = rows.meant(changed, fresh, old.links[begin:end])
    if row is None:
        return None
    numbering = row.numbering
    before, after = (numbering.renumbered(array("i", links)) for links in (old.links[:begin], old.links[end:]))
    return _Row(before + row.links + after, row.problems, differing, further, row.asked, numbering)


def _may_mistake(old: Some, new: Some, scoping: Scoping) -> bool:
    """Whether the first statement that stays behind others has an unknown name, and follows another kind of statement
    now: whether the name is a mistake depends on that."""
    were, are = [*ones(old)], [*ones(new)]
    most = min(len(were), len(are))
    tail = next((number for number in range(most) if were[-number - 1].text != are[-number - 1].text), most)
    behind = were[-tail].template if tail else old.follows
    first = behind.events[0] if behind is not None and behind.events else None
    if not isinstance(first, OpShape) or not first.unknown:
        return False
    one, other = (those[-tail - 1].template if tail < len(those) else None for those in (were, are))
    return foreign(scoping, one) is not foreign(scoping, other)


def _alike(one: One, other: One) -> bool:
    """Whether two statements say the same."""
    return one.template is other.template and one.text.rstrip() == other.text.rstrip()


def _place(leaves: Sequence[Leaf], leaf: int, statement: int) -> tuple[int, int]:
    """The leaf, and the number in it, of a statement that is counted from the beginning of an earlier leaf."""
    while leaf + 1 < len(leaves) and statement >= len(leaves[leaf].statements.templates):
        statement -= len(leaves[leaf].statements.templates)
        leaf += 1
    return leaf, statement


def _by_statement(
    known: Resolved, old: Some, new: Some, told: dict[tuple[str, Span], Problem], missing: Missing
) -> _Row | None:
    """What statements mean that define what they defined, and open and close the same regions."""
    row = (_one_by_one if len(old.those) == len(new.those) else _together)(old, new, told, missing)
    if row is None:
        return None
    return row._replace(asked=_undefined_in((*row.fresh, *told.values())) - _undefined_in(known.problems))


def _one_by_one(old: Some, new: Some, told: dict[tuple[str, Span], Problem], missing: Missing) -> _Row | None:
    """What as many statements mean as there were, each for itself; None: that is not known. `told`: see `_meant`."""
    links = array("i")
    fresh: list[Problem] = []
    differing: Span | None = None
    at = further = 0
    for before, after in zip(ones(old), ones(new), strict=True):
        were = old.links[at : at + before.template.uses]
        at += before.template.uses
        if before.text != after.text:
            differing = Span(differing.start if differing else before.at, before.at + len(before.text))
            further += len(after.text) - len(before.text)
        if _alike(before, after):
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
    those, others = [*ones(old)], [*ones(new)]
    if not those or not others or any(missing.declares(one.template) for one in (*those, *others)):
        return None
    if _goes_on(those[-1]) != _goes_on(others[-1]) or any(link < 0 for link in old.links):
        return None
    said, says = ([part for one in some for part in _defines(one, alone=False) or (None,)] for some in (those, others))
    if said != says or None in said or _used(those) != _used(others):
        return None
    if any(told.pop((fault.message, fault.span), None) is None for one in those for fault in faults(one)):
        return None
    differing = Span(those[0].at, those[-1].at + len(those[-1].text))
    further = sum(len(one.text) for one in others) - (differing.end - differing.start)
    return _Row(array("i", old.links), [fault for one in others for fault in faults(one)], differing, further)


def _used(those: Iterable[One]) -> list[tuple[str, int | None]]:
    """What statements use, in a row."""
    return [use[:2] for one in those for use in uses(one)]


def _meant(
    old: One, new: One, links: Sequence[int], told: dict[tuple[str, Span], Problem], missing: Missing
) -> tuple[list[int], list[Problem]] | None:
    """What the uses of a statement mean that stands in place of another, and its problems; None: that is not known.

    Args:
        links: of the uses of the old one.
        told: the problems of the function, from which those of the old one are removed.
    """
    said = _defines(old)
    if said is None or said != _defines(new):
        return None
    if not _used_alike(old, new) and (not _used_once(old, new) or missing.declares(new.template)):
        return None
    known: dict[tuple[str, int | None], int] = {}
    suggested: dict[tuple[str, int | None], str | None] = {}
    for use, link in zip(uses(old), links, strict=True):
        known[use.name, use.number] = link
        if link < 0:
            problem = told.pop((undefined(use), use.span), None)
            if problem is None:
                return None
            suggested[use.name, use.number] = problem.suggestion
    if any(told.pop((fault.message, fault.span), None) is None for fault in faults(old)):
        return None
    meant: list[int] = []
    problems = [*faults(new)]
    for use in uses(new):
        what = use.name, use.number
        if what not in known:
            close = missing.suggestion(use.name)
            if close is None:
                return None
            known[what] = -1
            suggested[what] = f"{close[0]}#{use.number}" if close[0] and use.number is not None else close[0]
        if known[what] < 0:
            problems.append(Problem("undefined-value", undefined(use), use.span, suggestion=suggested[what]))
        meant.append(known[what])
    return meant, problems


def _used_alike(old: One, new: One) -> bool:
    """Whether two statements use the same names in the same order."""
    return _used([old]) == _used([new])


def _used_once(old: One, new: One) -> bool:
    """Whether all names that either of two statements uses stand in one event: in others they may mean others."""
    using = {number for one in (old, new) for number, event in enumerate(one.template.events) if operands(event)}
    return len(using) < 2


def _undefined_in(problems: Iterable[Problem]) -> int:
    """How many names are not defined, of which something similar is looked for each time."""
    return sum(problem.message.endswith(UNDEFINED) for problem in problems)


def _goes_on(one: One) -> bool:
    """Whether the text after a statement continues its op: not with one that is reported as whole."""
    return one.continued and one.template.single is None


def _defines(one: One, alone: bool = True) -> list[object] | None:
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
            if event.unknown or event.symbol or event.refers or "sym_name" in event.attributes:
                return None
            said.append((event.name, event.generic) if regions or event.ends else "op")
            said.append([(names[slot], count) for slot, count in event.results])
            said.append([names[target.slot] for target in event.successors])
        elif isinstance(event, Open):
            said.append(("{", event.label is not None, event.lacking, [names[slot] for slot, _ in event.defines]))
        elif isinstance(event, Label):
            said.append((names[event.slot], [names[slot] for slot, _ in event.arguments]))
        elif isinstance(event, Alias):
            return None
        else:
            said.append("}" if isinstance(event, Close) else "rest")
    return said


def _reach(known: Resolved, problems: Iterable[Problem], place: Span) -> bool:
    """Whether a problem overlaps a place, and would have to be computed again, too."""
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
    return problem._replace(span=move(problem.span), notes=notes, fix=fix)
