"""What is derived of a function, or of a part of it, each thing asked once: the seed of the one memo.

Who derives something writes a function of the thing alone, and asks `query` for it. Nothing else is stored on what it
is derived of.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
M = TypeVar("M", bound="Memoized")


class Memoized:
    """Something of which others derive facts.

    Attributes:
        memo: these facts, by what derives them; see `query`.
    """

    __slots__ = ("memo",)

    def __init__(self) -> None:
        self.memo: dict[Callable[..., Any], Any] = {}


def query(of: M, key: Callable[[M], T]) -> T:
    """What `key` derives of something: asked once, then remembered. Several views of one function, as with
    deallocations taken out, have one memo: `key` asks for nothing in which they differ."""
    memo = of.memo
    return memo[key] if key in memo else memo.setdefault(key, key(of))


def known(of: M, key: Callable[[M], T]) -> T | None:
    """The same, if it has been asked; else None."""
    return of.memo.get(key)
