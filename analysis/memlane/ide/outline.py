"""The outline of a file: chunks, functions and other symbols, and the buffers that functions allocate."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from memlane.dialects.model import Models
from memlane.findings import Span
from memlane.ide.symbols import Symbol, defined
from memlane.snapshot import File
from memlane.syntax.tree import Chunk, Op


class Kind(Enum):
    """What an entry of the outline is."""

    CHUNK = "chunk"
    MODULE = "module"
    FUNCTION = "function"
    SYMBOL = "symbol"
    BUFFER = "buffer"


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the outline.

    Args:
        detail: the type of a buffer, the op of a symbol.
        span: of everything that belongs to it.
        name_span: of its name, inside of `span`.
    """

    name: str
    detail: str
    kind: Kind
    span: Span
    name_span: Span
    children: list[Entry] = field(default_factory=list["Entry"])


def outline(file: File) -> list[Entry]:
    """The top entries of the outline, in text order. A file of several chunks has an entry for each."""
    chunks = [chunk for chunk in file.tree.chunks if chunk.ops]
    source, models = file.text.source, file.models
    if len(chunks) == 1:
        return _entries(source, chunks[0], models)
    return [_chunk(source, number, chunk, models) for number, chunk in enumerate(chunks, 1)]


def _chunk(source: str, number: int, chunk: Chunk, models: Models) -> Entry:
    title = chunk.title.strip("/- \t") or f"chunk {number}"
    span = Span(chunk.ops[0].span.start, chunk.ops[-1].span.end)
    name = Span(span.start, chunk.ops[0].name_span.end)
    return Entry(title, "", Kind.CHUNK, span, name, _entries(source, chunk, models))


def _entries(source: str, chunk: Chunk, models: Models) -> list[Entry]:
    """Symbols nested as the ops that define them are."""
    top: list[Entry] = []
    by_op: dict[int, Entry] = {}
    for symbol in defined(source, chunk, models):
        entry = _entry(symbol, models)
        holder = symbol.op.parent.region.op if symbol.op.parent else None
        (by_op[id(holder)].children if id(holder) in by_op else top).append(entry)
        by_op[id(symbol.op)] = entry
    return top


def _entry(symbol: Symbol, models: Models) -> Entry:
    op, model = symbol.op, models.of(symbol.op.name)
    if model is not None and model.symbol_table:
        return Entry(symbol.name, op.name, Kind.MODULE, op.span, symbol.span)
    is_function = model.function is not None if model else bool(op.regions)
    kind = Kind.FUNCTION if is_function else Kind.SYMBOL
    children = _buffers(op, models) if is_function else []
    return Entry(symbol.name, op.name, kind, op.span, symbol.span, children)


def _buffers(function: Op, models: Models) -> list[Entry]:
    """The buffers that a function allocates."""
    found: list[Entry] = []
    for op in function.walk():
        model = models.of(op.name)
        for alloc in model.alloc if model else ():
            if alloc.result < len(op.results):
                value = op.results[alloc.result]
                found.append(Entry(value.name, value.type or "", Kind.BUFFER, op.span, value.span))
    return found
