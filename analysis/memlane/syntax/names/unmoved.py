"""Whether names still mean what they meant after an edit of some statements, by these alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from memlane.findings import Edit, Span
from memlane.syntax.lines.statements import Statements
from memlane.syntax.names.frames import Resolved
from memlane.syntax.problems import Problem
from memlane.syntax.shapes.holes import NAME, clean
from memlane.syntax.shapes.shape import Close, Label, Open, OpShape, Rest, Template


class Some(NamedTuple):
    """Some statements in a row, `those` of `statements`, whose offsets are those of `text`."""

    text: str
    statements: Statements
    those: range


def unmoved(known: Resolved, old: Some, new: Some, start: int, stop: int, further: int) -> Resolved | None:
    """What is known of the names of a function in which `new` stands in place of `old`; None where names mean
    something else now, or may.

    Args:
        known: what was known before.
        start, stop: from where to where the old ones stood in the function. `further`: how much further on all that
            follows begins.
    """
    if known.others or len(old.those) != len(new.those):
        return None
    for before, after in zip(old.those, new.those, strict=True):
        if _same(old, before, new, after):
            continue
        said = _says(old.statements.templates[before], _names(old, before))
        if said is None or said != _says(new.statements.templates[after], _names(new, after)):
            return None
    # What is known of places in them would have to be told anew, too.
    spans = [span for problem in known.problems for span in _spans(problem)]
    spans += [span for _, span in known.references]
    if any(start <= span.end and span.start < stop for span in spans):
        return None
    if not further:
        return known

    def moved(span: Span) -> Span:
        return Span(span.start + further, span.end + further) if span.start >= stop else span

    problems = tuple([_moved(problem, moved) for problem in known.problems])
    return Resolved(problems, known.symbols, tuple([(name, moved(span)) for name, span in known.references]))


def _same(old: Some, before: int, new: Some, after: int) -> bool:
    """Whether two statements are one, but for what follows them."""
    if old.statements.templates[before] is not new.statements.templates[after]:
        return False
    return _text(old, before).rstrip() == _text(new, after).rstrip()


def _text(some: Some, number: int) -> str:
    starts = some.statements.starts
    return some.text[starts[number] : starts[number + 1] if number + 1 < len(starts) else len(some.text)]


def _names(some: Some, number: int) -> list[str]:
    return NAME.findall(clean(_text(some, number)))


def _says(template: Template, names: Sequence[str]) -> list[object] | None:
    """What a statement says of names; None where it says more, or something is wrong with it."""
    if template.faults:
        return None
    said: list[object] = [template.single is None]
    for event in template.events:
        if isinstance(event, OpShape):
            if event.unknown or event.symbol or event.refers or event.declares or "sym_name" in event.attributes:
                return None
            said.append((event.name, [(names[slot], count) for slot, count in event.results]))
            said.append([names[target.slot] for target in event.successors])
        if isinstance(event, (OpShape, Rest)):
            said.append([(names[slot], number) for slot, number, _ in event.operands])
        elif isinstance(event, Open):
            said.append(("{", [names[slot] for slot, _ in event.defines]))
        elif isinstance(event, Close):
            said.append("}")
        elif isinstance(event, Label):
            said.append((names[event.slot], [names[slot] for slot, _ in event.arguments]))
        else:  # an alias
            return None
    return said


def _spans(problem: Problem) -> list[Span]:
    edits = problem.fix.edits if problem.fix is not None else ()
    return [problem.span, *(span for _, span in problem.notes), *(edit.span for edit in edits)]


def _moved(problem: Problem, move: Callable[[Span], Span]) -> Problem:
    """The problem with `move` done to all its spans."""
    fix = problem.fix
    if fix is not None:
        fix = replace(fix, edits=tuple([Edit(move(edit.span), edit.content) for edit in fix.edits]))
    notes = tuple([(text, move(span)) for text, span in problem.notes])
    return replace(problem, span=move(problem.span), notes=notes, fix=fix)
