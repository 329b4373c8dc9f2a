"""Arithmetic on constants, as `arith` and `index` define it: in the width of the type, where there is one."""

from __future__ import annotations

from collections.abc import Callable

from memlane.flow.symbolic.limits import MAX_FOLDED_BITS
from memlane.integers import numeral

INDEX = 64
"""The bits of an index, at most."""


def folded(kind: str, parts: list[int], source: str | None, result: str | None) -> int | None:
    """What an op that computes `kind` gives for numbers of the type `source`, as the type `result` compares it; None
    where that is not known, or not defined."""
    if len(parts) == 1:
        cast = _CAST.get(kind)
        return in_type(cast(parts[0], width(source)), result) if cast is not None else None
    if len(parts) != 2:
        return None
    left, right = _as_given(kind, parts, width(source))
    found = _plain(kind, left, right, width(source) or INDEX)
    # Numbers without a width may be multiplied by themselves again and again.
    return in_type(found, result) if found is not None and found.bit_length() <= 2 * MAX_FOLDED_BITS else None


def _as_given(kind: str, parts: list[int], bits: int | None) -> list[int]:
    """The numbers as an op takes them: some without their sign. An index has no width that its text says."""
    if kind not in _WITHOUT_SIGN:
        return parts
    return [_unsigned(number, bits) for number in parts]


def width(type_: str | None) -> int | None:
    """The bits of an integer type; None of others, of `index` too."""
    bits = numeral(type_[1:]) if type_ is not None and type_[:1] == "i" else None
    return bits if bits and bits <= MAX_FOLDED_BITS else None


def is_too_wide(type_: str | None) -> bool:
    """Whether a type is one of integers that are too wide to be computed with."""
    return type_ is not None and type_[:1] == "i" and type_[1:].isdecimal() and width(type_) is None


def in_type(number: int, type_: str | None) -> int:
    """The number that is left of one in a type, as values of the type are compared: flags are 0 and 1. An index may be
    any number: that one does not fit its width is worth telling."""
    bits = width(type_)
    if bits is None:
        return number
    rest = number & ((1 << bits) - 1)
    return rest - (1 << bits) if bits > 1 and rest >> (bits - 1) else rest


_WITHOUT_SIGN = frozenset({"divui", "remui", "ceildivui", "shrui", "minui", "maxui"})


def _unsigned(number: int, bits: int | None) -> int:
    return number & ((1 << bits) - 1) if bits is not None else number


def _as_index(number: int, bits: int | None) -> int:
    """A number without its sign as an index, which has no room for the sign of one that is as wide."""
    return in_type(number, f"i{INDEX}") if bits is not None and bits >= INDEX else _unsigned(number, bits)


_CAST: dict[str, Callable[[int, int | None], int]] = {
    "trunci": lambda number, _: number,
    "extui": _unsigned,
    "extsi": lambda number, bits: -number if bits == 1 else number,
    "index_cast": lambda number, bits: -number if bits == 1 else number,
    "index_castui": _as_index,
}


def _plain(kind: str, left: int, right: int, bits: int) -> int | None:
    signed = _SIGNED.get(kind)
    if signed is not None:
        return signed(left, right)
    if kind in _DIVIDES:
        return _DIVIDES[kind](left, right) if right and (kind.endswith("si") or min(left, right) >= 0) else None
    if kind in _SHIFTS:
        return _SHIFTS[kind](left, right) if 0 <= right < bits and (left >= 0 or kind != "shrui") else None
    if kind in ("minui", "maxui") and min(left, right) >= 0:
        return min(left, right) if kind == "minui" else max(left, right)
    return None


def _quotient(left: int, right: int) -> int:
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


_SIGNED: dict[str, Callable[[int, int], int]] = {
    "addi": lambda left, right: left + right,
    "subi": lambda left, right: left - right,
    "muli": lambda left, right: left * right,
    "andi": lambda left, right: left & right,
    "ori": lambda left, right: left | right,
    "xori": lambda left, right: left ^ right,
    "maxsi": max,
    "minsi": min,
}
_DIVIDES: dict[str, Callable[[int, int], int]] = {
    "divsi": _quotient,
    "remsi": lambda left, right: left - right * _quotient(left, right),
    "floordivsi": lambda left, right: left // right,
    "ceildivsi": lambda left, right: -(-left // right),
    "divui": lambda left, right: left // right,
    "remui": lambda left, right: left % right,
    "ceildivui": lambda left, right: -(-left // right),
}
_SHIFTS: dict[str, Callable[[int, int], int]] = {
    "shli": lambda left, right: left << right,
    "shrsi": lambda left, right: left >> right,
    "shrui": lambda left, right: left >> right,
}


def _wrapped(number: int) -> tuple[bool, int]:
    """A number as it compares without a sign: what is negative is above all that is not."""
    return number < 0, number


COMPARE: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "slt": lambda a, b: a < b,
    "sle": lambda a, b: a <= b,
    "sgt": lambda a, b: a > b,
    "sge": lambda a, b: a >= b,
    "ult": lambda a, b: _wrapped(a) < _wrapped(b),
    "ule": lambda a, b: _wrapped(a) <= _wrapped(b),
    "ugt": lambda a, b: _wrapped(a) > _wrapped(b),
    "uge": lambda a, b: _wrapped(a) >= _wrapped(b),
}
"""Comparisons of numbers as they are compared with a sign."""
