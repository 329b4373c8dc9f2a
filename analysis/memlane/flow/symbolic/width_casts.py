"""Numbers in another width: `("extui", 8, a)` is the number `a` of 8 bits without its sign, `("trunci", 8, a)` what is
left of `a` in 8 bits, with a sign. What keeps its value is no such expression but the number itself."""

from __future__ import annotations

from typing import Any, cast

from memlane.flow.symbolic.constant_folding import in_type, width
from memlane.flow.symbolic.range import Range

RESIZED = frozenset({"extui", "trunci"})
_Expr = tuple[Any, ...]


def resized(kind: str, bits: int, number: _Expr, known: Range | None) -> _Expr:
    """A number that is widened from so many bits without a sign, or cut off to so many.

    Args:
        known: what numbers it may be, where something is known.
    """
    if number[0] == "const":
        return ("const", number[1] & ((1 << bits) - 1) if kind == "extui" else in_type(number[1], f"i{bits}"))
    if kind == "trunci" and number[0] in RESIZED and number[1] >= bits:
        return resized(kind, bits, number[2], None)
    keeps = Range(0) if kind == "extui" else Range(-(1 << bits - 1), (1 << bits - 1) - 1)
    for one in (known, within_type(number)):
        if one is not None and keeps.low <= one.low and one.high <= keeps.high:
            return number
    return (kind, bits, number)


def within_type(number: _Expr) -> Range | None:
    """The numbers that one may be by its type, or by how it is computed."""
    kind = number[0]
    if kind == "leaf":
        bits = width(number[1].type) if number[1] is not None else None
        return Range(-(1 << bits - 1), (1 << bits - 1) - 1) if bits is not None else None
    if kind == "extui":
        return Range(0, (1 << number[1]) - 1)
    if kind == "trunci":
        return Range(-(1 << number[1] - 1), (1 << number[1] - 1) - 1)
    if kind == "dim":
        return Range(0)
    if kind == "order":
        return Range(0, 3)  # see `floats`
    if kind == "andi":
        masks = [part[1] for part in number[1:] if part[0] == "const" and part[1] >= 0]
        return Range(0, min(masks)) if masks else None
    return None


def plain(expr: _Expr) -> _Expr:
    """An expression as if all its numbers kept their value in any width: those that count the elements of a buffer or
    the rounds of a loop do."""
    if expr[0] in RESIZED:
        return plain(cast("_Expr", expr[2]))
    if not any(isinstance(part, tuple) for part in expr):
        return expr
    return tuple([plain(cast("_Expr", part)) if isinstance(part, tuple) else part for part in expr])
