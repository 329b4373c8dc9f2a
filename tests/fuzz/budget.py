"""A bound on the processor time of one input: what takes longer hangs, or grows faster than its input.

Time is that of the process, not of the clock, so a busy machine does not matter. The bounds are some ten times what
the slowest input of a long run took.
"""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

FLOOR = 20.0
PER_BYTE = 0.002
"""Seconds of processor time that any input may take, and that each of its bytes may take beside."""
TIMES = {"fixes": 6.0, "renderers": 9.0, "editor": 6.0}
"""Targets that check a text again and again: how many times the time of the others they may take."""


def allowed(target: str, text: str) -> float:
    """Seconds of processor time that `target` may take with `text`."""
    return (FLOOR + PER_BYTE * len(text)) * TIMES.get(target, 1.0)


class TooSlow(BaseException):
    """An input took longer than its bound. Not an `Exception`: code that guards against bugs must let it pass."""


@contextmanager
def bounded(seconds: float) -> Generator[None, None, None]:
    """Raise `TooSlow` within this context once the process has worked for `seconds`. Main thread only; Unix only."""

    def late(number: int, frame: FrameType | None) -> None:
        raise TooSlow(f"more than {seconds:.1f} s of processor time")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
