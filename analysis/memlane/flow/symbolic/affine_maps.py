"""Affine maps and integer sets as scalar expressions (MLIR Language Reference, "Affine Maps", "Integer Sets").

A map of n dimensions and m symbols gives one number or more; of several, a bound of a loop is the largest or the
smallest. A set is a condition: all of its constraints.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from memlane.flow.symbolic.limits import MAX_AFFINE_TEXT, MAX_APPLIED_PARTS, MAX_MAP_OPS
from memlane.flow.symbolic.scalar import TRUE, Expr, balanced, constant, operands, rebuild, simplify, size
from memlane.lazy import regex

_HEAD = regex(r"\s*(affine_map|affine_set)<\s*\(([^()]*)\)\s*(?:\[([^\]]*)\])?\s*(->|:)\s*\(")
_TOKEN = regex(r"\s*(==|>=|<=|[A-Za-z_]\w*|\d+|[-+*(),])")
_SUMS = {"+": "addi", "-": "subi"}
_PRODUCTS = {"*": "muli", "floordiv": "floordivsi", "ceildiv": "ceildivsi", "mod": "mod"}
_RELATIONS = {"==": "eq", ">=": "sge", "<=": "sle"}


class Affine(NamedTuple):
    """A map, or a set.

    Args:
        arguments: how many numbers it is given, dimensions first.
        results: what it is made of, the arguments being `("argument", index)`: numbers, or conditions of a set.
        end: the offset in the text behind it.
        parts: of how many expressions the results are made, without the arguments.
        uses: how often each argument is one of them.
    """

    arguments: int
    results: tuple[Expr, ...]
    end: int
    parts: int
    uses: tuple[int, ...]

    def applied(self, arguments: Sequence[Expr]) -> tuple[Expr, ...] | None:
        """The results for some arguments; None where these are not as many, or the results would be too large: maps of
        maps that name an argument twice double it each time."""
        if len(arguments) != self.arguments:
            return None
        larger = sum(times * size(one) for times, one in zip(self.uses, arguments, strict=True) if times)
        if self.parts + larger > MAX_APPLIED_PARTS:
            return None
        return tuple([simplify(_put_in(result, arguments), {}) for result in self.results])


@lru_cache(1024)
def affine_of(text: str) -> Affine | None:
    """The map or set that a text begins with; None for other texts, and for large ones."""
    head = _HEAD.match(text) if len(text) <= MAX_AFFINE_TEXT else None
    if head is None or (head[1] == "affine_set") is not (head[4] == ":"):
        return None
    names = [name.strip() for part in (head[2], head[3] or "") for name in part.split(",") if name.strip()]
    try:
        results, at = _Reader(text, head.end(), names).results(head[1] == "affine_set")
    except _UnreadableError:
        return None
    parts, uses = _counted(results, len(names))
    return Affine(len(names), results, at, parts, uses) if text.startswith(">", at) else None


def largest(numbers: Sequence[Expr]) -> Expr:
    """The largest of one number or more."""
    return balanced("maxsi", numbers)


def smallest(numbers: Sequence[Expr]) -> Expr:
    """The smallest of one number or more."""
    return balanced("minsi", numbers)


def all_hold(conditions: Sequence[Expr]) -> Expr:
    """That all of some conditions hold."""
    return balanced("andi", conditions) if conditions else TRUE


def _counted(results: Sequence[Expr], arguments: int) -> tuple[int, tuple[int, ...]]:
    """See `Affine.parts` and `Affine.uses`."""
    parts, uses, pending = 0, [0] * arguments, [*results]
    while pending:
        one = pending.pop()
        if one[0] == "argument":
            uses[one[1]] += 1
        else:
            parts += 1
            pending += operands(one)
    return parts, tuple(uses)


def _put_in(expr: Expr, arguments: Sequence[Expr]) -> Expr:
    if expr[0] == "argument":
        at: int = expr[1]
        return arguments[at]
    found = rebuild(expr, lambda part: _put_in(part, arguments))
    assert found is not None
    return found


class _UnreadableError(Exception):
    """It is no map or set."""


class _Reader:
    """Reads the results of a map or set. `names`: of its arguments."""

    def __init__(self, text: str, at: int, names: Sequence[str]) -> None:
        self._text, self._at = text, at
        self._arguments: dict[str, Expr] = {name: ("argument", index) for index, name in enumerate(names)}
        self._ops = 0
        """Parentheses, signs and operators of one result so far."""

    def results(self, conditions: bool) -> tuple[tuple[Expr, ...], int]:
        """What stands in the parentheses that have been opened, and the offset behind these."""
        found = list(self._list(conditions))
        return tuple(found), self._at

    def _list(self, conditions: bool) -> Iterator[Expr]:
        if self._taken(")"):
            return
        while True:
            self._ops = 0
            yield self._condition() if conditions else self._sum()
            if self._taken(")"):
                return
            self._take(",")

    def _condition(self) -> Expr:
        left = self._sum()
        predicate = _RELATIONS.get(self._next())
        if predicate is None:
            raise _UnreadableError
        return ("cmpi", predicate, left, self._sum())

    def _sum(self) -> Expr:
        found = self._product()
        while (sign := self._seen()) in _SUMS:
            self._operator()
            found = (_SUMS[sign], found, self._product())
        return found

    def _product(self) -> Expr:
        found = self._factor()
        while (sign := self._seen()) in _PRODUCTS:
            self._operator()
            found = (_PRODUCTS[sign], found, self._factor())
        return found

    def _factor(self) -> Expr:
        token = self._next()
        if token.isdecimal():
            return constant(int(token))
        if token in self._arguments:
            return self._arguments[token]
        if token not in ("-", "("):
            raise _UnreadableError
        self._count()
        if token == "-":
            return ("subi", constant(0), self._factor())
        found = self._sum()
        self._take(")")
        return found

    def _operator(self) -> None:
        self._next()
        self._count()

    def _count(self) -> None:
        self._ops += 1
        if self._ops > MAX_MAP_OPS:
            raise _UnreadableError

    def _seen(self) -> str:
        found = _TOKEN.match(self._text, self._at)
        return found[1] if found is not None else ""

    def _next(self) -> str:
        found = _TOKEN.match(self._text, self._at)
        if found is None:
            raise _UnreadableError
        self._at = found.end()
        return found[1]

    def _taken(self, token: str) -> bool:
        if self._seen() != token:
            return False
        self._next()
        return True

    def _take(self, token: str) -> None:
        if self._next() != token:
            raise _UnreadableError
