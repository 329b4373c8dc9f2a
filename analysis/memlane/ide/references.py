"""All places that name what a place names."""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Span
from memlane.ide.locate import at, name_at
from memlane.ide.snapshot import File
from memlane.ide.symbol_mentions import Meanings, mentions, named, symbol_meant
from memlane.syntax.tree.tree import Block, Op, Value


def references(file: File, offset: int, declaration: bool = True) -> list[Span]:
    """The places that name what `offset` touches, in text order; `declaration`: the defining one among them."""
    name = name_at(file.near(at(offset)), offset)
    if name is not None and name.value is not None:
        return value_references(name.value, declaration)
    if name is not None and name.block is not None:
        return block_references(name.block, declaration)
    if name is not None and not isinstance(name.thing, Op):
        return []
    return _symbol_references(file, offset, declaration)


def value_references(value: Value, declaration: bool = True) -> list[Span]:
    """The places that name a value, or another of its pack: `%a:2` is one name that `%a#0` and `%a#1` mention."""
    spans = {use.span for one in pack(value) for use in one.uses}
    return sorted(spans | {value.span} if declaration else spans)


def pack(value: Value) -> list[Value]:
    """The values that are defined by the same name, in order; mostly `value` alone."""
    results = value.op.results if value.op else (value,)
    return [other for other in results if other.span == value.span]


def leads_pack(value: Value) -> bool:
    """Whether a result is the first of those that are defined by its name."""
    return value.op is None or value.index == 0 or value.op.results[value.index - 1].span != value.span


def block_references(block: Block, declaration: bool = True) -> list[Span]:
    """The places that name a block."""
    spans = set(_branches(block))
    if declaration and block.label is not None:
        spans.add(Span(block.span.start, block.span.start + len(block.label)))
    return sorted(spans)


def _branches(block: Block) -> Iterator[Span]:
    for other in block.region.blocks:
        for op in other.ops:
            yield from (successor.span for successor in op.successors if successor.block is block)


def _symbol_references(file: File, offset: int, declaration: bool) -> list[Span]:
    source, meant = file.text.source, symbol_meant(file, offset)
    if meant is None:
        return []
    mention, wanted = meant
    name = named(source, mention)
    tree = file.near(at(offset), name)
    scope = next(chunk.span for chunk in tree.chunks if chunk.span.start <= offset <= chunk.span.end)
    meanings, found = Meanings(source, tree, name, file.models), list[Span]()
    for span in mentions(source, scope, name):
        symbol = meanings.at(span.start)
        same = symbol is None if wanted is None else symbol is not None and symbol.op is wanted.op
        if same and (declaration or wanted is None or span != wanted.span):
            found.append(span)
    return found
