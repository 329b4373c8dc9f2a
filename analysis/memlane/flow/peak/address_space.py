"""Where memory lies: the memory space of a buffer, which budgets speak of.

Spaces are what the memref type says (`memref<4xf32, 1>` lies in space `1`); the default space is the empty text.
"""

from __future__ import annotations

import re

from memlane.flow.alias.origin import Origin

_LAYOUT = re.compile(r"strided<|affine_map<|#map\d*$|\(|offset")


def space_of(origin: Origin) -> str:
    """The memory space of a buffer, as written; empty for the default one."""
    inner = (origin.value.type or "").strip()
    if not inner.startswith("memref<") or not inner.endswith(">"):
        return ""
    *_, last = parts = _parts(inner[len("memref<") : -1])
    if len(parts) < 2 or _LAYOUT.match(last):
        return ""
    return last.partition(" : ")[0].strip()


def _parts(text: str) -> list[str]:
    """The parts of `text` between its top-level commas."""
    parts, depth, start = list[str](), 0, 0
    for index, character in enumerate(text):
        if character in "<([{":
            depth += 1
        elif character in ")]}" or (character == ">" and text[index - 1] != "-"):
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    return [*parts, text[start:].strip()]
