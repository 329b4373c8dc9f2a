"""Where inputs come from before they are mutated: our own programs, and others' where they lie beside the checkout."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from math import log
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OWN = ("tests", "examples")
SHARED = ("cases", "corpus")
LARGEST = 20_000
"""Bytes of the largest file taken: mutations are spent better on small ones."""
LONGEST_FUNCTION = 4_000
"""Characters of the longest function taken."""
_FUNCTION = re.compile(r"^(?:func|llvm)\.func [^\n]*\{\n.*?^\}\n", re.MULTILINE | re.DOTALL)


@cache
def seeds() -> tuple[tuple[int, float, str], ...]:
    """The texts, each after a number made of its file's name and its weight. Undecodable bytes become U+FFFD.

    Small texts weigh more: a mutation of them says more for the time it takes.
    """
    folders = [ROOT / name for name in OWN] + [ROOT.parent / "shared" / name for name in SHARED]
    paths = [path for folder in folders for path in sorted(folder.rglob("*.mlir")) if path.stat().st_size <= LARGEST]
    texts = [(path, path.read_text(encoding="utf-8", errors="replace")) for path in paths]
    return tuple((_number(path), 1 + 3_000_000 // (200 + len(text)), text) for path, text in texts)


def _number(path: Path) -> int:
    name = path.relative_to(ROOT if path.is_relative_to(ROOT) else ROOT.parent).as_posix()
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big")


def seed(choose: random.Random) -> str:
    """One of the texts. A further file changes only the draws that it wins itself (weighted rendezvous hashing)."""
    return _drawn(choose, seeds())


@cache
def functions() -> tuple[tuple[int, float, str], ...]:
    """The functions of the rule files, each after a number made of its file's name and its place there, and its
    weight."""
    paths = sorted((ROOT / "tests" / "rules").glob("*.mlir"))
    found = [(path, _FUNCTION.findall(path.read_text(encoding="utf-8"))) for path in paths]
    texts = [(_number(path) ^ place, text) for path, those in found for place, text in enumerate(those)]
    return tuple((number, 1, text) for number, text in texts if len(text) <= LONGEST_FUNCTION)


def function(choose: random.Random) -> str:
    """One of the functions of the rule files, drawn likewise."""
    return _drawn(choose, functions())


def _drawn(choose: random.Random, texts: Sequence[tuple[int, float, str]]) -> str:
    draw = choose.getrandbits(64)
    return min(texts, key=lambda one: -log(_mixed(one[0] ^ draw)) / one[1])[2]


def _mixed(number: int) -> float:
    """A number between 0 and 1, both exclusive, of 64 bits: the finalizer of SplitMix64 (Steele et al., 2014)."""
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & _BITS
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & _BITS
    return ((number ^ (number >> 31)) + 0.5) / 2**64


_BITS = 2**64 - 1
