"""The part of a document's tree that a request is about: a request about one function does not wait for the others.

Statements outside functions are always built; of the functions, those requested, or those and all that they depend on.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from threading import RLock
from typing import Any, NamedTuple, TypeVar
from weakref import ref

from memlane.cancellation import poll
from memlane.dialects.model import Models
from memlane.findings import Span
from memlane.flow import FunctionFlow, Program
from memlane.ide.alias_index import Notes, gives_back
from memlane.ide.callees import Returning, SectionCallees, names_of
from memlane.ide.function_excerpt import Excerpts
from memlane.ide.limits import MAX_EXTRACTS, MAX_PARTS
from memlane.ide.select_statements import Choose, SelectedStatements, all_of_memory, just_named, near, what_tells
from memlane.query import Said
from memlane.syntax import Document
from memlane.syntax.editing.piece import Piece, Sort
from memlane.syntax.editing.sparse import Outline, StatementPart, is_long, readable
from memlane.syntax.tree.tree import Chunk, Op, Tree, take_apart

Key = TypeVar("Key")
Depends = tuple[object, ...]
"""The inputs of an answer about a function: as long as they are equal, so is the answer."""

_NO_PARTS: Mapping[int, StatementPart] = {}


@dataclass(frozen=True, slots=True)
class Linked:
    """Functions with all that they depend on: `programs` has one for each chunk of the tree.

    Args:
        near: what is at the offset that it was asked for, with the next uses of its memory, where that is not all in
            the tree. `uses`: how many there are of what is named there, then.
        alone: their callees are built when they are asked for; else those that share memory with them are there.
    """

    tree: Tree
    programs: tuple[Program, ...]
    near: Linked | None = None
    uses: Callable[[], int] | None = None
    alone: bool = False

    @property
    def here(self) -> Linked:
        """What there is at the offset that it was asked for."""
        return self.near or self

    def program(self, offset: int) -> Program | None:
        """The program that `offset` is in."""
        number = bisect_left(self.tree.chunks, offset, key=lambda chunk: chunk.span.end)  # one follows the other
        return self.programs[number] if number < len(self.programs) else None

    def flow(self, around: Iterable[Op], offset: int) -> FunctionFlow | None:
        """The innermost function of `around`, the ops around `offset`."""
        program = self.program(offset)
        functions = program.functions if program is not None else {}
        return next((functions[op] for op in reversed(list(around)) if op in functions), None)


class Nearby:
    """Builds parts of one version of a document. May be shared by threads: they take turns.

    Args:
        returning: what is known of its functions by now.
        notes: on which ops of functions name the same memory.
    """

    def __init__(
        self,
        document: Document,
        models: Models,
        excerpts: Callable[[], Excerpts],
        returning: Callable[[], Returning] = dict[Piece, "tuple[frozenset[int], ...]"],
        notes: Callable[[], Notes] = Notes,
    ) -> None:
        self._document = document
        self._models = models
        self._excerpts = excerpts
        self._returning = returning
        self._notes = notes
        self._lock = RLock()
        self._trees: dict[frozenset[int], _Part] = {}
        self._linked: dict[frozenset[int], Linked] = {}
        self._around: dict[int, Mapping[int, Said]] = {}
        self._glue: dict[int, tuple[ref[Piece], ...]] = {}
        self._named: dict[int, Mapping[str, int] | None] = {}
        self._extracts: dict[int, _Extracts] = {}

    def tree(self, span: Span | None, symbol: str | None = None) -> Tree:
        """The tree with the functions that `span` touches, and with those of a name (without `@`)."""
        wanted = self.touched(span) if span is not None else frozenset[int]()
        if symbol is not None:
            pieces = enumerate(self._document.pieces)
            wanted |= {at for at, piece in pieces if piece.sort == Sort.FUNCTION and piece.symbol == symbol}
        with self._lock:
            return self._part(wanted).tree

    def function(self, number: int) -> Op:
        """The function of a piece, by its number; in whatever tree it has been built."""
        with self._lock:
            for part in self._trees.values():
                if number in part.built:
                    return part.built[number]
            return self._part(frozenset({number})).built[number]

    def some(self, number: int, outline: Outline, statements: Iterable[int]) -> Op:
        """The function of a piece with some of its statements, and what defines that they use; not kept."""
        with self._lock:
            return self._built({number}, {number: StatementPart(outline, outline.whole(statements))}).built[number]

    def depends(self, number: int) -> Depends | None:
        """What decides which names share memory in the function of a piece; None where names do not tell."""
        with self._lock:
            said = self._said(number)
            names = self._names(number)
            if names is None:
                return None
            document = self._document
            needed = sorted(self._excerpts().giving(document, said, names, number))
            if id(said) not in self._glue:  # that of a section, which is kept
                pieces = (document.pieces[at] for at in said)
                self._glue[id(said)] = tuple(ref(piece) for piece in pieces if piece.sort == Sort.GLUE)
            glue = self._glue[id(said)]
            known = sorted({name for at in needed for name in said[at].mentions if name in self._models.functions})
            defined = [(name, ref(document.pieces[names[name]]) if name in names else None) for name in known]
            return (*(ref(document.pieces[at]) for at in needed), *glue, *defined)

    def linked(self, span: Span, mentioned: str | None = None, aliases: bool = True) -> Linked:
        """The functions that `span` touches, and those in which a name is mentioned, with what they depend on.

        Args:
            aliases: as far as it is about which names share memory.
        """
        wanted = self.touched(span)
        if mentioned is not None:
            pieces = enumerate(self._document.pieces)
            wanted |= {at for at, piece in pieces if piece.sort == Sort.FUNCTION and f"@{mentioned}" in piece.text}
        with self._lock:
            key = wanted if aliases else wanted | {-1}
            if key not in self._linked:
                _trim(self._linked)
                self._linked[key] = (self._alone(self._part(wanted)) if aliases else None) or self._together(
                    wanted, aliases
                )
            return self._linked[key]

    def about(self, offset: int, uses: int | None = None) -> Linked:
        """The function at an offset, as far as it is about what is named there and its memory: no other ops of it, if
        it has not been built already and it is known which ones these are.

        Args:
            uses: of those that just read or write the memory, so many behind the offset are enough; None: all.
        """
        number = self._to_be_extracted(offset)
        with self._lock:
            if number is not None and uses is None:
                found = self._extracted(number, offset, all_of_memory)
                if found is not None and found.linked is not None:
                    return found.linked
            elif number is not None and uses is not None:
                here, found = (self._extracted(number, offset, choose) for choose in (near(uses), what_tells))
                if here is not None and found is not None and found.linked is not None:
                    return replace(found.linked, near=here.linked, uses=lambda: self._uses(number, offset))
            found = self.linked(Span(offset, offset))
            return found if found.alone else self.linked(Span(offset, offset), aliases=False)

    def named(self, offset: int) -> Tree:
        """The tree with what is named at an offset: of a function with the op there, and the one that defines that."""
        number = self._to_be_extracted(offset)
        with self._lock:
            found = self._extracted(number, offset, just_named) if number is not None else None
            return found.part.tree if found is not None else self.tree(Span(offset, offset))

    def _to_be_extracted(self, offset: int) -> int | None:
        """The function at an offset, if it has not been built and some of its ops may do."""
        wanted = self.touched(Span(offset, offset))
        number = next(iter(wanted), None)
        if number is None or len(wanted) > 1 or wanted in self._trees:
            return None
        return number if readable(self._document.pieces[number]) else None

    def _extracted(self, number: int, offset: int, choose: Choose) -> _Extract | None:
        """Some ops of a function; None where it is not known which, or these are most of it: then all are built. They
        are as well where that does not take long, if others have been asked for often.

        Args:
            choose: which statements, at an offset.
        """
        piece = self._document.pieces[number]
        known = self._extracts_of(number)
        chosen = choose(known.outline, offset, self._notes().get(piece))
        if chosen is None:
            return None
        for at, one in enumerate(known.made):
            if one.chosen.covers(chosen):
                known.made.insert(0, known.made.pop(at))
                return one
        wanted = known.outline.whole(chosen.needed, chosen.explained)
        if 2 * sum(wanted) > len(wanted) or (len(known.made) == MAX_EXTRACTS and not is_long(piece)):
            return None
        part = self._built({number}, {number: StatementPart(known.outline, wanted)})
        linked = self._alone(part) if chosen.memory and self._tells(part.built[number], number) else None
        del known.made[MAX_EXTRACTS - 1 :]
        known.made.insert(0, _Extract(chosen, part, linked))
        return known.made[0]

    def _extracts_of(self, number: int) -> _Extracts:
        if number not in self._extracts:
            _trim(self._extracts)
            self._extracts[number] = _Extracts(Outline(self._document.pieces[number], self._document.starts[number]))
        return self._extracts[number]

    def _uses(self, number: int, offset: int) -> int:
        """How often what is named at an offset of a function is used."""
        with self._lock:
            outline = self._extracts_of(number).outline
            return sum(1 for definition in sorted(outline.named(offset))[:1] for _ in outline.uses(definition))

    def _tells(self, function: Op, number: int) -> bool:
        """Whether what some ops of a function say does not rest on its others. It does where a call gives memory back
        and may come back to the function, of which it is not known what that gives back."""
        models, own = self._models, function.symbol
        calls = [op for op in function.walk() if gives_back(models, op)]
        if not calls or self._document.pieces[number] in self._returning():
            return all(call.symbol != own for call in calls)
        return not any(own in one.mentions for one in self._said(number).values())

    def _alone(self, part: _Part) -> Linked | None:
        """Functions, with callees built on first access; None where names do not determine them."""
        document, wanted = self._document, part.built
        known = self._returning()
        programs: list[Program] = []
        numbers = sorted(wanted)
        for section in document.sections:
            here = numbers[bisect_left(numbers, section.first) : bisect_left(numbers, section.last)]
            if not here:
                programs.append(Program((), self._models, document.source))
                continue
            names = self._names(here[0])
            if names is None:
                return None
            built = {number: wanted[number] for number in here}
            callees = SectionCallees(document, self._models, names, self.function, known, built)
            for flow in [callees.find(name) for name, number in names.items() if number in built]:
                _ = flow.op if flow is not None else None
            programs.append(callees.program)
        return Linked(part.tree, tuple(programs), alone=True)

    def _said(self, number: int) -> Mapping[int, Said]:
        """What the pieces say that are in one section with a piece, by their numbers."""
        section = self._document.section_of(number)
        if section.first not in self._around:
            self._around[section.first] = self._excerpts().around(self._document, number)
        return self._around[section.first]

    def _names(self, number: int) -> Mapping[str, int] | None:
        """The functions of its section by their names; None where names do not tell them apart."""
        said = self._said(number)
        first = next(iter(said))
        if first not in self._named:
            self._named[first] = names_of(self._document, said)
        return self._named[first]

    def _together(self, wanted: frozenset[int], aliases: bool) -> Linked:
        """Functions with all that they depend on."""
        numbers = self._excerpts().numbers(self._document, wanted, aliases)
        functions = (at for at in numbers if self._document.pieces[at].sort == Sort.FUNCTION)
        tree = self._part(frozenset(functions)).tree
        source = self._document.source
        return Linked(tree, tuple(Program(chunk.ops, self._models, source) for chunk in tree.chunks))

    def let_go(self) -> None:
        """Forget all that was built. No references to it may remain."""
        with self._lock:
            for part in (*self._trees.values(), *(one.part for known in self._extracts.values() for one in known.made)):
                for chunk in part.tree.chunks:
                    for op in chunk.ops:
                        take_apart(op)
            self._trees.clear()
            self._linked.clear()
            self._extracts.clear()

    def touched(self, span: Span) -> frozenset[int]:
        """The numbers of the functions that a span touches; it touches what ends where it begins, too."""
        starts, pieces = self._document.starts, self._document.pieces
        first = max(0, bisect_right(starts, max(0, span.start - 1)) - 1)
        last = bisect_right(starts, span.end)
        return frozenset(number for number in range(first, last) if pieces[number].sort == Sort.FUNCTION)

    def _part(self, wanted: frozenset[int]) -> _Part:
        if wanted not in self._trees:
            _trim(self._trees)
            self._trees[wanted] = self._built(wanted)
        return self._trees[wanted]

    def _built(self, wanted: Collection[int], parts: Mapping[int, StatementPart] = _NO_PARTS) -> _Part:
        poll()
        built: dict[int, Op] = {}
        numbers = sorted(wanted)
        chunks = [
            _chunk(
                chunk,
                section.some(
                    numbers[bisect_left(numbers, section.first) : bisect_left(numbers, section.last)], built, parts
                ),
            )
            for chunk, section in zip(self._document.tree.chunks, self._document.sections, strict=True)
        ]
        whole = self._document.tree
        return _Part(Tree(tuple(chunks), whole.problems, whole.cut), built)


class _Part(NamedTuple):
    """A tree with some functions, and those by the numbers of their pieces."""

    tree: Tree
    built: dict[int, Op]


class _Extract(NamedTuple):
    """Some ops of a function. `linked`: where they describe memory."""

    chosen: SelectedStatements
    part: _Part
    linked: Linked | None


@dataclass(frozen=True, slots=True)
class _Extracts:
    """Those of one function, the last that was asked for first."""

    outline: Outline
    made: list[_Extract] = field(default_factory=list[_Extract])


def _chunk(chunk: Chunk, ops: list[Op]) -> Chunk:
    part = Chunk(chunk.span, chunk.title, lambda: chunk.functions, lambda: ops)
    _ = part.ops
    return part


def _trim(kept: dict[Key, Any]) -> None:
    """Forget what was made first, where there is too much."""
    while len(kept) >= MAX_PARTS:
        del kept[next(iter(kept))]
