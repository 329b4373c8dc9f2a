"""One section of a document, version by version: which functions are looked at again after an edit, and in what order.

Callees come first. A function is looked at again when its text is new, or when one that it calls is, or does something
else to its callers now; whether it does, the questions tell that callers have asked (summary_cache.py). Functions that
call each other are looked at together. After that, private functions to which something else is passed now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from memlane.cancellation import poll
from memlane.config import Config
from memlane.findings import Finding
from memlane.flow import analyse
from memlane.flow.interproc.call_graph import CallGraph
from memlane.query.conservative_invalidate import analysed, changed
from memlane.query.deferred_visits import Visit, Visits
from memlane.query.findings_store import FindingsMemory
from memlane.query.function_memos import Recalls
from memlane.query.functions import Functions
from memlane.query.invalidate import Round
from memlane.query.limits import MIN_NEW_PIECES
from memlane.query.memory import PieceFindings, PieceMemo, remember
from memlane.query.memory import respaced as placed
from memlane.query.summary_cache import Interface
from memlane.query.summary_cache import respaced as elsewhere
from memlane.query.symbol_refs import SectionChange, SymbolRefs
from memlane.query.tree_cache import TreeCache, large
from memlane.query.trivia_edit import Respaced, respaced
from memlane.query.version_cache import Version, VersionCache
from memlane.run_rules import ReportMemo, judge
from memlane.syntax.editing.piece import Piece, Sort
from memlane.syntax.editing.section import Section
from memlane.syntax.editing.strips import Portion
from memlane.syntax.tree.aliases import NO_ALIASES, redefined


def _none(piece: Piece) -> bool:
    return False


def _all(piece: Piece) -> bool:
    return True


Order = Callable[[Iterable[Piece], Mapping[Portion, int]], Iterable[Piece]]


def by_place(pieces: Iterable[Piece], at: Mapping[Portion, int]) -> list[Piece]:
    """In text order."""
    return sorted(pieces, key=at.__getitem__)


class SectionChecker:
    """What is known of a section.

    Args:
        once: it is checked in one version only: no ops need be kept.

    Attributes:
        memories: what was found in each portion of its pieces. `loose`: outside them.
    """

    def __init__(self, once: bool = False) -> None:
        self._once = once
        self.memories: dict[Portion, tuple[FindingsMemory, ...]] = {}
        self.loose: tuple[Finding, ...] = ()
        self.mentions = SymbolRefs()
        self._interfaces: dict[Piece, Interface] = {}
        self._by_names = True
        self._before: dict[str, tuple[FindingsMemory, ...]] = {}
        self._leaning: dict[Portion, set[Piece]] = {}
        self._unfinished: set[Piece] = set()
        self._pending: set[Piece] = set()
        self._past = VersionCache()
        self._recalls = Recalls()
        self._kept = TreeCache()
        self._aliases = NO_ALIASES
        self._visits: Visits | None = None

    def check(
        self,
        section: Section,
        at: Mapping[Portion, int],
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
        by_names = self.mentions.clear and not config.values["budget"]
        renamed, self._aliases = redefined(self._aliases, section.aliases), section.aliases
        naming = self.mentions.naming(renamed) if renamed else []
        # An alias that is named outside functions, as by a global, may concern any of them.
        change.frame |= any(piece.sort is not Sort.FUNCTION for piece in naming) or (bool(renamed) and not by_names)
        if not renamed and (change.gone or change.come) and self._returned(before, change):
            return
        if self._respaced(section, change, at, config, visit):
            return
        self._pending |= self._forget(change)
        if by_names is not self._by_names or change.frame:
            self.memories, self._before, self._interfaces, self._leaning = {}, {}, {}, {}
            self._recalls, self._kept = Recalls(), TreeCache()
            self._by_names = by_names
        elif naming:
            self._forget_functions(naming)
        self._unfinished.update(change.come)
        for pieces in (self._unfinished, self._pending):
            pieces.intersection_update(self.mentions.said)
        if not by_names:
            self._whole(section, at, change, config)
        elif change.gone or self._unfinished or self._pending or change.frame:
            self._by_name(section, at, config, change, ordered, visit)

    def settle(self) -> None:
        """Let functions be seen by the `visit` of the last check. Raises `Cancelled`: it can be done later."""
        if self._visits is not None:
            self._visits.work()
            self.end()

    def end(self) -> None:
        """The last check is over, whether or not its functions were visited. For after each check, and before the
        next."""
        visits, self._visits = self._visits, None
        if visits is not None:
            visits.end()

    def _returned(self, before: Sequence[Piece], change: SectionChange) -> bool:
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
        self._before = {}
        leaning = {one for one, those in self.memories.items() if any(memory.owners != (one,) for memory in those)}
        for piece in self.mentions.pieces:
            if not leaning.isdisjoint(piece.portions):
                self._lean(piece)
        return True

    def _respaced(
        self, section: Section, change: SectionChange, at: Mapping[Portion, int], config: Config, visit: Visit | None
    ) -> bool:
        """Whether one function has the same operations in other places: then all that is known of it stays."""
        if len(change.gone) != 1 or len(change.come) != 1 or change.frame or self._unfinished or self._pending:
            return False
        (old,), (new,) = change.gone, change.come
        interface, said = self._interfaces.get(old), self.mentions.said[new]
        if interface is None or not self._by_names or not self.mentions.clear or config.values["budget"]:
            return False
        others = [pair for pair in zip(old.portions, new.portions, strict=False) if pair[0] is not pair[1]]
        if said != change.said[old] or len(old.portions) != len(new.portions) or len(others) != 1:
            return False
        by = respaced(old, new)
        inside = by.inside(at[others[0][1]] - at[new], others[0][0].size) if by is not None else None
        if by is None or inside is None:
            return False
        self._past.moving(interface.cells.values())
        first = new.leaves[0].statements.starts[0]
        self._interfaces[new] = elsewhere(self._interfaces.pop(old), new, first, by)
        self._kept.respace(said.defines[0], old, new, by)
        self._recalls.respace(said.defines[0], old, new)
        self._replace(old, new, *others[0], inside, at)
        if visit is not None:
            visit.respaced(old, new, by)
        return True

    def _replace(
        self, old: Piece, new: Piece, before: Portion, portion: Portion, by: Respaced, at: Mapping[Portion, int]
    ) -> None:
        """Let findings stand where they do with a piece, and one of its portions, in place of others; `by`: from the
        start of the portion."""
        leaning = self._leaning.pop(before, set())
        for piece in (old, *leaning):
            self._lean(piece, False)
        if before in self.memories:
            self.memories[portion] = self.memories.pop(before)
        for piece in (new, *leaning):
            for one in piece.portions:
                those = self.memories.get(one, ())
                if any(before in memory.owners for memory in those):
                    moved = (placed(one, before, portion, by, at) if before in one.owners else one for one in those)
                    self.memories[one] = tuple(moved)
            self._lean(piece)

    def _lean(self, piece: Piece, leans: bool = True) -> None:
        """Note which other pieces what is found in a piece speaks of; or that nothing of that is known any more."""
        portions = frozenset(piece.portions)
        memories = (memory for one in portions for memory in self.memories.get(one, ()))
        for owner in {owner for memory in memories for owner in memory.owners} - portions:
            if leans:
                self._leaning.setdefault(owner, set()).add(piece)
            else:
                self._leaning.get(owner, set()).discard(piece)

    @property
    def by_names(self) -> bool:
        """Whether names decided what to analyse, the last time: then findings of a function depend on it alone."""
        return self._by_names

    def awaits(self, piece: Piece) -> bool:
        """Whether the function of a piece is still to be analysed in the check under way."""
        return piece in self._pending

    def returning(self) -> Mapping[Piece, tuple[frozenset[int], ...]]:
        """What results of functions may be, as in `Program`, where it was computed. Not in the middle of a check."""
        key, known = CallGraph.returning, self._interfaces.items()
        return {piece: interface.derived[key] for piece, interface in known if key in interface.derived}

    def _forget_functions(self, pieces: Iterable[Piece]) -> None:
        """Forget the functions of pieces whose text is the same, and whose aliases stand for something else."""
        for piece in pieces:
            self._interfaces.pop(piece, None)
            for name in self.mentions.said[piece].defines:
                self._recalls.forget(name)
                self._kept.forget(name)
        self._unfinished.update(pieces)

    def _forget(self, change: SectionChange) -> set[Piece]:
        """Forget pieces that are gone; gives those that stay and have findings with places in them."""
        leaning: set[Piece] = set()
        for piece in change.gone:
            self._lean(piece, False)
            found = [memory for one in piece.portions for memory in self.memories.pop(one, ())]
            if found and piece.strips:
                self._before[change.said[piece].defines[0]] = tuple(found)
            leaning = leaning.union(*(self._leaning.pop(one, ()) for one in piece.portions))
        return leaning

    def _remember(
        self, section: Section, piece: Piece, at: Mapping[Portion, int], found: Iterable[Finding], before: PieceFindings
    ) -> PieceMemo:
        self._lean(piece, False)
        remembered = remember(section.document, piece, at, found, before)
        self.memories.update(remembered.memories)
        self._lean(piece)
        return remembered

    def _functions(self) -> list[Piece]:
        return [piece for piece in self.mentions.pieces if piece.sort == Sort.FUNCTION]

    def _whole(self, section: Section, at: Mapping[Portion, int], change: SectionChange, config: Config) -> None:
        mentions = self.mentions
        stale = changed(mentions, change) | self._pending
        stale.update(piece for piece in self._functions() if piece.portions[0] not in self.memories)
        for portion in (portion for piece in stale for portion in piece.portions):
            self.memories.pop(portion, None)
        self._unfinished, self._pending = set(), set()
        found, loose = analysed(section, mentions, stale, config) if stale or mentions.hidden else ({}, [])
        for piece, findings in found.items():
            self._remember(section, piece, at, findings, PieceFindings())
        self.loose = tuple(loose)

    def _by_name(
        self,
        section: Section,
        at: Mapping[Portion, int],
        config: Config,
        change: SectionChange,
        ordered: Order,
        visit: Visit | None,
    ) -> None:
        first = not self._interfaces
        if first:
            self._unfinished.update(self._functions())
        many = first or len(self._unfinished) > MIN_NEW_PIECES
        self.loose = ()
        for name in {name for said in change.said.values() for name in said.defines} - self.mentions.defining.keys():
            self._recalls.forget(name)
        before = {piece: found for piece in change.gone if (found := self._interfaces.pop(piece, None)) is not None}
        round_ = Round(self.mentions, self._interfaces, change, before, self._unfinished)
        functions = Functions(
            *(section, config.models, self.mentions, self._interfaces, at, self._past, self._kept, self._recalls),
            lasting=_none if self._once else large if many else _all,
        )
        try:
            self._pending |= round_.run(functions)
        except BaseException:
            # An unknown part of what was touched has been analysed.
            self._pending |= round_.entered()
            for piece in round_.touched:
                self._interfaces.pop(piece, None)
            self._unfinished |= round_.touched
            raise
        self._unfinished = set()
        # Who opens a document need not edit it, but would wait for a large function.
        size = sum(piece.size for piece in self._pending)
        visits = self._visits = Visits(functions, visit, lasting=not (self._once or many), size=size)
        try:
            for piece in ordered(self._pending.intersection(self._interfaces), at):
                poll()
                visits.trim()
                found = self._look_into(section, piece, functions, at, config)
                self._pending.discard(piece)
                visits.add(piece, found)
            self._pending.intersection_update(self._interfaces)  # `ordered` may have left some for later
        except BaseException:
            visits.leave()
            raise
        finally:
            functions.keep()
            if visits.done:
                self.end()

    def _look_into(
        self, section: Section, piece: Piece, functions: Functions, at: Mapping[Portion, int], config: Config
    ) -> list[Finding]:
        """Remember what is found in the function of a piece; what is the same as before is the same object."""
        if not piece.strips:
            found = self._found(piece, functions, config, None)
            self._remember(section, piece, at, found, PieceFindings())
            return found
        name = self.mentions.said[piece].defines[0]
        before = PieceFindings.of(self._before.get(name, ()), at)
        memo = ReportMemo(before.findings)
        found = self._found(piece, functions, config, memo)
        memo.end(self._remember(section, piece, at, found, before).same)
        self._before.pop(name, None)  # not before: who cancels this wants the next version
        return found

    def _found(self, piece: Piece, functions: Functions, config: Config, memo: ReportMemo | None) -> list[Finding]:
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
        return list(judge(facts, flow, program, config, memo))
