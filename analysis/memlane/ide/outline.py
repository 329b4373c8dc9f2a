"""The outline of a file: chunks, functions and other symbols, and the buffers that functions allocate."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from memlane.dialects.model import Models
from memlane.findings import Span
from memlane.ide.per_function_memo import per_function
from memlane.ide.snapshot import File
from memlane.ide.symbol_mentions import Symbol, defined, written
from memlane.syntax.shapes.shape import OpShape, Template
from memlane.syntax.tree.tree import Chunk, Op


class EntryKind(Enum):
    """What an entry of the outline is."""

    CHUNK = "chunk"
    MODULE = "module"
    FUNCTION = "function"
    SYMBOL = "symbol"
    BUFFER = "buffer"


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """An entry of the outline.

    Args:
        detail: the type of a buffer, the op of a symbol.
        span: of everything that belongs to it.
        name_span: of its name, inside of `span`.
    """

    name: str
    detail: str
    kind: EntryKind
    span: Span
    name_span: Span
    children: list[OutlineEntry] = field(default_factory=list["OutlineEntry"])


@dataclass(frozen=True, slots=True)
class _Function:
    """What the outline needs of a function. One without a name has no `entry`."""

    entry: OutlineEntry | None
    span: Span
    name_span: Span


def outline(file: File) -> list[OutlineEntry]:
    """The top entries of the outline, in text order. A file of several chunks has an entry for each."""
    models = file.models
    functions = [one for _, one in per_function(file, "outline", _of_function, lambda one: _may_allocate(models, one))]
    tree = file.near(None)
    starts = [one.span.start for one in functions]
    parts = [(chunk, functions[slice(*_between(starts, chunk.span))]) for chunk in tree.chunks]
    parts = [(chunk, inside) for chunk, inside in parts if chunk.ops or inside]
    source = file.text.source
    if len(parts) == 1:
        return _entries(source, *parts[0], models)
    return [_chunk(source, number, chunk, inside, models) for number, (chunk, inside) in enumerate(parts, 1)]


def _between(starts: list[int], span: Span) -> tuple[int, int]:
    """Which of some places in text order are in a span: the first of them, and the first that is behind it."""
    return bisect_left(starts, span.start), bisect_left(starts, span.end)


def _of_function(file: File, op: Op) -> _Function:
    entry = _entry(Symbol(op, written(file.text.source, op)), file.models) if op.symbol and not op.results else None
    return _Function(entry, op.span, op.name_span)


def _chunk(source: str, number: int, chunk: Chunk, functions: list[_Function], models: Models) -> OutlineEntry:
    title = chunk.title.strip("/- \t") or f"chunk {number}"
    spans = sorted((one.span, one.name_span) for one in (*chunk.ops, *functions))
    span = Span(spans[0][0].start, max(whole.end for whole, _ in spans))
    name = Span(span.start, spans[0][1].end)
    return OutlineEntry(title, "", EntryKind.CHUNK, span, name, _entries(source, chunk, functions, models))


def _entries(source: str, chunk: Chunk, functions: list[_Function], models: Models) -> list[OutlineEntry]:
    """Symbols nested as the ops that define them are."""
    top: list[OutlineEntry] = []
    by_op: dict[Op, OutlineEntry] = {}
    for symbol in defined(source, chunk, models):
        entry = _entry(symbol, models)
        holder = symbol.op.parent.region.op if symbol.op.parent else None
        (by_op[holder].children if holder in by_op else top).append(entry)
        by_op[symbol.op] = entry
    modules = sorted(
        (entry for entry in by_op.values() if entry.kind is EntryKind.MODULE), key=lambda entry: entry.span
    )
    for function, module in _modules_of(functions, modules):
        if function.entry is not None:
            (module.children if module is not None else top).append(function.entry)
    for entries in (top, *(module.children for module in modules)):
        entries.sort(key=lambda entry: entry.span)
    return top


def _modules_of(
    functions: list[_Function], modules: list[OutlineEntry]
) -> Iterator[tuple[_Function, OutlineEntry | None]]:
    """Each function with the innermost module around it; both are in text order."""
    waiting, around = deque(modules), list[OutlineEntry]()
    for function in functions:
        while waiting and waiting[0].span.start <= function.span.start:
            module = waiting.popleft()
            _leave(around, module.span.start)
            around.append(module)
        _leave(around, function.span.start)
        yield function, around[-1] if around else None


def _leave(around: list[OutlineEntry], place: int) -> None:
    while around and around[-1].span.end <= place:
        around.pop()


def _entry(symbol: Symbol, models: Models) -> OutlineEntry:
    op, model = symbol.op, models.of(symbol.op.name)
    if model is not None and model.symbol_table:
        return OutlineEntry(symbol.name, op.name, EntryKind.MODULE, op.span, symbol.span)
    is_function = model.function is not None if model else bool(op.regions)
    kind = EntryKind.FUNCTION if is_function else EntryKind.SYMBOL
    children = _buffers(op, models) if is_function else []
    return OutlineEntry(symbol.name, op.name, kind, op.span, symbol.span, children)


def _may_allocate(models: Models, statement: Template) -> bool:
    ops = (event for event in statement.events if isinstance(event, OpShape))
    return any(op.bare or ((model := models.of(op.name)) is not None and model.alloc) for op in ops)


def _buffers(function: Op, models: Models) -> list[OutlineEntry]:
    """The buffers that a function allocates."""
    found: list[OutlineEntry] = []
    for op in function.walk():
        model = models.of(op.name)
        for alloc in model.alloc if model else ():
            if alloc.result < len(op.results):
                value = op.results[alloc.result]
                found.append(OutlineEntry(value.name, value.type or "", EntryKind.BUFFER, op.span, value.span))
    return found
