"""Sets as the bits of numbers."""

from __future__ import annotations

from collections.abc import Iterator


def single(bits: int) -> Iterator[int]:
    """The bits that are set, each as a number of its own, the lowest first."""
    while bits:
        yield bits & -bits
        bits &= bits - 1
