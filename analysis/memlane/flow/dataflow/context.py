"""How a function is entered: what is known of its arguments before the first operation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from memlane.flow.symbolic.scalar import Expr, constant

Known = int | str | None
"""What is known of what is passed: a number, or the symbol of a function."""


class Context(NamedTuple):
    """How the function is entered.

    Args:
        partition: per argument the number of the buffer it is, where several are one; empty: all differ.
        constants: what is known of scalar arguments.
        callers: the functions that pass one buffer as several arguments, in the order of their names.
    """

    partition: tuple[int | None, ...] = ()
    constants: Mapping[Expr, Expr] = {}
    callers: tuple[str, ...] = ()

    @property
    def pairs(self) -> bool:
        """Whether several arguments are one buffer."""
        return is_repeated(self.partition)


def together(contexts: Iterable[tuple[object, Context]]) -> list[Context]:
    """Contexts with their keys, merged: the first of those with equal keys, with the callers of all."""
    found: dict[object, Context] = {}
    for key, context in contexts:
        one = found.setdefault(key, context)
        if one.callers != context.callers:
            found[key] = one._replace(callers=tuple(sorted({*one.callers, *context.callers})))
    return list(found.values())


def is_repeated(partition: tuple[int | None, ...]) -> bool:
    """Whether two arguments are one buffer."""
    return len({*partition} - {None}) < len(partition) - partition.count(None)


def repeated(partition: tuple[int | None, ...]) -> tuple[bool, ...]:
    """Per argument whether another one is the same buffer."""
    count = Counter(partition)
    return tuple(group is not None and count[group] > 1 for group in partition)


def known_of(scalars: Iterable[Expr | None]) -> tuple[Known, ...]:
    """What is known of what is passed."""
    return tuple([one[1] if one is not None and one[0] in ("const", "function") else None for one in scalars])


def expression_of(known: Known) -> Expr | None:
    """The expression of what is known."""
    return None if known is None else constant(known) if isinstance(known, int) else ("function", known)
