"""Checking a document again after an edit: only the functions that the edit can have changed are looked at.

What is found in a function depends on its text, on the functions it calls and those call, and, where it is private,
on its callers. All of that is decided by the names that pieces of text mention, before any op is built: more mentions
than calls only cost time. Pieces an edit did not touch are the same objects in the next document (syntax/pieces.py),
so a piece is the key of what is remembered about it. The first check is one with nothing remembered.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from threading import RLock

from memlane.cancellation import poll
from memlane.config import Config
from memlane.findings import Finding, Note, Report, Severity, Span
from memlane.flow import Program, analyse
from memlane.judge import finding as judged
from memlane.judge import judge
from memlane.parts import Part, Parts, moved, once, order
from memlane.rules import all_rules
from memlane.suppressions import Comment, comments, silenced
from memlane.syntax import Document
from memlane.syntax.document import Section
from memlane.syntax.pieces import Piece, Sort
from memlane.syntax.shape import OpShape
from memlane.syntax.tree import Tree

_NAME = re.compile(r'@?"([^"\n]*)"|@([-\w$.]+)')
"""A symbol, or a string: callees may be written as one."""


@dataclass(frozen=True, slots=True)
class Said:
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


@dataclass(slots=True, eq=False)
class _State:
    """A section when it was checked: per name, in text order, the pieces that define and that mention it."""

    defining: dict[str, list[Piece]]
    mentioning: dict[str, list[Piece]]
    frame: list[Piece]


@dataclass(slots=True, eq=False)
class _Memory:
    """What was found in a piece, when its section was as `state` tells.

    Args:
        owners: the pieces its spans lie in, in text order, the piece itself among them.
        starts: where those stood.
        findings: in source order.
        plain: they all begin in the piece itself, and none is of a rule that speaks once.
    """

    state: _State
    owners: tuple[Piece, ...]
    starts: tuple[int, ...]
    findings: tuple[Finding, ...]
    plain: bool

    def part(self, at: Mapping[Piece, int]) -> Part:
        """The findings, and where the pieces stand now."""
        return Part(self, self.findings, self.owners, self.starts, tuple([at[owner] for owner in self.owners]))


class Checker:
    """Checks the versions of one document one after the other. May be shared by threads: they take turns."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._config: Config | None = None
        self._said: dict[Piece, Said] = {}
        self._memories: dict[Piece, _Memory] = {}
        self._comments: dict[Piece, tuple[Comment, ...]] = {}

    def findings(self, document: Document, config: Config) -> tuple[Finding, ...]:
        """The findings of `document` that no comment silences, in source order."""
        return self.results(document, config).findings

    def results(self, document: Document, config: Config) -> Parts:
        """What is found in `document`, and what its comments silence. Its models are those of `config`."""
        with self._lock:
            if config is not self._config:
                self._memories = {}
                self._config = config
            poll()
            tree = document.tree
            at = dict(zip(document.pieces, document.starts, strict=True))
            said = self._said
            self._said = {piece: said.get(piece) or said_by(document, piece) for piece in document.pieces}
            rest = list(_problems(tree, config))
            parts: dict[int, Part] = {}
            for section in document.sections:
                those, loose = self._of_section(section, at, config)
                parts.update(those)
                rest += loose
            self._memories = {piece: self._memories[piece] for piece in at if piece in self._memories}
            said = self._comments_of(document)
            if any(said):
                found = sorted((*rest, *(one for part in parts.values() for one in part.placed())), key=order)
                left = silenced(document, said, found, config)
                return Parts(document, (Part(None, left.findings),), left.suppressed)
            return Parts(document, tuple(_merged(document, parts, rest)))

    def _comments_of(self, document: Document) -> list[tuple[Comment, ...]]:
        """The comments of each piece that silence something."""
        known: dict[Piece, tuple[Comment, ...]] = {}
        for piece in document.pieces:
            said = self._comments.get(piece)
            known[piece] = comments(piece.text) if said is None else said
        self._comments = known
        return list(map(known.__getitem__, document.pieces))

    def _of_section(
        self, section: Section, at: Mapping[Piece, int], config: Config
    ) -> tuple[dict[int, Part], list[Finding]]:
        """What is found in the section's pieces, by their number, and what belongs to none of them."""
        pieces = section.document.pieces[section.first : section.last]
        state = self._state(pieces)
        stale = self._stale(pieces, state, at)
        hidden = any(self._said[piece].hidden for piece in pieces)
        found: list[Finding] = []
        if stale or hidden:
            needed = set(pieces) if hidden else self._needed(state, stale)
            found = self._analyse(section, state, stale, needed, config)
        parts: dict[int, Part] = {}
        plain = not found
        for number, piece in enumerate(pieces, section.first):
            memory = self._memories.get(piece)
            if memory is not None:
                memory.state = state
                if memory.findings:
                    parts[number] = memory.part(at)
                    plain = plain and memory.plain
        if plain:
            return parts, []
        all_ = sorted((*found, *(one for part in parts.values() for one in part.placed())), key=order)
        return {}, list(once(all_))

    def _state(self, pieces: Iterable[Piece]) -> _State:
        state = _State({}, {}, [])
        for piece in pieces:
            said = self._said[piece]
            for name in said.defines:
                state.defining.setdefault(name, []).append(piece)
            for name in said.mentions:
                state.mentioning.setdefault(name, []).append(piece)
            if said.opens:
                state.frame.append(piece)
        return state

    def _stale(self, pieces: Iterable[Piece], state: _State, at: Mapping[Piece, int]) -> set[Piece]:
        """The functions whose findings are not known."""
        stale: set[Piece] = set()
        known: dict[_State, list[Piece]] = {}
        for piece in pieces:
            if piece.sort == Sort.FUNCTION:
                memory = self._memories.get(piece)
                if memory is None or not all(owner in at for owner in memory.owners):
                    stale.add(piece)
                else:
                    known.setdefault(memory.state, []).append(piece)
        for old, those in known.items():
            if old.frame != state.frame:
                stale.update(those)
                continue
            touched = self._touched(old, state)
            stale.update(touched.intersection(those))
            for piece in those:
                if self._said[piece].private and piece not in stale and self._called_anew(piece, old, state, touched):
                    stale.add(piece)
        return stale

    def _touched(self, old: _State, new: _State) -> set[Piece]:
        """Pieces from which a name is reached that means something else now."""
        names = old.defining.keys() | new.defining.keys()
        pending = [name for name in names if old.defining.get(name) != new.defining.get(name)]
        touched: set[Piece] = set()
        while pending:
            for piece in new.mentioning.get(pending.pop(), ()):
                if piece not in touched:
                    touched.add(piece)
                    pending.extend(self._said[piece].defines)
        return touched

    def _called_anew(self, piece: Piece, old: _State, new: _State, touched: set[Piece]) -> bool:
        """Whether the callers of a piece may pass something else now."""
        for name in self._said[piece].defines:
            callers = new.mentioning.get(name, [])
            if callers != old.mentioning.get(name, []) or not touched.isdisjoint(callers):
                return True
        return False

    def _needed(self, state: _State, pieces: Iterable[Piece]) -> set[Piece]:
        """What must be built to analyse `pieces`: them, callers of private ones, and all that those call."""
        pending = list(pieces)
        for piece in pieces:
            if self._said[piece].private:
                for name in self._said[piece].defines:
                    pending.extend(state.mentioning.get(name, ()))
        needed = set(pending)
        while pending:
            for name in self._said[pending.pop()].mentions:
                for piece in state.defining.get(name, ()):
                    if piece not in needed:
                        needed.add(piece)
                        pending.append(piece)
        return needed

    def _analyse(
        self, section: Section, state: _State, stale: set[Piece], needed: set[Piece], config: Config
    ) -> list[Finding]:
        """Remember what is found in the `stale` functions; gives what is found in functions outside pieces."""
        document = section.document
        for piece in stale:
            self._memories.pop(piece, None)
        program = Program(section.part(needed.__contains__, {}), config.models, document.source)
        loose: list[Finding] = []
        found: dict[Piece, list[Finding]] = {}
        last: Piece | None = None
        for flow in program.functions.values():
            poll()
            piece = document.pieces[bisect_right(document.starts, flow.op.span.start) - 1]
            if last is not None and piece is not last:
                self._remember(document, state, last, found.pop(last))
                last = None
            if piece in stale:
                found.setdefault(piece, []).extend(judge(analyse(program, flow), program, config))
                last = piece
            elif piece.sort != Sort.FUNCTION:
                loose.extend(judge(analyse(program, flow), program, config))
        if last is not None:
            self._remember(document, state, last, found.pop(last))
        for piece in stale:
            if piece not in self._memories:
                self._memories[piece] = _Memory(state, (), (), (), plain=True)
        return loose

    def _remember(self, document: Document, state: _State, piece: Piece, findings: list[Finding]) -> None:
        numbers: set[int] = set()

        def note(span: Span) -> Span:
            numbers.add(bisect_right(document.starts, span.start) - 1)
            return span

        for finding in findings:
            moved(finding, note)
        owners = sorted(numbers)
        own = next((document.starts[number] for number in owners if document.pieces[number] is piece), 0)
        inside = all(own <= finding.report.span.start < own + piece.size for finding in findings)
        self._memories[piece] = _Memory(
            state,
            tuple(document.pieces[number] for number in owners),
            tuple(document.starts[number] for number in owners),
            tuple(sorted(findings, key=order)),
            inside and not any(finding.rule.once for finding in findings),
        )


def said_by(document: Document, piece: Piece) -> Said:
    """What `piece`, one of `document`, says of functions."""
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
        opens = any(not isinstance(event, OpShape) for event in events)
        hidden = any(isinstance(event, OpShape) and document.scoping.function(event.name) for event in events)
        defines = tuple(mentions) if hidden else ()
    else:
        defines = tuple({piece.symbol or "", *piece.resolved.symbols})
        if mentions.get(piece.symbol or "") == 1:
            del mentions[piece.symbol or ""]  # its own head: it does not call itself
    return Said(defines, tuple(mentions), "private" in piece.text, hidden, opens)


_NOTHING_SAID = Said((), (), private=False, hidden=False, opens=False)


def _problems(tree: Tree, config: Config) -> Iterator[Finding]:
    rules = all_rules()
    for problem in tree.problems:
        notes = tuple(Note(message, span) for message, span in problem.notes)
        hint = f"; did you mean {problem.suggestion}?" if problem.suggestion else ""
        if config.severity(rules[problem.rule]) is not Severity.OFF:
            report = Report(problem.message + hint, problem.span, notes=notes)
            yield judged(rules[problem.rule], report, None, config)


def _merged(document: Document, parts: Mapping[int, Part], rest: Iterable[Finding]) -> Iterator[Part]:
    """The parts, by the number of their piece, with what belongs to none of them in its place."""
    loose: dict[int, list[Finding]] = {}
    for finding in rest:
        loose.setdefault(bisect_right(document.starts, finding.report.span.start) - 1, []).append(finding)
    for number in sorted({**parts, **loose}) if loose else parts:
        part = parts.get(number)
        if number in loose or part is None:
            found = (*loose[number], *(part.placed() if part is not None else ()))
            yield Part(None, tuple(sorted(found, key=order)))
        else:
            yield part
