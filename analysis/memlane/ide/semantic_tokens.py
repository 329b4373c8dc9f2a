"""Semantic tokens: what each name of a text is, and what becomes of the memory it stands for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum, IntFlag
from typing import NamedTuple

from memlane.dialects import select
from memlane.findings import Finding, Span
from memlane.ide.buffer_names import memory_of
from memlane.ide.locate import SYMBOL, at, name_at
from memlane.ide.references import leads_pack
from memlane.ide.snapshot import File
from memlane.lazy import regex
from memlane.query.findings_store import Parts
from memlane.syntax.tree.tree import Op, Use, Value

_MENTION = regex(rf'//[^\n]*|"(?:[^"\\\n]|\\.)*"|(?P<symbol>{SYMBOL.pattern})')


class Type(Enum):
    """What a name is, in LSP's words."""

    VARIABLE = "variable"
    PARAMETER = "parameter"
    LABEL = "label"
    OPERATION = "operator"
    FUNCTION = "function"
    """A symbol, `@name`: mostly a function."""


class Modifier(IntFlag):
    """What else there is to say of a name."""

    NONE = 0
    DECLARATION = 1
    FREED = 2
    """It is freed here, or has been."""
    MAYBE_FREED = 4
    """The same on some paths."""
    ESCAPED = 8
    """It is returned or kept."""


MARKS = {
    "use-after-free": Modifier.FREED,
    "double-free": Modifier.FREED,
    "possible-use-after-free": Modifier.MAYBE_FREED,
    "possible-double-free": Modifier.MAYBE_FREED,
}
"""What findings of a rule say of the name that the operation knows the buffer by."""


class SemanticToken(NamedTuple):
    """A name; its span counts from the start of the file, or of the unit it is in (token_chunks.py)."""

    span: Span
    type: Type
    modifiers: Modifier = Modifier.NONE


def told(parts: Parts) -> Iterator[Finding]:
    """The findings that say something of names, and some of those beside them."""
    for part in parts.parts:
        if any(finding.rule.name in MARKS for finding in part.findings):
            yield from part.placed()


def marks(file: File, findings: Iterable[Finding]) -> dict[int, Modifier]:
    """What findings say of names, by where those begin in the file."""
    found: dict[int, Modifier] = {}
    for finding in findings:
        modifier = MARKS.get(finding.rule.name)
        if modifier is not None:
            for use in _buffers(file, finding):
                found[use.span.start] = found.get(use.span.start, Modifier.NONE) | modifier
    return found


def _buffers(file: File, finding: Finding) -> list[Use]:
    """The operands by which the operation of a finding knows its buffer."""
    place, buffer = finding.report.span.start, finding.report.buffer
    name = name_at(file.near(at(place)), place)
    if name is None or not isinstance(name.thing, Op):
        return []
    uses = [use for use in name.thing.operands if use.value is not None and is_memory(use.value)]
    if len(uses) <= 1 or buffer is None:
        return uses
    values = [(use, memory_of(file, use.value)) for use in uses if use.value is not None]
    named = buffer.span, buffer.name
    return [use for use, m in values if m and any((one.value.span, one.value.name) == named for one in m.origins)]


def symbols(text: str) -> Iterator[SemanticToken]:
    """The symbols that a piece of text mentions, outside of comments and strings."""
    for match in _MENTION.finditer(text):
        if match.lastgroup is not None:
            yield SemanticToken(Span(*match.span()), Type.FUNCTION)


def tokens_of(file: File, op: Op) -> Iterator[SemanticToken]:
    """The tokens of an op, those in it apart; places are in the file."""
    if op.name and not op.unparsed:
        yield SemanticToken(op.name_span, Type.OPERATION)
    for value in op.results:
        if leads_pack(value):
            yield SemanticToken(value.span, Type.VARIABLE, Modifier.DECLARATION)
    fates = dict(_fates(file, op)) if op.operands or op.successors else {}
    for use in op.operands:
        yield SemanticToken(use.span, _kind(use), fates.get(use.span, Modifier.NONE))
    for successor in op.successors:
        yield SemanticToken(successor.span, Type.LABEL)
        for use in successor.operands:
            yield SemanticToken(use.span, _kind(use), fates.get(use.span, Modifier.NONE))
    for region in op.regions:
        for block in region.blocks:
            if block.label is not None:
                span = Span(block.span.start, block.span.start + len(block.label))
                yield SemanticToken(span, Type.LABEL, Modifier.DECLARATION)
            for value in block.arguments:
                yield SemanticToken(value.span, Type.PARAMETER, Modifier.DECLARATION)


def is_memory(value: Value) -> bool:
    """Whether a value is a memref."""
    return (value.type or "").startswith("memref")


def _kind(use: Use) -> Type:
    return Type.PARAMETER if use.value is not None and use.value.block is not None else Type.VARIABLE


def _fates(file: File, op: Op) -> Iterator[tuple[Span, Modifier]]:
    """What an operation does to the memory of its operands."""
    model = file.models.of(op.name)
    if model is None:
        return
    for free in model.free:
        modifier = Modifier.MAYBE_FREED if free.conditions else Modifier.FREED
        yield from ((use.span, modifier) for use in select(op, free.operands, model))
    kept = [use for selector in model.escape for use in select(op, selector, model)]
    for use in (*kept, *(op.operands if model.exits else ())):
        if use.value is not None and is_memory(use.value):
            yield use.span, Modifier.ESCAPED
