"""What depends on the text of a function alone, remembered for as long as that text is in the document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar, cast

from memlane.findings import Span
from memlane.ide.lanes import moved
from memlane.ide.limits import MAX_FUNCTIONS_BUILT
from memlane.ide.snapshot import File
from memlane.syntax.editing.sparse import Outline, StatementPart, nested
from memlane.syntax.shapes.shape import Template
from memlane.syntax.tree.tree import Function, Op

T = TypeVar("T")


def per_function(
    file: File, kind: str, compute: Callable[[File, Op], T], needs: Callable[[Template], bool]
) -> list[tuple[Function, T]]:
    """What `compute` gives for each function of a file, in text order.

    Args:
        kind: a name for what is computed, by which it is remembered.
        compute: gives a tree of dataclasses, tuples and lists with spans that are places in the file.
        needs: whether it looks at an op of a statement; those of others may not be there.
    """
    memory, starts = file.portraits.remembered, file.document.starts
    known = memory.get(kind, {})
    places = [(bisect_right(starts, function.span.start) - 1, function) for function in file.functions]
    # What decides all there is to say of a function is its text, and what the aliases in it stand for.
    aliases = {section: frozenset(section.aliases.items()) for section in file.document.sections}
    numbers = {at: (function.key, aliases[file.document.section_of(at)]) for at, function in places}
    missing = [number for number, key in numbers.items() if key not in known]
    found: dict[object, object] = {}
    for number, op in built(file, missing, lambda number: _part(file, number, needs)):
        found[numbers[number]] = moved(compute(file, op), _mover(-starts[number]))
    known = {**known, **found}
    values: dict[object, Any] = {key: known[key] for key in numbers.values()}
    memory[kind] = values
    return [
        (function, moved(cast("T", values[numbers[number]]), _mover(function.span.start)))
        for number, function in places
    ]


def built(
    file: File, numbers: Sequence[int], part: Callable[[int], StatementPart | None] = lambda _: None
) -> Iterator[tuple[int, Op]]:
    """The ops of some functions, each only until the next is asked for.

    Args:
        part: what of a function is needed, where that is not all of it.
    """
    if len(numbers) > MAX_FUNCTIONS_BUILT:
        return file.each(numbers, part)
    parts = {number: part(number) for number in numbers}
    if any(parts.values()):
        return file.each(numbers, parts.__getitem__)
    return ((number, file.function(number)) for number in numbers)


def _part(file: File, number: int, needs: Callable[[Template], bool]) -> StatementPart | None:
    """The ops of a function that are needed."""
    piece = file.document.pieces[number]
    if not nested(piece):
        return None
    outline = Outline(piece, file.document.starts[number])
    templates = (template for leaf in piece.leaves for template in leaf.statements.templates)
    return StatementPart(
        outline, outline.whole(at for at, template in enumerate(templates) if not at or needs(template))
    )


def _mover(distance: int) -> Callable[[Span], Span]:
    return lambda span: Span(span.start + distance, span.end + distance)
