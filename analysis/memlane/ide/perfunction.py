"""What depends on the text of a function alone, remembered for as long as that text is in the document."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from memlane.findings import Span
from memlane.ide.lanes import moved
from memlane.ide.locate import at, enclosing
from memlane.snapshot import File
from memlane.syntax.pieces import Piece
from memlane.syntax.tree import Function, Op

T = TypeVar("T")

FEW = 3
"""Functions up to which each is built by itself; for more of them the whole tree is."""


def per_function(file: File, kind: str, compute: Callable[[File, Op], T]) -> list[tuple[Function, T]]:
    """What `compute` gives for each function of a file, in text order.

    Args:
        kind: a name for what is computed, by which it is remembered.
        compute: gives a tree of dataclasses, tuples and lists with spans that are places in the file.
    """
    memory = file.portraits.remembered
    known = memory.get(kind, {})
    missing = [function for function in file.functions if function.key not in known]
    found: dict[object, object] = {}
    for function in missing:
        op = function.op if len(missing) > FEW else _built(file, function)
        found[function.key] = moved(compute(file, op), _mover(-function.span.start))
    known = {**known, **found}
    memory[kind] = {function.key: known[function.key] for function in file.functions}
    values: dict[object, T] = memory[kind]
    return [(function, moved(values[function.key], _mover(function.span.start))) for function in file.functions]


def _built(file: File, function: Function) -> Op:
    """The op of a function, without building others."""
    first = function.key.statements.starts[0] if isinstance(function.key, Piece) else 0
    place = function.span.start + first
    around = enclosing(file.near(at(place)), place)
    return next((op for op in around if op.span.start >= function.span.start), None) or function.op


def _mover(distance: int) -> Callable[[Span], Span]:
    return lambda span: Span(span.start + distance, span.end + distance)
