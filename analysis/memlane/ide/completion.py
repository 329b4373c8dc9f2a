"""What may be typed at a place: values in scope, blocks, symbols, op names."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from memlane.dialects import select
from memlane.dialects.snippets import snippet
from memlane.findings import Edit, Span
from memlane.ide.locate import around, at, enclosing
from memlane.ide.operand_types import Fits, fitting, with_type
from memlane.ide.snapshot import File
from memlane.ide.symbol_mentions import defined
from memlane.lazy import regex
from memlane.syntax.editing.sparse import Outline, is_long
from memlane.syntax.shapes.holes import NAME
from memlane.syntax.shapes.shape import OpShape
from memlane.syntax.tree.tree import Block, Op, Region, Value

_WORD = regex(r"[%^@]?[\w$.#-]*\Z")
_OP_CONTEXT = regex(r"\s*(?:%[\w$.#:, %-]*=\s*)?\Z")
_BEHIND = regex(r"[ \t)\]}]*(?://|\r|\n|\Z)")
"""What may stand behind the name of an operation that is typed: brackets that an editor has put there, and no more."""
_OPERATION = regex(r'"?([A-Za-z_][\w]*(?:\.[\w.]+)?)"?(?=[\s(])')


class CandidateKind(Enum):
    """What a candidate is."""

    VALUE = "value"
    BLOCK = "block"
    SYMBOL = "symbol"
    OPERATION = "operation"


@dataclass(frozen=True, slots=True)
class Candidate:
    """What may be typed in the place of `span`.

    Args:
        detail: the type of a value, the op of a symbol.
        rank: the lower, the more likely.
        snippet: more than `text`, as an LSP snippet, for editors that take one; "": nothing.
        insert: what is typed where it is not `text`. `mends`: what has to be changed behind it, too.
    """

    text: str
    kind: CandidateKind
    span: Span
    detail: str = ""
    rank: int = 0
    snippet: str = ""
    insert: str = ""
    mends: Edit | None = None


def completions(file: File, offset: int) -> list[Candidate]:
    """The candidates at `offset`, the most likely first."""
    source = file.text.source
    line = source[source.rfind("\n", 0, offset) + 1 : offset]
    if "//" in line or line.count('"') % 2:
        return []
    word = _WORD.search(line)
    typed = word.group() if word else ""
    span = Span(offset - len(typed), offset)
    found = list(_candidates(file, span, typed, line[: len(line) - len(typed)]))
    if typed.startswith("%"):
        return sorted(found, key=lambda candidate: candidate.rank)  # of one rank the nearest first
    return sorted(found, key=lambda candidate: (candidate.rank, candidate.text))


def first(found: Sequence[Candidate], typed: str, most: int) -> list[Candidate]:
    """As many of some candidates as are wanted, in their order.

    Of too many, those that have the characters that are `typed`, in this order, as editors look for them.
    """
    if len(found) <= most:
        return list(found)
    return [one for one in found if in_order(typed.lower(), one.text.lower())][:most]


def in_order(letters: str, text: str) -> bool:
    """Whether a text has some letters, in their order."""
    rest = iter(text)
    return all(letter in rest for letter in letters)


def _candidates(file: File, span: Span, typed: str, before: str) -> Iterator[Candidate]:
    if typed.startswith("%"):
        yield from _values(file, span, before)
    elif typed.startswith("^"):
        for region in _regions(file, span.start):
            yield from _blocks(region, span, named=bool(before.strip()))
    elif typed.startswith("@"):
        for chunk in file.near(None).chunks:
            if chunk.span.start <= span.start <= chunk.span.end:
                for symbol in defined(file.text.source, chunk, file.models):
                    yield Candidate(f"@{symbol.name}", CandidateKind.SYMBOL, span, symbol.op.name)
                for function in chunk.functions:
                    if function.symbol is not None:
                        yield Candidate(f"@{function.symbol}", CandidateKind.SYMBOL, span, "function")
    elif _OP_CONTEXT.match(before):
        alone = _BEHIND.match(file.text.source, span.end) is not None
        used = _used(file, typed)
        dialects = {name.partition(".")[0] for name in used}
        for name in dict.fromkeys((*file.models.ops, *used)):
            if name.startswith(typed):
                more = (snippet(name, "=" not in before) or "") if alone else ""
                rank = (0 if more or name not in file.models.ops else 1) + (
                    0 if name.partition(".")[0] in dialects else 2
                )
                yield Candidate(name, CandidateKind.OPERATION, span, rank=rank, snippet=more)


def _used(file: File, typed: str) -> set[str]:
    """The names of the operations in the file, but for what is being typed."""
    templates = {template for piece in file.document.pieces for template in piece.statements.templates}
    names = {event.name for one in templates for event in one.events if isinstance(event, OpShape)}
    return {name for name in names if "." in name and name != typed}


def _values(file: File, span: Span, before: str) -> Iterator[Candidate]:
    """The values in scope; those that fit first."""
    name = next(reversed(_OPERATION.findall(before)), "")
    name = file.models.aliases.get(name, name)
    model = file.models.of(name) if name else None
    freeing, own = model is not None and bool(model.free), _given(before)
    values = {one.name: one for one in values_in_scope(file, span.start, uses=freeing) if one.name not in own}
    fits = fitting(file, span.end, before, name, values)
    for value in values.values():
        text, mended = with_type(file, span.end, name, value)
        rank = _rank(file, value, freeing, fits)
        yield Candidate(value.name, CandidateKind.VALUE, span, value.type or "", rank, insert=text, mends=mended)


def _given(before: str) -> list[str]:
    """The names that the current statement defines itself."""
    names, equals, _ = before.partition("=")
    return NAME.findall(names) if equals else []


def _blocks(region: Region, span: Span, named: bool) -> Iterator[Candidate]:
    """The blocks of a region: first those that branches name and that are still to be written.

    Args:
        named: one is meant where it is named; else it begins there, and those that are there are no candidates.
    """
    ends = (block.ops[-1] for block in region.blocks if block.ops)
    wanted = (one.name for op in ends for one in op.successors if one.block is None and one.span.start != span.start)
    for label in dict.fromkeys(wanted):
        yield Candidate(label, CandidateKind.BLOCK, span)
    for block in region.blocks if named else ():
        if block.label is not None and block.span.start != span.start:
            arguments = ", ".join(f"{value.name}: {value.type}" for value in block.arguments)
            yield Candidate(block.label, CandidateKind.BLOCK, span, arguments, 1)


def _rank(file: File, value: Value, freeing: bool, fits: Fits | None) -> int:
    """What fits first, then buffers; where something is to be freed, before all others those still to be freed."""
    model = file.models.of(value.op.name) if value.op is not None else None
    if freeing and model is not None and any(alloc.result == value.index for alloc in model.alloc):
        uses = ((use, file.models.of(use.op.name)) for use in value.uses)
        freed = any(found and any(use in select(use.op, f.operands, found) for f in found.free) for use, found in uses)
        return 3 if freed else 0
    if fits is not None and fits(value):
        return 1
    return 2 if (value.type or "").startswith(("memref", "tensor")) else 4


def values_in_scope(file: File, offset: int, uses: bool = False) -> Iterator[Value]:
    """The values that an op at `offset` may name, the nearest first; by text order, not by dominance.

    Args:
        uses: with all of their uses.
    """
    seen: set[str] = set()
    for op in reversed(_around(file, offset, uses)):
        for value in _visible(op, offset):
            if value.name not in seen:
                seen.add(value.name)
                yield value
        if file.models.is_isolated(op.name):
            return


def _around(file: File, offset: int, uses: bool) -> list[Op]:
    """The ops around `offset`, outermost first, with what is defined in their blocks before it."""
    document = file.document
    number = max(0, bisect_right(document.starts, offset) - 1)
    piece, start = document.pieces[number], document.starts[number]
    if uses or not is_long(piece) or offset == start:
        return enclosing(file.near(at(offset)), offset)
    outline = Outline(piece, start)
    return around(file.some(number, outline, outline.visible(offset)), offset)


def _visible(op: Op, offset: int) -> Iterator[Value]:
    """What is defined before `offset` in the region of `op` that `offset` is in, the nearest first."""
    blocks = [block for region in op.regions for block in region.blocks if _start(block) <= offset]
    for block in reversed(blocks):
        if block.region is not blocks[-1].region:
            return
        for inner in reversed(block.ops):
            if inner.span.end <= offset:
                yield from inner.results
        yield from block.arguments


def _start(block: Block) -> int:
    """Where the text of a block begins, as far as it is known: its label, its arguments or its first op."""
    if block.label is None and block.ops:
        return block.ops[0].span.start
    return block.span.start


def _regions(file: File, offset: int) -> Iterator[Region]:
    for op in reversed(enclosing(file.near(at(offset)), offset)):
        for region in op.regions:
            if any(block.label or (block.ops and block.ops[-1].successors) for block in region.blocks):
                yield region
                return
