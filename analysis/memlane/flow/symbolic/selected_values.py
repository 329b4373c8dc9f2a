"""Numbers that flags choose, and those that are put together of such: computed of them way by way, or bit by bit."""

from __future__ import annotations

from memlane.flow.symbolic.constant_folding import folded
from memlane.flow.symbolic.scalar import FALSE, TRUE, Expr, constant, is_flag

CASTS = frozenset({"index_cast", "index_castui", "extui", "extsi", "trunci"})
BINARY = frozenset({"addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minsi"})
OF_BITS = frozenset({"andi", "shrui", "shrsi"})
"""What gives bits of a number: of one that was put together of others, those of each."""


def chosen(kind: str, parts: list[Expr], source: str | None, made: str | None) -> Expr | None:
    """What is computed of constants and of those that one flag chooses from, each way by itself; None for others."""
    if kind not in BINARY and kind not in CASTS and made != "i1":  # a flag chooses from 1 and 0
        parts = [("select", part, TRUE, FALSE) if part[0] != "const" and is_flag(part) else part for part in parts]
    flags = {part[1] for part in parts if part[0] == "select"}
    ways = [[part[index] if part[0] == "select" else part for part in parts] for index in (2, 3)]
    if len(flags) != 1 or any(part[0] != "const" for way in ways for part in way):
        return None
    then, otherwise = (folded(kind, [part[1] for part in way], source, made) for way in ways)
    if then is None or otherwise is None:
        return None
    return either(flags.pop(), constant(then), constant(otherwise), made)


def either(flag: Expr, then: Expr, otherwise: Expr, made: str | None) -> Expr:
    """One of two numbers of the type `made`."""
    if made == "i1" and (then, otherwise) == (TRUE, FALSE):
        return flag
    return then if then == otherwise else ("select", flag, then, otherwise)


def bits_of(kind: str, parts: list[Expr], source: str | None, made: str | None) -> Expr | None:
    """Some bits of a number that was put together of others, as flags that are packed in one, where one of these alone
    has any; None for others."""
    number, other = parts if parts[1][0] == "const" or kind != "andi" else parts[::-1]
    if other[0] != "const" or number[0] not in ("ori", "xori", "addi"):
        return None
    if number[0] == "addi" and _may_have(number) is None:
        return None
    found: list[Expr] = []
    for part in number[1:]:
        flag = part[0] != "const" and is_flag(part)
        part = ("select", part, TRUE, FALSE) if flag else part
        bits = bits_of(kind, [part, other], source, made) or chosen(kind, [part, other], source, made)
        if part[0] == "const":
            known = folded(kind, [part[1], other[1]], source, made)
            bits = constant(known) if known is not None else None
        if bits is None:
            return None
        found += [bits] if bits != FALSE else []
    return FALSE if not found else found[0] if len(found) == 1 else None


def _may_have(number: Expr) -> int | None:
    """The bits that a number may have which is put together of others, each with bits of its own where they are added;
    None of what is known of no number."""
    if number[0] == "const":
        return number[1] if number[1] >= 0 else None
    if is_flag(number):
        return 1
    if number[0] not in ("select", "ori", "xori", "addi"):
        return None
    parts = [_may_have(part) for part in number[-2:]]
    if parts[0] is None or parts[1] is None or (number[0] == "addi" and parts[0] & parts[1]):
        return None
    return parts[0] | parts[1]
