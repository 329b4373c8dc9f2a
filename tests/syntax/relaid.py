"""The same program on other lines: what `mlir-opt` accepts means what it meant, wherever its lines end."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

_TOKEN = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*')


def lines(text: str) -> Iterator[str]:
    """Its lines without comments, those left out that hold nothing."""
    for line in _TOKEN.sub(lambda match: match.group(1) or "", text).split("\n"):
        if line.strip():
            yield line.rstrip()


def on_one_line(text: str) -> str:
    """The text without comments, on a single line."""
    return " ".join(line.strip() for line in lines(text)) + "\n"


def on_fewer_lines(text: str, chooser: random.Random) -> str:
    """The text without comments, half of its lines put behind the one before."""
    found = ""
    for line in lines(text):
        joined = found and chooser.random() < 0.5
        found += f" {line.strip()}" if joined else f"\n{line}"
    return f"{found}\n"
