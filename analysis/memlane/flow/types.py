"""What the type of a value says of memory."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SCALARS = ("index", "vector<", "none", "complex<", "!async.token", "!gpu.async.token")


def may_hold_buffer(type_: str | None) -> bool:
    """Whether a value of this type may stand for memory: all but numbers, vectors and tokens."""
    if type_ is None:
        return True
    if (type_[:1] in "if" and type_[1:].isdecimal()) or type_ in ("bf16", "tf32", "f8"):
        return False
    return not type_.startswith(_SCALARS)


def is_owned_memory(type_: str | None) -> bool:
    """Whether a value of this type has one owner: tensors are values, and packed parts have one each.

    Functions lowered to LLVM return several memrefs as a struct of descriptors, which are structs.
    """
    return may_hold_buffer(type_) and not (type_ or "").startswith("tensor<") and (type_ or "").count("struct<(") < 2


_STRUCT = re.compile(r"(?:!llvm\.)?struct<(?:\"[^\"]*\",\s*)?(?:packed\s*)?\(")
_ARRAY = re.compile(r"(?:!llvm\.)?array<\s*\d+\s*x\s*")


def field_type(type_: str | None, place: Sequence[int]) -> str | None:
    """The type at `place` (outermost index first) of an LLVM struct or array; None where the text does not tell."""
    for index in place:
        array = _ARRAY.match(type_ or "")
        if type_ is not None and array is not None:
            type_ = type_[array.end() :].rpartition(">")[0].strip()
            continue
        struct = _STRUCT.match(type_ or "")
        found = _listed(type_[struct.end() :]) if type_ is not None and struct is not None else []
        if index >= len(found):
            return None
        type_ = found[index]
    return type_


def _listed(text: str) -> list[str]:
    """The types between commas, up to the parenthesis that is open at the start of `text`."""
    found, start, depth = list[str](), 0, 0
    for at, character in enumerate(text):
        if character in "<([{":
            depth += 1
        elif character in ">)]}":
            if not depth:
                return [*found, text[start:at].strip()]
            depth -= 1
        elif character == "," and not depth:
            found.append(text[start:at].strip())
            start = at + 1
    return []
