"""Which of two numbers is the larger: what is known of it, of comparisons of them with each other and with constants.

Two numbers are equal, or one is less with a sign and one is less without: five cases. Each comparison is some of them,
so that all that are known of one pair together leave those that are in each. What holds of several pairs at once is
asked of the sums of differences along their cycles, of which none is negative (difference constraints: Bellman, "On a
routing problem", 1958).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from memlane.flow.symbolic.limits import MAX_COMPARISONS
from memlane.flow.symbolic.range import INFINITY, Range
from memlane.flow.symbolic.spans import is_exact
from memlane.flow.symbolic.width_casts import within_type

_Expr = tuple[Any, ...]
_Env = Mapping[_Expr, "_Expr | Range"]
_Bound = tuple[int, int, int]
"""The first number is no more than the second and that. Numbers are identified by their places; 0 has the last."""
_Known = tuple[_Expr, bool]
"""A comparison, and how it came out."""

NEGATED = {"eq": "ne", "ne": "eq", "slt": "sge", "sge": "slt", "sgt": "sle", "sle": "sgt"} | {
    "ult": "uge",
    "uge": "ult",
    "ugt": "ule",
    "ule": "ugt",
}
SWAPPED = {"eq": "eq", "ne": "ne", "slt": "sgt", "sgt": "slt", "sle": "sge", "sge": "sle"} | {
    "ult": "ugt",
    "ugt": "ult",
    "ule": "uge",
    "uge": "ule",
}

UNSIGNED = {"ult": "slt", "ule": "sle", "ugt": "sgt", "uge": "sge"}
_EQUAL, _ALL = 0b00001, 0b11111
_LESS = {"s": 0b00110, "u": 0b01010}
_MORE = {"s": 0b11000, "u": 0b10100}
_APART = (_LESS["s"] & _MORE["u"]) | (_MORE["s"] & _LESS["u"])
"""Those in which one number is less with a sign and more without."""
_CASES: dict[str, int] = {"eq": _EQUAL, "ne": _ALL - _EQUAL} | {
    f"{sign}{name}": cases
    for sign in "su"
    for name, cases in (
        ("lt", _LESS[sign]),
        ("le", _LESS[sign] | _EQUAL),
        ("gt", _MORE[sign]),
        ("ge", _MORE[sign] | _EQUAL),
    )
}
_SAID: dict[tuple[bool, bool, bool], tuple[str, bool] | None] = {
    (True, False, False): ("eq", False),
    (False, True, False): ("lt", False),
    (True, True, False): ("le", False),
    (False, False, True): ("lt", True),
    (True, False, True): ("le", True),
    (False, True, True): ("ne", False),
    (True, True, True): None,
}
"""Of the cases equal, less and more, the one comparison that holds in these alone, and whether it is of the second
number with the first."""
_SMALLEST = ("minsi", "andi")
_AMONG = {"s": ("minsi", "maxsi"), "u": ("andi", "ori")}
"""What is computed of two numbers and no more than each, or no less."""
_TRUE: _Expr = ("const", 1)
_FALSE: _Expr = ("const", 0)
_WRAP = 1 << 256
"""What a negative number is more without its sign: more than all others."""


def asked_before(predicate: str, left: _Expr, right: _Expr, env: _Env) -> bool | None:
    """Whether a comparison of two numbers holds, by what is known of them, whichever way round; None: it may."""
    known = _known(left, right, env)
    if known == _ALL or not known:
        return None
    asked = _CASES[predicate]
    return True if not known & ~asked else False if not known & asked else None


def compared(expr: _Expr, truth: bool, env: _Env) -> dict[_Expr, _Expr | Range] | None:
    """`env` and that a comparison of two numbers has come out so; None where that cannot be."""
    _, predicate, left, right = expr
    cases = _CASES[predicate]
    cases = _known(left, right, env) & (cases if truth else ~cases)
    if not cases:
        return None
    after = {key: fact for key, fact in env.items() if not _of(key, left, right)}
    for kind in "su":
        said = _SAID[bool(cases & _EQUAL), bool(cases & _LESS[kind]), bool(cases & _MORE[kind])]
        if said is not None:
            name, swapped = said
            first, second = (right, left) if swapped else (left, right)
            after["cmpi", name if name in ("eq", "ne") else kind + name, first, second] = _TRUE
    return after


def possible(changed: _Expr, env: _Env) -> bool:
    """Whether numbers may be so that all that is known of their order holds.

    Args:
        changed: of which number something else is known than before, or of which comparison. Where a cycle of
            differences is less than nought now, it leads through that, and past nought at most once: through numbers
            that are compared with it, or with those that are, and no others.
    """
    asked = changed[2:] if changed[0] == "cmpi" else (changed,)
    known = [(key, fact == _TRUE) for key, fact in env.items() if key[0] == "cmpi" and fact in (_TRUE, _FALSE)]
    if not 0 < len(known) <= MAX_COMPARISONS or not any(number in key for key, _ in known for number in asked):
        return True
    if all(number[0] == "leaf" and number not in env for key, _ in known for number in key[2:]):
        if len(known) == 1:
            return True  # most: numbers of which nothing else is known
        if all(key[1] in ("eq", "ne") for key, _ in known):
            return _apart(known)  # as of pointers, each of which is compared with null
    known, numbers = _connected(asked, known)
    return all(_possible(kind, known, [_range(kind, number, env) for number in numbers], numbers, env) for kind in "su")


def _apart(known: list[_Known]) -> bool:
    """Whether no two numbers are equal by some comparisons, directly or by way of others, and not by another one."""
    same: dict[_Expr, _Expr] = {}

    def first(number: _Expr) -> _Expr:
        while number in same:
            number = same[number]
        return number

    pairs = [(key[2], key[3], truth == (key[1] == "eq")) for key, truth in known]
    for left, right, equal in pairs:
        if equal and (one := first(left)) != (other := first(right)):
            same[one] = other
    return all(equal or first(left) != first(right) for left, right, equal in pairs)


def _connected(asked: Iterable[_Expr], known: list[_Known]) -> tuple[list[_Known], dict[_Expr, int]]:
    """The comparisons that have to do with some numbers, directly or by way of others, and the numbers in them, each
    with its place among them."""
    left = [(one, {*_numbers(one[0][2:])}) for one in known]
    found, numbers = list[_Known](), dict.fromkeys(_numbers(asked), 0)
    while True:
        others = [(one, its) for one, its in left if numbers.keys().isdisjoint(its)]
        if len(others) == len(left):
            return found, {number: at for at, number in enumerate(numbers)}
        for one, its in left:
            if not numbers.keys().isdisjoint(its):
                found.append(one)
                numbers.update(dict.fromkeys(its, 0))
        left = [(one, its) for one, its in others if numbers.keys().isdisjoint(its)]


def _numbers(compared: Iterable[_Expr]) -> Iterator[_Expr]:
    """Numbers that are compared, and those that they are made of where that says how they compare."""
    pending = [*compared]
    while pending:
        number = pending.pop()
        yield number
        if number[0] in (*_AMONG["s"], *_AMONG["u"]):
            pending += number[1:]
        elif (added := offset_from(number)) is not None:
            pending.append(added[0])


def offset_from(number: _Expr) -> tuple[_Expr, int] | None:
    """The number to which a constant is added to get one, and that constant; None of others."""
    if number[0] in ("addi", "subi") and number[2][0] == "const":
        return number[1], number[2][1] if number[0] == "addi" else -number[2][1]
    return (number[2], number[1][1]) if number[0] == "addi" and number[1][0] == "const" else None


def is_plain(number: _Expr) -> bool:
    """Whether a number is a value or a dimension, and a constant perhaps. Bounds of tiles are chosen by comparisons:
    what is known of one of them has to do with all others."""
    return (offset_from(number) or (number, 0))[0][0] in ("leaf", "dim")


def _possible(kind: str, known: list[_Known], ranges: list[Range], at: dict[_Expr, int], env: _Env) -> bool:
    nought = len(at)
    bounds, apart = list[_Bound](), list[_Bound]()
    for (_, predicate, left, right), truth in known:
        name = predicate if truth else NEGATED[predicate]
        if name == "ne":
            apart.append((at[left], at[right], 0))
        elif name == "eq":
            bounds += ((at[left], at[right], 0), (at[right], at[left], 0))
        elif name[0] == kind:
            less, more = (left, right) if name[1] == "l" else (right, left)
            bounds.append((at[less], at[more], 0 if name[2] == "e" else -1))
    for (number, place), range_ in zip(at.items(), ranges, strict=True):
        if range_.high != INFINITY:
            bounds.append((place, nought, int(range_.high)))
        if range_.low != -INFINITY:
            bounds.append((nought, place, -int(range_.low)))
        if number[0] in _AMONG[kind]:
            others = [at[one] for one in number[1:]]
            bounds += ((place, one, 0) if number[0] in _SMALLEST else (one, place, 0) for one in others)
        elif kind == "s" and (added := offset_from(number)) is not None and is_exact(number, env):
            bounds += ((place, at[added[0]], added[1]), (at[added[0]], place, -added[1]))
        apart += ((place, nought, hole) for hole in range_.holes)
    found = _meet(bounds, nought)
    return found is not None and all(
        found[left] - found[right] != by
        or _meet([*bounds, (left, right, by - 1)], nought) is not None
        or _meet([*bounds, (right, left, -by - 1)], nought) is not None
        for left, right, by in apart
    )


def _meet(bounds: list[_Bound], most: int) -> list[int] | None:
    """Numbers, up to that at place `most`, that are within all the bounds; None: there are none."""
    least = [0] * (most + 1)
    for _ in range(most + 1):
        changed = False
        for less, more, by in bounds:
            top = least[more] + by
            if least[less] > top:
                least[less], changed = top, True
        if not changed:
            return least
    return None


def _range(kind: str, number: _Expr, env: _Env) -> Range:
    """The numbers that one may be, as they compare with a sign or without."""
    flag = number[0] == "leaf" and number[1] is not None and number[1].type == "i1"
    known, typed = env.get(number), Range(0, 1) if flag else (within_type(number) or Range())
    if number[0] == "const":
        found = Range(*number[1:], *number[1:])
    elif isinstance(known, Range):
        found = known.cut(typed.low, typed.high) or known
    else:
        found = typed
    if kind == "s" or found.low >= 0:
        return found
    if found.high < 0:
        return Range(found.low + _WRAP, found.high + _WRAP, frozenset([hole + _WRAP for hole in found.holes]))
    return Range(0, _WRAP - 1)


def _known(left: _Expr, right: _Expr, env: _Env) -> int:
    """The cases that are left."""
    cases = _ALL
    for key, fact in env.items():
        if key[0] == "cmpi" and _of(key, left, right) and fact in (_TRUE, _FALSE):
            said = _CASES[key[1] if key[2] == left else SWAPPED[key[1]]]
            cases &= said if fact == _TRUE else ~said
    if cases & _APART:  # what is more than a number that is not negative is more without a sign, too
        if _range("s", left, env).low >= 0:
            cases &= ~(_LESS["s"] & _MORE["u"])
        if _range("s", right, env).low >= 0:
            cases &= ~(_MORE["s"] & _LESS["u"])
    return cases


def _of(key: _Expr, left: _Expr, right: _Expr) -> bool:
    """Whether a fact is of the order of two numbers."""
    return key[0] == "cmpi" and ((key[2] == left and key[3] == right) or (key[2] == right and key[3] == left))
