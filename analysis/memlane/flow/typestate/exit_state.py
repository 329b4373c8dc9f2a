"""How a path through a function ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress, count
from typing import NamedTuple

from memlane.flow.dataflow.state import Instance, State
from memlane.syntax.tree.tree import Op, Value


class ExitState(NamedTuple):
    """The way out of the function: the buffers handed to the caller, by operand of the returning op.

    Args:
        stays: the path has no end: it breaks off, or never terminates.
    """

    state: State
    exit: Op | None
    results: tuple[Instance | None, ...]
    stays: bool = False


def given(
    handed: Sequence[Value | None], followed: Callable[[object], bool], held: Callable[[Value], Instance | None]
) -> tuple[Instance | None, ...]:
    """What each of some values is that are handed to the caller. Of many most are not followed: they are passed over
    in C."""
    found: list[Instance | None] = [None] * len(handed)
    for at in compress(count(), map(followed, handed)):
        found[at] = held(value) if (value := handed[at]) is not None else None
    return tuple(found)
