"""How far two texts are the same."""

from __future__ import annotations


def common(one: str, other: str, most: int | None = None) -> int:
    """How many characters, `most` at most, are the same at the beginning."""
    low, high = 0, min(len(one), len(other)) if most is None else most
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
