"""One change of a section, followed from callees to callers: which functions have to be analysed again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from memlane.cancellation import poll
from memlane.flow.cfg.scc import components, reachable
from memlane.flow.interproc.scc_solver import Group
from memlane.query.functions import Functions
from memlane.query.summary_cache import Interface
from memlane.query.symbol_refs import SectionChange, SymbolRefs
from memlane.syntax.editing.piece import Piece, Sort

"""A symbol, as calls mention it; one too many or too few does no harm."""


class Round:
    """See the module.

    Args:
        interfaces: of the pieces that there are; those that are looked at again get new ones.
        before: of the pieces that are gone.
        unknown: pieces of which nothing is known.

    Attributes:
        touched: the functions from which one that is new is reached.
    """

    def __init__(
        self,
        mentions: SymbolRefs,
        interfaces: dict[Piece, Interface],
        change: SectionChange,
        before: Mapping[Piece, Interface],
        unknown: Iterable[Piece],
    ) -> None:
        self.touched: set[Piece] = set()
        self._unknown = unknown
        self._mentions = mentions
        self._interfaces = interfaces
        self._change = change
        self._old = {**before}
        self._changed: set[str] = set()
        self._successors: dict[Piece, Piece] = {}
        self._entered: set[str] = set()

    def run(self, functions: Functions) -> set[Piece]:
        """The functions that have to be analysed."""
        mentions, change = self._mentions, self._change
        redefined = dict.fromkeys(change.redefined(mentions.defining))
        for name in redefined:
            pair = change.successor(name, mentions.defining)
            if pair is None or pair[0] not in self._old:
                self._changed.add(name)
            else:
                self._successors[pair[1]] = pair[0]
        for piece in self._unknown:
            fresh = [name for name in mentions.said[piece].defines if name not in redefined]
            redefined.update(dict.fromkeys(fresh))
            self._changed.update(fresh)
        touched = mentions.reaching(redefined).union(self._unknown)
        touched = self.touched = {piece for piece in touched if piece.sort == Sort.FUNCTION}
        stale: set[Piece] = set()
        for members in components(self._ordered(touched), lambda piece: self._inside(piece, touched)):
            poll()
            functions.trim()
            if self._look(members, functions):
                stale.update(members)
        self._compare_passed(stale, functions)
        return stale | self._receiving(self._entered)

    def entered(self) -> set[Piece]:
        """The private functions to which anything may be passed by those that have been looked at, before or now."""
        touched = (self._interfaces[piece] for piece in self.touched if piece in self._interfaces)
        return self._receiving({name for known in (*self._old.values(), *touched) for name in known.passes or ()})

    def _receiving(self, names: Iterable[str]) -> set[Piece]:
        """Some private functions, and those to which they pass on what they are passed."""
        return {*reachable(self._mentions.private(names), self._passed_on)}

    def _passed_on(self, piece: Piece) -> set[Piece]:
        interface = self._interfaces.get(piece)
        passes = interface.passes if interface is not None else None
        if passes is None:  # unknown: all it may call
            return self._mentions.private(self._mentions.said[piece].mentions)
        return self._mentions.private(name for name, those in passes.items() if any(passed.own for passed in those))

    def _ordered(self, touched: set[Piece]) -> list[Piece]:
        """In text order: what is found must not depend on the order in which sets give their elements."""
        if len(touched) < 2:
            return list(touched)
        return [piece for piece in self._mentions.pieces if piece in touched]

    def _inside(self, piece: Piece, touched: set[Piece]) -> list[Piece]:
        return [one for one in self._mentions.called(piece) if one in touched]

    def _look(self, members: list[Piece], functions: Functions) -> bool:
        """Whether functions that call each other, or one alone, have to be analysed."""
        mentions, interfaces = self._mentions, self._interfaces
        known = [interfaces.get(piece) for piece in members]
        size = len(members)
        anew = any(interface is None or interface.group.size != size for interface in known)
        if not anew and self._changed.isdisjoint(name for m in members for name in mentions.said[m].mentions):
            return False
        recursive = size > 1 or members[0] in mentions.called(members[0])
        group = Group(size, recursive)
        for piece, interface in zip(members, known, strict=True):
            if interface is not None:
                self._old[piece] = interface
                self._successors[piece] = piece
            interfaces[piece] = Interface(group, mentions.said[piece].private)
        if recursive or not self._same(members[0], functions):
            for piece in members:
                self._changed.update(mentions.said[piece].defines)
        return True

    def _same(self, piece: Piece, functions: Functions) -> bool:
        old = self._old.get(self._successors.get(piece, piece))
        return old is not None and old.group.size == 1 and functions.same(piece, old)

    def _compare_passed(self, stale: set[Piece], functions: Functions) -> None:
        """Note which functions may be passed something else now."""
        compared: set[Piece] = set()
        several = sum(piece.sort == Sort.FUNCTION for piece in self._change.come) > 1
        for piece in self._ordered(stale):
            functions.trim()
            successor = self._successors.get(piece)
            old = self._old.get(successor) if successor is not None else None
            if successor is not None:
                compared.add(successor)
            before = old.passes if old is not None else None
            if before is None:  # unknown what it passed to private functions: all it may call
                self._entered.update(self._mentions.said[piece].mentions)
                continue
            now = functions.passes(piece)
            if old is not None and old.private is not self._interfaces[piece].private:
                self._entered.update(now)  # what it is passed is another matter now, and so what it passes on
            for name in now.keys() | before.keys():
                if now.get(name) != before.get(name) or (several and successor is not piece):
                    self._entered.add(name)
        for piece, old in self._old.items():
            if piece not in compared:
                self._entered.update(old.passes or ())
        # What stands outside functions may take addresses.
        gone = (self._change.said[piece] for piece in self._change.gone if piece.sort is Sort.GLUE)
        come = (self._mentions.said[piece] for piece in self._change.come if piece.sort is Sort.GLUE)
        self._entered.update(name for said in (*gone, *come) for name in said.mentions)
