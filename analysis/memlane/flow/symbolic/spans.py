"""Between which numbers one is by how it is computed, and by what is known of its parts (interval arithmetic).

Where nothing is known of a part, nothing is known of what is added to it; but the smaller of two numbers is below each.
Numbers of a type with a width may wrap where they do not fit it: then nothing is known but the type. An index is a size
or a position, and those of real programs fit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from memlane.flow.symbolic.constant_folding import width
from memlane.flow.symbolic.limits import MAX_SPAN_DEPTH
from memlane.flow.symbolic.range import INFINITY, Range
from memlane.flow.symbolic.width_casts import RESIZED, within_type

_Expr = tuple[Any, ...]
_Span = tuple[float, float]
"""The least and the largest number, both inclusive."""
_ALL: _Span = (-INFINITY, INFINITY)


def span_of(number: _Expr, env: Mapping[_Expr, _Expr | Range]) -> Range | None:
    """The numbers that one may be; None where nothing is known.

    Args:
        env: what is known of its parts; what is of itself, too.
    """
    low, high = _span(number, env, MAX_SPAN_DEPTH)
    known = env.get(number)
    if isinstance(known, Range):
        return known.cut(low, high) or known
    return None if (low, high) == _ALL else Range(low, high)


def _span(number: _Expr, env: Mapping[_Expr, _Expr | Range], deepest: int) -> _Span:
    if number[0] == "const":
        return number[1], number[1]
    known, typed = env.get(number), within_type(number)
    low, high = (typed.low, typed.high) if typed is not None else _ALL
    if isinstance(known, Range):
        low, high = max(low, known.low), min(high, known.high)
    elif known is not None and known[0] == "const":
        return known[1], known[1]
    made = _MADE.get(number[0]) if deepest and len(number) == 3 else None
    if made is not None:
        _, left, right = number
        least, most = _fitting(number, made(_span(left, env, deepest - 1), _span(right, env, deepest - 1)))
        low, high = max(low, least), min(high, most)
    elif number[0] == "typed" and deepest:
        least, most = _of_type(number, env, deepest)
        low, high = max(low, least), min(high, most)
    elif number[0] == "select" and deepest:
        ways = [_span(part, env, deepest - 1) for part in number[2:]]
        low, high = max(low, min(way[0] for way in ways)), min(high, max(way[1] for way in ways))
    return low, high


def _of_type(number: _Expr, env: Mapping[_Expr, _Expr | Range], deepest: int) -> _Span:
    """The same of what depends on a type."""
    _, name, source, _, left, right = number
    made = _TYPED.get(name)
    if made is None:
        return _ALL
    return made(_span(left, env, deepest - 1), _span(right, env, deepest - 1), width(source))


def is_exact(number: _Expr, env: Mapping[_Expr, _Expr | Range]) -> bool:
    """Whether what is computed of two numbers fits their type, whatever they are."""
    bits = _bits(number)
    if bits is None:
        return True
    parts = [_span(part, env, MAX_SPAN_DEPTH) for part in number[1:]]
    return _fits(_MADE[number[0]](parts[0], parts[1]), bits)


def _fitting(number: _Expr, span: _Span) -> _Span:
    bits = _bits(number)
    return span if bits is None or _fits(span, bits) else _ALL


def _fits(span: _Span, bits: int) -> bool:
    return -(1 << bits - 1) <= span[0] and span[1] < 1 << bits - 1


def _bits(number: _Expr) -> int | None:
    """The width of a number, where its text says one."""
    while number[0] not in ("leaf", "const", *RESIZED):
        parts: list[_Expr] = [cast("_Expr", part) for part in number[1:] if isinstance(part, tuple)]
        others = [part for part in parts if part[0] != "const"]
        if not others:
            return None
        number = others[-1]
    if number[0] in RESIZED:
        return number[1] if number[0] == "trunci" else None
    return width(number[1].type) if number[0] == "leaf" and number[1] is not None else None


def _product(left: _Span, right: _Span) -> _Span:
    if left[0] < 0 or right[0] < 0 or INFINITY in (left[1], right[1]):
        return (0, INFINITY) if left[0] >= 0 and right[0] >= 0 else _ALL
    return left[0] * right[0], left[1] * right[1]


def _quotient(left: _Span, right: _Span) -> _Span:
    if right[0] != right[1] or right[0] <= 0:
        return _ALL
    low, high = (one if abs(one) == INFINITY else one // right[0] for one in left)
    return low, high


def _rounded_up(left: _Span, right: _Span) -> _Span:
    low, high = _quotient((-left[1], -left[0]), right)
    return -high, -low


def _rest(left: _Span, right: _Span) -> _Span:
    return (0, right[0] - 1) if right[0] == right[1] and right[0] > 0 else _ALL


_MADE: dict[str, Callable[[_Span, _Span], _Span]] = {
    "addi": lambda left, right: (left[0] + right[0], left[1] + right[1]),
    "subi": lambda left, right: (left[0] - right[1], left[1] - right[0]),
    "muli": _product,
    "minsi": lambda left, right: (min(left[0], right[0]), min(left[1], right[1])),
    "maxsi": lambda left, right: (max(left[0], right[0]), max(left[1], right[1])),
    "floordivsi": _quotient,
    "ceildivsi": _rounded_up,
    "mod": _rest,
}
"""By what is computed of two numbers, of which the spans are known."""


def _least_of(left: _Span, right: _Span, bits: int | None) -> _Span:
    """Of the smaller of two numbers without a sign: it is no more than one that has none."""
    found = [one[1] for one in (left, right) if one[0] >= 0]
    return (0, min(found)) if found else _ALL


def _rest_without_sign(left: _Span, right: _Span, bits: int | None) -> _Span:
    return _rest(left, right)


def _rest_with_sign(left: _Span, right: _Span, bits: int | None) -> _Span:
    if right[0] != right[1] or right[0] <= 0:
        return _ALL
    return (0 if left[0] >= 0 else 1 - right[0]), right[0] - 1


def _quotient_of(left: _Span, right: _Span, bits: int | None) -> _Span:
    return _quotient(left, right) if left[0] >= 0 else _ALL


def _shifted(left: _Span, right: _Span, bits: int | None) -> _Span:
    if bits is None or right[0] != right[1] or not 0 < right[0] < bits:
        return _ALL
    return 0, (1 << bits - int(right[0])) - 1


_TYPED: dict[str, Callable[[_Span, _Span, int | None], _Span]] = {
    "minui": _least_of,
    "remui": _rest_without_sign,
    "remsi": _rest_with_sign,
    "divui": _quotient_of,
    "divsi": _quotient_of,
    "shrui": _shifted,
}
"""The same of what depends on the type, of which the width is the last argument; None: it has none."""
