"""Amounts of memory: bytes as numbers where sizes are known, as polynomials in unknown dimensions where not.

An amount is a sum of products of scalar expressions with whole coefficients: `4*%n*5 + 1024`. Dimensions are never
negative, so one amount is at least another when no coefficient is smaller. Equal sizes cancel because amounts are
sums of counts of equal products.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import prod

from memlane.flow.symbolic.limits import MAX_INCOMPARABLE
from memlane.flow.symbolic.scalar import Expr, operands
from memlane.limits import MAX_BYTES

Monomial = tuple[Expr, ...]
"""A product of expressions, in a stable order."""


@dataclass(frozen=True, slots=True)
class Amount:
    """Bytes.

    Args:
        terms: per product its coefficient, never 0; the empty product is the constant part.
        unbounded: more than any number: memory that grows with every iteration.

    Attributes:
        bytes: the number; None where it is not known or not bounded.
    """

    terms: frozenset[tuple[Monomial, int]] = frozenset()
    unbounded: bool = False
    bytes: int | None = field(init=False, compare=False, repr=False, default=0)

    def __post_init__(self) -> None:
        if self.terms or self.unbounded:
            object.__setattr__(self, "bytes", self._number())

    def _number(self) -> int | None:
        if self.unbounded or len(self.terms) != 1:
            return None
        ((monomial, count),) = self.terms
        return None if monomial else count

    def __add__(self, other: Amount) -> Amount:
        mine, theirs = self.bytes, other.bytes
        if mine == 0:
            return other
        if theirs == 0:
            return self
        if mine is not None and theirs is not None:
            return number(mine + theirs)
        counts = dict(self.terms)
        for monomial, count in other.terms:
            counts[monomial] = counts.get(monomial, 0) + count
        return _made(counts, self.unbounded or other.unbounded)

    def __sub__(self, other: Amount) -> Amount:
        return self + other.times(-1)

    def times(self, factor: int) -> Amount:
        """This amount `factor` times."""
        if any(abs(count * factor) >= MAX_BYTES for _, count in self.terms):
            return UNBOUNDED
        return _made({monomial: count * factor for monomial, count in self.terms}, self.unbounded)

    def __mul__(self, other: Amount) -> Amount:
        if self.unbounded or other.unbounded:
            return ZERO if ZERO in (self, other) else UNBOUNDED
        found = ZERO
        for monomial, count in self.terms:
            for another, times in other.terms:
                if abs(count * times) >= MAX_BYTES:
                    return UNBOUNDED
                found += _made({tuple(sorted((*monomial, *another), key=text)): count * times}, False)
        return found

    def covers(self, other: Amount) -> bool:
        """Whether this is at least `other`, whatever the dimensions are."""
        mine, theirs = self.bytes, other.bytes
        if mine is not None and theirs is not None:
            return mine >= theirs
        if self.unbounded or other.unbounded:
            return self.unbounded
        less = dict(other.terms)
        if any(count < less.pop(monomial, 0) for monomial, count in self.terms):
            return False
        return all(count <= 0 for count in less.values())

    def join(self, other: Amount) -> Amount:
        """The least amount known to cover both: the larger coefficient of each product."""
        if self.covers(other):
            return self
        if other.covers(self):
            return other
        mine, theirs = dict(self.terms), dict(other.terms)
        counts = {m: max(mine.get(m, 0), theirs.get(m, 0)) for m in {**mine, **theirs}}
        return _made(counts, self.unbounded or other.unbounded)

    def change(self, of: Callable[[Expr], Expr | None]) -> Amount:
        """The amount in other terms: each expression replaced; one without a counterpart stays."""
        if all(not monomial for monomial, _ in self.terms):
            return self
        counts: dict[Monomial, int] = {}
        unbounded = self.unbounded
        for monomial, count in self.terms:
            changed = product(count, [of(expr) or expr for expr in monomial])
            unbounded |= changed.unbounded
            for other, times in changed.terms:
                counts[other] = counts.get(other, 0) + times
        return _made(counts, unbounded)

    def at(self, values: Mapping[str, int]) -> Amount:
        """The amount where names of dimensions (`%n`) stand for numbers."""
        return self.change(lambda expr: ("const", values[text(expr)]) if text(expr) in values else None)

    def __str__(self) -> str:
        if self.unbounded:
            return "unbounded"
        parts = sorted((written(n, [*map(text, m)]) for m, n in self.terms), key=lambda part: (part.isdigit(), part))
        return " + ".join(parts) or "0"


ZERO = Amount()
UNBOUNDED = Amount(unbounded=True)


def written(factor: int, dimensions: Sequence[str]) -> str:
    """A product: `4*%n`; one times something is that."""
    return "*".join(dimensions if factor == 1 and dimensions else (str(factor), *dimensions))


@lru_cache(maxsize=1 << 14)
def number(count: int) -> Amount:
    """So many bytes."""
    return Amount(frozenset({((), count)})) if count else ZERO


def product(factor: int, dimensions: Iterable[Expr]) -> Amount:
    """`factor` bytes times the dimensions."""
    known: list[int] = []
    unknown: list[Expr] = []
    for dimension in map(_positive, dimensions):
        if dimension[0] == "const":
            known.append(dimension[1])
        else:
            unknown.append(dimension)
    count = factor * prod(max(0, size) for size in known)
    if count >= MAX_BYTES:
        return UNBOUNDED
    monomial = tuple(sorted(unknown, key=text)) if len(unknown) > 1 else tuple(unknown)
    return Amount(frozenset({(monomial, count)})) if count else ZERO


def _positive(dimension: Expr) -> Expr:
    """A dimension without the part that keeps it from being negative."""
    if dimension[0] == "maxsi":
        for one, other in (dimension[1:], dimension[:0:-1]):
            if one[0] == "const" and one[1] <= 0:
                return other
    return dimension


def total(amounts: Iterable[Amount]) -> Amount:
    """The sum."""
    found, rest = 0, ZERO
    for amount in amounts:
        count = amount.bytes
        if count is not None:
            found += count
        else:
            rest += amount
    return rest + number(found)


def maximal(amounts: Iterable[Amount]) -> tuple[Amount, ...]:
    """Those that no other covers; where these are many, one that covers all."""
    kept, most = _Highest(), -1
    for amount in amounts:
        count = amount.bytes
        if count is None or count < 0:
            kept.add(amount)
        elif count > most:  # the largest number covers the others, and most amounts are numbers
            most = count
    if most >= 0:
        kept.add(number(most))
    found = tuple(kept.amounts.values())
    return found if len(found) <= MAX_INCOMPARABLE else (_joined(found),)


class _Highest:
    """Amounts of which none covers another: few are looked at for each new one, those that share its products.

    An amount covers only what has none but products that count for something in itself.
    """

    def __init__(self) -> None:
        self.amounts: dict[int, Amount] = {}
        self._having: dict[Monomial, dict[int, None]] = {}
        self._under: dict[Monomial | None, dict[int, None]] = {}
        """Each by one product that it has, the rarest then; None: it has none."""
        self._number = 0
        self._unbounded = False

    def add(self, amount: Amount) -> None:
        """Take in an amount, unless it is covered, and leave out what it covers."""
        if self._unbounded:
            return
        if amount.unbounded:
            self.amounts, self._unbounded = {0: amount}, True
            return
        products = [monomial for monomial, count in amount.terms if count > 0]
        rarest = min(products, key=lambda monomial: len(self._having.get(monomial, ())), default=None)
        above = self._having.get(rarest, ()) if rarest is not None else self.amounts
        if any(self.amounts[at].covers(amount) for at in above):
            return
        for monomial in (None, *products):
            for at in [at for at in self._under.get(monomial, ()) if amount.covers(self.amounts[at])]:
                self._leave_out(at, monomial)
        self._number += 1
        self.amounts[self._number] = amount
        self._under.setdefault(rarest, {})[self._number] = None
        for monomial in products:
            self._having.setdefault(monomial, {})[self._number] = None

    def _leave_out(self, at: int, under: Monomial | None) -> None:
        del self._under[under][at]
        for monomial, count in self.amounts.pop(at).terms:
            if count > 0:
                del self._having[monomial][at]


def _joined(amounts: Collection[Amount]) -> Amount:
    """What `join` gives for all of them: the largest coefficient of each product. None is unbounded."""
    counts: dict[Monomial, list[int]] = {}
    for amount in amounts:
        for monomial, count in amount.terms:
            counts.setdefault(monomial, []).append(count)
    most = {m: max(found) if len(found) == len(amounts) else max(0, *found) for m, found in counts.items()}
    return _made(most, False)


def text(expr: Expr) -> str:
    """A scalar expression as people write it."""
    kind = expr[0]
    if kind == "const":
        return str(expr[1])
    if kind == "leaf":
        return expr[1].name
    if kind == "dim":
        return f"dim({expr[1][1].name},{expr[2][1]})"
    if kind == "typed":
        return f"{expr[1]}({','.join(map(text, operands(expr)))})"
    symbol = {"addi": "+", "subi": "-", "muli": "*"}.get(kind)
    parts = [text(part) for part in operands(expr)]
    return "(" + symbol.join(parts) + ")" if symbol else f"{kind}({','.join(parts)})"


def _made(counts: Mapping[Monomial, int], unbounded: bool) -> Amount:
    return Amount(frozenset((m, n) for m, n in counts.items() if n), unbounded)
