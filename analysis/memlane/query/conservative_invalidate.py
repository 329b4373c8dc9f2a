"""What an edit can have changed where names alone do not tell: where a name is that of several functions, or functions
stand in statements outside functions, and where what a function does is not all that matters to its callers (budgets).

Then all functions from which an edited one is reached are analysed again, together with all functions that they call.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from functools import cache

from memlane.cancellation import poll
from memlane.config import Config
from memlane.findings import Finding
from memlane.flow import Program, analyse
from memlane.flow.cfg.scc import reachable
from memlane.query.symbol_refs import SectionChange, SymbolRefs
from memlane.run_rules import judge
from memlane.syntax.editing.piece import Piece, Sort
from memlane.syntax.editing.section import Section
from memlane.syntax.tree.tree import take_apart


def changed(mentions: SymbolRefs, change: SectionChange) -> set[Piece]:
    """The pieces in whose functions something else may be found now."""
    names = change.redefined(mentions.defining)
    loose: set[Piece] = set()
    if mentions.hidden and any(piece.sort is Sort.GLUE for piece in (*change.gone, *change.come)):
        # Functions inside of other statements: it is unknown which of the statements contain one.
        loose.update(piece for piece in mentions.pieces if piece.sort is Sort.GLUE)
        names += [name for piece in loose for name in mentions.said[piece].defines]
    touched = mentions.reaching(names) | loose
    touched.update(change.come)

    @cache
    def called_anew(name: str) -> bool:
        callers = mentions.mentioning.get(name, [])
        return change.mentioning.get(name, callers) != callers or not touched.isdisjoint(callers)

    private = (piece for piece in mentions.pieces if mentions.said[piece].private)
    anew = [piece for piece in private if any(map(called_anew, mentions.said[piece].defines))]
    return touched.union(reachable(anew, lambda piece: mentions.private(mentions.said[piece].mentions)))


def analysed(
    section: Section, mentions: SymbolRefs, stale: set[Piece], config: Config
) -> tuple[dict[Piece, list[Finding]], list[Finding]]:
    """What is found in the functions of the pieces `stale`; and, last, in those outside pieces."""
    needed = set(mentions.pieces) if mentions.hidden else _needed(mentions, stale)
    ops = section.part(needed.__contains__, {})
    try:
        return _found(section, stale, Program(ops, config.models, section.document.source), config)
    finally:
        for op in ops:
            take_apart(op)


def _found(
    section: Section, stale: set[Piece], program: Program, config: Config
) -> tuple[dict[Piece, list[Finding]], list[Finding]]:
    document = section.document
    loose: list[Finding] = []
    found: dict[Piece, list[Finding]] = {piece: [] for piece in stale if piece.sort == Sort.FUNCTION}
    for flow in program.functions.values():
        poll()
        piece = document.pieces[bisect_right(document.starts, flow.op.span.start) - 1]
        if piece in found:
            found[piece].extend(judge(analyse(program, flow), flow, program, config))
        elif piece.sort != Sort.FUNCTION:
            loose.extend(judge(analyse(program, flow), flow, program, config))
    return found, loose


def _needed(mentions: SymbolRefs, stale: Iterable[Piece]) -> set[Piece]:
    """What must be built: the stale pieces, callers of private ones and theirs, and all that those call."""
    needed = set(reachable(stale, mentions.callers_of_private))
    pending, seen = list(needed), set[str]()
    while pending:
        for name in set(mentions.said[pending.pop()].mentions) - seen:  # many may define it
            seen.add(name)
            called = set(mentions.defining.get(name, ())) - needed
            needed |= called
            pending += called
    return needed
