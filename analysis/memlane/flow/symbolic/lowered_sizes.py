"""Bytes that a value of lowered code takes in memory (LLVM language reference, "Data Layout"; those of x86-64)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from memlane.flow.symbolic.limits import MAX_AGGREGATE_DEPTH
from memlane.flow.symbolic.sizes import element_bytes
from memlane.lazy import regex
from memlane.syntax.shapes.element import members, whole

_POINTER = regex(r"!llvm\.ptr\b")
_PACKED = regex(r'!llvm\.struct<(?:"[^"]*",\s*)?packed\b')
_WORD = 8
"""Bytes of a pointer."""
_ALIGNED_TO = 16
"""Bytes. What is larger, as numbers of 256 bits are, is aligned to no more; vectors are."""


class Stored(NamedTuple):
    """Bytes of a value in memory, those included that fill it up to its alignment; and that, in bytes."""

    size: int
    alignment: int


@lru_cache(1024)
def stored(type_: str, deepest: int = MAX_AGGREGATE_DEPTH) -> Stored | None:
    """What a value of a type takes; None where that is not known: of types that have but a name, or are too deep."""
    type_ = whole(type_.strip())
    if _POINTER.match(type_):
        return Stored(_WORD, _WORD)
    inner, count = members(type_)
    if not inner and not type_.startswith("!llvm."):
        size = element_bytes(type_)
        return Stored(size, size if type_.startswith("vector<") else min(size, _ALIGNED_TO)) if size else None
    found = [stored(one, deepest - 1) for one in inner] if deepest else [None]
    parts = [one for one in found if one is not None]
    if not parts or len(parts) < len(found):
        return None
    if len(parts) == 1 and type_.startswith("!llvm.array<"):
        return Stored(parts[0].size * count, parts[0].alignment)
    alignment = 1 if _PACKED.match(type_) else max(one.alignment for one in parts)
    size = _starts(parts, alignment)[-1] + parts[-1].size
    return Stored(size + -size % alignment, alignment)


def offset_in(type_: str, indices: Sequence[int]) -> int | None:
    """How many bytes `llvm.getelementptr` moves an address of values of a type by constants: by the first whole ones,
    by the others into members. None where that is not known."""
    of = stored(type_)
    if of is None or not indices:
        return None
    first, *inner = indices
    found = first * of.size
    for index in inner:
        type_ = whole(type_.strip())
        types = members(type_)[0]
        parts = [one for one in map(stored, types) if one is not None]
        if not types or len(parts) < len(types) or of is None:
            return None
        if type_.startswith("!llvm.array<"):
            type_, found = types[0], found + index * parts[0].size
        elif 0 <= index < len(types):
            type_, found = types[index], found + _starts(parts, of.alignment)[index]
        else:
            return None
        of = stored(type_)
    return found


def _starts(parts: Sequence[Stored], most: int) -> list[int]:
    """Where the members of a struct begin that are aligned to so many bytes at most."""
    found: list[int] = []
    end = 0
    for one in parts:
        found.append(end + -end % min(most, one.alignment))
        end = found[-1] + one.size
    return found
