"""One document, version by version."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from threading import RLock

from memlane.cancellation import poll, waits
from memlane.config import Config
from memlane.findings import Finding, Note, Report, Severity
from memlane.query.checked_section import SectionChecker, by_place
from memlane.query.deferred_visits import Visit
from memlane.query.findings_store import FindingsMemory, Parts, once, order, placed
from memlane.query.viewport import Viewport
from memlane.rules import all_rules
from memlane.run_rules import finding as judged
from memlane.suppressions import MARK, RULE, Comment, comments, silenced
from memlane.syntax import Document
from memlane.syntax.editing.piece import Piece, Sort
from memlane.syntax.editing.section import Section
from memlane.syntax.editing.strips import Portion
from memlane.syntax.tree.tree import Tree

WAIT_SECONDS = 0.02
"""The interval at which a thread that waits for a check looks whether the check still runs."""


class Checker:
    """Checks the versions of one document one after the other. May be shared by threads: they take turns.

    Args:
        once: there will be no other version.
    """

    def __init__(self, once: bool = False) -> None:
        self._once = once
        self._lock = RLock()
        self._config: Config | None = None
        self._sections: dict[Piece, SectionChecker] = {}
        self._unseen: list[SectionChecker] = []
        self._comments: dict[Piece, tuple[Comment, ...]] = {}

    def findings(self, document: Document, config: Config) -> tuple[Finding, ...]:
        """The findings of `document` that no comment silences, in source order."""
        return self.results(document, config).findings

    def results(
        self, document: Document, config: Config, view: Viewport | None = None, visit: Visit | None = None
    ) -> Parts:
        """What is found in `document`, and what its comments silence. Its models are those of `config`.

        Args:
            view: what is analysed first. It receives the findings there.
            visit: sees the functions that are analysed, in `settle`, or before where they are many; none of those
                that are left when another check begins.
        """
        with self._lock:
            at = self._begin(document, config)
            _ = document.tree  # sections are read by this
            paired = self._paired(document)
            view = view or Viewport()

            def seen() -> None:
                if view.tell is not None:
                    view.tell(self._together(document, paired, at, config, all_=False, doubtful=False))

            def ordered(pieces: Iterable[Piece], at: Mapping[Portion, int]) -> Iterable[Piece]:
                return view.ordered(pieces, at, seen)

            for section, checker in sorted(paired, key=lambda pair: not _in_view(view, pair[0])):
                if visit is not None:
                    self._unseen.append(checker)
                checker.check(section, at, config, ordered, visit)
            found = self._together(document, paired, at, config)
            found.returning = {piece: told for _, checker in paired for piece, told in checker.returning().items()}
            return found

    @property
    def settled(self) -> bool:
        """Whether all functions of the last check that are to be seen have been."""
        return not self._unseen

    def settle(self) -> None:
        """Let functions be seen by the `visit` of the last check. Raises `Cancelled`: the others can be seen later.

        While another check runs, this returns without waiting for its end: that check may itself be waiting for the
        requests that wait here.
        """
        while self._unseen:
            with waits():
                mine = self._lock.acquire(timeout=WAIT_SECONDS)
            if mine:
                try:
                    while self._unseen:
                        self._unseen[-1].settle()
                        self._unseen.pop()
                finally:
                    self._lock.release()
            else:
                poll()

    def glimpse(self, document: Document, config: Config, wanted: Callable[[Piece], bool]) -> Parts | None:
        """What is found in some functions of `document`; None where that depends on what else there is.

        What is found out is still known when a document is checked of which this one is an excerpt.
        """
        with self._lock:
            at = self._begin(document, config)
            if document.tree.problems:
                return None

            def some(pieces: Iterable[Piece], at: Mapping[Portion, int]) -> Iterable[Piece]:
                return by_place(filter(wanted, pieces), at)

            paired = self._paired(document)
            for section, checker in paired:
                if any(map(wanted, document.pieces[section.first : section.last])):
                    checker.check(section, at, config, some)
                    if not checker.by_names:
                        return None
            return self._together(document, paired, at, config, all_=False)

    def _begin(self, document: Document, config: Config) -> Mapping[Portion, int]:
        """End the check before, and forget what was found under another configuration; gives where the pieces begin."""
        while self._unseen:
            self._unseen.pop().end()
        if config is not self._config:
            self._sections = {}
            self._config = config
        poll()
        return _starts(document)

    def known(self, document: Document, config: Config) -> Iterator[Finding]:
        """What is remembered of the functions of `document` that checks have seen, in source order; at once, and
        perhaps no longer true of those that call others. Nothing where comments silence something.

        No thread is waited for, whatever it is doing.
        """
        sections = self._sections if config is self._config else {}
        at = _starts(document)
        if any(self._comments.get(piece) for piece in document.pieces):
            return
        for piece in document.pieces:
            memories = sections[piece].memories if piece in sections else {}
            for portion in piece.portions:
                yield from placed(_usable(memories.get(portion), at) or (), at)

    def _together(
        self,
        document: Document,
        paired: list[tuple[Section, SectionChecker]],
        at: Mapping[Portion, int],
        config: Config,
        all_: bool = True,
        doubtful: bool = True,
    ) -> Parts:
        """What is known of all sections; `all_`: they are checked. `doubtful`: with findings that are reported once for
        all sections, perhaps at another place once all are checked."""
        rest = list(_problems(document.tree, config))
        memories: list[tuple[FindingsMemory, ...] | None] = []
        for section, checker in paired:
            those, loose = _said_of(section, checker, at, all_, doubtful)
            memories += those
            rest += loose
        said = self._comments_of(document)
        if any(said):
            kept = placed(chain.from_iterable(filter(None, memories)), at)
            found = sorted((*rest, *kept), key=order)
            left = silenced(document, said, found, config)
            # What a comment silences may not have been found yet.
            kept = left.findings if all_ else tuple(one for one in left.findings if one.rule.name != RULE)
            return Parts(document, at, loose={0: kept}, suppressed=left.suppressed)
        return Parts(document, at, memories, _placed(document, at, memories, rest))

    def _paired(self, document: Document) -> list[tuple[Section, SectionChecker]]:
        """The sections, each with what is known of the one before that it has pieces of."""
        paired: list[tuple[Section, SectionChecker]] = []
        taken: set[SectionChecker] = set()
        for section in document.sections:
            pieces = document.pieces[section.first : section.last]
            found = next((self._sections[piece] for piece in pieces if piece in self._sections), None)
            if found is None and len(document.sections) == 1:  # all of a document that is one function was edited
                found = next(iter(self._sections.values()), None)
            if found is None or found in taken:
                found = SectionChecker(self._once)
            taken.add(found)
            paired.append((section, found))
        sections: dict[Piece, SectionChecker] = {}
        for section, checker in paired:
            sections.update(dict.fromkeys(document.pieces[section.first : section.last], checker))
        self._sections = sections  # in one step, for `known`
        return paired

    def _comments_of(self, document: Document) -> list[tuple[Comment, ...]]:
        """The comments of each piece that silence something."""
        known = self._comments
        for piece in [piece for piece in document.pieces if piece not in known]:
            known[piece] = comments(piece.text) if piece.says(MARK) else ()
        if len(known) > 2 * len(document.pieces):
            self._comments = {piece: known[piece] for piece in document.pieces}
        return list(map(known.__getitem__, document.pieces))


def _said_of(
    section: Section, checker: SectionChecker, at: Mapping[Portion, int], all_: bool, doubtful: bool
) -> tuple[list[tuple[FindingsMemory, ...] | None], Iterable[Finding]]:
    """What is found in the section's pieces, and what belongs to none of them.

    Args:
        doubtful: also what a rule that speaks once says where a function before may be the one it will say it of.
    """
    pieces = section.document.pieces[section.first : section.last]
    portions = pieces
    if section.document.portions.every is not section.document.pieces:
        portions = [*chain.from_iterable([piece.portions for piece in pieces])]
    memories = [*map(checker.memories.get, portions)]
    if not all_:
        memories = [_usable(those, at) for those in memories]
    found = [*chain.from_iterable(filter(None, memories))]
    if not checker.loose and all(memory.plain for memory in found):
        return memories, ()
    said = once(sorted((*checker.loose, *placed(found, at)), key=order))
    if doubtful:
        return [None] * len(portions), said
    known = {portion for portion, those in zip(portions, memories, strict=True) if those is not None}
    functions = (piece for piece in pieces if piece.sort is Sort.FUNCTION)
    unsure = (at[piece] for piece in functions if checker.awaits(piece) or not known.issuperset(piece.portions))
    sure = next(unsure, section.document.size)
    return [None] * len(portions), (one for one in said if not one.rule.once or one.report.span.start < sure)


def _starts(document: Document) -> Mapping[Portion, int]:
    """Where its pieces stand, and the strips of those that have some."""
    found: dict[Portion, int] = dict(zip(document.pieces, document.starts, strict=True))
    portions, starts = document.portions
    if portions is not document.pieces:
        found.update(zip(portions, starts, strict=True))
    return found


def _usable(
    memories: tuple[FindingsMemory, ...] | None, at: Mapping[Portion, int]
) -> tuple[FindingsMemory, ...] | None:
    """In the middle of a check, some of what is remembered speaks of pieces that are gone."""
    usable = memories is not None and all(owner in at for memory in memories for owner in memory.owners)
    return memories if usable else None


def _in_view(view: Viewport, section: Section) -> bool:
    starts, pieces = section.document.starts, section.document.pieces
    if section.first >= section.last:
        return False
    return view.touches(starts[section.first], starts[section.last - 1] + pieces[section.last - 1].size)


def _problems(tree: Tree, config: Config) -> Iterator[Finding]:
    rules = all_rules()
    for problem in tree.problems:
        notes = tuple(Note(message, span) for message, span in problem.notes)
        hint = f"; did you mean {problem.suggestion}?" if problem.suggestion else ""
        if config.severity(rules[problem.rule]) is not Severity.OFF:
            report = Report(problem.message + hint, problem.span, notes=notes, fix=problem.repair)
            yield judged(rules[problem.rule], report, None, config)


def _placed(
    document: Document,
    at: Mapping[Portion, int],
    memories: list[tuple[FindingsMemory, ...] | None],
    rest: Iterable[Finding],
) -> dict[int, tuple[Finding, ...]]:
    """What belongs to no portion, by the number of the one it begins in; with what that remembers, which is taken
    out."""
    starts = document.portions.starts
    loose: dict[int, list[Finding]] = {}
    for finding in rest:
        loose.setdefault(bisect_right(starts, finding.report.span.start) - 1, []).append(finding)
    for number, found in loose.items():
        if number >= 0:
            found += placed(memories[number] or (), at)
            memories[number] = None
    return {number: tuple(sorted(found, key=order)) for number, found in loose.items()}
