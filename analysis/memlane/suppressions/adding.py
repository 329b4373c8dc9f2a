"""Findings -> edits that put comments into the text which silence them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from memlane.findings import Edit, Finding, Span
from memlane.lazy import regex
from memlane.suppressions.comments import Comment, Word, comments, first_comment
from memlane.text import Text

_INDENT = regex(r"[ \t]*")


class CommentedLine(NamedTuple):
    """What a comment in a line of a text depends on.

    Args:
        start, end: where it begins and ends. `stop`: where spaces at its end begin. `indent`: at its start.
        ours: the comment that silences findings of it. `other`: whether another one is there.
    """

    start: int
    stop: int
    end: int
    indent: str
    ours: Comment | None
    other: bool


def ignoring(
    text: Text, findings: Iterable[Finding], reason: str = "", lines: dict[int, CommentedLine] | None = None
) -> tuple[Edit, ...]:
    """Edits, in text order, after which `findings` are silent.

    A comment goes behind the line of its finding; into the one that is there, if it is of ours; and onto a line of its
    own above where another comment ends the line, which may have a meaning for another tool (`CHECK`).

    `lines`: what is known of the text's lines, by number, for those who ask again of the same ones; more comes in.
    """
    lines = {} if lines is None else lines
    wanted: dict[int, list[str]] = {}
    for finding in findings:
        names = wanted.setdefault(text.position(finding.report.span.start).line, [])
        if finding.rule.name not in names:
            names.append(finding.rule.name)
    return tuple(_edit(text, line, lines, wanted[line], reason) for line in sorted(wanted))


def _edit(text: Text, number: int, lines: dict[int, CommentedLine], names: list[str], reason: str) -> Edit:
    line = lines.get(number)
    if line is None:
        line = lines[number] = _line(text, number)
    if line.ours is not None:
        at = line.start + line.ours.entries[-1].span.end
        return Edit(Span(at, at), "".join(f", {name}" for name in names))
    comment = f"// memlane: ignore[{', '.join(names)}]" + (f" {reason}" if reason else "")
    if not line.other:
        return Edit(Span(line.stop, line.end), f"  {comment}")
    return Edit(Span(line.start, line.start), f"{line.indent}{comment}{_line_end(text, number)}")


def _line(text: Text, number: int) -> CommentedLine:
    shown = text.line(number)
    start = text.offset(number, 0)
    indent = _INDENT.match(shown)
    stop = start + len(shown.rstrip(" \t"))
    ours, other = _ours(shown), first_comment(shown) is not None
    return CommentedLine(start, stop, text.line_end(number), indent[0] if indent else "", ours, other)


def _ours(shown: str) -> Comment | None:
    """The comment of a line that silences findings of it."""
    return next((one for one in comments(shown) if one.word is Word.LINE and not one.fault and not one.alone), None)


def _line_end(text: Text, line: int) -> str:
    """How `line`, or another one, ends."""
    if line + 1 < text.line_count:
        return text.source[text.line_end(line) : text.offset(line + 1, 0)]
    return text.source[text.line_end(line - 1) : text.offset(line, 0)] if line else "\n"
