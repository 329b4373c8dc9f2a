"""The part of a long text that decides the findings of the functions in view, found without reading all of it.

Left out are functions which those in view neither call nor, where they are private, are called by, through whatever
others. All that stands outside functions stays. What is left is a text like any other, in which the functions in view
say the same as in the whole.

That functions begin and end where this says rests on how text is cut (`pieces.py`): a line that begins with `func.func
@` or `llvm.func @` begins a function, and ends the one before it, where no function of less indentation is open; and
where braces balance a function ends with the first brace that closes at its own indentation. A text that has functions
of both kinds, or written or placed in any other way, has no excerpt.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from memlane.findings import Span
from memlane.lazy import regex
from memlane.syntax.editing.limits import MIN_EXCERPT_RATIO
from memlane.syntax.shapes import forms

_HEADS = {
    name: regex(rf"{re.escape(name)} (?:(?:{'|'.join(words)}) )*@([-\w$.]+)[(\s]")
    for name, words in forms.HEADS.items()
}
_WORD = next(iter(_HEADS)).rpartition(".")[2]
"""What the names of all of them end in."""
_OTHER = regex(rf"{_WORD}(?:[\w<]|\.(?!{_WORD}\b)\w)")
_NAME_PART = regex(r"[\w$\-@%#!^]")
_MENTION = regex(r'[@":]([-\w$.]+)')
"""A symbol, or what may be one: one too many makes the excerpt larger than it need be."""
_END = regex(r"\}[ \t]*(?:loc\([^\n]*\)[ \t]*)?(?://[^\n]*)?\r?(?:\n|\Z)(?:[ \t]*(?://(?! -----)[^\n]*)?\r?\n)*")
"""The last line of a function, and lines without statements behind it."""
_NO_CODE = regex(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*')
_BRACED_COMMENT = regex(r"//[^\n{}]*[{}][^\n]*")
_COMMENT = "memlane:"
"""In comments that say something of findings, perhaps elsewhere."""


class Placed(NamedTuple):
    """Where a function stands, from the start of its first line to where something else begins, and its symbol."""

    start: int
    end: int
    symbol: str


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Some of a text.

    Args:
        text: what there is of it.
        starts: offsets in `text` where its parts begin, each of which is one in the whole; `places`: where there.
        functions: in the whole, those in view.
        reach: in the whole, where no other function is visible: `end` is exclusive.
    """

    text: str
    starts: tuple[int, ...]
    places: tuple[int, ...]
    functions: tuple[Span, ...]
    reach: Span

    def place(self, offset: int) -> int:
        """Where an offset of the excerpt is in the whole."""
        number = bisect_right(self.starts, offset) - 1
        return self.places[number] + offset - self.starts[number]


def excerpt(source: str, view: Span) -> Excerpt | None:
    """The excerpt for the functions that `view` touches; None where all has to be read: it touches none, `source` is
    not written as this module needs it, or too much is needed."""
    functions = functions_of(source)
    if functions is None:
        return None
    seen = [number for number, one in enumerate(functions) if one.start <= view.end and view.start < one.end]
    needed = _needed(source, functions, seen) if seen else None
    if needed is None:
        return None
    parts = list(_parts(source, functions, needed))
    sizes = [part.end - part.start for part in parts]
    if sum(sizes) * MIN_EXCERPT_RATIO > len(source):
        return None
    text = "".join([source[part.start : part.end] for part in parts])
    places = tuple([part.start for part in parts])
    spans = tuple([Span(functions[number].start, functions[number].end) for number in seen])
    before, behind = functions[: seen[0]][-1:], functions[seen[-1] + 1 :][:1]
    reach = Span(before[0].end if before else 0, behind[0].start if behind else len(source) + 1)
    return Excerpt(text, tuple(accumulate(sizes[:-1], initial=0)), places, spans, reach)


def _parts(source: str, functions: Sequence[Placed], needed: set[int]) -> Iterator[Span]:
    """What is not left out."""
    at = 0
    for number, one in enumerate(functions):
        if number not in needed:
            if at < one.start:
                yield Span(at, one.start)
            at = one.end
    if at < len(source):
        yield Span(at, len(source))


# ---- functions without reading them ------------------------------------------------------------------------------


def functions_of(source: str) -> list[Placed] | None:
    """The functions that have bodies, in text order; None if unknown."""
    heads = _heads(source)
    if not heads:
        return None
    found: list[Placed] = []
    closing = f"\n{source[heads[0][0] : heads[0][1]]}}}"
    stops = [start for start, _, _ in heads[1:]] + [len(source)]
    for (start, at, symbol), stop in zip(heads, stops, strict=True):
        last = source.find(closing, at, stop)
        if last < 0:
            continue  # a declaration; should it be anything else, reading it will tell
        match = _END.match(source, last + len(closing) - 1)
        if match is None or not _balanced(source, at, match.end()):
            return None
        found.append(Placed(start, match.end(), symbol))
    return found


def _balanced(source: str, start: int, end: int) -> bool:
    """Whether as many braces are closed as are opened. Strings are not looked for where that is so without."""
    wrong = source.count("{", start, end) - source.count("}", start, end)
    if wrong:
        said = [match.group() for match in _BRACED_COMMENT.finditer(source, start, end)]
        wrong -= sum(one.count("{") - one.count("}") for one in said)
    if wrong:
        code = _NO_CODE.sub("", source[start:end])
        wrong = code.count("{") - code.count("}")
    return not wrong


def _heads(source: str) -> list[tuple[int, int, str]] | None:
    """Of each function: where its line and, behind the indentation, its name begin, and its symbol.

    None where there are none, something else may be one, or one may stand in another.
    """
    if forms.SEQUENCE in source or ("\r" in source and source.count("\r") != source.count("\r\n")):
        return None
    found: list[tuple[int, int, str]] = []
    form = ""
    at = last = 0
    while (at := source.find(_WORD, at)) >= 0:
        if not _harmless(source, at):
            last = start = source.rfind("\n", last, at) + 1 or last
            if not source[start:at].lstrip().startswith("//"):
                form = form or _form(source, at)
                begin = at - form.find(_WORD)
                margin = source[start:begin]
                match = _HEADS[form].match(source, begin) if form else None
                if match is None or margin.strip(" \t") or (found and margin != source[found[0][0] : found[0][1]]):
                    return None
                found.append((start, begin, match.group(1)))
                at = match.end(1)
                continue
        at += len(_WORD)
    return found if found and "{-#" not in source[: found[-1][0]] else None


def _form(source: str, at: int) -> str:
    """Which of the functions of this module the word at `at` belongs to; "": none."""
    return next((name for name in _HEADS if source.startswith(name, max(0, at - name.find(_WORD)))), "")


def _harmless(source: str, at: int) -> bool:
    """Whether a word at `at` is part of another, or of the name of something that is no function."""
    if _NAME_PART.match(source[at - 1 : at]):
        return not source.endswith(forms.OLD_FUNCTIONS, 0, at + len(_WORD))
    return bool(_OTHER.match(source, at))


# ---- what they need ----------------------------------------------------------------------------------------------


def _needed(source: str, functions: Sequence[Placed], seen: Sequence[int]) -> set[int] | None:
    """The numbers of the functions that decide what is found in those seen; None where they are much of the text."""
    named: dict[str, list[int]] = {}
    for number, one in enumerate(functions):
        named.setdefault(one.symbol, []).append(number)
    starts = [one.start for one in functions]
    pending = [*seen, *_around(source, functions, starts, _COMMENT)]
    for number in seen:
        if forms.may_be_private(source[functions[number].start : functions[number].end]):
            for mark in '@"':
                pending += _around(source, functions, starts, mark + functions[number].symbol)
    needed = set(pending)
    size = sum(functions[number].end - functions[number].start for number in needed)
    while pending and size * MIN_EXCERPT_RATIO <= len(source):
        start, end, _ = functions[pending.pop()]
        for name in {name for name in _MENTION.findall(source, start, end) if name in named}:
            for number in named[name]:
                if number not in needed:
                    needed.add(number)
                    pending.append(number)
                    size += functions[number].end - functions[number].start
    return None if pending else needed


def _around(source: str, functions: Sequence[Placed], starts: Sequence[int], text: str) -> Iterator[int]:
    """The numbers of the functions in which some text stands."""
    at = 0
    while (at := source.find(text, at)) >= 0:
        number = bisect_right(starts, at) - 1
        if number >= 0 and at < functions[number].end:
            yield number
            at = functions[number].end
        else:
            at += len(text)
