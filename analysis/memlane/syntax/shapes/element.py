"""The type of an element or member of another type, as text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memlane.integers import numeral
from memlane.lazy import regex

_POSITION = regex(r"\[([\d,\s]+)\]\s*:\s*(.*)", re.DOTALL)
_STRUCT = regex(r'!llvm\.struct<(?:"[^"]*",\s*)?(?:packed\s*)?\((.*)\)>', re.DOTALL)
_ARRAY = regex(r"!llvm\.array<(\d+) x (.*)>", re.DOTALL)
_OWN = regex(r"(?:array|func|ppc_fp128|ptr|struct|target|x86_amx)\b")
"""Types of the dialect, which stand in others without its name (MLIR, "'llvm' Dialect", "Types")."""


def member_type(text: str) -> str | None:
    """The type at a position in an aggregate: `[0] : !llvm.struct<(ptr, i64)>` -> `!llvm.ptr`; None: not known."""
    written = _POSITION.fullmatch(text)
    if written is None:
        return None
    type_ = written[2].strip()
    for digits in written[1].split(","):
        position = numeral(digits.strip())
        found, count = members(type_)
        number = position if len(found) == count else 0
        if number is None or number >= len(found):
            return None
        type_ = found[number]
    return type_


def member_types(type_: str, most: int) -> list[str]:
    """The types of the members of an aggregate, in order; none of other types, and where there are more than `most`."""
    found, count = members(type_)
    return [] if count > most else found if len(found) == count else found * count


def members(type_: str) -> tuple[list[str], int]:
    """The types of the members of an aggregate, with how many there are; of an array, that of all of them."""
    struct, array = _STRUCT.fullmatch(type_), _ARRAY.fullmatch(type_)
    written = _parts(struct[1]) if struct is not None else [array[2]] if array is not None else []
    found = [whole(one) for one in written if one]
    return found, (numeral(array[1]) or 0) if array is not None else len(found)


def whole(type_: str) -> str:
    """A type with the name of its dialect, which may be left out inside another."""
    return f"!llvm.{type_}" if _OWN.match(type_) else type_


def _parts(text: str) -> Iterator[str]:
    """What stands between the commas that are in no bracket."""
    depth = start = 0
    for at, character in enumerate(text):
        if character in "<([":
            depth += 1
        elif character in ">)]" and text[at - 1 : at] != "-":
            depth -= 1
        elif character == "," and not depth:
            yield text[start:at].strip()
            start = at + 1
    yield text[start:].strip()


def is_encoded(type_: str) -> bool:
    """Whether a shaped type says more than its dimensions and its element: an encoding, a layout, a memory space."""
    start = type_.find("<")
    return start >= 0 and len(list(_parts(type_[start + 1 : -1]))) > 1


def element_type(text: str) -> str | None:
    """The element type of a shaped type: `memref<4x?xf32, #map>` -> `f32`; after a position the type of that member."""
    if text.startswith("["):
        return member_type(text)
    start = text.find("<")
    if start < 0:
        return None
    inner = next(_parts(text[start + 1 : -1]))
    while True:
        head, cross, tail = inner.partition("x")
        if not cross or not (head.strip("[]").isdigit() or head in ("?", "*")):
            return inner.strip()
        inner = tail
