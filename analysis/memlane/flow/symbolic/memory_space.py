"""Where memory lies: the memory space of a memref type, which budgets speak of.

Spaces are what the type says (`memref<4xf32, 1>` lies in space `1`); the default space is the empty text.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memlane.lazy import regex

_OF_THREADS = regex(r"workgroup|address_space<private>", re.IGNORECASE)
_LAYOUT = regex(r"strided<|affine_map<|#map\d*$|\(|offset")


@lru_cache(1024)
def memory_space(type_: str) -> str:
    """The memory space of a memref type, as written; empty for the default one, and for other types."""
    inner = type_.strip()
    if not inner.startswith("memref<") or not inner.endswith(">"):
        return ""
    *_, last = parts = _parts(inner[len("memref<") : -1])
    if len(parts) < 2 or _LAYOUT.match(last):
        return ""
    return last.partition(" : ")[0].strip()


def is_of_threads(type_: str | None) -> bool:
    """Whether a memref lies in memory of a group of threads of a GPU, or of one thread: it ends with these.

    The `gpu` dialect says so by `#gpu.address_space`; other dialects name their spaces after that.
    """
    return type_ is not None and type_.startswith("memref<") and bool(_OF_THREADS.search(memory_space(type_)))


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
