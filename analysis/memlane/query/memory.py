"""What was found in the portions of a piece, kept as it was when it was found."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from memlane.findings import Finding
from memlane.query.findings_store import FindingsMemory, order, spans
from memlane.query.limits import MAX_PARTS
from memlane.query.trivia_edit import Respaced
from memlane.syntax.editing.cut_text import CutText
from memlane.syntax.editing.piece import Piece
from memlane.syntax.editing.strips import Portion


class PieceFindings(NamedTuple):
    """What was found in a version of a piece, where all of the text that it speaks of is what it was.

    Args:
        findings: the identities of the findings.
    """

    memories: tuple[FindingsMemory, ...] = ()
    findings: frozenset[int] = frozenset()

    @staticmethod
    def of(memories: Iterable[FindingsMemory], at: Mapping[Portion, int]) -> PieceFindings:
        """What stands of some memories where portions are now."""
        there = tuple([memory for memory in memories if all(owner in at for owner in memory.owners)])
        return PieceFindings(there, frozenset([id(finding) for memory in there for finding in memory.findings]))


class PieceMemo(NamedTuple):
    """What is kept of a piece.

    Args:
        memories: by its portions.
        same: the finding that is kept in place of one that says the same, by the identity of that.
    """

    memories: Mapping[Portion, tuple[FindingsMemory, ...]]
    same: Mapping[int, Finding]


def remember(
    document: CutText, piece: Piece, at: Mapping[Portion, int], findings: Iterable[Finding], before: PieceFindings
) -> PieceMemo:
    """Findings of one piece of `document`, to be moved with its portions. Those that are in none are with the first.

    Args:
        at: where portions stand.
        before: what was found in the version before, of which some findings may be there still. They stand where they
            stood then, the others in `document`.
    """
    homes = {id(finding): memory for memory in before.memories for finding in memory.findings}
    still: dict[FindingsMemory, list[Finding]] = {}
    fresh: list[Finding] = []
    for finding in findings:
        home = homes.get(id(finding))
        if home is None:
            fresh.append(finding)
        else:
            still.setdefault(home, []).append(finding)
    found: dict[Portion, list[FindingsMemory]] = {portion: [] for portion in piece.portions}
    for memory, those in still.items():
        if len(those) == len(memory.findings) and memory.home in found:
            found[memory.home].append(memory)
        else:
            fresh += memory.part(at)._replace(findings=tuple(those)).placed()
    left = (memory for memory in before.memories if memory not in found.get(memory.home, ()))
    told = {(memory.home, memory.owners): memory for memory in left}
    same: dict[int, Finding] = {}
    for (home, owners), those in _groups(document, piece, at, fresh).items():
        memory = _of_portion(document, home, at[home], owners, those)
        like = told.get((home, memory.owners))
        if like is not None and like.part(at).placed() == memory.findings:
            same.update(zip(map(id, memory.findings), like.findings, strict=True))
            memory = like
        found[home].append(memory)
    turn = {memory: number for number, memory in enumerate(before.memories)}  # those that stay keep theirs
    memories = {home: tuple(sorted(those, key=lambda one: turn.get(one, len(turn)))) for home, those in found.items()}
    return PieceMemo(memories, same)


def _groups(
    document: CutText, piece: Piece, at: Mapping[Portion, int], findings: Iterable[Finding]
) -> Mapping[tuple[Portion, tuple[int, ...]], list[Finding]]:
    """Findings by the portion of the piece that they are with, and the numbers of those that they speak of."""
    portions = piece.portions
    starts = [at[portion] for portion in portions]
    found: dict[tuple[Portion, tuple[int, ...]], list[Finding]] = {}
    for finding in findings:
        home = portions[max(0, bisect_right(starts, finding.report.span.start) - 1)]
        found.setdefault((home, _owners(document, finding)), []).append(finding)
    return found


def _of_portion(
    document: CutText, portion: Portion, start: int, owners: tuple[int, ...], findings: Collection[Finding]
) -> FindingsMemory:
    """Findings that are with one portion, which begins at `start`, and speak of the same others."""
    portions, starts = document.portions
    inside = all(start <= finding.report.span.start < start + portion.size for finding in findings)
    return FindingsMemory(
        portion,
        tuple(sorted(findings, key=order)),
        tuple(portions[number] for number in owners),
        tuple(starts[number] for number in owners),
        (0,) * len(owners),
        inside and not any(finding.rule.once for finding in findings),
    )


def respaced(
    memory: FindingsMemory, before: Portion, portion: Portion, by: Respaced, at: Mapping[Portion, int]
) -> FindingsMemory:
    """The same findings where `portion` is in place of `before`, which stand in other places there.

    Args:
        by: from the start of the portion.
        at: where the portions stand now.
    """
    owners: list[Portion] = []
    starts: list[int] = []
    offsets: list[int] = []
    last = len(memory.owners) - 1
    for number, (owner, start, offset) in enumerate(zip(memory.owners, memory.starts, memory.offsets, strict=True)):
        here = owner is before
        owners.append(portion if here else owner)
        starts.append(start)
        offsets.append(by.place(offset) if here else offset)
        stop = memory.starts[number + 1] if number < last and memory.owners[number + 1] is owner else None
        split = start + by.at - offset
        if here and start < split and (stop is None or split < stop):
            owners.append(portion)
            starts.append(split)
            offsets.append(by.at + by.further)
    home = portion if memory.home is before else memory.home
    found = FindingsMemory(home, memory.findings, tuple(owners), tuple(starts), tuple(offsets), memory.plain)
    return found if len(owners) <= MAX_PARTS else _together(found, at)


def _together(memory: FindingsMemory, at: Mapping[Portion, int]) -> FindingsMemory:
    """The same with each portion once, in the places of now."""
    owners = tuple(dict.fromkeys(memory.owners))
    starts = tuple([at[owner] for owner in owners])
    return FindingsMemory(memory.home, memory.part(at).placed(), owners, starts, (0,) * len(owners), memory.plain)


def _owners(document: CutText, finding: Finding) -> tuple[int, ...]:
    """The numbers of the portions in which spans of a finding are."""
    starts = document.portions.starts
    numbers: set[int] = set()
    begin = end = 0  # of the portion of the last one: most are in the same
    for span in spans(finding):
        if not begin <= span.start < end:
            number = bisect_right(starts, span.start) - 1
            numbers.add(number)
            begin = starts[number]
            end = starts[number + 1] if number + 1 < len(starts) else document.size
        if span.end > end:
            numbers.update(range(bisect_right(starts, span.start), bisect_left(starts, span.end)))
    return tuple(sorted(numbers))
