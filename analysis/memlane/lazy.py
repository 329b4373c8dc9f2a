"""Values that are computed on first access, once, by any thread."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Generic, TypeVar

from memlane.cancellation import poll, waits

T = TypeVar("T")


class Lazy(Generic[T]):
    """A value computed at most once, by the first thread that asks. A computation that raises is not kept."""

    __slots__ = ("_compute", "_lock", "_value")

    def __init__(self, compute: Callable[[], T]) -> None:
        self._compute: Callable[[], T] | None = compute
        self._lock = RLock()
        self._value: list[T] = []

    def get(self) -> T:
        """The value; another thread that is computing it is waited for."""
        if not self._value:
            if not self._lock.acquire(blocking=False):
                with waits():
                    self._lock.acquire()
            try:
                poll()
                if self._compute is not None:
                    self._value.append(self._compute())
                    self._compute = None
            finally:
                self._lock.release()
        return self._value[0]

    @property
    def known(self) -> T | None:
        """The value if it was computed already."""
        return self._value[0] if self._value else None
