"""What depends on the text of a function alone, remembered for as long as that text is in the document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import TypeVar

from memlane.findings import Span
from memlane.ide.lanes import moved
from memlane.ide.locate import at, enclosing
from memlane.snapshot import File
from memlane.syntax.pieces import Piece
from memlane.syntax.shape import Template
from memlane.syntax.sparse import Outline, nested
from memlane.syntax.tree import Function, Op, take_apart

T = TypeVar("T")

FEW = 3
"""Functions up to which each is built by itself; for more of them the whole tree is."""


LONG = 4
"""Leaves from which on only those ops of a function are built that are needed."""


def per_function(
    file: File, kind: str, compute: Callable[[File, Op], T], needs: Callable[[Template], bool]
) -> list[tuple[Function, T]]:
    """What `compute` gives for each function of a file, in text order.

    Args:
        kind: a name for what is computed, by which it is remembered.
        compute: gives a tree of dataclasses, tuples and lists with spans that are places in the file.
        needs: whether it looks at an op of a statement; those of others may not be there.
    """
    memory = file.portraits.remembered
    known = memory.get(kind, {})
    missing = [function for function in file.functions if function.key not in known]
    found: dict[object, object] = {}
    for function in missing:
        part = _part(file, function, needs) if len(missing) <= FEW else None
        op = part or (function.op if len(missing) > FEW else _built(file, function))
        found[function.key] = moved(compute(file, op), _mover(-function.span.start))
        if part is not None:
            take_apart(part)
    known = {**known, **found}
    memory[kind] = {function.key: known[function.key] for function in file.functions}
    values: dict[object, T] = memory[kind]
    return [(function, moved(values[function.key], _mover(function.span.start))) for function in file.functions]


def _part(file: File, function: Function, needs: Callable[[Template], bool]) -> Op | None:
    """The op of a long function with those in it that are needed; None where all are to be built."""
    piece = function.key
    if not isinstance(piece, Piece) or len(piece.leaves) < LONG or not nested(piece):
        return None
    outline = Outline(piece, function.span.start)
    templates = (template for leaf in piece.leaves for template in leaf.statements.templates)
    wanted = [at for at, template in enumerate(templates) if not at or needs(template)]
    return file.some(bisect_right(file.document.starts, function.span.start) - 1, outline, wanted)


def _built(file: File, function: Function) -> Op:
    """The op of a function, without building others."""
    first = function.key.statements.starts[0] if isinstance(function.key, Piece) else 0
    place = function.span.start + first
    around = enclosing(file.near(at(place)), place)
    return next((op for op in around if op.span.start >= function.span.start), None) or function.op


def _mover(distance: int) -> Callable[[Span], Span]:
    return lambda span: Span(span.start + distance, span.end + distance)
