"""Values that are computed on first access, once, by any thread."""

from __future__ import annotations

import re
from collections.abc import Callable
from threading import RLock
from typing import Any, AnyStr, Generic, TypeVar, cast

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


def regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """`re.compile`, done when the pattern is first used: a check of a short program needs a third of some 200 patterns.
    A mistake in the pattern is raised then, as an `re.error`. Not for what others are given, who ask whether it is an
    `re.Pattern`."""
    return cast("re.Pattern[AnyStr]", _Uncompiled(lambda: re.compile(pattern, flags)))


class _Uncompiled:
    """A regular expression that is compiled as soon as anything is asked of it, and keeps what it was asked for: the
    next use costs what it costs of an `re.Pattern`."""

    def __init__(self, compiled: Callable[[], object]) -> None:
        self._compiled = compiled
        self._pattern: object = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # asked by `copy` and the like
            raise AttributeError(name)
        if self._pattern is None:
            self._pattern = self._compiled()
        found = getattr(self._pattern, name)
        setattr(self, name, found)
        return found
