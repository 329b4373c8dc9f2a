"""Renaming SSA values, blocks and symbols, where the new name means nothing else yet."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memlane.findings import Edit, Span
from memlane.ide.locate import Name, at, enclosing, name_at, names
from memlane.ide.references import block_references, references, value_references
from memlane.ide.snapshot import File
from memlane.ide.symbol_mentions import symbol_at
from memlane.lazy import regex
from memlane.syntax.tree.tree import Block, Op, Value

_SUFFIX = r"(?:\d+|[A-Za-z_$.-][\w$.-]*)"
_NAMES = {
    "%": regex("%" + _SUFFIX, re.ASCII),
    "^": regex(r"\^" + _SUFFIX, re.ASCII),
    "@": regex(r'@(?:[A-Za-z_][A-Za-z0-9_$.]*|".*")'),
}


class RenameRefused(Exception):
    """The new name cannot be given; the text says why, for a person."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """What would be renamed: the name at the place, with its sigil."""

    span: Span
    name: str


def renamable(file: File, offset: int) -> Renaming | None:
    """The name at `offset` that can be renamed."""
    source = file.text.source
    name = name_at(file.near(at(offset)), offset)
    if name is not None and (name.value is not None or name.block is not None):
        span = _base(source, name.span)
        return Renaming(span, source[slice(*span)])
    mention = symbol_at(source, file.near(at(offset)), offset)
    return Renaming(mention, source[slice(*mention)]) if mention else None


def rename(file: File, offset: int, new: str) -> list[Edit]:
    """The edits that give the name at `offset` the name `new`, with or without its sigil. Raises `RenameRefused`."""
    target = renamable(file, offset)
    if target is None:
        raise RenameRefused("there is no name here")
    sigil = target.name[0]
    new = new if new.startswith(sigil) else sigil + new
    if not _NAMES[sigil].fullmatch(new):
        raise RenameRefused(f"{new} is no name in MLIR")
    if new == target.name:
        return []
    name = name_at(file.near(at(offset)), offset)
    if name is not None and (name.value is not None or name.block is not None):
        _refuse_taken(file, name, new)
        spans = _places(name)
    else:
        _refuse_mentioned(file, offset, new)
        spans = references(file, offset)
    source = file.text.source
    return [Edit(_base(source, span), new) for span in sorted(set(spans))]


def places(file: File, offset: int) -> list[Span]:
    """The mentions of the value or block at `offset`, without the numbers of results: what typing there changes."""
    name = name_at(file.near(at(offset)), offset)
    if name is None or (name.value is None and name.block is None):
        return []
    return sorted({_base(file.text.source, span) for span in _places(name)})


def _places(name: Name) -> list[Span]:
    if name.value is not None:
        return value_references(name.value)
    return block_references(name.block) if name.block else []


def _base(source: str, span: Span) -> Span:
    """A name without the number of a result in its pack: `%a` of `%a#1`."""
    head, mark, _ = source[slice(*span)].partition("#")
    return Span(span.start, span.start + len(head)) if mark else span


def _refuse_taken(file: File, name: Name, new: str) -> None:
    """Refuse a name that the same function uses: scopes might allow it, but no reader would thank for it."""
    around = enclosing(file.near(at(name.span.start)), name.span.start)
    scope = next((op for op in reversed(around) if file.models.is_isolated(op.name)), around[0])
    for op in scope.walk():
        for other in names(op):
            if isinstance(other.thing, Op):
                continue
            spelled = _spelled(other.thing)
            if spelled == new:
                line = file.text.position(other.span.start).line + 1
                raise RenameRefused(f"{new} is already defined on line {line}")


def _spelled(thing: object) -> str:
    if isinstance(thing, Block):
        return thing.label or ""
    if isinstance(thing, Value):
        return thing.name.partition("#")[0]
    return str(getattr(thing, "name", "")).partition("#")[0]


def _refuse_mentioned(file: File, offset: int, new: str) -> None:
    chunk = next(chunk for chunk in file.near(None).chunks if chunk.span.start <= offset <= chunk.span.end)
    source = file.text.source
    found = re.search(re.escape(new) + r"(?![\w$.])", source[slice(*chunk.span)])
    if found is not None:
        line = file.text.position(chunk.span.start + found.start()).line + 1
        raise RenameRefused(f"{new} is already defined on line {line}")
