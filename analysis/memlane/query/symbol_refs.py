"""The names of functions that pieces of text define and mention."""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress, count, pairwise
from operator import is_not
from typing import NamedTuple
from weakref import WeakKeyDictionary

from memlane.lazy import regex
from memlane.syntax.editing.cut_text import CutText
from memlane.syntax.editing.piece import Piece, Sort
from memlane.syntax.editing.strips import Portion
from memlane.syntax.lines.statements import unlike
from memlane.syntax.shapes.forms import may_be_private
from memlane.syntax.shapes.shape import Alias, Close, Event, Label, Open, OpShape, Rest
from memlane.syntax.tree.aliases import names_any

_NAME = regex(r'"([^"\n]*)"|@([-\w$.]+)')
"""A symbol, or a string: callees may be written as one."""

_TRIVIA = regex(r'("(?:[^"\\\n]|\\.)*")|(?:\s|//[^\n]*)+')
"""A string, which is to stay, or space and comments."""

_SYM_NAME = regex(r'\bsym_name"?\s*=\s*"([^"\n]*)"')


class Said(NamedTuple):
    """What a piece says of functions, read from its text; each may be too much, never too little.

    Args:
        defines, mentions: names of functions.
        private: one of its functions may be private.
        hidden: a function may begin in a statement outside functions, and hold others: always checked anew.
        opens: it begins or ends a region outside functions.
    """

    defines: tuple[str, ...]
    mentions: tuple[str, ...]
    private: bool
    hidden: bool
    opens: bool


def said_by(document: CutText, piece: Piece, before: Piece | None = None) -> Said:
    """What `piece`, one of `document`, says of functions: read once, remembered while there is the piece.

    Args:
        before: a piece that it may have much in common with.
    """
    said = _known.get(piece)
    if said is None:
        said = _known.get(before) if before is not None and _says_the_same(before, piece) else None
        said = _known[piece] = said or _read(document, piece)
    return said


def _says_the_same(one: Piece, other: Piece) -> bool:
    """Whether two functions mention functions in the same way, decided by the statements that they do not share."""
    if one.sort is not Sort.FUNCTION or other.sort is not Sort.FUNCTION or not one.symbol:
        return False
    if one.symbol != other.symbol or one.resolved.symbols != other.resolved.symbols:
        return False
    _, old, new = unlike(one.leaves, other.leaves)
    before, now = "".join([leaf.text for leaf in old]), "".join([leaf.text for leaf in new])
    return _NAME.findall(before) == _NAME.findall(now) and may_be_private(before) is may_be_private(now)


def _read(document: CutText, piece: Piece) -> Said:
    if piece.sort not in (Sort.FUNCTION, Sort.GLUE):
        return _NOTHING_SAID
    mentions: dict[str, int] = {}
    for quoted, plain in _NAME.findall(piece.text):
        name = plain or quoted
        mentions[name] = mentions.get(name, 0) + 1
        if ":" in name or "@" in name:
            mentions[name.rpartition("::")[2].lstrip("@")] = 2
    hidden = opens = False
    if piece.sort == Sort.GLUE:
        events = [event for template in piece.statements.templates for event in template.events]
        opens = any(isinstance(event, (Open, Close, Label)) for event in events)
        hidden = _holds_a_body(document, events)
        defines = tuple(mentions) if hidden else ()
    else:
        symbol = piece.symbol
        names = {symbol or "", *piece.resolved.symbols}
        if not symbol:  # the generic form may say it behind the body
            names = {*piece.resolved.symbols, *_SYM_NAME.findall(piece.text)} or {""}
        defines = tuple(sorted(names))
        if symbol and mentions.get(symbol) == 1:
            del mentions[symbol]  # its own head: it does not call itself
    return Said(defines, tuple(mentions), may_be_private(piece.text), hidden, opens)


def _holds_a_body(document: CutText, events: Sequence[Event]) -> bool:
    """Whether a region follows the head of a function: a declaration has none. The head may stand in the piece before,
    where a text is broken."""
    head = isinstance(next(iter(events), None), (Rest, Open))
    for event in events:
        head = head or (isinstance(event, OpShape) and document.scoping.function(event.name))
        if head and isinstance(event, Open):
            return True
    return False


def _using_aliases(piece: Piece) -> Iterator[str]:
    """The texts of a piece in which an alias may be used."""
    if piece.sort is Sort.FUNCTION:
        yield piece.text
        return
    statements, text = piece.statements, piece.text
    for template, (start, end) in zip(statements.templates, pairwise((*statements.starts, len(text))), strict=True):
        if not all(isinstance(event, Alias) for event in template.events):
            yield text[start:end]


def _code(piece: Piece) -> str:
    """What a piece says, without its comments and with one space for all that stands between its words."""
    return _TRIVIA.sub(lambda found: found[1] or " ", piece.text).strip()


_NOTHING_SAID = Said((), (), private=False, hidden=False, opens=False)
_known: WeakKeyDictionary[Piece, Said] = WeakKeyDictionary()

Names = dict[str, list[Piece]]


@dataclass(slots=True, eq=False)
class SymbolRefs:
    """The pieces of a section as they were checked, and per name, in text order, those that define and mention it.

    Args:
        unclear: pieces of which names do not tell enough: see `SymbolRefs.clear`.
    """

    said: dict[Piece, Said] = field(default_factory=dict[Piece, Said])
    pieces: Sequence[Piece] = ()
    defining: Names = field(default_factory=Names)
    mentioning: Names = field(default_factory=Names)
    frame: list[Piece] = field(default_factory=list[Piece])
    unclear: set[Piece] = field(default_factory=set[Piece])
    several: set[str] = field(default_factory=set[str])

    @property
    def clear(self) -> bool:
        """Whether each name is that of one function, and each function is a piece of its own."""
        return not self.unclear and not any(self.mentioning.get(name) for name in self.several)

    @property
    def hidden(self) -> bool:
        """Whether functions may stand in statements outside functions."""
        return any(self.said[piece].hidden for piece in self.unclear)

    def private(self, names: Iterable[str]) -> set[Piece]:
        """The private functions of some names."""
        return {piece for name in names for piece in self.defining.get(name, ()) if self.said[piece].private}

    def callers_of_private(self, piece: Piece) -> set[Piece]:
        """The pieces that mention a function, if it is private: then none but these call it."""
        said = self.said[piece]
        return {one for name in said.defines for one in self.mentioning.get(name, ())} if said.private else set()

    def change(self, document: CutText, pieces: Sequence[Piece], at: Mapping[Portion, int]) -> SectionChange:
        """Let the section be made of `pieces` now, which stand at `at`; gives what is different."""
        first = _same(self.pieces, pieces)
        last = _same(self.pieces[first:][::-1], pieces[first:][::-1])
        old, new = self.pieces[first : len(self.pieces) - last], pieces[first : len(pieces) - last]
        left, come = set(old).difference(new), [piece for piece in new if piece not in self.said]
        change = SectionChange([piece for piece in old if piece in left], come)
        frame = list(self.frame)
        for piece in change.gone:
            said = self.said.pop(piece)
            change.said[piece] = said
            self._take(self.defining, said.defines, piece, change.defining)
            self._take(self.mentioning, said.mentions, piece, change.mentioning)
            self.unclear.discard(piece)
            if said.opens:
                self.frame.remove(piece)
        before = change.gone[0] if len(change.gone) == len(come) == 1 else None
        for piece in come:
            said = self.said[piece] = said_by(document, piece, before)
            self._put(self.defining, said.defines, piece, change.defining, at)
            self._put(self.mentioning, said.mentions, piece, change.mentioning, at)
            if said.hidden or len(said.defines) > 1:
                self.unclear.add(piece)
            if said.opens:
                self.frame.append(piece)
        self.frame.sort(key=at.__getitem__)
        change.frame = frame != self.frame and [*map(_code, frame)] != [*map(_code, self.frame)]
        for name in change.defining:
            self.several.discard(name)
            if len(self.defining.get(name, ())) > 1:
                self.several.add(name)
        self.pieces = pieces
        return change

    @staticmethod
    def _take(names: Names, those: Iterable[str], piece: Piece, before: Names) -> None:
        for name in those:
            found = names[name]
            before.setdefault(name, list(found))
            found.remove(piece)
            if not found:
                del names[name]

    @staticmethod
    def _put(names: Names, those: Iterable[str], piece: Piece, before: Names, at: Mapping[Portion, int]) -> None:
        for name in those:
            found = names.setdefault(name, [])
            before.setdefault(name, list(found))
            insort(found, piece, key=at.__getitem__)

    def reaching(self, names: Iterable[str]) -> set[Piece]:
        """The pieces from which one of the names is reached."""
        pending = list(names)
        found: set[Piece] = set()
        while pending:
            for piece in self.mentioning.get(pending.pop(), ()):
                if piece not in found:
                    found.add(piece)
                    pending.extend(self.said[piece].defines)
        return found

    def naming(self, aliases: frozenset[str]) -> list[Piece]:
        """The pieces that may name one of some aliases, but for definitions of others."""
        return [piece for piece in self.pieces if any(names_any(text, aliases) for text in _using_aliases(piece))]

    def called(self, piece: Piece) -> list[Piece]:
        """The pieces whose functions a piece may call."""
        return [one for name in self.said[piece].mentions for one in self.defining.get(name, ())]


@dataclass(slots=True, eq=False)
class SectionChange:
    """What is different in a section.

    Args:
        gone, come: pieces, in text order.
        said: what those that are gone said.
        defining, mentioning: of the names that either of them defines or mentions, the pieces that did before.
        frame: regions begin or end elsewhere outside functions.
    """

    gone: list[Piece]
    come: list[Piece]
    said: dict[Piece, Said] = field(default_factory=dict[Piece, Said])
    defining: Names = field(default_factory=Names)
    mentioning: Names = field(default_factory=Names)
    frame: bool = False

    def redefined(self, now: Names) -> list[str]:
        """The names that mean something else now."""
        return [name for name, before in self.defining.items() if before != now.get(name, [])]

    def successor(self, name: str, now: Names) -> tuple[Piece, Piece] | None:
        """The one piece that defined a name and the one that does now; None where there are not two."""
        before, after = self.defining.get(name, []), now.get(name, [])
        return (before[0], after[0]) if len(before) == len(after) == 1 else None


def _same(left: Collection[Piece], right: Collection[Piece]) -> int:
    """How many pieces are the same at the beginning."""
    most = min(len(left), len(right))
    return next(compress(count(), map(is_not, left, right)), most)
