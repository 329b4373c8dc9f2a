"""How a path through a function ends."""

from __future__ import annotations

from typing import NamedTuple

from memlane.flow.states.state import Instance, State
from memlane.syntax.tree.tree import Op


class Ending(NamedTuple):
    """The way out of the function: the buffers handed to the caller, by operand of the returning op.

    Args:
        stays: there is none: the path breaks off, or goes round for ever.
    """

    state: State
    exit: Op | None
    results: tuple[Instance | None, ...]
    stays: bool = False
