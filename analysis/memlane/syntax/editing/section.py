"""A section of a document: what `// -----` separates from the rest, read by itself.

Statements outside functions are resolved as one; functions are built on first access.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from memlane.cancellation import poll
from memlane.findings import Span
from memlane.source_frames import LocationAliases
from memlane.syntax.editing.cut_text import CutText
from memlane.syntax.editing.glue import Glue, Key
from memlane.syntax.editing.piece import Piece, Sort
from memlane.syntax.editing.sparse import StatementPart
from memlane.syntax.editing.splice import Built, built
from memlane.syntax.editing.twice import redefined_symbols
from memlane.syntax.editing.undefined_symbols import undefined_symbols
from memlane.syntax.lines.balance import balanced, popped
from memlane.syntax.lines.statements import Leaf, no_links
from memlane.syntax.names.frames import Resolved
from memlane.syntax.names.resolve import Resolver
from memlane.syntax.problems import Problem, Problems, moved
from memlane.syntax.tree.aliases import NO_ALIASES, resolved
from memlane.syntax.tree.build import Builder
from memlane.syntax.tree.tree import Chunk, Function, Op, take_apart

Placed = tuple[int, Op]
"""A function with the number of its piece."""

_NONE: Mapping[str, int] = {}
_NO_PARTS: Mapping[int, StatementPart] = {}


class Section:
    """The pieces of one chunk, numbers `first` to `last` (exclusive) of the document."""

    def __init__(self, document: CutText, first: int, last: int, title: str) -> None:
        self.document = document
        self.first = first
        self.last = last
        self.title = title
        self.problems = Problems()
        self.links: dict[int, array[int]] = {}
        self.leaves: dict[int, Leaf] = {}
        self.aliases = NO_ALIASES
        self.glue: tuple[Key, Glue] | None = None
        """What may be known of the next version, too."""
        self._built: list[Op] | None = None

    @cached_property
    def locations(self) -> LocationAliases:
        """What the aliases of locations stand for; a function that is not closed may hold them, too."""
        pieces = self.document.pieces[self.first : self.last]
        return {name: place for piece in pieces for name, place in piece.locations}

    def read(self) -> Chunk:
        """Resolve what stands outside functions; gather problems."""
        document, pieces = self.document, self.document.pieces
        loud = [number for number in range(self.first, self.last) if not pieces[number].quiet]
        for number in loud:
            start = document.starts[number]
            self._take(pieces[number].odd, start)
            self._take(pieces[number].resolved.problems, start, pieces[number].resolved.others)
        resolved = self._outside([number for number in loud if pieces[number].sort is Sort.GLUE])
        self._take(resolved.problems, 0, resolved.others)
        if not self.title.startswith("// -----//"):
            section = range(self.first, self.last)
            self._take(undefined_symbols(pieces, document.starts, section, resolved), 0)
            self._take(redefined_symbols(pieces, document.starts, section), 0)
        span = Span(
            document.starts[self.first] if self.first < len(document.starts) else 0,
            document.starts[self.last] if self.last < len(document.starts) else document.size,
        )
        return Chunk(span, self.title, lambda: tuple(self.functions.values()), self.build)

    def _take(self, problems: Iterable[Problem], start: int, others: Mapping[str, int] = _NONE) -> None:
        for problem in problems:
            self.problems.add(moved(problem, start) if start else problem)
        self.problems.count(others)

    def _outside(self, numbers: list[int]) -> Resolved:
        """What is known of names outside functions; `numbers` of the pieces there."""
        document, pieces = self.document, self.document.pieces
        borders = zip((self.first - 1, *numbers), (*numbers, self.last), strict=True)
        behind = tuple(any(pieces[one].sort is Sort.FUNCTION for one in range(a + 1, b)) for a, b in borders)
        key = tuple(pieces[number] for number in numbers), behind
        starts = tuple(document.starts[number] for number in numbers)
        known = document.glue.get(key)
        glue = known.moved(starts) if known is not None else self._resolve(key, starts)
        if glue.movable:
            self.glue = key, glue
        self.leaves = dict(zip(numbers, glue.leaves, strict=True))
        self.links = dict(zip(numbers, glue.links, strict=True))
        self.aliases = glue.aliases
        return glue.resolved

    def _resolve(self, key: Key, starts: tuple[int, ...]) -> Glue:
        pieces, behind = key
        leaves = [piece.leaves[0] for piece in pieces]
        if not balanced(leaves):
            leaves = popped(leaves)
        links = tuple(no_links(leaf.statements) for leaf in leaves)
        resolver = Resolver(self.document.scoping)
        for number, functions in enumerate(behind):
            if functions:
                resolver.finish_op()
                resolver.frames[-1].filled = True
            if number < len(leaves):
                resolver.run(leaves[number], starts[number], links[number])
        aliases = resolved(piece.alias for piece in pieces if piece.alias is not None)
        return Glue(starts, tuple(leaves), links, resolver.finish(), aliases)

    @cached_property
    def functions(self) -> dict[int, Function]:
        """The section's functions by the number of their piece."""
        pieces, starts = self.document.pieces, self.document.starts
        return {
            number: Function(piece, Span(starts[number], starts[number] + piece.size), piece.symbol, self.function)
            for number, piece in enumerate(pieces[self.first : self.last], self.first)
            if piece.sort == Sort.FUNCTION
        }

    def build(self) -> list[Op]:
        """All ops of the section."""
        if self._built is None:
            built: dict[int, Op] = {}
            self._built = self.part(lambda _: True, built)
            for number, op in built.items():
                self.functions[number].built(op)
        return self._built

    def part(self, wanted: Callable[[Piece], bool], built: dict[int, Op]) -> list[Op]:
        """The ops outside functions and, of the functions, those that are `wanted`: new ones at each call.

        `built` takes the op of each function that was built, by the number of its piece.
        """
        pieces = enumerate(self.document.pieces[self.first : self.last], self.first)
        return self.some([at for at, piece in pieces if piece.sort == Sort.FUNCTION and wanted(piece)], built)

    def some(
        self, functions: Iterable[int], built: dict[int, Op], parts: Mapping[int, StatementPart] = _NO_PARTS
    ) -> list[Op]:
        """As `part`, with the functions of these numbers; costs no more than what is built.

        Args:
            parts: of functions of which some statements are enough, those.
        """
        builder = Builder(None, aliases=self.aliases)
        built.update(self._placed(builder, functions, parts.get))
        return builder.finish()

    def each(self, functions: Iterable[int], part: Callable[[int], StatementPart | None]) -> Iterator[Placed]:
        """The same functions one after the other, never all at once. Each is taken apart when the next one is
        requested."""
        builder = Builder(None, aliases=self.aliases)
        for number, op in self._placed(builder, functions, part):
            yield number, op
            (builder.block.ops if builder.regions and builder.block is not None else builder.top).pop()
            take_apart(op)
        for op in builder.finish():
            take_apart(op)

    def _placed(
        self, builder: Builder, functions: Iterable[int], part: Callable[[int], StatementPart | None]
    ) -> Iterator[Placed]:
        """Build what is outside functions, and each of these where it stands there."""
        document, before = self.document, self.first
        for number in sorted((*self.leaves, *functions)):
            leaf = self.leaves.get(number)
            if number > before:
                builder.op = None  # a function stands between, to which what follows does not belong
            before = number + 1
            if leaf is not None:
                builder.run(leaf.statements, leaf.text, document.starts[number], self.links[number])
            else:
                yield number, self.put(builder, document.pieces[number], number, part(number))

    def put(self, builder: Builder, piece: Piece, number: int, part: StatementPart | None = None) -> Op:
        """Build a function, or a part of it, where the builder stands."""
        at, dialect = self.document.starts[number], builder.dialect
        if part is not None:
            return builder.place(
                lambda parent, index: part.outline.build(parent, index, dialect, self.aliases, part.wanted)
            )
        return builder.place(
            lambda parent, index: self.built(piece, at, Builder(parent, index, dialect, self.aliases)).op
        )

    def built(self, piece: Piece, at: int, builder: Builder) -> Built:
        """Build a function which stands `at`, with a new builder."""
        start = at
        for leaf in piece.leaves:
            poll()
            builder.run(leaf.statements, leaf.text, start, leaf.links)
            start += leaf.end - leaf.start
        return built(builder, at)

    def function(self, function: Function) -> Op:
        """The op of one of the section's functions."""
        self.build()
        return function.op  # built just now
