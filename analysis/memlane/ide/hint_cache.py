"""What hints say of a function but for its findings and its place: found out once, kept while nothing of it changes.

A function's drafts depend on its text, on what stands outside functions, and on what those give back that it calls,
so they are kept with the pieces that these are.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple
from weakref import WeakKeyDictionary, ref

from memlane.cancellation import poll
from memlane.dialects.model import OpModel
from memlane.findings import Finding, Span
from memlane.flow import FunctionFlow, Program
from memlane.format import in_words
from memlane.ide.alias_index import related
from memlane.ide.buffer_names import frees, sites
from memlane.ide.freed_paths import FreedPaths, paths_of
from memlane.ide.limits import MAX_FUNCTIONS_BUILT
from memlane.ide.locate import at, enclosing
from memlane.ide.partial_trees import Depends
from memlane.ide.snapshot import File
from memlane.ide.value_ownership import Received, may_receive, received
from memlane.query import Respaced
from memlane.syntax.editing.piece import Piece, Sort
from memlane.syntax.tree.tree import Op, Value, ancestors


class Made(NamedTuple):
    """A buffer that an op makes, by its first name; "" where it has none.

    Args:
        place: of the name, or the op. `number`: of the op's result.
        frees: what frees it by this name, in text order.
    """

    op: Span
    name: str
    place: int
    number: int
    resource: str
    size: str | None
    frees: tuple[Span, ...]


class Given(NamedTuple):
    """A name that receives a buffer: `op` is all of the text of what defines it, `place` where it stands."""

    op: Span
    place: int
    label: str
    tooltip: str
    target: Span | None


@dataclass(slots=True, eq=False)
class Drafts:
    """Of one function; places count from the start of its piece.

    Args:
        names: where those of its ops begin.
        paths: those that were counted, by `place` and `number` of what is made.
    """

    names: frozenset[int]
    made: tuple[Made, ...]
    given: tuple[Given, ...]
    paths: dict[tuple[int, int], FreedPaths | None] = field(default_factory=dict[tuple[int, int], "FreedPaths | None"])

    def moved(self, by: Respaced) -> Drafts:
        """The same where the function stands elsewhere in its piece."""
        place, span = by.place, by.span
        made = (
            one._replace(op=span(one.op), place=place(one.place), frees=tuple(map(span, one.frees)))
            for one in self.made
        )
        given = (
            one._replace(op=span(one.op), place=place(one.place), target=one.target and span(one.target))
            for one in self.given
        )
        paths = {(place(at), number): paths for (at, number), paths in self.paths.items()}
        return Drafts(frozenset(map(place, self.names)), tuple(made), tuple(given), paths)

    def paths_of(self, file: File, start: int, made: Made) -> FreedPaths | None:
        """The paths of what is made by a function whose piece begins at `start` of `file`."""
        key = made.place, made.number
        if key not in self.paths:
            value = _result(file, start + made.place, made.number)
            self.paths[key] = paths_of(file, value) if value is not None else None
        return self.paths[key]


Kept = WeakKeyDictionary[Piece, "tuple[Depends, Drafts]"]


def undrafted(file: File) -> list[int]:
    """The pieces of functions, by number, of which nothing is kept that still holds; none where names do not tell."""
    file.settle()
    kept: Kept = file.portraits.drafts
    found: list[int] = []
    for number, piece in enumerate(file.document.pieces):
        if piece.sort == Sort.FUNCTION:
            poll()
            depends = file.depends(number)
            if depends is None:
                return []
            known = kept.get(piece)
            if known is None or known[0] != depends:
                found.append(number)
    return found


def drafts(file: File, numbers: Iterable[int]) -> dict[int, Drafts] | None:
    """Those of some functions by the numbers of their pieces; None where names do not tell what they depend on."""
    file.settle()
    kept: Kept = file.portraits.drafts
    pieces = file.document.pieces
    missing: dict[int, Depends] = {}
    found: dict[int, Drafts] = {}
    for number in numbers:
        depends = file.depends(number)
        if depends is None:
            return None
        known = kept.get(pieces[number])
        if known is not None and known[0] == depends:
            found[number] = known[1]
        else:
            missing[number] = depends
    for number, one in _made_anew(file, list(missing)):
        found[number] = one
        kept[pieces[number]] = missing[number], one
    return found


def _made_anew(file: File, numbers: Sequence[int]) -> Iterator[tuple[int, Drafts]]:
    """A few functions are built one by one, many together: then each is built once, for all its callers."""
    starts, pieces = file.document.starts, file.document.pieces
    together = (
        file.linked(Span(starts[numbers[0]], starts[numbers[-1]] + 1)) if len(numbers) > MAX_FUNCTIONS_BUILT else None
    )
    ops: dict[int, list[Op]] = {number: [] for number in numbers}
    for op in together.tree.walk() if together is not None else ():
        ops.get(bisect_right(starts, op.name_span.start) - 1, []).append(op)
    for number in numbers:
        poll()
        start, end = starts[number], starts[number] + pieces[number].size
        linked = together or file.linked(at(start + 1))
        own = ops[number] or [op for op in linked.tree.walk() if start <= op.name_span.start < end]
        yield number, of_ops(file, own, linked.program(start), start)


class Drafting:
    """Makes the drafts of functions of a file for a caller that has their ops; it keeps no ops."""

    def __init__(self, file: File) -> None:
        self._file = file

    def __call__(self, piece: Piece, flow: FunctionFlow, program: Program, found: Sequence[Finding], /) -> None:
        """Draft a function."""
        file = self._file
        starts = file.document.starts
        number = bisect_right(starts, flow.op.name_span.start) - 1
        start, end = starts[number], starts[number] + piece.size
        depends = file.depends(number)
        if depends is not None:
            own = [op for op in flow.op.walk() if start <= op.name_span.start < end]
            file.portraits.drafts[piece] = depends, of_ops(file, own, program, start)
        note = related(program, flow, start)
        if note is not None:
            file.portraits.related[piece] = note

    def respaced(self, before: Piece, piece: Piece, by: Respaced) -> None:
        """Let what was said of a function be said of the same where it stands now."""
        kept: Kept = self._file.portraits.drafts
        notes = self._file.portraits.related
        if before in kept:
            depends, drafts = kept[before]
            renewed = tuple([ref(piece) if one == ref(before) else one for one in depends])
            kept[piece] = renewed, drafts.moved(by)
        if before in notes:
            notes[piece] = notes[before].moved(by)


def of_ops(file: File, ops: Sequence[Op], program: Program | None, start: int = 0) -> Drafts:
    """What is to be said of some ops. `program`: what they are part of; None: they are in no function."""
    given: list[Given] = []
    made: list[Made] = []
    models: dict[str, OpModel | None] = {}
    for op in ops:
        poll()
        if op.name not in models:
            models[op.name] = file.models.of(op.name)
        model = models[op.name]
        if model is not None and (model.alloc or model.call is not None):
            made += _made(file, program, op, start)
        if program is not None and may_receive(model, op):
            given += _given(program, op, start)
    return Drafts(frozenset([op.name_span.start - start for op in ops]), tuple(made), tuple(given))


def back(span: Span, start: int) -> Span:
    """The span, counted from `start`."""
    return Span(span.start - start, span.end - start)


def _made(file: File, program: Program | None, op: Op, start: int) -> Iterator[Made]:
    flow = _flow(program, op) if program is not None else None
    for origin in sites(file, op, flow):
        value, size = origin.value, origin.told
        named = value in op.results
        freeing = sorted(use.op.name_span for use in value.uses if frees(file, use, flow))
        freed = tuple([back(one, start) for one in freeing])
        place = (value.span if named else op.name_span).start - start
        said = in_words(size) if size is not None else None
        yield Made(back(op.name_span, start), value.name, place, value.index, origin.resource, said, freed)


def _given(program: Program, op: Op, start: int) -> Iterator[Given]:
    flow = _flow(program, op)
    for one in received(program, flow, op) if flow is not None else ():
        several = one.value.op is None or len(op.results) > 1
        label = f"{one.value.name} {one.words}" if several else one.words
        target = back(one.sources[0].span, start) if one.sources else None
        yield Given(back(op.span, start), one.value.span.start - start, label, _whose(one), target)


def _flow(program: Program, op: Op) -> FunctionFlow | None:
    """The function that an op is in, or that it is."""
    return next((program.functions[one] for one in chain((op,), ancestors(op)) if one in program.functions), None)


def _result(file: File, place: int, number: int) -> Value | None:
    """The result of the op whose results begin at `place`, or before it; None where a brace is never closed."""
    around = enclosing(file.near(at(place)), place)
    return around[-1].results[number] if around and number < len(around[-1].results) else None


def _whose(one: Received) -> str:
    if one.words.startswith("owned"):
        return f"{one.value.name} is {one.words}: it must be freed or returned."
    if one.words == "borrowed":
        return f"{one.value.name} is borrowed: this function must not free it."
    return f"{one.value.name} is another name of the memory of {', '.join(value.name for value in one.sources)}."
