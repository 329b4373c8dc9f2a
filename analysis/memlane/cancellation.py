"""Stopping work whose result is not needed any more, and pausing it while other work is more urgent.

The one who starts work enters `cancellable(flag)`; every loop of an analysis calls `poll()`; setting the flag, from
any thread, makes the next poll raise `Cancelled`. Work that runs outside `cancellable` is never stopped.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from threading import Event, Lock
from time import monotonic

LOOK_SECONDS = 0.02
"""Between two looks of resting work at whether it is still wanted."""
REST_SECONDS = 0.5
SHARE = 4
"""After a rest of full length, work goes on for that time divided by this."""


class Cancelled(BaseException):
    """The result is no longer wanted. Not an `Exception`: code that guards against bugs must let it pass."""


class Gate:
    """Lets urgent work go first: while some is under way, work whose flags have this gate rests at its polls.

    Python runs one thread at a time, so an answer that takes a millisecond would wait for its turns otherwise. Rest is
    bounded: after `REST_SECONDS` the work goes on for as long as a share of that, whatever else there is to do.
    """

    __slots__ = ("_count", "_flags", "_lock", "_open")

    def __init__(self) -> None:
        self._count = 0
        self._flags: set[Flag] = set()
        self._lock = Lock()
        self._open = Event()
        self._open.set()

    @contextmanager
    def urgent(self) -> Generator[None, None, None]:
        """Within this context others rest."""
        self._enter()
        try:
            yield
        finally:
            self._leave()

    @contextmanager
    def waiting(self) -> Generator[None, None, None]:
        """Urgent work that waits for what others do: they shall not rest for its sake meanwhile."""
        self._leave()
        try:
            yield
        finally:
            self._enter()

    @contextmanager
    def behind(self, flag: Flag) -> Generator[None, None, None]:
        """Within this context the work that polls `flag` rests when others are urgent."""
        with self._lock:
            self._flags.add(flag)
            flag.gate = self
            flag.alert = flag.is_set or self._count > 0
        try:
            yield
        finally:
            with self._lock:
                self._flags.discard(flag)

    def changing(self) -> AbstractContextManager[object]:
        """Enter this to change flags at this gate."""
        return self._lock

    def pass_by(self, seconds: float) -> bool:
        """Wait until nothing is urgent, up to so long; whether nothing is."""
        return self._open.wait(seconds)

    def _enter(self) -> None:
        with self._lock:
            self._count += 1
            self._open.clear()
            for flag in self._flags:
                flag.alert = True

    def _leave(self) -> None:
        with self._lock:
            self._count -= 1
            if self._count == 0:
                for flag in self._flags:
                    flag.alert = flag.is_set
                self._open.set()


class Flag:
    """Set once, by the one who no longer wants the result.

    Attributes:
        alert: the next poll has to look closer: the flag is set, or others are to go first.
        gate: whom the work lets go first; `first`: the gate at which it is urgent itself.
    """

    __slots__ = ("_until", "alert", "first", "gate", "is_set")

    def __init__(self, first: Gate | None = None) -> None:
        self.is_set = self.alert = False
        self.gate: Gate | None = None
        self.first = first
        self._until = 0.0

    def set(self) -> None:
        """Ask the work to stop at its next poll."""
        self.is_set = True
        with self.gate.changing() if self.gate is not None else nullcontext():
            self.alert = True

    def heed(self) -> None:
        """Stop, or rest."""
        began = monotonic()
        while not self.is_set and self.gate is not None and self._until <= monotonic():
            if self.gate.pass_by(LOOK_SECONDS):
                break
            if monotonic() - began > REST_SECONDS:
                self._until = monotonic() + REST_SECONDS / SHARE
        if self.is_set:
            raise Cancelled


_current: ContextVar[Flag | None] = ContextVar("memlane_cancellation", default=None)


def poll() -> None:
    """Raise `Cancelled` if the work under way is to stop; rest while other work is urgent. Costs some 0.1 us: call it
    once a step of a loop, and not where a lock is held that urgent work takes without saying that it `waits`."""
    flag = _current.get()
    if flag is not None and flag.alert:
        flag.heed()


def waits() -> AbstractContextManager[None]:
    """Enter this around waiting for other threads' work."""
    flag = _current.get()
    return flag.first.waiting() if flag is not None and flag.first is not None else nullcontext()


@contextmanager
def cancellable(flag: Flag) -> Generator[None, None, None]:
    """Within this context (and this thread) `poll` listens to `flag`."""
    token = _current.set(flag)
    try:
        yield
    finally:
        _current.reset(token)
