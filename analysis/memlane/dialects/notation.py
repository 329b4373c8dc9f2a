"""The little notations inside the TOML values: selectors (`0`, `"1:"`, `"ins"`, `"outs[0]"`), region edges and guards.

A parser here gives the value, or raises `NotationError` whose message says what is expected; `load.py` alone
catches it and makes it a `DataProblem`.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Sequence
from typing import cast

from memlane.dialects.model import NEXT, Guard, RegionEdge, Selector
from memlane.dialects.text_patterns import PatternError, groups_of
from memlane.lazy import regex

_POSITIONS = r"(?P<start>-?\d+)?(?P<colon>:)?(?P<stop>-?\d+)?"
_NAMED = regex(rf"(?P<group>[A-Za-z_]\w*)(?:\[{_POSITIONS}\])?$")
_SLICE = regex(rf"{_POSITIONS}$")
_GUARD = regex(r"(?P<guard>always|trips|done|holds|fails|true|false|case)(?:\((?P<number>-?\d+)\))?$")
_EDGE = regex(
    r"(?P<source>entry|\*|\d+)(?:\((?P<forwards>[^()]*)\))?\s*->\s*"
    r"(?P<target>results|next|\*|\d+)(?:\((?P<onto>[^()]*)\))?(?:\s+when\s+(?P<guard>\S+))?$"
)
EDGE_FORM = 'an edge is "SOURCE(OPERANDS) -> TARGET(ARGUMENTS) when GUARD", as in "entry(3:) -> 0(1:) when trips"'
SELECTOR_FORM = 'operands are selected by position (0, -1), slice ("1:", "0:2"), name ("ins") or both ("ins[0]")'
GUARD_FORM = (
    "a guard is always, trips, done, holds, fails, true(N), false(N) or case(N), where N is an operand's position"
)
BUFFERS = "buffers"
"""The group of all operands that are buffers by their type; `"buffers[1]"` is the second of them."""
TOKENS = "tokens"
"""The group of all operands that are asynchronous tokens by their type."""
VALUES = "async_values"
"""The group of all operands that are by their type values which asynchronous work gives."""
_NUMBERED = frozenset({Guard.TRUE, Guard.FALSE, Guard.CASE})


class NotationError(ValueError):
    """A value that is not written in the notation; the message names the form it should have."""


class Names:
    """ODS operand names of one op, in order; a trailing `*` or `?` marks variadic and optional ones.

    They give a name its position as far as the op's shape fixes one: where everything before it (then counted
    from the front) or after it (then from the back) is a single operand. Otherwise a name is a group.
    """

    __slots__ = ("_selectors", "names", "required")

    def __init__(self, declared: Sequence[str]) -> None:
        self.names = tuple(name.rstrip("*?") for name in declared)
        loose = [name[-1:] in ("*", "?") for name in declared]
        self.required = loose.count(False)
        self._selectors: dict[str, Selector] = {}
        for index, name in enumerate(self.names):
            back = index - len(declared)
            if any(loose[:index]):
                if not any(loose[index:]):
                    self._selectors[name] = Selector(back, back + 1 or None)
            elif not loose[index]:
                self._selectors[name] = Selector(index, index + 1)
            elif not any(loose[index + 1 :]):
                self._selectors[name] = Selector(index, back + 1 or None)

    def resolve(self, name: str) -> Selector:
        """Positions for `name` where they are fixed, else the group of that name."""
        return self._selectors.get(name, Selector(group=name))


NO_NAMES = Names(())


def selector(value: object, names: Names = NO_NAMES) -> Selector:
    """A selector from a TOML integer or string."""
    if isinstance(value, int) and not isinstance(value, bool):
        return Selector(value, value + 1 or None)
    if isinstance(value, str):
        text = value.strip()
        if match := _NAMED.match(text):
            whole = names.resolve(match["group"])
            return whole if text == match["group"] else _within(whole, *_bounds(match))
        if text and (match := _SLICE.match(text)):
            start, stop = _bounds(match)
            return Selector(start, stop)
    raise NotationError(f"{value!r}: {SELECTOR_FORM}")


def selectors(value: object, names: Names = NO_NAMES) -> tuple[Selector, ...]:
    """Selectors from one or a list of them; neighbouring positions are joined into one."""
    items = cast("list[object]", value) if isinstance(value, list) else [value]
    found: list[Selector] = []
    for item in items:
        new = selector(item, names)
        if found and new.group is None and found[-1].group is None and found[-1].stop == new.start > 0:
            new = Selector(found.pop().start, new.stop)
        found.append(new)
    return tuple(found)


def region_edge(value: object, names: Names = NO_NAMES) -> RegionEdge:
    """An edge from its text."""
    match = _EDGE.match(value.strip()) if isinstance(value, str) else None
    if match is None:
        raise NotationError(f"{value!r}: {EDGE_FORM}")
    leaves_op = match["source"] == "entry"
    forwards = None if leaves_op else Selector()
    if match["forwards"] is not None:
        forwards = selector(match["forwards"], names) if match["forwards"].strip() else None
    onto = selector(match["onto"]) if match["onto"] is not None else Selector()
    condition, number = guard(match["guard"] or "always")
    return RegionEdge(
        source=None if leaves_op else _region(match["source"]),
        target=None
        if match["target"] == "results"
        else NEXT
        if match["target"] == "next"
        else _region(match["target"]),
        forwards=forwards,
        onto=onto if forwards is not None else None,
        guard=condition,
        number=number,
    )


def pattern(value: object, least: int, most: int) -> str:
    """A regular expression with so many groups."""
    try:
        groups = groups_of(value) if isinstance(value, str) else None
    except PatternError as error:
        raise NotationError(f"{reprlib.repr(value)}: {error}") from None
    if groups is None or not least <= groups <= most:
        many = f"{least} to {most} groups" if least < most else f"{least} group"
        raise NotationError(f"{value!r}: a regular expression with {many} is due")
    return str(value)


def guard(value: object) -> tuple[Guard, int]:
    """A guard and the operand it looks at from its text."""
    match = _GUARD.match(value.strip()) if isinstance(value, str) else None
    if match is None or (Guard(match["guard"]) in _NUMBERED) != (match["number"] is not None):
        raise NotationError(f"{value!r}: {GUARD_FORM}")
    return Guard(match["guard"]), int(match["number"] or 0)


def _bounds(match: re.Match[str]) -> tuple[int, int | None]:
    start = int(match["start"] or 0)
    if match["colon"]:
        return start, int(match["stop"]) if match["stop"] else None
    return start, start + 1 or None


def _within(whole: Selector, start: int, stop: int | None) -> Selector:
    if whole.group is not None:
        return Selector(start, stop, whole.group)
    base = whole.start
    if start < 0 or base < 0 or (stop is not None and stop < 0):
        raise NotationError("positions inside a named operand count from its first")
    return Selector(base + start, whole.stop if stop is None else base + stop)


def _region(text: str) -> int:
    return -1 if text == "*" else int(text)
