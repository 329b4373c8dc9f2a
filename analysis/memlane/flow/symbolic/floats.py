"""Comparisons of floating-point numbers, as what is known of one number: how the first stands to the second.

`("order", a, b)` is 0 where `a` is less, 1 where they are equal, 2 where it is more, and 3 where one of them is NaN and
neither is so. Each predicate is some of these cases (LangRef, "fcmp"): `olt` and `uge` are each other's negation, `olt`
and `oge` are none, as neither holds of NaN.
"""

from __future__ import annotations

from memlane.flow.symbolic.scalar import FALSE, TRUE, Expr, balanced, constant, leaves
from memlane.integers import numeral
from memlane.syntax.tree.tree import Op

_OF_NUMBERS = {"lt": (0,), "eq": (1,), "gt": (2,), "le": (0, 1), "ne": (0, 2), "ge": (1, 2)}
_NAN = (3,)
_CASES = (
    {f"o{name}": cases for name, cases in _OF_NUMBERS.items()}
    | {f"u{name}": cases + _NAN for name, cases in _OF_NUMBERS.items()}
    | {"ord": (0, 1, 2), "uno": _NAN, "true": (0, 1, 2, 3), "false": ()}
)
_PREDICATES = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)
"""By their numbers in generic form."""
_EDGES: dict[tuple[int, ...], tuple[str, int]] = {(0, 1): ("sle", 1), (2, 3): ("sge", 2)}


def compared_floats(op: Op, left: Expr, right: Expr) -> Expr | None:
    """The comparison that an op makes, of two numbers of any kind; None where its text does not say which."""
    written = op.keywords[0] if op.keywords else (op.literal or "").strip('"').removeprefix("_")
    number = numeral(op.attributes.get("predicate", "").partition(":")[0].strip())
    name = written or (_PREDICATES[number] if number is not None and 0 <= number < len(_PREDICATES) else "")
    cases = _CASES.get(name)
    if cases is None:
        return None
    if left == right:  # equal, or NaN: up to 1, or not
        cases = (0, 1) * (1 in cases) + (2, 3) * (3 in cases)
    if _place(right) < _place(left):
        left, right = right, left
        cases = tuple(sorted(case if case in (1, 3) else 2 - case for case in cases))
    return _one_of(("order", left, right), cases)


def _place(number: Expr) -> list[tuple[int, int]]:
    """By what the numbers that are compared are sorted: `a < b` and `b > a` are one comparison."""
    return [(leaf.span.start, leaf.index) for leaf in leaves(number)]


def _one_of(order: Expr, cases: tuple[int, ...]) -> Expr:
    """That a number from 0 to 3 is one of some, in as few comparisons as that takes."""
    if len(cases) in (0, 4):
        return TRUE if cases else FALSE
    if len(cases) == 3:
        return ("cmpi", "ne", order, constant(6 - sum(cases)))
    if cases in _EDGES:
        predicate, bound = _EDGES[cases]
        return ("cmpi", predicate, order, constant(bound))
    return balanced("ori", [("cmpi", "eq", order, constant(case)) for case in cases])
