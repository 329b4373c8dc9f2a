"""Stopping work whose result nobody wants any more.

The one who starts work enters `cancellable(flag)`; every loop of an analysis calls `poll()`; setting the flag, from
any thread, makes the next poll raise `Cancelled`. Work that runs outside `cancellable` is never stopped.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar


class Cancelled(BaseException):
    """The result is no longer wanted. Not an `Exception`: code that guards against bugs must let it pass."""


class Flag:
    """Set once, by the one who no longer wants the result."""

    __slots__ = ("is_set",)

    def __init__(self) -> None:
        self.is_set = False

    def set(self) -> None:
        """Ask the work to stop at its next poll."""
        self.is_set = True


_current: ContextVar[Flag | None] = ContextVar("memlane_cancellation", default=None)


def poll() -> None:
    """Raise `Cancelled` if the work under way is to stop. Costs some 0.1 us: call it once a step of a loop."""
    flag = _current.get()
    if flag is not None and flag.is_set:
        raise Cancelled


@contextmanager
def cancellable(flag: Flag) -> Generator[None, None, None]:
    """Within this context (and this thread) `poll` listens to `flag`."""
    token = _current.set(flag)
    try:
        yield
    finally:
        _current.reset(token)
