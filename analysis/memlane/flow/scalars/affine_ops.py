"""What operations compute or ask by an affine map or set: as they stand in the text, or as an attribute."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from memlane.flow.symbolic.affine_maps import Affine, affine_of, all_hold, largest, smallest
from memlane.flow.symbolic.scalar import Expr, constant
from memlane.integers import numeral
from memlane.lazy import regex
from memlane.syntax.tree.aliases import meant
from memlane.syntax.tree.tree import Op

_ATTRIBUTE = "map"
_AFFINE: Mapping[str, Callable[[Sequence[Expr]], Expr]] = {"affine": largest, "affine_max": largest} | {
    "affine_min": smallest
}
"""What an op computes of the results of its map: the first has one result."""
AFFINE_KINDS = frozenset(_AFFINE)
_NAME = regex(r"%[\w$.#-]+")
_CHOICE = regex(r"(?:max|min)\b\s*")


def mapped(kind: str, op: Op, parts: Sequence[Expr]) -> Expr | None:
    """The number that an op computes with its map, whose arguments are its operands; None where it is not known."""
    text = meant(op.literal, op.aliases) if op.literal is not None else op.attributes.get(_ATTRIBUTE, "")
    found = affine_of(text)
    results = found.applied(parts) if found is not None else None
    return _AFFINE[kind](results) if results and (kind != "affine" or len(results) == 1) else None


def asked_of(text: str, op: Op, arguments: Sequence[Expr]) -> Expr | None:
    """The condition of an integer set for some arguments; None for other texts, and aliases that are not defined."""
    found = affine_of(meant(text, op.aliases))
    results = found.applied(arguments) if found is not None else None
    return all_hold(results) if results is not None else None


def bounds_written(text: str) -> list[str]:
    """The texts of `LOWER to UPPER step STEP`, the last of which may be missing; none where it is not of that form."""
    bounds = " ".join(text.split()).partition(" iter_args")[0]
    lower, between, rest = bounds.partition(" to ")
    upper, _, step = rest.partition(" step ")
    return [lower, upper.strip(), step.strip()] if between else []


def bound_of(text: str, op: Op, named: Mapping[str, Expr], upper: bool) -> Expr | None:
    """A bound of a loop: a number, the name of a value, or a map of such; None where it is not known.

    Args:
        named: the values of the operands of `op`, by their names.
        upper: it is the smallest of several numbers, not the largest.
    """
    if (number := numeral(text)) is not None:
        return constant(number)
    text = meant(text, op.aliases)
    if text in named:
        return named[text]
    text = text[found.end() :] if (found := _CHOICE.match(text)) is not None else text
    read = affine_of(text)
    if read is None:
        return None
    return bound_by(read, [named.get(name) for name in _NAME.findall(text, read.end)], upper)


def bound_by(read: Affine, arguments: Sequence[Expr | None], upper: bool) -> Expr | None:
    """The same of a map and its arguments."""
    known = [one for one in arguments if one is not None]
    results = read.applied(known) if len(known) == len(arguments) else None
    return (smallest if upper else largest)(results) if results else None
