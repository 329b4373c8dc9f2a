"""Excerpts: of a document, all that the facts of one function depend on, as a program of its own.

These are the function, what it calls and what those call, the callers of a private function, and what stands outside
functions (docs/architecture.md, invariant 3). An excerpt can be read elsewhere, and what is known of one holds as long
as its text stays the same, wherever the pieces stand in the document.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from threading import Lock
from weakref import WeakKeyDictionary, ref

from memlane.findings import Span
from memlane.flow.cfg.scc import reachable
from memlane.lazy import regex
from memlane.query import Said, said_by
from memlane.syntax import Document
from memlane.syntax.editing.piece import Piece, Sort

_HEAD = regex(r"(?:.*\n)*?.*\{[ \t]*(?://.*)?$", re.MULTILINE)
"""A function's text as far as the first line that ends with a brace."""


@dataclass(frozen=True, slots=True)
class FunctionExcerpt:
    """Text for one function.

    Args:
        function: where its piece stands in `text`.
        starts, homes: where each piece begins, in `text` and in the document.
    """

    text: str
    function: Span
    starts: tuple[int, ...]
    homes: tuple[int, ...]

    def home(self, span: Span) -> Span:
        """Where a span of the excerpt is in the document."""
        number = bisect_right(self.starts, span.start) - 1
        distance = self.homes[number] - self.starts[number]
        return Span(span.start + distance, span.end + distance)


@dataclass(frozen=True)
class _Section:
    """What the pieces of a section say, by their numbers.

    Args:
        glue: the pieces outside functions.
        joined: by the functions that decide what is needed; their text.
    """

    document: Callable[[], Document | None]
    said: Mapping[int, Said]
    glue: Sequence[int]
    joined: dict[tuple[int, ...], _Joined] = field(default_factory=dict[tuple[int, ...], "_Joined"])

    @cached_property
    def hidden(self) -> bool:
        """Whether functions may stand where none is looked for."""
        return any(one.hidden for one in self.said.values())

    def deciding(self, number: int) -> tuple[int, ...]:
        """Functions that need all that the function of a piece needs, and nothing else: those that call it, or it."""
        said = self.said[number]
        callers = {at for name in said.defines for at in self.mentioning.get(name, ())} if said.private else ()
        return tuple(sorted(callers)) or (number,)

    @cached_property
    def defining(self) -> Mapping[str, list[int]]:
        """The pieces that define a function, by its name."""
        return _by_name((at, one.defines) for at, one in self.said.items())

    @cached_property
    def mentioning(self) -> Mapping[str, list[int]]:
        """The pieces that mention a function, by its name."""
        return _by_name((at, one.mentions) for at, one in self.said.items())


@dataclass(slots=True)
class Excerpts:
    """Makes excerpts of the versions of a document."""

    _lock: Lock = field(default_factory=Lock)
    _last: _Section = field(default_factory=lambda: _Section(lambda: None, {}, ()))
    """The section that was asked about last."""
    _returning: WeakKeyDictionary[Piece, bool] = field(default_factory=WeakKeyDictionary[Piece, bool])

    def of(self, document: Document, offset: int) -> FunctionExcerpt:
        """The excerpt for the function whose piece holds `offset`."""
        number = bisect_right(document.starts, offset) - 1
        section = self._section(document, number)
        deciding = section.deciding(number)
        found = section.joined.get(deciding)
        if found is None:
            found = section.joined[deciding] = _Joined.of(document, sorted(_all(section, deciding)))
        return found.excerpt(document, number)

    def numbers(self, document: Document, wanted: Collection[int], aliases: bool = False) -> set[int]:
        """The numbers of the pieces that the functions in pieces `wanted` depend on, themselves among them.

        Args:
            aliases: as far as it is about which names share memory: what returns nothing has no part in that.
        """
        needed: set[int] = set()
        numbers = sorted(wanted)
        for one in document.sections:
            here = numbers[bisect_left(numbers, one.first) : bisect_left(numbers, one.last)]
            if here:
                section = self._section(document, here[0])
                needed |= _all(section, here, lambda at: not aliases or self._returns(document.pieces[at]))
        return needed

    def giving(self, document: Document, said: Mapping[int, Said], names: Mapping[str, int], number: int) -> set[int]:
        """The function of a piece and those that it calls, and so on, which may return something.

        Args:
            said: what the pieces of its section say. `names`: the functions there, by name.
        """

        def callees(caller: int) -> Iterator[int]:
            for name in said[caller].mentions:
                callee = names.get(name)
                if callee is not None and self._returns(document.pieces[callee]):
                    yield callee

        return {*reachable([number], callees)}

    def _returns(self, piece: Piece) -> bool:
        found = self._returning.get(piece)
        if found is None:
            found = self._returning[piece] = returns(piece.text)
        return found

    def around(self, document: Document, number: int) -> Mapping[int, Said]:
        """What the pieces say that are in one section with piece `number`, by their numbers."""
        return self._section(document, number).said

    def _section(self, document: Document, number: int) -> _Section:
        with self._lock:
            last = self._last
            if last.document() is not document or number not in last.said:
                section = document.section_of(number)
                said = {at: said_by(document, document.pieces[at]) for at in range(section.first, section.last)}
                glue = [at for at in said if document.pieces[at].sort == Sort.GLUE]
                self._last = last = _Section(ref(document), said, glue)
            return last


def returns(text: str) -> bool:
    """Whether a function may return something; False is sure."""
    head = _HEAD.match(text)
    return head is None or "->" in head.group()


def _by_name(pieces: Iterable[tuple[int, Iterable[str]]]) -> Mapping[str, list[int]]:
    found: dict[str, list[int]] = {}
    for at, names in pieces:
        for name in names:
            found.setdefault(name, []).append(at)
    return found


def _all(section: _Section, wanted: Iterable[int], matters: Callable[[int], bool] = lambda at: True) -> set[int]:
    """The pieces that functions of a section depend on, with what stands outside functions."""
    return set(section.said) if section.hidden else {*section.glue, *_needed(wanted, section, matters)}


def _needed(wanted: Iterable[int], section: _Section, matters: Callable[[int], bool]) -> set[int]:
    """The pieces that functions of a section depend on, themselves among them; of callees those that matter."""
    said, needed = section.said, set(wanted)
    names = {name for number in needed if said[number].private for name in said[number].defines}
    needed |= {at for name in names for at in section.mentioning.get(name, ())}

    def callees(caller: int) -> Iterator[int]:
        return (at for name in said[caller].mentions for at in section.defining.get(name, ()) if matters(at))

    return {*reachable(needed, callees)}


@dataclass(frozen=True, slots=True)
class _Joined:
    """Pieces as one text: what all functions have that the same ones decide about.

    Args:
        places: where each piece begins in it, by its number; `starts`, `homes`: see `FunctionExcerpt`.
    """

    text: str
    places: Mapping[int, int]
    starts: tuple[int, ...]
    homes: tuple[int, ...]

    @classmethod
    def of(cls, document: Document, numbers: Sequence[int]) -> _Joined:
        """Some pieces, by their numbers."""
        texts = [document.pieces[number].text for number in numbers]
        starts = tuple(accumulate((len(text) for text in texts[:-1]), initial=0))
        homes = tuple(document.starts[number] for number in numbers)
        return cls("".join(texts), dict(zip(numbers, starts, strict=True)), starts, homes)

    def excerpt(self, document: Document, number: int) -> FunctionExcerpt:
        """That for the function of one of the pieces."""
        start = self.places[number]
        return FunctionExcerpt(
            self.text, Span(start, start + len(document.pieces[number].text)), self.starts, self.homes
        )
