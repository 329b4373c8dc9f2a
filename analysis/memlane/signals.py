"""How a process ends on request (Ctrl-C, `kill`, a terminal that is closed): at once and silently.

Python turns Ctrl-C into an exception that appears wherever the process happens to be. Where that is a place from which
nothing can be raised (an iterator that is let go of, a module that is cleared at the end), it prints a traceback and
goes on. Nothing here needs an exception: findings are shown when all are there, and files are replaced as a whole.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""What asks a process to end."""
CLEAR_LINE = b"\r\x1b[K"


def end_silently() -> None:
    """From here on this process ends by the signal that asks for it.

    A signal that is ignored (`nohup`, a shell's background jobs) or that other code handles stays so.
    """
    for number in SIGNALS:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _end)


def let_be() -> None:
    """What `end_silently` did, undone: the system ends this process, also where Python runs nothing of its own.

    That is so in its own tidying up, and where it waits for a lock that is never released."""
    for number in SIGNALS:
        if signal.getsignal(number) is _end:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def postponed() -> Generator[None, None, None]:
    """What asks this thread's process to end waits until the end of this context.

    Processes that are started in it inherit that: `admit` lets it in again. Without effect on Windows.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def admit() -> None:
    """For a process started while signals were postponed: `kill` ends it again.

    Ctrl-C and the end of a terminal reach the one that started it, too, and are its affair."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})


def _end(number: int, _: FrameType | None) -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        os.write(sys.stderr.fileno(), CLEAR_LINE)  # of how far the work was
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)
