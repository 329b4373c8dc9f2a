"""Characters that web pages and word processors put in place of MLIR's: read as what was meant, and reported once."""

from __future__ import annotations

from memlane.findings import Applicability, Edit, Fix, Span
from memlane.lazy import regex
from memlane.syntax.problems import Problem

ARROW = "\u2192"
"""Read as `->`."""

_MEANT = {
    **dict.fromkeys("\u201c\u201d\u201e\u2033\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2212\u2013\u2010\u2011", "-"),
    **dict.fromkeys("\u00a0\u2009\u202f\u200b\ufeff\u3000", " "),
    **dict.fromkeys("\uff05", "%"),
    **dict.fromkeys("\u2192\u27f6\u21d2", ARROW),
}
_ODD = regex(rf"""("(?:[^"\\\n]|\\.)*"|//[^\n]*)|[{"".join(_MEANT)}]""")


def repaired(text: str) -> str:
    """The text with such characters outside strings and comments replaced one for one."""
    if text.isascii():
        return text
    return _ODD.sub(lambda match: match.group(1) or _MEANT[match.group()], text)


def odd_characters(text: str) -> tuple[Problem, ...]:
    """One problem for all such characters of a text, with the repair."""
    if text.isascii():
        return ()
    edits = tuple(
        Edit(Span(*match.span()), _MEANT[match.group()].replace(ARROW, "->"))
        for match in _ODD.finditer(text)
        if match.group(1) is None
    )
    if not edits:
        return ()
    first = edits[0].span
    message = f"{text[first.start]!r} is not the character MLIR knows; it is read as {edits[0].content!r}"
    fix = Fix("Replace typographic characters", edits, Applicability.SAFE)
    return (Problem("syntax", message, first, fix=fix),)
