"""Findings -> edits that put comments into the text which silence them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memlane.findings import Edit, Finding, Span
from memlane.suppressions.comments import Comment, Word, comments, first_comment
from memlane.text import Text

_INDENT = re.compile(r"[ \t]*")


def ignoring(text: Text, findings: Iterable[Finding], reason: str = "") -> tuple[Edit, ...]:
    """Edits, in text order, after which `findings` are silent.

    A comment goes behind the line of its finding; into the one that is there, if it is of ours; and onto a line of its
    own above where another comment ends the line, which may mean something to somebody else (`CHECK`).
    """
    wanted: dict[int, list[str]] = {}
    for finding in findings:
        names = wanted.setdefault(text.position(finding.report.span.start).line, [])
        if finding.rule.name not in names:
            names.append(finding.rule.name)
    return tuple(_edit(text, line, wanted[line], reason) for line in sorted(wanted))


def _edit(text: Text, line: int, names: list[str], reason: str) -> Edit:
    shown = text.line(line)
    start, end = text.offset(line, 0), text.line_end(line)
    there = _ours(shown)
    if there is not None:
        at = start + there.entries[-1].span.end
        return Edit(Span(at, at), "".join(f", {name}" for name in names))
    comment = f"// memlane: ignore[{', '.join(names)}]" + (f" {reason}" if reason else "")
    if first_comment(shown) is None:
        stop = start + len(shown.rstrip(" \t"))
        return Edit(Span(stop, end), f"  {comment}")
    indent = _INDENT.match(shown)
    return Edit(Span(start, start), f"{indent[0] if indent else ''}{comment}{_line_end(text, line)}")


def _ours(shown: str) -> Comment | None:
    """The comment of a line that silences findings of it."""
    return next((one for one in comments(shown) if one.word is Word.LINE and not one.fault and not one.alone), None)


def _line_end(text: Text, line: int) -> str:
    """How `line`, or another one, ends."""
    if line + 1 < text.line_count:
        return text.source[text.line_end(line) : text.offset(line + 1, 0)]
    return text.source[text.line_end(line - 1) : text.offset(line, 0)] if line else "\n"
