"""What differs between statements of one shape: names, numbers, strings, symbols, comments, the insides of `<...>`.

`skeleton_of` takes the names out of a whole text with C speed; lines are first looked up like that. `abstract` takes
out the rest, of lines never seen. `Places` finds the holes again in a statement of the document, so that offsets in
the shape become offsets in the document.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from memlane.lazy import regex
from memlane.syntax.shapes.characters import repaired

VALUE, BLOCK, HOLE = "\x1a", "\x0e", "\x1b"
"""Stand for an SSA name with its `%`, a block name with its `^`, and whatever else was taken out."""

_ID = r"(?:\d+|[A-Za-z$._-][A-Za-z0-9$._-]*)"
NAME = regex(rf"[%^]{_ID}")
"""A name of a value or a block, `#1` and `:2` not included."""

_DIGIT, _MORE = r"\d", r"[A-Za-z0-9$._-]"
"""What goes on with a name that is a number, and with any other."""

_VALUES = regex(rf"%{_ID}")
_BLOCKS = regex(rf"\^{_ID}")
_RESERVED = regex(f"[{VALUE}{BLOCK}{HOLE}]")
_MARKS = regex(f"[{VALUE}{BLOCK}]")
_SPELLED = regex(rf"[%^]{_ID}|[{VALUE}{BLOCK}]")

_NO = rf'<>"%^\n{VALUE}{BLOCK}'
_PLAIN = rf"[^{_NO}]*"


def _inside(depth: int) -> str:
    """What stands in angle brackets that nest so deep. Each round of its loop begins with a bracket or an arrow: what
    is between them, a million numbers too, is one step of `re`, which keeps memory for each round."""
    deeper = f"|<{_inside(depth - 1)}(?<!-)>" if depth else ""
    return f"{_PLAIN}(?:(?:(?<=-)>{deeper}){_PLAIN})*"


_INSIDE = _inside(3)
_NAMES = (rf"%{_ID}()", rf"\^{_ID}()", rf"{VALUE}()", rf"{BLOCK}()")
_NUMBERS = [
    rf"{digit}(?<![\w$.\#:{VALUE}{BLOCK}]{digit})(?:{more}\d*(?:\.\d*(?:[eE][-+]?\d+)?)?)(?![\w.])()"
    for digit, more in (("0", "x[0-9a-fA-F]+|"), *((str(one), "") for one in range(1, 10)))
]
_LOCATION = rf'"(?<=\bloc\(")[^"\n%^{VALUE}{BLOCK}]*":\d+:\d+(?=\))()'
_WHOLE = (*_NUMBERS, _LOCATION)
_PARTS = (
    rf"<(?<=[A-Za-z0-9_$.{VALUE}{BLOCK}-]<)(?<!affine_set<)(?!\{{)({_INSIDE})(?<!-)>",
    rf'"(?:([^"\\\n%^{VALUE}{BLOCK}]*)"(?!\s*[(=])|(?:[^"\\\n]|\\.)*")',
    rf"//(?:([^\n%^{VALUE}{BLOCK}]*)(?=\n|$)|[^\n]*)",
    r"@([A-Za-z$._-][A-Za-z0-9$._-]*)",
    r"\#([A-Za-z_][A-Za-z0-9$._-]*)",
    r"!([A-Za-z_][A-Za-z0-9$._-]*)",
)
"""What is taken out: names, numbers and locations as a whole, of the others the group. That each begins with a certain
character, and not with one of several, is what `re` needs to skip to the next of them."""
_HOLES = regex("|".join((*_NAMES, *_WHOLE, *_PARTS)))
_HOLES_OF_SKELETON = regex("|".join((*_WHOLE, *_PARTS)))
"""The holes of a text whose names have been taken out: the groups of names are missing."""


def clean(source: str) -> str:
    """The source of the same length without reserved and odd characters, every line end made `\\n`."""
    if VALUE in source or BLOCK in source or HOLE in source:
        source = _RESERVED.sub(" ", source)
    if "\r" in source:
        source = source.replace("\r\n", " \n").replace("\r", "\n")
    return repaired(source)


def whole(name: str) -> re.Pattern[str]:
    """What finds a name, with its `%` or `^`, where it is not the beginning of another. A number ends where digits do:
    `%1_` is `%1` and text behind it."""
    return re.compile(rf"{re.escape(name)}(?!{_MORE if not name[1:].isdigit() else _DIGIT})")


def skeleton_of(cleaned: str) -> str:
    """A cleaned source with each name replaced by one character."""
    skeleton = _VALUES.sub(VALUE, cleaned)
    return _BLOCKS.sub(BLOCK, skeleton) if "^" in skeleton else skeleton


def count_names(skeleton: str) -> int:
    """The number of names in a skeleton."""
    return skeleton.count(VALUE) + skeleton.count(BLOCK)


JUDGED_WORDS = ("memref", "tensor", "vector", "complex", "strided", "affine_map")
"""Words whose angle brackets hold what `mistakes.inside` can judge."""


class Abstract(NamedTuple):
    """A shape, and the insides of `word<...>` that were taken out: word, inside, and offset in the shape."""

    shape: str
    insides: list[tuple[str, str, int]]


def abstract(skeleton: str) -> Abstract:
    """A skeleton with everything else that is no matter of shape replaced by one character each."""
    parts: list[str] = []
    insides: list[tuple[str, str, int]] = []
    last = removed = 0
    for match in _HOLES_OF_SKELETON.finditer(skeleton):
        group = match.lastindex
        if group is None:
            continue
        start, end = match.span(group if group > len(_WHOLE) else 0)
        parts.append(skeleton[last:start])
        parts.append(HOLE)
        if group == len(_WHOLE) + 1:
            word = _word_before(skeleton, start - 1)
            if word:
                insides.append((word, skeleton[start:end], start - removed))
        removed += end - start - 1
        last = end
    parts.append(skeleton[last:])
    return Abstract("".join(parts), insides)


def _word_before(text: str, end: int) -> str:
    """The word that ends at `end`, as far as anybody judges what stands in its brackets."""
    if not text.endswith(JUDGED_WORDS, 0, end):
        return ""
    start = end
    while start and (text[start - 1].isalnum() or text[start - 1] in "_$.!#"):
        start -= 1
    return text[start:end]


def slots_of(skeleton: str) -> tuple[int, ...]:
    """Where names stand in a skeleton."""
    return tuple([match.start() for match in _MARKS.finditer(skeleton)])


def holes_of(skeleton: str) -> tuple[list[int], list[int]]:
    """The holes of a statement other than its names: where they are in the shape, and how much further than there
    things stand in the skeleton, before the first hole and after each."""
    holes: list[int] = []
    shifts = [0]
    removed = 0
    for match in _HOLES_OF_SKELETON.finditer(skeleton):
        group = match.lastindex
        if group is None:
            continue
        start, end = match.span(group if group > len(_WHOLE) else 0)
        holes.append(start - removed)
        removed += end - start - 1
        shifts.append(removed)
    return holes, shifts


class Places:
    """The holes of one statement of the document: offsets in its shape -> offsets in the document.

    Args:
        cleaned: the text of its piece. `start`: where the statement starts in it. `base`: where the piece starts.

    Attributes:
        slots: document offsets of the statement's names, in order.
        holes: where the holes are in the shape, and `shifts`: how much further than there things stand in the
            document, before the first hole and after each.
    """

    __slots__ = ("holes", "shifts", "slots")

    def __init__(self, cleaned: str, start: int, end: int, base: int) -> None:
        holes: list[int] = []
        shifts: list[int] = [start + base]
        slots: list[int] = []
        removed = start
        names, whole = len(_NAMES), len(_NAMES) + len(_WHOLE)
        for match in _HOLES.finditer(cleaned, start, end):
            group = match.lastindex
            if group is None:
                for name in _SPELLED.finditer(cleaned, *match.span()):
                    slots.append(name.start() + base)
                    holes.append(name.start() - removed)
                    removed += name.end() - name.start() - 1
                    shifts.append(removed + base)
                continue
            first, last = match.span(group if group > whole else 0)
            if group <= names:
                slots.append(first + base)
            holes.append(first - removed)
            removed += last - first - 1
            shifts.append(removed + base)
        self.holes = holes
        self.shifts = shifts
        self.slots = slots

    def at(self, offset: int) -> int:
        """The document offset of an offset in the shape."""
        holes = self.holes
        number = bisect_right(holes, offset - 1)
        return offset + self.shifts[number]
