"""Symbols (`@name`): what they name, and where they are mentioned.

A symbol belongs to the nearest symbol table around it. What is a table is known from the models where an op has one;
an op without a model is a table when it has a symbol name and no results, as modules of all dialects do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from memlane.dialects.model import Models
from memlane.findings import Span
from memlane.ide.locate import SYMBOL, at, enclosing, touches
from memlane.ide.snapshot import File
from memlane.syntax.tree.tree import Chunk, Op, Tree


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition: the op and where it says its name, with `@`."""

    op: Op
    span: Span

    @property
    def name(self) -> str:
        """Without `@`."""
        return self.op.symbol or ""


def symbol_at(source: str, tree: Tree, offset: int) -> Span | None:
    """The symbol name, with `@`, that `offset` touches outside of strings and comments."""
    if not enclosing(tree, offset):
        return None
    start = source.rfind("\n", 0, offset) + 1
    end = source.find("\n", offset)
    for match in SYMBOL.finditer(source, start, len(source) if end < 0 else end):
        if touches(Span(*match.span()), offset) and "//" not in source[start : match.start()]:
            return Span(*match.span())
    return None


def defined(source: str, chunk: Chunk, models: Models, name: str | None = None) -> Iterator[Symbol]:
    """The symbols that a chunk defines, in text order, tables nested in tables included; those of a name, if one is
    given (without `@`)."""
    waiting = list(reversed(chunk.ops))
    while waiting:
        op = waiting.pop()
        if op.symbol is not None and not op.results and name in (None, op.symbol):
            yield Symbol(op, written(source, op))
        if _is_table(op, models):
            for region in reversed(op.regions):
                for block in reversed(region.blocks):
                    waiting.extend(reversed(block.ops))


def symbol_meant(file: File, offset: int) -> tuple[Span, Symbol | None] | None:
    """The symbol name that `offset` touches, and what it means; None without one."""
    mention = symbol_at(file.text.source, file.near(at(offset)), offset)
    if mention is None:
        return None
    name = named(file.text.source, mention)
    return mention, resolve(file.text.source, file.near(at(offset), name), offset, name, file.models)


def named(source: str, mention: Span) -> str:
    """The name of a mention, without `@` and quotes."""
    return source[slice(*mention)][1:].strip('"')


def resolve(source: str, tree: Tree, offset: int, name: str, models: Models) -> Symbol | None:
    """What `name` (without `@`) means at `offset`: of the definitions in its chunk, the one in the nearest table.

    Args:
        tree: has all functions of that name.
    """
    return Meanings(source, tree, name, models).at(offset)


class Meanings:
    """What one name means, at any number of places: its definitions are looked for once. Arguments: see `resolve`."""

    def __init__(self, source: str, tree: Tree, name: str, models: Models) -> None:
        self._source = source
        self._tree = tree
        self._name = name
        self._models = models
        self._tables: dict[int, Mapping[Op | None, Symbol]] = {}

    def at(self, offset: int) -> Symbol | None:
        """What the name means at an offset."""
        chunks = enumerate(self._tree.chunks)
        tables = [self._in(number) for number, chunk in chunks if chunk.span.start <= offset <= chunk.span.end]
        around = reversed(enclosing(self._tree, offset))
        nearest = (table[op] for op in around for table in tables if op in table)
        return next(nearest, None) or next((symbol for table in tables for symbol in table.values()), None)

    def _in(self, number: int) -> Mapping[Op | None, Symbol]:
        """The definitions in a chunk, by the op that holds them: of several there, the first."""
        if number not in self._tables:
            first: dict[Op | None, Symbol] = {}
            for symbol in defined(self._source, self._tree.chunks[number], self._models, self._name):
                first.setdefault(symbol.op.parent.region.op if symbol.op.parent else None, symbol)
            self._tables[number] = first
        return self._tables[number]


def mentions(source: str, scope: Span, name: str) -> Iterator[Span]:
    """Where `@name` stands in `scope`, comments apart."""
    spelled = [re.escape(name), '"' + re.escape(name) + '"']
    for match in re.finditer(
        rf"//[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|@(?:{'|'.join(spelled)})(?![\w$.])", source[scope.start : scope.end]
    ):
        if match.group().startswith("@"):
            yield Span(scope.start + match.start(), scope.start + match.end())


def written(source: str, op: Op) -> Span:
    """Where an op says its own symbol: the first one after its name; in generic form, the attribute's value."""
    name = op.symbol or ""
    for match in SYMBOL.finditer(source, op.name_span.end, op.span.end):
        if match.group()[1:].strip('"') == name:
            return Span(*match.span())
    start = source.find(f'"{name}"', op.name_span.end, op.span.end)
    return Span(start, start + len(name) + 2) if start >= 0 else op.name_span


def _is_table(op: Op, models: Models) -> bool:
    model = models.of(op.name)
    if model is not None:
        return model.symbol_table
    return bool(op.regions) and not op.results and not op.operands and op.parent is None
