"""One section of a document, version by version: which functions are looked at again after an edit, and in what order.

Callees come first. A function is looked at again when its text is new, or when one that it calls is, or does something
else to its callers now; whether it does, the questions tell that callers have asked (interfaces.py). Functions that
call each other are looked at together. After that, private functions to which something else is passed now.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from memlane.cancellation import poll
from memlane.config import Config
from memlane.findings import Finding
from memlane.flow import analyse
from memlane.flow.calls.answers import Group
from memlane.flow.control.cycles import components
from memlane.incremental.functions import Functions
from memlane.incremental.interfaces import Interface
from memlane.incremental.kept import Kept
from memlane.incremental.memory import remember
from memlane.incremental.mentions import Change, Mentions
from memlane.incremental.past import Past, Version
from memlane.incremental.recalls import Recalls
from memlane.incremental.visits import Visit, Visits
from memlane.incremental.whole import analysed, changed
from memlane.judge import judge
from memlane.parts import Memory
from memlane.syntax.editing.pieces import Piece, Sort
from memlane.syntax.editing.section import Section

MANY = 20
"""Of a section of which so many pieces are new no ops are kept."""

_SYMBOL = re.compile(r'@"?([-\w$.]+)')
"""A symbol, as calls mention it; one too many or too few does no harm."""

Order = Callable[[Iterable[Piece], Mapping[Piece, int]], Iterable[Piece]]


def by_place(pieces: Iterable[Piece], at: Mapping[Piece, int]) -> list[Piece]:
    """In text order."""
    return sorted(pieces, key=at.__getitem__)


class SectionChecker:
    """What is known of a section.

    Args:
        once: it is checked in one version only: no ops need be kept.

    Attributes:
        memories: what was found in each of its pieces. `loose`: outside them.
    """

    def __init__(self, once: bool = False) -> None:
        self._once = once
        self.memories: dict[Piece, Memory] = {}
        self.loose: tuple[Finding, ...] = ()
        self.mentions = Mentions()
        self._interfaces: dict[Piece, Interface] = {}
        self._by_names = True
        self._leaning: dict[Piece, set[Piece]] = {}
        self._unfinished: set[Piece] = set()
        self._pending: set[Piece] = set()
        self._past = Past()
        self._recalls = Recalls()
        self._kept = Kept()
        self._visits: Visits | None = None

    def check(
        self,
        section: Section,
        at: Mapping[Piece, int],
        config: Config,
        ordered: Order = by_place,
        visit: Visit | None = None,
    ) -> None:
        """Bring it up to date.

        Args:
            at: where pieces stand.
            ordered: gives pieces in the order in which they are to be analysed.
            visit: sees each function that is looked at, in `settle` and while its ops are there; see `end`.

        Raises:
            Cancelled: then it can be brought up to date later all the same.
        """
        document = section.document
        before = self.mentions.pieces
        change = self.mentions.change(document, document.pieces[section.first : section.last], at)
        if (change.gone or change.come) and self._returned(before, change):
            return
        self._pending |= self._forget(change.gone)
        by_names = self.mentions.clear and not config.values["budget"]
        if by_names is not self._by_names or change.frame:
            self.memories, self._interfaces, self._leaning = {}, {}, {}
            self._recalls, self._kept = Recalls(), Kept()
            self._by_names = by_names
        self._unfinished.update(change.come)
        for pieces in (self._unfinished, self._pending):
            pieces.intersection_update(self.mentions.said)
        if not by_names:
            self._whole(section, change, config)
        elif change.gone or self._unfinished or self._pending or change.frame:
            self._by_name(section, at, config, change, ordered, visit)

    def settle(self) -> None:
        """Let functions be seen by the `visit` of the last check. Raises `Cancelled`: it can be done later."""
        if self._visits is not None:
            self._visits.work()
            self.end()

    def end(self) -> None:
        """The last check is over, whoever has not seen its functions. For after each check, and before the next."""
        visits, self._visits = self._visits, None
        if visits is not None:
            visits.end()

    def _returned(self, before: Sequence[Piece], change: Change) -> bool:
        """Whether the section is what it was a few versions ago: then so is what is known. If not, that is kept."""
        version = self._past.back(self.mentions.pieces)
        if version is None:
            if self._by_names and self._interfaces and not (self._unfinished or self._pending):
                size = sum(piece.size for piece in change.gone)
                self._past.add(Version(before, {**self.memories}, {**self._interfaces}, self._recalls.copy(), size))
            return False
        self.memories, self._interfaces, self._by_names = version.memories, version.interfaces, True
        self._recalls = version.recalls
        self._unfinished, self._pending, self._leaning, self.loose = set(), set(), {}, ()
        for piece in [piece for piece, memory in self.memories.items() if memory.owners not in ((piece,), ())]:
            self._lean(piece, self.memories[piece])
        return True

    def _lean(self, piece: Piece, memory: Memory) -> None:
        for owner in memory.owners:
            if owner is not piece:
                self._leaning.setdefault(owner, set()).add(piece)

    @property
    def by_names(self) -> bool:
        """Whether names told what to look at, the last time: then what is found in a function is found by itself."""
        return self._by_names

    def awaits(self, piece: Piece) -> bool:
        """Whether the function of a piece is still to be analysed in the check under way."""
        return piece in self._pending

    def returning(self) -> Mapping[Piece, tuple[frozenset[int], ...]]:
        """What results of functions may be, as in `Program`, where somebody asked. Not in the middle of a check."""
        known = self._interfaces.items()
        return {piece: told for piece, interface in known if (told := interface.returning) is not None}

    def _forget(self, gone: Iterable[Piece]) -> set[Piece]:
        """Forget pieces; gives those that stay and have findings with places in them."""
        leaning: set[Piece] = set()
        for piece in gone:
            memory = self.memories.pop(piece, None)
            for owner in memory.owners if memory is not None else ():
                self._leaning.get(owner, set()).discard(piece)
            leaning |= self._leaning.pop(piece, set())
        return leaning

    def _remember(self, section: Section, piece: Piece, findings: Iterable[Finding]) -> None:
        old = self.memories.get(piece)
        for owner in old.owners if old is not None else ():
            self._leaning.get(owner, set()).discard(piece)
        memory = self.memories[piece] = remember(section.document, piece, findings)
        self._lean(piece, memory)

    def _functions(self) -> list[Piece]:
        return [piece for piece in self.mentions.pieces if piece.sort == Sort.FUNCTION]

    def _whole(self, section: Section, change: Change, config: Config) -> None:
        mentions = self.mentions
        stale = changed(mentions, change) | self._pending
        stale.update(piece for piece in self._functions() if piece not in self.memories)
        for piece in stale:
            self.memories.pop(piece, None)
        self._unfinished, self._pending = set(), set()
        found, loose = analysed(section, mentions, stale, config) if stale or mentions.hidden else ({}, [])
        for piece, findings in found.items():
            self._remember(section, piece, findings)
        self.loose = tuple(loose)

    def _by_name(
        self,
        section: Section,
        at: Mapping[Piece, int],
        config: Config,
        change: Change,
        ordered: Order,
        visit: Visit | None,
    ) -> None:
        first = not self._interfaces
        if first:
            self._unfinished.update(self._functions())
        many = first or len(self._unfinished) > MANY
        self.loose = ()
        for name in {name for said in change.said.values() for name in said.defines} - self.mentions.defining.keys():
            self._recalls.forget(name)
        before = {piece: found for piece in change.gone if (found := self._interfaces.pop(piece, None)) is not None}
        round_ = _Round(self.mentions, self._interfaces, change, before, self._unfinished)
        functions = Functions(
            *(section, config.models, self.mentions, self._interfaces, at, self._past, self._kept, self._recalls),
            lasting=not (self._once or many),
        )
        try:
            self._pending |= round_.run(functions)
        except BaseException:
            # Half of what was touched is known, and nobody can tell which.
            self._pending |= round_.entered()
            for piece in round_.touched:
                self._interfaces.pop(piece, None)
            self._unfinished |= round_.touched
            raise
        self._unfinished = set()
        # Who opens a document need not edit it.
        size = sum(piece.size for piece in self._pending)
        visits = self._visits = Visits(functions, visit, lasting=not (self._once or many), size=size)
        try:
            for piece in ordered(self._pending.intersection(self._interfaces), at):
                poll()
                visits.trim()
                self._remember(section, piece, self._found(piece, functions, config))
                self._pending.discard(piece)
                visits.add(piece)
            self._pending.intersection_update(self._interfaces)  # `ordered` may have left some for later
        except BaseException:
            visits.leave()
            raise
        finally:
            functions.keep()
            if visits.done:
                self.end()

    def _found(self, piece: Piece, functions: Functions, config: Config) -> list[Finding]:
        """What is found in the function of a piece."""
        if functions.idle(piece):
            self._recalls.forget(self.mentions.said[piece].defines[0])
            return []
        if self.mentions.said[piece].private:
            functions.enter(piece)
        flow, program = functions.of(piece), functions.program
        if not functions.is_function(piece):
            return []
        recall = functions.recall(piece) if not self._once else None
        facts = analyse(program, flow, recall)
        self._recalls.keep(piece, flow.name, recall)
        return list(judge(facts, program, config))


class _Round:
    """One change, followed from callees to callers.

    Args:
        interfaces: of the pieces that there are; those that are looked at again get new ones.
        before: of the pieces that are gone.
        unknown: pieces of which nothing is known.

    Attributes:
        touched: the functions from which one that is new is reached.
    """

    def __init__(
        self,
        mentions: Mentions,
        interfaces: dict[Piece, Interface],
        change: Change,
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
        return stale | self._private(self._entered)

    def entered(self) -> set[Piece]:
        """The private functions to which anything may be passed by those that have been looked at, before or now."""
        touched = (self._interfaces[piece] for piece in self.touched if piece in self._interfaces)
        return self._private({name for known in (*self._old.values(), *touched) for name in known.passes or ()})

    def _private(self, names: Iterable[str]) -> set[Piece]:
        mentions = self._mentions
        found = (piece for name in names for piece in mentions.defining.get(name, ()))
        return {piece for piece in found if mentions.said[piece].private}

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
        group = Group(size, self._calls_inside(members))
        for piece, interface in zip(members, known, strict=True):
            if interface is not None:
                self._old[piece] = interface
                self._successors[piece] = piece
            interfaces[piece] = Interface(group, mentions.said[piece].private)
        if size > 1 or members[0] in mentions.called(members[0]) or not self._same(members[0], functions):
            for piece in members:
                self._changed.update(mentions.said[piece].defines)
        return True

    def _calls_inside(self, members: list[Piece]) -> int:
        """In how many places functions that call each other do so: mentions of their names but those in their heads."""
        mentions = self._mentions
        if len(members) == 1 and members[0] not in mentions.called(members[0]):
            return 0
        names = {name for piece in members for name in mentions.said[piece].defines}
        return max(1, sum(name in names for piece in members for name in _SYMBOL.findall(piece.text)) - len(names))

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
            if before is None:  # no private function has been told: whom it may call
                self._entered.update(self._mentions.said[piece].mentions)
                continue
            now = functions.passes(piece)
            for name in now.keys() | before.keys():
                if now.get(name) != before.get(name) or (several and successor is not piece):
                    self._entered.add(name)
        for piece, old in self._old.items():
            if piece not in compared:
                self._entered.update(old.passes or ())
