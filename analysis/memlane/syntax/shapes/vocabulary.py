"""The names of operations and the keywords of LLVM 22.1, as `vocabulary.txt` has them."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def vocabulary() -> dict[str, frozenset[str]]:
    """Op names by dialect, and keywords under `keywords`."""
    found: dict[str, frozenset[str]] = {}
    for line in Path(__file__).with_name("vocabulary.txt").read_text(encoding="utf-8").splitlines():
        if line[:1] != "#":
            key, _, names = line.partition(":")
            found[key] = frozenset(names.split())
    return found


def registered(name: str) -> bool:
    """Whether LLVM 22.1 has an operation of that name."""
    dialect, _, rest = name.partition(".")
    return rest in vocabulary().get(dialect, ())
