"""Excerpts: of a document, all that the facts of one function depend on, as a program of its own.

These are the function, what it calls and what those call, the callers of a private function, and what stands outside
functions (docs/architecture.md, invariant 3). An excerpt can be read elsewhere, and what is known of one holds as long
as its text stays the same, wherever the pieces stand in the document.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from threading import Lock
from weakref import WeakKeyDictionary, ref

from memlane.findings import Span
from memlane.incremental import Said, said_by
from memlane.syntax import Document
from memlane.syntax.pieces import Piece, Sort

_HEAD = re.compile(r"(?:.*\n)*?.*\{[ \t]*(?://.*)?$", re.MULTILINE)
"""A function's text as far as the first line that ends with a brace."""


@dataclass(frozen=True, slots=True)
class Excerpt:
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


@dataclass(slots=True)
class Excerpts:
    """Makes excerpts of the versions of a document."""

    _lock: Lock = field(default_factory=Lock)
    _last: tuple[Callable[[], Document | None], int, Mapping[int, Said]] = (lambda: None), 0, {}
    """The document that was asked about last, the first piece of a section of it, and what the pieces there say."""
    _returning: WeakKeyDictionary[Piece, bool] = field(default_factory=WeakKeyDictionary[Piece, bool])

    def of(self, document: Document, offset: int) -> Excerpt:
        """The excerpt for the function whose piece holds `offset`."""
        number = bisect_right(document.starts, offset) - 1
        return _joined(document, sorted(self.numbers(document, number)), number)

    def numbers(self, document: Document, number: int, aliases: bool = False) -> set[int]:
        """The numbers of the pieces that the function in piece `number` depends on, itself among them.

        Args:
            aliases: as far as it is about which names share memory: what returns nothing has no part in that.
        """
        said = self.around(document, number)
        if any(one.hidden for one in said.values()):
            return set(said)
        glue = {at for at in said if document.pieces[at].sort == Sort.GLUE}
        if aliases:
            return _needed(number, said, lambda at: self._returns(document.pieces[at])) | glue
        return _needed(number, said) | glue

    def giving(self, document: Document, said: Mapping[int, Said], names: Mapping[str, int], number: int) -> set[int]:
        """The function of a piece and those that it calls, and so on, which may return something.

        Args:
            said: what the pieces of its section say. `names`: the functions there, by name.
        """
        needed, pending = {number}, [number]
        while pending:
            for name in said[pending.pop()].mentions:
                callee = names.get(name)
                if callee is not None and callee not in needed and self._returns(document.pieces[callee]):
                    needed.add(callee)
                    pending.append(callee)
        return needed

    def _returns(self, piece: Piece) -> bool:
        found = self._returning.get(piece)
        if found is None:
            found = self._returning[piece] = returns(piece.text)
        return found

    def around(self, document: Document, number: int) -> Mapping[int, Said]:
        """What the pieces say that are in one section with piece `number`, by their numbers."""
        section = next(one for one in document.sections if one.first <= number < one.last)
        with self._lock:
            seen, first, said = self._last
            if seen() is not document or first != section.first:
                first = section.first
                said = {at: said_by(document, document.pieces[at]) for at in range(first, section.last)}
                self._last = ref(document), first, said
            return said


def returns(text: str) -> bool:
    """Whether a function may return something; False is sure."""
    head = _HEAD.match(text)
    return head is None or "->" in head.group()


def _needed(number: int, said: Mapping[int, Said], matters: Callable[[int], bool] = lambda _: True) -> set[int]:
    """The pieces that the function in piece `number` depends on, itself among them; of callees those that matter."""
    defining: dict[str, list[int]] = {}
    for at, one in said.items():
        for name in one.defines:
            defining.setdefault(name, []).append(at)
    pending = [number]
    if said[number].private:
        own = set(said[number].defines)
        pending += [at for at, one in said.items() if not own.isdisjoint(one.mentions)]
    needed = set(pending)
    while pending:
        for name in said[pending.pop()].mentions:
            for at in defining.get(name, ()):
                if at not in needed and matters(at):
                    needed.add(at)
                    pending.append(at)
    return needed


def _joined(document: Document, numbers: Iterable[int], function: int) -> Excerpt:
    numbers = list(numbers)
    texts = [document.pieces[number].text for number in numbers]
    starts = [0, *accumulate(len(text) for text in texts)][: len(texts)]
    start = starts[numbers.index(function)]
    return Excerpt(
        "".join(texts),
        Span(start, start + len(document.pieces[function].text)),
        tuple(starts),
        tuple(document.starts[number] for number in numbers),
    )
