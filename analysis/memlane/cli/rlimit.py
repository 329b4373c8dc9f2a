"""Work ends before memory runs out, where the system limits it (`ulimit -v`).

A process that had none left was seen to loop for ever in CPython 3.11, in handling the very error that says so: that
takes a little memory, too.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext

from memlane.cancellation import Flag, cancellable

MARGIN_BYTES = 6_000_000
"""Bytes that are left when work ends. Between two looks analyses take a small part of that."""
POLLS_PER_LOOK = 64
"""So often a poll looks: that takes ten microseconds."""


class Limited(Flag):
    """Stops work that polls it by `MemoryError`.

    Args:
        limit: bytes of addresses that the process may use.
    """

    __slots__ = ("_limit", "_polls")

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.alert = True
        self._limit = limit
        self._polls = 0

    def heed(self) -> None:
        """Stop where too little is left."""
        self._polls += 1
        if self._polls % POLLS_PER_LOOK == 0 and addresses() + MARGIN_BYTES > self._limit:
            raise MemoryError


def limited() -> AbstractContextManager[None]:
    """Enter this around work that polls."""
    limit = address_limit()
    return nullcontext() if limit is None else cancellable(Limited(limit))


def address_limit() -> int | None:
    """How many bytes of addresses the process may use; None: as many as there are, or the system does not tell."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit
    except ImportError:  # Windows has no such limits
        return None
    limit, _ = getrlimit(RLIMIT_AS)
    return None if limit == RLIM_INFINITY else limit


def addresses() -> int:
    """How many it uses; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # no Linux
        return 0
