"""Scalar expressions: what is known of the integers and flags that decide where control goes.

An expression is a tuple, equal for equal computations: `("const", 3)`, `("leaf", value)` for a value that cannot be
computed, `("pointer", value)` for the address of a buffer's first element, `("dim", a, position)` for a dimension of a
memref, `("function", "@f")` for a function, or the name of a scalar function with its arguments, `("cmpi", "slt", a,
b)`; see `resized` for numbers in another width, `floats` for such that are no integers. `("typed", "divui", "i32",
"i32", a, b)` is one that depends on types. `("holds", "#set", a, b)` is a condition that is known by its text alone. An
environment holds facts about expressions: a constant or another expression (for a leaf that is bound), or a `Range`.

Every unknown is the same whenever it is asked for, so equal conditions give equal answers on one path. Flags
(i1) are the constants 0 and 1. Arithmetic is exact on integers; overflow is not modelled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from memlane.flow.symbolic.comparisons import NEGATED, SWAPPED, UNSIGNED, asked_before, is_plain, offset_from
from memlane.flow.symbolic.constant_folding import COMPARE, folded, in_type
from memlane.flow.symbolic.limits import MAX_COMPARED_DEPTH, MAX_COMPARED_SIZE, MAX_NUMBER_BITS
from memlane.flow.symbolic.range import INFINITY, Range
from memlane.flow.symbolic.spans import is_exact, span_of
from memlane.flow.symbolic.types import is_pointer
from memlane.flow.symbolic.width_casts import RESIZED, resized
from memlane.syntax.tree.tree import Value

Expr = tuple[Any, ...]
"""See the module. Elements are strings, ints, values and nested expressions."""


def size(expr: Expr) -> int:
    """How many expressions `expr` is made of, itself included."""
    return 1 + sum(size(part) for part in operands(expr))


def points(expr: Expr) -> bool:
    """Whether addresses are part of `expr`."""
    return expr[0] == "pointer" or any(points(part) for part in operands(expr))


def pointed(expr: Expr) -> Value | None:
    """The value whose address `expr` is; None for other expressions."""
    return expr[1] if expr[0] == "pointer" or (expr[0] == "leaf" and is_pointer(expr[1].type)) else None


def compares(expr: Expr) -> bool:
    """Whether addresses decide `expr`, which buffers the values are, that is: bare pointers among them."""
    return pointed(expr) is not None or any(compares(part) for part in operands(expr))


def addresses(expr: Expr) -> Iterator[Value]:
    """The values whose addresses are part of `expr`; of bare pointers these are the values themselves."""
    pending = [expr]
    while pending:
        one = pending.pop()
        if (value := pointed(one)) is not None:
            yield value
        else:
            pending.extend(operands(one))


def balanced(kind: str, parts: Sequence[Expr]) -> Expr:
    """`kind` (`andi`, `ori`) of one expression or more, no deeper than it has to be."""
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    return (kind, balanced(kind, parts[:middle]), balanced(kind, parts[middle:]))


def links(expr: Expr) -> Iterator[Expr]:
    """The parts of a chain of one kind of operation (`andi`, `ori`, `xori`), from left to right."""
    pending = [expr]
    while pending:
        one = pending.pop()
        if one[0] == expr[0]:
            pending += (one[2], one[1])
        else:
            yield one


def levels(expr: Expr) -> int:
    """How deep an expression is."""
    depth, level = 0, [expr]
    while level:
        depth += 1
        level = [part for one in level for part in operands(one)]
    return depth


def within(expr: Expr, deepest: int, largest: int) -> bool:
    """Whether an expression has no more levels and no more parts than that."""
    pending, count = [(expr, 1)], 0
    while pending:
        one, depth = pending.pop()
        count += 1
        if depth > deepest or count > largest:
            return False
        pending.extend((part, depth + 1) for part in operands(one))
    return True


Env = Mapping[Expr, "Expr | Range"]
Keep = Callable[[Expr], bool]
"""Tells whether a fact about an expression is worth remembering: whether anything asks again."""

TRUE: Expr = ("const", 1)
FALSE: Expr = ("const", 0)
FLAG = Range(0, 1)


def is_flag(expr: Expr) -> bool:
    """Whether `expr` is true or false."""
    kind = expr[0]
    if kind == "leaf":
        return expr[1] is not None and expr[1].type == "i1"
    if kind in ("andi", "ori", "xori"):
        return is_flag(expr[1]) and is_flag(expr[2])
    return kind in ("cmpi", "holds") or expr in (TRUE, FALSE)


def may_be_either(expr: Expr) -> bool:
    """Whether nothing is known of a flag, asked by itself: it is a value, or tells how two floats compare, which are
    values."""
    if expr[0] == "cmpi" and expr[2][0] == "order":
        _, one, other = expr[2]
        return one[0] == other[0] == "leaf" and one != other
    return expr[0] in ("leaf", "holds")


def dimension(value: Value, position: int) -> Expr:
    """The expression of a dimension of a memref or tensor that nothing else says: it stays what it is."""
    return ("dim", ("leaf", value), ("const", position))


def constant(number: int) -> Expr:
    """The expression of an integer."""
    return ("const", number)


def leaves(expr: Expr) -> Iterator[Value]:
    """The leaves of `expr`: the values in it that cannot be computed."""
    stack = [expr]
    while stack:
        item = stack.pop()
        if item[0] == "leaf":
            yield item[1]
        else:
            stack += operands(item)


def operands(expr: Expr) -> list[Expr]:
    """The expressions that `expr` is directly made of."""
    return [part for part in expr if type(part) is tuple]


def rebuild(expr: Expr, change: Callable[[Expr], Expr | None]) -> Expr | None:
    """`expr` with its operands changed; None where one has no counterpart."""
    parts: list[Any] = []
    for part in expr:
        found: Any = part
        if isinstance(part, tuple):
            found = change(cast("Expr", part))
            if found is None:
                return None
        parts.append(found)
    return tuple(parts)


_SIGNED = ("eq", "ne", "slt", "sle", "sgt", "sge")
_EDGES = {0: ("ult", "uge", "ule"), -1: ("ugt", "ule", "uge")}
"""The least and the largest number without a sign: of which comparison none is, each is, and that number alone."""
_WITHOUT_SIGN = {signed: unsigned for unsigned, signed in UNSIGNED.items()}
_FOLD: dict[str, Callable[[int, int], int]] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "maxsi": max,
    "minsi": min,
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": lambda a, b: -(-a // b),
    "mod": lambda a, b: a % b,
}
_DIVIDING = ("floordivsi", "ceildivsi", "mod")


def simplify(expr: Expr, env: Env) -> Expr:
    """`expr` with what `env` knows put in; a constant where that decides it."""
    return _simplified(expr, env, {})


def _simplified(expr: Expr, env: Env, done: dict[int, Expr]) -> Expr:
    """The same. `done`: what has been found out; of what conditions are made of they are made again and again. By
    identity, which `expr` keeps as it is meanwhile: comparing them costs more."""
    kind = expr[0]
    if kind == "const":
        return expr
    found = done.get(id(expr))
    if found is not None:
        return found
    known = env.get(expr)
    if known is not None:
        if not isinstance(known, Range):
            return simplify(known, env)
        if known.low == known.high:
            return constant(int(known.low))
    if kind in ("leaf", "pointer", "holds", "function"):
        return expr
    parts = [_simplified(cast("Expr", part), env, done) if isinstance(part, tuple) else part for part in expr[1:]]
    done[id(expr)] = found = _combine(kind, tuple(parts), env)
    return found


def _combine(kind: str, parts: Expr, env: Env) -> Expr:
    if kind in RESIZED:
        return _resize(kind, parts[0], parts[1], env)
    if kind == "cmpi" and parts[0] in UNSIGNED:
        return _unsigned(parts[0], parts[1], parts[2], env)
    if kind == "cmpi":
        return _compare(parts[0], parts[1], parts[2], env)
    if kind == "order":
        return _look((kind, *parts), env)
    if kind == "typed":
        name, source, made, left, right = parts
        known = folded(name, [left[1], right[1]], source, made) if left[0] == right[0] == "const" else None
        return _look((kind, *parts), env) if known is None else constant(known)
    if kind == "select":
        flag, then, otherwise = parts
        if flag in (then, otherwise) and flag[0] != "const":
            return _combine("ori" if then == flag else "andi", (flag, otherwise if then == flag else then), env)
        return then if flag == TRUE or then == otherwise else otherwise if flag == FALSE else _look((kind, *parts), env)
    left, right = parts
    if kind in _DIVIDING and (right[0] != "const" or right[1] <= 0):
        return _look((kind, left, right), env)
    if left[0] == "const" and right[0] == "const":
        number = _FOLD[kind](left[1], right[1]) if kind in _FOLD else _bits(kind, left[1], right[1])
        return constant(number) if number.bit_length() <= MAX_NUMBER_BITS else _look((kind, left, right), env)
    if left[0] == "select" and right[0] == "const" and left[2][0] == left[3][0] == "const":
        return _combine("select", (left[1], *(_combine(kind, (one, right), env) for one in left[2:])), env)
    if kind == "andi" and FALSE in parts:
        return FALSE
    for one, other in ((left, right), (right, left)):
        if one == FALSE and kind in ("ori", "xori", "addi"):
            return other
        if one == TRUE and kind in ("andi", "ori") and is_flag(other):
            return other if kind == "andi" else TRUE  # of a number, its last bit
        if kind == "xori" and one == TRUE and other[0] == "cmpi" and other[1] in NEGATED:
            return _combine("cmpi", (NEGATED[other[1]], *other[2:]), env)
        if kind == "xori" and one == TRUE and other[:1] == ("xori",) and TRUE in other[1:]:
            return other[1] if other[2] == TRUE else other[2]
    if left == right and kind in ("andi", "ori", "maxsi", "minsi"):
        return left
    if left == right and kind in ("xori", "subi"):
        return FALSE  # or the number 0
    if kind in ("andi", "ori", "xori") and _are_opposite(left, right):
        return FALSE if kind == "andi" else TRUE
    return _look((kind, left, right), env)


def _are_opposite(left: Expr, right: Expr) -> bool:
    """Whether each of two flags is true where the other is false, by how they are written."""
    if left[0] == right[0] == "cmpi":
        return left[2:] == right[2:] and NEGATED.get(left[1]) == right[1]
    one, other = (left, right) if left[0] == "xori" else (right, left)
    return one in (("xori", other, TRUE), ("xori", TRUE, other)) and is_flag(other)


def _resize(kind: str, bits: int, number: Expr, env: Env) -> Expr:
    if number[0] == "select" and number[2][0] == number[3][0] == "const":
        return _combine("select", (number[1], *(resized(kind, bits, one, None) for one in number[2:])), env)
    known = env.get(number)
    found = resized(kind, bits, number, known if isinstance(known, Range) else FLAG if is_flag(number) else None)
    return _look(found, env) if found[0] in RESIZED else found


def _compare_widened(predicate: str, left: Expr, right: Expr, env: Env) -> Expr | None:
    """A comparison of a number that is widened without a sign, in its own width; None of others."""
    bits, unsigned = left[1], _WITHOUT_SIGN.get(predicate, predicate)
    if right[0] == "extui" and right[1] == bits:
        return _combine("cmpi", (unsigned, left[2], right[2]), env)
    if right[0] != "const":
        return None
    decided = _decide(predicate, Range(0, (1 << bits) - 1), right[1])
    if decided is not None:
        return TRUE if decided else FALSE
    return _combine("cmpi", (unsigned, left[2], constant(in_type(right[1], f"i{bits}"))), env)


def _unsigned(predicate: str, left: Expr, right: Expr, env: Env) -> Expr:
    """An unsigned comparison with a constant, in signed ones: what is negative is above every constant that is not."""
    if left[0] == "const":
        predicate, left, right = SWAPPED[predicate], right, left
    if left == right:
        return TRUE if predicate in ("ule", "uge") else FALSE
    if right[0] == "const" and (choice := _of_choice(predicate, left, right[1], env)) is not None:
        return choice
    if right[0] != "const":
        return _asked_before(predicate, left, right, env)
    if right[1] in _EDGES:  # one outcome is impossible, even where no fact about either half of the comparison is known
        never, always, equal = _EDGES[right[1]]
        if predicate in (never, always):
            return TRUE if predicate == always else FALSE
        return _compare("eq" if predicate == equal else "ne", left, right, env)
    signed: Expr = ("cmpi", UNSIGNED[predicate], left, right)
    above = predicate in ("ugt", "uge")
    negative: Expr = ("cmpi", "slt" if above else "sge", left, FALSE)
    return simplify(("ori" if above == (right[1] >= 0) else "andi", negative, signed), env)


def _bits(kind: str, left: int, right: int) -> int:
    return left & right if kind == "andi" else left | right if kind == "ori" else left ^ right


def _look(expr: Expr, env: Env) -> Expr:
    known = env.get(expr)
    if known is None:
        return expr
    if isinstance(known, Range):
        return constant(int(known.low)) if known.low == known.high else expr
    return known


def _compare(predicate: str, left: Expr, right: Expr, env: Env) -> Expr:
    if left[0] == "const" and right[0] == "const":
        return TRUE if COMPARE[predicate](left[1], right[1]) else FALSE
    if left == right:
        return TRUE if predicate in ("eq", "sle", "sge") else FALSE
    if left[0] == right[0] == "function":
        return TRUE if predicate == "ne" else FALSE
    if left[0] == "const":
        predicate, left, right = SWAPPED[predicate], right, left
    if left[0] == "extui" and (widened := _compare_widened(predicate, left, right, env)) is not None:
        return widened
    if right[0] == "const":
        if left[0] in ("addi", "subi") and predicate in _SIGNED and is_exact(left, env):
            added = offset_from(left)
            if added is not None:
                return _compare(predicate, added[0], constant(right[1] - added[1]), env)
            if left[0] == "subi" and is_plain(left[1]) and is_plain(left[2]):
                more = left[2] if right == FALSE else _combine("addi", (left[2], right), env)
                return _combine("cmpi", (predicate, left[1], more), env)
        known = env.get(left)
        if known is None or isinstance(known, Range):
            known = FLAG if known is None and is_flag(left) else span_of(left, env)
        decided = _decide(predicate, known, right[1])
        if decided is None:
            return _of_choice(predicate, left, right[1], env) or ("cmpi", predicate, left, right)
        return TRUE if decided else FALSE
    return _asked_before(predicate, left, right, env)


def _asked_before(predicate: str, left: Expr, right: Expr, env: Env) -> Expr:
    known = _look(("cmpi", predicate, left, right), env)
    if known[0] == "const":
        return known
    if (found := _by_arms(predicate, left, right, env)) is not None:
        return found
    decided = asked_before(predicate, left, right, env)
    return ("cmpi", predicate, left, right) if decided is None else TRUE if decided else FALSE


def _by_arms(predicate: str, left: Expr, right: Expr, env: Env) -> Expr | None:
    """A comparison of one of two numbers that a flag tells, where it does not matter which, or says no more than that
    flag; else None."""
    chosen = left if left[0] == "select" else right
    if chosen[0] != "select" or not all(within(one, MAX_COMPARED_DEPTH, MAX_COMPARED_SIZE) for one in (left, right)):
        return None
    pairs = ([one[way] if one[:2] == chosen[:2] else one for one in (left, right)] for way in (2, 3))
    then, otherwise = (_combine("cmpi", (predicate, *pair), env) for pair in pairs)
    if then == otherwise:
        return then
    if then[0] != "const" or otherwise[0] != "const":
        return None
    return chosen[1] if then == TRUE else _combine("xori", (chosen[1], TRUE), env)


def _of_choice(predicate: str, left: Expr, number: int, env: Env) -> Expr | None:
    """A comparison of a flag as a number, or of one of two numbers that a flag tells, as that flag; else None."""
    flag, numbers = left, (1, 0)
    if left[0] == "select" and left[2][0] == left[3][0] == "const":
        flag, numbers = left[1], (left[2][1], left[3][1])
    elif not is_flag(left):
        return None
    then, otherwise = (COMPARE[predicate](one, number) for one in numbers)
    if then == otherwise:
        return TRUE if then else FALSE
    return flag if then else _combine("xori", (flag, TRUE), env)


def _decide(predicate: str, known: Expr | Range | None, number: int) -> bool | None:
    if not isinstance(known, Range):
        return None
    inside, outside = split(predicate, known, number)
    return None if inside and outside else bool(inside)


def split(predicate: str, known: Range, number: int) -> tuple[Range | None, Range | None]:
    """The part of `known` for which the comparison with `number` holds, and the rest."""
    if predicate in ("ne", "sgt", "sge"):
        inside, outside = split(NEGATED[predicate], known, number)
        return outside, inside
    if predicate == "eq":
        here = known.cut(number, number)
        return here, known.without(number)
    bound = number - 1 if predicate == "slt" else number
    return known.cut(-INFINITY, bound), known.cut(bound + 1, INFINITY)


Facts = dict[Expr, "Expr | Range"]
