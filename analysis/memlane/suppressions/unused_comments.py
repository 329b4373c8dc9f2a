"""Comments that silence nothing, or cannot -> reports, with the fix that takes them out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from memlane.findings import Applicability, Edit, Fix, Report, Severity, Span
from memlane.suppressions.comments import Comment, SilencedRule, Word

_BLANK = " \t"


class Stale(NamedTuple):
    """A comment to be judged.

    Args:
        start: offset in the source of the text its own offsets count from.
        used: its entries that silenced something; of an `on`, those that ended something.
        ended: of an `on`: whether it ended anything.
        partners: of an `off`: the comments that make no sense without it, and where their offsets count from.
    """

    comment: Comment
    start: int
    used: frozenset[SilencedRule]
    ended: bool
    partners: tuple[tuple[Comment, int], ...]


def reports(
    source: str, comments: Sequence[Stale], speaks: Callable[[str], bool | None], sure: bool
) -> Iterator[Report]:
    """What is wrong with the comments of `source`, in text order.

    Args:
        speaks: whether a pattern names rules that are all on; None: it names none.
        sure: all of the source was read and analysed, so that a comment that silenced nothing is not needed.
    """
    for one in comments:
        if one.comment.fault:
            yield Report(one.comment.fault, _span(one, one.comment.span), severity=Severity.WARNING)
        elif one.comment.word is Word.ON:
            yield from _stray(source, one)
        else:
            yield from (_unknown(one, entry) for entry in one.comment.entries if speaks(entry.pattern) is None)
            if sure:
                yield from _unused(source, one, speaks)


def _stray(source: str, one: Stale) -> Iterator[Report]:
    """What an `on` does not end."""
    if not one.used and not one.ended:
        yield Report("nothing is off here", _span(one, one.comment.span), fix=_removal(source, one))
        return
    for entry in one.comment.entries:
        if entry not in one.used:
            yield Report(f"{entry.pattern} is not off here", _span(one, entry.span), fix=_without(source, one, entry))


def _unknown(one: Stale, entry: SilencedRule) -> Report:
    from difflib import get_close_matches  # costs milliseconds that a clean start need not pay

    from memlane.rules import all_rules

    close = get_close_matches(entry.pattern, all_rules(), 1)
    hint = f"; did you mean {close[0]}?" if close else ""
    return Report(f"unknown rule {entry.pattern}{hint}", _span(one, entry.span), severity=Severity.WARNING)


def _unused(source: str, one: Stale, speaks: Callable[[str], bool | None]) -> Iterator[Report]:
    entries = one.comment.entries
    idle = [entry for entry in entries if entry not in one.used and speaks(entry.pattern)]
    if not idle:
        return
    if len(idle) == len(entries):
        names = ", ".join(entry.pattern for entry in idle)
        message = f"nothing to ignore: {names} finds nothing here"
        yield Report(message, _span(one, one.comment.span), fix=_removal(source, one))
        return
    for entry in idle:
        message = f"nothing to ignore: {entry.pattern} finds nothing here"
        yield Report(message, _span(one, entry.span), fix=_without(source, one, entry))


def _span(one: Stale, span: Span) -> Span:
    return Span(one.start + span.start, one.start + span.end)


def _removal(source: str, one: Stale) -> Fix:
    """Take out a comment, and the `on` that belongs to it."""
    edits = [_cut(source, comment, start) for comment, start in ((one.comment, one.start), *one.partners)]
    return Fix("Remove the comment", tuple(sorted(edits, key=lambda edit: edit.span)), Applicability.SAFE)


def _cut(source: str, comment: Comment, base: int) -> Edit:
    """Without a comment: with the space before it, and with its line where nothing else stands there."""
    line = Span(base + comment.line.start, base + comment.line.end)
    start, end = base + comment.span.start, base + comment.span.end
    while start > line.start and source[start - 1] in _BLANK:
        start -= 1
    if start == line.start and not source[end : line.end].strip(_BLANK):
        end = line.end + (2 if source.startswith("\r\n", line.end) else 1)
        return Edit(Span(line.start, min(end, len(source))), "")
    return Edit(Span(start, end) if start > line.start else Span(base + comment.span.start, _past(source, end)), "")


def _past(source: str, end: int) -> int:
    while end < len(source) and source[end] in _BLANK:
        end += 1
    return end


def _without(source: str, one: Stale, entry: SilencedRule) -> Fix:
    """Take out one rule of several, with the comma before it, or else the one behind it."""
    start, end = _span(one, entry.span)
    before = source[:start].rstrip(_BLANK)
    if before.endswith(","):
        start = len(before) - 1
    else:
        while end < len(source) and source[end] in ", \t":
            end += 1
    return Fix(f"Remove {entry.pattern} from the comment", (Edit(Span(start, end), ""),), Applicability.SAFE)
