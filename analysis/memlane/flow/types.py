"""What the type of a value says of memory."""

from __future__ import annotations

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
