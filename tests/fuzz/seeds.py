"""Where inputs come from before they are mutated: our own programs, and others' where they lie beside the checkout."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OWN = ("tests", "examples")
SHARED = ("cases", "corpus")
LARGEST = 20_000
"""Bytes of the largest file taken: mutations are spent better on small ones."""


@cache
def seeds() -> tuple[str, ...]:
    """The texts, in a fixed order. Undecodable bytes become U+FFFD."""
    folders = [ROOT / name for name in OWN] + [ROOT.parent / "shared" / name for name in SHARED]
    paths = [path for folder in folders for path in sorted(folder.rglob("*.mlir")) if path.stat().st_size <= LARGEST]
    return tuple(path.read_text(encoding="utf-8", errors="replace") for path in paths)


@cache
def _weights() -> tuple[int, ...]:
    """Small texts are drawn more often: a mutation of them says more for the time it takes."""
    total = 0
    return tuple([total := total + 1 + 3_000_000 // (200 + len(text)) for text in seeds()])


def seed(choose: random.Random) -> str:
    """One of the texts."""
    return choose.choices(seeds(), cum_weights=_weights())[0]
