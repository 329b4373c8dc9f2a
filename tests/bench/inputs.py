"""The programs that are measured, made by the generators of the shared folder; kept, as some take a minute.

`functions`: many functions, which call each other; `one`: one function; `compiler`: what real passes print.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

SHARED = Path(__file__).parents[3] / "shared" / "bench"
KEPT = Path(tempfile.gettempdir()) / "memlane-bench"
SIZES = {
    "functions": (100, 1_000, 10_000, 100_000),
    "one": (1_000, 10_000, 100_000),
    "compiler": (1_000, 10_000, 190_000),
}
_ONE = """
import sys
sys.path.insert(0, {folder!r})
source = open({folder!r} + "/gen_one.py").read().partition("for n in (")[0]
exec(source)
open({target!r}, "w").write(one({lines}))
"""
_LINES_A_MODEL = 100
"""Of compiler output, for each function of the module that it comes from."""


def program(kind: str, lines: int) -> str:
    """A program of about so many lines."""
    path = KEPT / f"{kind}-{lines}.mlir"
    if not path.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [sys.executable, *_command(kind, lines, path)], check=True, cwd=SHARED, stdout=subprocess.DEVNULL
        )
    return path.read_text(encoding="utf-8")


def _command(kind: str, lines: int, path: Path) -> list[str]:
    if kind == "functions":
        return [str(SHARED / "gen.py"), str(lines), str(path)]
    if kind == "compiler":
        # An odd number of functions is lowered to loops.
        return [str(SHARED / "gen_pipe.py"), str(lines // _LINES_A_MODEL | 1), str(path)]
    return ["-c", _ONE.format(folder=str(SHARED), target=str(path), lines=lines)]


def edits(source: str, count: int, seed: int = 1) -> Iterator[tuple[int, str]]:
    """Where a character is typed, and which: anywhere, so that most edits break a statement until they are undone."""
    chosen = random.Random(seed)
    for _ in range(count):
        yield chosen.randrange(len(source)), chosen.choice("x1 %,")


LINES = (
    "// what follows needs a buffer of its own",
    "%mine = memref.alloc() : memref<16xf32>",
    "memref.dealloc %mine : memref<16xf32>",
)
"""What somebody writes."""


def written(source: str, count: int, seed: int = 3) -> Iterator[tuple[str, int, str]]:
    """Lines that are written letter by letter, `count` at most, each behind a line where an operation follows: the
    text, where something is typed in it, and what."""
    chosen = random.Random(seed)
    at = -1
    for number in range(count):
        if number % len(LINES) == 0:
            at = source.find("\n    %", chosen.randrange(len(source) // 2))
        for letter in ("\n    ", *LINES[number % len(LINES)]) if at >= 0 else ():
            yield source, at, letter
            source = source[:at] + letter + source[at:]
            at += len(letter)


def names(source: str, count: int, seed: int = 2) -> Iterator[int]:
    """Offsets of values that are used, to ask about."""
    chosen = random.Random(seed)
    found = 0
    while found < count:
        at = source.find("(%", chosen.randrange(len(source)))
        if at >= 0:
            found += 1
            yield at + 2
