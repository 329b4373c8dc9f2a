"""How much is tried: some of it at each change, all of it with `MEMLANE_FULL=1` (a change of the core, a release)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

Thing = TypeVar("Thing")

FULL = bool(os.environ.get("MEMLANE_FULL"))
"""All is tried."""


def some(every: Sequence[Thing], count: int) -> Sequence[Thing]:
    """`count` programs or seeds, from the first to near the last; all of them where all is tried."""
    return every if FULL else every[:: max(1, len(every) // count)][:count]
