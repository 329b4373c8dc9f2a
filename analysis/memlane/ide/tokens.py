"""Semantic tokens: what each name of a text is, and what becomes of the memory it stands for."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, IntFlag

from memlane.dialects import select
from memlane.findings import Finding, Span
from memlane.ide.locate import SYMBOL, at, name_at, names
from memlane.ide.memory import memory_of
from memlane.ide.perfunction import FEW
from memlane.ide.references import pack
from memlane.snapshot import File
from memlane.syntax.pieces import Piece, Sort
from memlane.syntax.tree import Block, Op, Tree, Use, Value

_MENTION = re.compile(rf'//[^\n]*|"(?:[^"\\\n]|\\.)*"|(?P<symbol>{SYMBOL.pattern})')


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


@dataclass(frozen=True, slots=True)
class Token:
    """A name; its span counts from the start of its piece."""

    span: Span
    type: Type
    modifiers: Modifier = Modifier.NONE


def piece_tokens(file: File, known: Container[Piece]) -> dict[Piece, tuple[Token, ...]]:
    """The tokens of the pieces of a file that are not `known`, in text order.

    What a name outside functions means depends on what stands around its piece: such pieces are always among them.
    """
    document = file.document
    missing = [at for at, piece in enumerate(document.pieces) if piece.sort == Sort.GLUE or piece not in known]
    functions = [number for number in missing if document.pieces[number].sort == Sort.FUNCTION]
    found: dict[int, list[Token]] = {number: [] for number in missing}
    if len(functions) > FEW:
        _add(file, file.tree, found)
    else:
        outside = set(missing) - set(functions)
        for number in functions or (None,):
            tree = file.near(at(document.starts[number] + 1) if number is not None else None)
            _add(file, tree, found, outside if number is None else {*outside, number})
            outside = set[int]()
    pieces = {number: document.pieces[number] for number in found}
    return {
        piece: tuple(sorted({*found[number], *_symbols(piece.text)}, key=_place)) for number, piece in pieces.items()
    }


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
    uses = [use for use in name.thing.operands if ((use.value and use.value.type) or "").startswith("memref")]
    if len(uses) <= 1 or buffer is None:
        return uses
    values = [(use, memory_of(file, use.value)) for use in uses if use.value is not None]
    return [use for use, memory in values if memory and any(one.value.span == buffer.span for one in memory.origins)]


def _add(file: File, tree: Tree, found: dict[int, list[Token]], only: set[int] | None = None) -> None:
    """Add the tokens of a tree to the pieces they are in, of those in `found`."""
    starts = file.document.starts
    for op in tree.walk():
        number = bisect_right(starts, op.name_span.start) - 1
        if number in found and (only is None or number in only):
            for token in _of_op(file, op):
                home = bisect_right(starts, token.span.start) - 1
                if home in found:
                    start = starts[home]
                    span = Span(token.span.start - start, token.span.end - start)
                    found[home].append(Token(span, token.type, token.modifiers))


def _symbols(text: str) -> Iterator[Token]:
    """The symbols that a piece of text mentions, outside of comments and strings."""
    for match in _MENTION.finditer(text):
        if match.lastgroup is not None:
            yield Token(Span(*match.span()), Type.FUNCTION)


def _of_op(file: File, op: Op) -> Iterator[Token]:
    fates = dict(_fates(file, op))
    for name in names(op):
        thing = name.thing
        if isinstance(thing, Op):
            if op.name and not op.unparsed:
                yield Token(name.span, Type.OPERATION)
        elif isinstance(thing, Value):
            kind = Type.PARAMETER if thing.block is not None else Type.VARIABLE
            if thing is pack(thing)[0]:
                yield Token(name.span, kind, Modifier.DECLARATION)
        elif isinstance(thing, Use):
            argument = thing.value is not None and thing.value.block is not None
            kind = Type.PARAMETER if argument else Type.VARIABLE
            yield Token(name.span, kind, fates.get(name.span, Modifier.NONE))
        elif isinstance(thing, Block):
            yield Token(name.span, Type.LABEL, Modifier.DECLARATION)
        else:
            yield Token(name.span, Type.LABEL)


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
        if use.value is not None and (use.value.type or "").startswith("memref"):
            yield use.span, Modifier.ESCAPED


def _place(token: Token) -> Span:
    return token.span
