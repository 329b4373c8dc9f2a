"""Semantic tokens unit by unit: after an edit, only units that it reaches are looked at again.

A unit is a piece of the document, or a leaf of a long function (some two hundred lines each). The tokens of a
leaf rest on its own statements, on those around them, and on what the values are that it uses: as long as these are
what they were, so are the tokens. Which ones those are is known without building operations.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from memlane.cancellation import poll
from memlane.findings import Span
from memlane.ide.per_function_memo import built
from memlane.ide.semantic_tokens import SemanticToken, is_memory, symbols, tokens_of
from memlane.ide.snapshot import File
from memlane.syntax import Document
from memlane.syntax.editing.piece import Piece, Sort
from memlane.syntax.editing.sparse import Outline, is_long
from memlane.syntax.lines.statements import Leaf, Statements
from memlane.syntax.shapes.shape import Template
from memlane.syntax.tree.aliases import Aliases
from memlane.syntax.tree.tree import Op, Value, take_apart

T = TypeVar("T")
Make = Callable[[str, "tuple[SemanticToken, ...]", "T | None"], T]
"""From a unit's text and tokens, in text order with places relative to it, to what is kept of it. The last is what was
kept of its text before, if anything was."""

PARAMETER, MEMORY, UNKNOWN = 1, 2, 4
"""What semantic tokens show of a value where it is used: an argument of a block, a memref; that nothing is known of
it."""


@dataclass(frozen=True, slots=True)
class _KnownLeaf(Generic[T]):
    """What is known of a leaf.

    Args:
        defines: what the values are that it defines, in the order in which they are numbered.
        uses: what those are that it uses. `heads`: the statements around its first one.
    """

    leaf: Leaf
    defines: bytes
    uses: bytes
    heads: tuple[Template, ...]
    value: T


class Units(Generic[T]):
    """What `make` makes of the tokens of each unit of a document, from version to version."""

    def __init__(self, make: Make[T]) -> None:
        self._make = make
        self._pieces: WeakKeyDictionary[Piece, tuple[T, ...]] = WeakKeyDictionary()
        self._leaves: dict[Statements, _KnownLeaf[T]] = {}
        self._aliases: tuple[Aliases, ...] = ()

    def all(self, file: File) -> list[tuple[int, T]]:
        """Of each unit of a version, in text order, where it begins and what was made of it."""
        document = file.document
        self._follow(document)
        long = [at for at, piece in enumerate(document.pieces) if is_long(piece)]
        self._update(file, range(len(document.pieces)), long)
        present = {leaf.statements for at in long for leaf in document.pieces[at].leaves}
        self._leaves = {key: known for key, known in self._leaves.items() if key in present}
        found: list[tuple[int, T]] = []
        for piece, start in zip(document.pieces, document.starts, strict=True):
            values = self._pieces[piece]
            found += zip(_starts(piece, start) if len(values) > 1 else (start,), values, strict=True)
        return found

    def some(self, file: File, span: Span) -> list[tuple[int, T]]:
        """The same of the units that a span touches, without looking at the others."""
        self._follow(file.document)
        pieces, starts = file.document.pieces, file.document.starts
        ends = [*starts[1:], starts[-1] + pieces[-1].size] if pieces else []
        touched = [at for at in range(len(pieces)) if starts[at] <= span.end and span.start <= ends[at]]
        unread = [at for at in touched if pieces[at] not in self._pieces and is_long(pieces[at])]
        self._update(file, [at for at in touched if at not in unread], ())
        found: list[tuple[int, T]] = []
        for at in touched:
            piece = pieces[at]
            leaves = list(_starts(piece, starts[at]))
            if at in unread:
                ends_of = [*leaves[1:], ends[at]]
                seen = [n for n, start in enumerate(leaves) if start <= span.end and span.start <= ends_of[n]]
                built = self._built(file, at, Outline(piece, starts[at]), seen)
                found += [(leaves[number], made.value) for number, made in zip(seen, built, strict=True)]
            else:
                values = self._pieces[piece]
                found += zip(leaves if len(values) > 1 else (starts[at],), values, strict=True)
        return found

    def _follow(self, document: Document) -> None:
        """Forget all where aliases stand for something else: tokens tell what values are."""
        if document.aliases != self._aliases:
            self._aliases = document.aliases
            self._pieces.clear()
            self._leaves.clear()

    def _update(self, file: File, numbers: Iterable[int], long: Collection[int]) -> None:
        """Bring what is known of some pieces up to date. Those that are `long` are looked at leaf by leaf.

        What a name outside functions means depends on what stands around its piece: such pieces are always looked at.
        """
        pieces = file.document.pieces
        missing = [at for at in numbers if pieces[at].sort == Sort.GLUE or pieces[at] not in self._pieces]
        whole: list[int] = []
        for at in missing:
            poll()
            values = self._leaf_by_leaf(file, at) if at in long else None
            if values is None:
                whole.append(at)
            else:
                self._pieces[pieces[at]] = values
        for at, tokens in _of_pieces(file, whole):
            known = self._pieces.get(pieces[at])
            self._pieces[pieces[at]] = (self._make(pieces[at].text, tokens, known[0] if known else None),)

    def _leaf_by_leaf(self, file: File, number: int) -> tuple[T, ...] | None:
        """What is made of the leaves of a function; None where it cannot be computed leaf by leaf."""
        piece = file.document.pieces[number]
        outline = Outline(piece, file.document.starts[number])
        known = {at: one for at, leaf in enumerate(piece.leaves) if (one := self._remembered(leaf)) is not None}
        fresh = [at for at in range(len(piece.leaves)) if at not in known]
        known.update(zip(fresh, self._built(file, number, outline, fresh), strict=True))
        if any(len(one.defines) != outline.definitions(at) for at, one in known.items()):
            return None
        uses = _uses(piece, b"".join([known[at].defines for at in range(len(piece.leaves))]))
        heads = [outline.heads(outline.of_leaf(at).start) for at in range(len(piece.leaves))]
        stale = [at for at in known if at not in fresh and (known[at].uses, known[at].heads) != (uses[at], heads[at])]
        known.update(zip(stale, self._built(file, number, outline, stale), strict=True))
        for at, leaf in enumerate(piece.leaves):
            self._leaves[leaf.statements] = replace(known[at], leaf=leaf, uses=uses[at], heads=heads[at])
        return tuple([known[at].value for at in range(len(piece.leaves))])

    def _remembered(self, leaf: Leaf) -> _KnownLeaf[T] | None:
        known = self._leaves.get(leaf.statements)
        if known is None or known.leaf.source is not leaf.source:
            return None
        return known if known.leaf.start == leaf.start and known.leaf.end == leaf.end else None

    def _built(self, file: File, number: int, outline: Outline, leaves: Sequence[int]) -> list[_KnownLeaf[T]]:
        """What is known of some leaves of a function, whose ops are built for that."""
        if not leaves:
            return []
        part = len(leaves) < len(outline.piece.leaves)
        wanted = (at for leaf in leaves for at in outline.of_leaf(leaf))
        op = file.some(number, outline, wanted) if part else file.function(number)
        starts = list(_starts(outline.piece, file.document.starts[number]))
        ops = list(op.walk())
        tokens = _by_unit(file, ops, [(starts[at], outline.piece.leaves[at].text) for at in leaves])
        values = sorted(_values(ops), key=lambda value: (value.span.start, value.index))
        found: list[_KnownLeaf[T]] = []
        for at, own in zip(leaves, tokens, strict=True):
            leaf = outline.piece.leaves[at]
            end = starts[at] + leaf.end - leaf.start
            defines = bytes([_kind(value) for value in values if starts[at] <= value.span.start < end])
            found.append(_KnownLeaf(leaf, defines, b"", (), self._make(leaf.text, own, None)))
        if part:
            take_apart(op)
        return found


def _starts(piece: Piece, at: int) -> Iterator[int]:
    """Where the leaves of a piece begin that stands `at`."""
    for leaf in piece.leaves:
        yield at
        at += leaf.end - leaf.start


def _uses(piece: Piece, defined: bytes) -> list[bytes]:
    """Per leaf of a function what the values are that it uses; `defined`: what all are that the function defines."""
    kinds = defined + bytes((UNKNOWN, UNKNOWN))  # links below 0 mean none
    return [bytes(map(kinds.__getitem__, leaf.links)) for leaf in piece.leaves]


def _values(ops: Iterable[Op]) -> Iterator[Value]:
    """All values that some ops define."""
    for op in ops:
        yield from op.results
        for region in op.regions:
            for block in region.blocks:
                yield from block.arguments


def _kind(value: Value) -> int:
    return (PARAMETER if value.block is not None else 0) | (MEMORY if is_memory(value) else 0)


def _of_pieces(file: File, numbers: Sequence[int]) -> Iterator[tuple[int, tuple[SemanticToken, ...]]]:
    """The tokens of some pieces."""
    if not numbers:
        return iter(())
    pieces, starts = file.document.pieces, file.document.starts
    functions = built(file, [at for at in numbers if pieces[at].sort == Sort.FUNCTION])
    ops = chain(file.near(None).walk(), chain.from_iterable(op.walk() for _, op in functions))
    units = [(starts[at], pieces[at].text) for at in numbers]
    return zip(numbers, _by_unit(file, ops, units), strict=True)


def _by_unit(file: File, ops: Iterable[Op], units: Sequence[tuple[int, str]]) -> list[tuple[SemanticToken, ...]]:
    """The tokens of some ops, by the units that they are in: where each begins, in this order, and its text."""
    starts = [start for start, _ in units]
    found = [list(symbols(text)) for _, text in units]
    at, start, end = 0, 0, 0
    for op in ops:
        for (first, last), kind, modifiers in tokens_of(file, op):
            if not start <= first < end:
                at = bisect_right(starts, first) - 1
                start, end = (starts[at], starts[at] + len(units[at][1])) if at >= 0 else (0, 0)
            if start <= first < end:
                found[at].append(SemanticToken(Span(first - start, last - start), kind, modifiers))
    return [_in_order(tokens) for tokens in found]


def _in_order(tokens: list[SemanticToken]) -> tuple[SemanticToken, ...]:
    """Tokens in text order, each once."""
    tokens.sort(key=_place)
    return tuple([token for at, token in enumerate(tokens) if not at or token != tokens[at - 1]])


def _place(token: SemanticToken) -> Span:
    return token.span
