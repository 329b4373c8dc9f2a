"""Text -> the `// memlane: ...` comments in it that silence findings."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from memlane.findings import Span
from memlane.lazy import regex


class Word(Enum):
    """What a comment does."""

    LINE = "ignore"
    FILE = "ignore-file"
    OFF = "off"
    ON = "on"


WORDS = tuple(word.value for word in Word)
OTHERS = ("assume",)
"""Comments that say something else (memory_report.py reads them)."""

MARK = "memlane:"
"""Stands in each."""
_COMMENT = regex(r"//[ \t]{0,99}memlane:[ \t]{0,99}(?P<word>[\w-]{1,99})(?:[ \t]{0,99}(?P<rules>\[[^\]\r\n]*\]?))?")
_NEXT = regex(r"[ \t]//|//[ \t]{0,99}memlane:")
"""Where a reason ends, at the latest."""
_RULE = regex(r"[^\s,\[\]]+")
_TOKEN = regex(r'"(?:[^"\\\r\n]|\\.)*"?|//')
_LINE_END = regex(r"[\r\n]")


class SilencedRule(NamedTuple):
    """One rule that a comment names: a name, a pattern with `*`, or `ALL`; and where it says so."""

    pattern: str
    span: Span


class Comment(NamedTuple):
    """One comment. Offsets are those of the text it was read from.

    Args:
        word: None for an unknown word.
        span: from its `//` to its end, without the space around it.
        entries: the rules it names; none for `on` without rules, which ends everything that is off.
        reason: what stands behind the rules.
        line: its line, without what ends it, as far as the text goes.
        alone: nothing but space and comments stands on its line, as far as the text goes.
        fault: what is wrong with it; empty: nothing.
    """

    word: Word | None
    span: Span
    entries: tuple[SilencedRule, ...]
    reason: str
    line: Span
    alone: bool
    fault: str = ""


def comments(text: str) -> tuple[Comment, ...]:
    """The comments of a text that begins where a statement or a line does, in order."""
    if MARK not in text:
        return ()
    return tuple(_read(text))


def first_comment(line: str) -> int | None:
    """Where the first comment of a line begins; None: it has none. Text in a string is not a comment."""
    return next((token.start() for token in _TOKEN.finditer(line) if token[0] == "//"), None)


def _read(text: str) -> Iterator[Comment]:
    line, start = Span(0, -1), 0
    for match in _COMMENT.finditer(text):
        if match.start() > line.end:  # all of a line is looked at once, however long it is
            line = line_around(text, match.start())
            first = first_comment(text[line.start : line.end])
            start = line.end if first is None else line.start + first
        if match.start() < start:
            continue  # in a string
        word = Word(match["word"]) if match["word"] in WORDS else None
        if word is None and not _meant(match["word"], match["rules"]):
            continue
        rules: str = match["rules"] or ""
        at = match.start("rules")
        entries = tuple(
            SilencedRule(rule[0], Span(at + rule.start(), at + rule.end())) for rule in _RULE.finditer(rules)
        )
        following = _NEXT.search(text, match.end(), line.end)
        said = text[match.end() : following.start() if following is not None else line.end]
        span = Span(match.start(), match.end() + len(said.rstrip(" \t")))
        fault = _fault(word, match["word"], rules, entries)
        yield Comment(word, span, entries, said.strip(" \t"), line, not text[line.start : start].strip(), fault)


def _meant(word: str, rules: str | None) -> bool:
    """Whether a comment for Memlane was probably meant."""
    return word not in OTHERS and (rules is not None or _nearest(word) is not None)


@lru_cache(1000)
def _nearest(word: str) -> str | None:
    from difflib import get_close_matches  # costs milliseconds that a clean start need not pay

    return next(iter(get_close_matches(word, WORDS, 1)), None)


def _fault(word: Word | None, said: str, rules: str, entries: tuple[SilencedRule, ...]) -> str:
    if word is None:
        close = _nearest(said)
        hint = f"; did you mean `{close}`?" if close else ""
        return f"`memlane: {said}` is not a known comment; these are: {', '.join(f'`{name}`' for name in WORDS)}{hint}"
    if rules and not rules.endswith("]"):
        return "`]` is missing"
    if not entries and (word is not Word.ON or rules):
        return f"it names no rule: write `memlane: {said}[RULE]`, or `{said}[ALL]`"
    return ""


def line_around(text: str, offset: int) -> Span:
    """The line that `offset` is in, without what ends it."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    end = _LINE_END.search(text, offset)
    return Span(start, end.start() if end else len(text))
