"""Regular expressions of descriptions: which are accepted, and how they are matched. Both a description and a program
may come from anybody, and Python's matcher tries all ways in which a pattern fits.

A pattern is accepted if it has few ways to fit any text. Where the next character decides whether a repetition goes on,
or which alternative is taken, there is one way; elsewhere there are as many as characters that may be repeated, or as
alternatives. The ways of what follows each other multiply. A match looks at the head of one operation, and at so many
characters of it, so that the work for a file grows with its length.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from memlane.dialects.limits import MAX_MATCHED_TEXT, MAX_PARENTHESES, MAX_PATTERN, MAX_WAYS

if TYPE_CHECKING:
    from memlane.syntax.tree.tree import Op

_ASCII = frozenset(map(chr, range(128)))
_OTHERS = frozenset("\u00e9\u0663\u3000\u20ac")
"""Stand for all characters that are not ASCII: letters, digits, blanks, and the rest."""
_ALL = _ASCII | _OTHERS
_CATEGORIES = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w", "NOT_DIGIT": r"\D", "NOT_SPACE": r"\S", "NOT_WORD": r"\W"}
_OTHER_FLAGS = re.IGNORECASE | re.ASCII

_REPEATED = "`*`, `+` and `{n}` may repeat one character or one class of characters, as in `[^()]*`, and no group"
_AMBIGUOUS = (
    "what follows `*`, `+`, `?` or `|` has to begin with another character than what is repeated or chosen, as in "
    "`[^=]*=`; one `.*` is allowed"
)
_FORMS = "characters, classes, groups, `|`, `?`, `*`, `+`, `{n}`, `^`, `$` and `\\b` may be used"
_SIZE = f"it has more than {MAX_PATTERN:,} characters or {MAX_PARENTHESES} groups"

_Item = tuple[object, Any]
"""A node of the tree that Python's parser of regular expressions makes: what it is, and its parts."""


class PatternError(ValueError):
    """What is no regular expression, or one that is not accepted; the message says why."""


class _Fit(NamedTuple):
    """What is known of a part of a pattern and all that follows it.

    Args:
        first: characters that a text may begin with that fits. ways: in which the part may fit one text, at most.
    """

    first: frozenset[str]
    ways: int


def groups_of(text: str) -> int:
    """How many groups a pattern has. Raises PatternError: it is none, or matching it may take too long."""
    if len(text) > MAX_PATTERN or text.count("(") > MAX_PARENTHESES:
        raise PatternError(f"matching it may take too long: {_SIZE}")
    parser = import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
    try:
        tree = parser.parse(text)
    except (re.error, ValueError, OverflowError) as error:  # a flag for bytes; a number of many digits
        raise PatternError(f"no regular expression: {error}") from None
    if tree.state.flags & _OTHER_FLAGS:
        raise PatternError(f"matching it may take too long: {_FORMS}")
    if _sequence(tree.data, frozenset()).ways > MAX_WAYS:
        raise PatternError(f"matching it may take too long: {_AMBIGUOUS}")
    return int(tree.state.groups) - 1


def match_head(text: str, source: str, op: Op) -> re.Match[str] | None:
    """Match a pattern with what is written behind the name of an operation, up to what is nested in it."""
    start = op.name_span.end
    nested = next(op.inside(), None)
    end = op.span.end if nested is None else nested.span.start
    return _compiled(text).match(source, start, min(end, start + MAX_MATCHED_TEXT))


@lru_cache(maxsize=4096)
def _compiled(text: str) -> re.Pattern[str]:
    return re.compile(text)


def _sequence(items: Sequence[_Item], after: frozenset[str]) -> _Fit:
    """Of parts that follow each other. `after`: characters that what follows them may begin with."""
    first, ways = after, 1
    for kind, parts in reversed(items):
        characters = _characters(kind, parts)
        fit = _Fit(characters, 1) if characters is not None else _structure(str(kind))(parts, first)
        first, ways = fit.first, ways * fit.ways
    return _Fit(first, ways)


def _structure(kind: str) -> Callable[[Any, frozenset[str]], _Fit]:
    """What measures a part that is no single character."""
    match kind:
        case "AT":
            return _anchor
        case "SUBPATTERN":
            return _group
        case "BRANCH":
            return _branch
        case "MAX_REPEAT" | "MIN_REPEAT":
            return _repeat
        case _:
            raise PatternError(f"matching it may take too long: {_FORMS}")


def _anchor(_: Any, after: frozenset[str]) -> _Fit:
    return _Fit(after, 1)


def _group(parts: Any, after: frozenset[str]) -> _Fit:
    _, flags, _, inside = parts
    if flags & _OTHER_FLAGS:
        raise PatternError(f"matching it may take too long: {_FORMS}")
    return _sequence(inside.data, after)


def _branch(parts: Any, after: frozenset[str]) -> _Fit:
    return _either([_sequence(one.data, after) for one in parts[1]])


def _either(fits: Sequence[_Fit]) -> _Fit:
    """Of alternatives: the next character decides if no two begin with the same."""
    first = frozenset[str]().union(*[fit.first for fit in fits])
    decided = len(first) == sum(len(fit.first) for fit in fits)
    ways = [fit.ways for fit in fits]
    return _Fit(first, max(ways) if decided else sum(ways))


def _repeat(parts: Any, after: frozenset[str]) -> _Fit:
    least, most, inside = parts
    once = _sequence(inside.data, after)
    if most <= 1:
        return once if least else _either([once, _Fit(after, 1)])
    characters = _characters(*inside.data[0]) if len(inside.data) == 1 else None
    if characters is None:
        raise PatternError(f"matching it may take too long: {_REPEATED}")
    first = characters if least else characters | after
    return _Fit(first, max(min(int(most), MAX_MATCHED_TEXT) - least + 1, 1) if characters & after else 1)


def _characters(kind: object, parts: Any) -> frozenset[str] | None:
    """The characters that fit a part which is one character or one class of them; None: it is something else."""
    match str(kind):
        case "LITERAL":
            return _range(parts, parts)
        case "NOT_LITERAL":
            return _ALL - {chr(parts)} | _OTHERS
        case "ANY":
            return _ALL
        case "IN":
            return _class(parts)
        case _:
            return None


def _range(low: int, high: int) -> frozenset[str]:
    """Characters from one number to another."""
    ascii_ones = frozenset(map(chr, range(low, min(high, 127) + 1)))
    return ascii_ones if high < 128 else ascii_ones | _OTHERS


def _class(items: Sequence[_Item]) -> frozenset[str]:
    """The characters of a class."""
    whole, single = frozenset[str](), frozenset[str]()
    for kind, parts in items:
        if str(kind) == "CATEGORY":
            fits = re.compile(_CATEGORIES[str(parts).removeprefix("CATEGORY_")]).match
            whole |= frozenset(one for one in _ALL if fits(one))
        elif str(kind) == "RANGE":
            single |= _range(*parts)
        elif str(kind) == "LITERAL":
            single |= _range(parts, parts)
    if str(items[0][0]) != "NEGATE":
        return whole | single
    return _ALL - whole - (single & _ASCII)  # beyond ASCII, others than those it names are left
