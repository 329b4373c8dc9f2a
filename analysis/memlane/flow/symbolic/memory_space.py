"""Where memory lies: the memory space of a memref type, which budgets speak of.

Spaces are what the type says (`memref<4xf32, 1>` lies in space `1`); the default space is the empty text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import Enum
from functools import lru_cache

from memlane.lazy import regex

_OF_THREADS = regex(r"(?P<group>workgroup)|address_space<private>", re.IGNORECASE)
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


class ThreadMemory(Enum):
    """Memory of threads of a GPU: it ends with these."""

    GROUP = "of a group of threads"
    ONE = "of one thread"


def memory_of_threads(type_: str | None, kernel: Callable[[], bool]) -> ThreadMemory | None:
    """Which memory of threads a memref lies in; None: in other memory.

    The `gpu` dialect says so by `#gpu.address_space`; other dialects name their spaces after that, or number them
    (NVVM and ROCDL, "Address spaces").

    Args:
        kernel: whether threads of a GPU run the code around: elsewhere a number says nothing.
    """
    memory, numbered = _of_type(type_)
    return memory if not numbered or kernel() else None


@lru_cache(1024)
def _of_type(type_: str | None) -> tuple[ThreadMemory | None, bool]:
    """What a type says, and whether it says that by a number."""
    space = memory_space(type_) if type_ is not None else ""
    if space in _NUMBERED:
        return _NUMBERED[space], True
    named = _OF_THREADS.search(space)
    return (None if named is None else ThreadMemory.GROUP if named["group"] else ThreadMemory.ONE), False


_NUMBERED: Mapping[str, ThreadMemory] = {"3": ThreadMemory.GROUP, "5": ThreadMemory.ONE}


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
