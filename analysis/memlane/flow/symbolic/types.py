"""What the type of a value says of memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from memlane.lazy import regex

_SCALARS = ("index", "vector<", "none", "complex<", "!async.token", "!gpu.async.token", "(")
_NUMBER = regex(r"[su]?i\d+|b?f\d+(?:E\d+M\d+\w*)?|tf32")
_OLD_SCALAR = regex(r"!llvm\.(?:i\d+|b?float|half|double|fp128|x86_fp80|void)$|!llvm<\"[^*]*\">$")
"""Numbers as the LLVM dialect had them before 2021, with types of its own for all of LLVM's."""
_AGGREGATES = ("!llvm.array<", "!llvm.struct<(")
_PACKED = ("!llvm.struct<", "!llvm.array<")
_DESCRIPTOR = regex(r"!llvm\.struct<\((ptr(?:<\d+>)?), \1, (i\d+)(?:, (array<\d+ x \2>), \3)?\)>")
OF_DIALECT = regex(r"!([\w$]+)\.([\w$.]+)")
_POINTER_TYPES = ("!llvm.ptr", "!emitc.ptr<")
_IN_TUPLES = ("memref", "tensor", "!")
"""What a tuple of numbers has not in its type."""
_TOKEN = ".token"
"""The end of the names of types whose values say that something has been done, whatever the dialect."""
NOTHING_SAID: Mapping[str, Collection[str] | None] = {}
_POINTERS = ("ptr", '"', "!", "target")
"""What types in an aggregate of numbers have not: pointers, names of other structs, types of other dialects."""


def is_descriptor(type_: str | None) -> bool:
    """Whether a value of this type is a memref as `finalize-memref-to-llvm` writes it: two pointers of a memory space,
    an offset, and for each dimension a size and a stride."""
    return type_ is not None and _DESCRIPTOR.fullmatch(type_) is not None


def is_aggregate(type_: str | None) -> bool:
    """Whether a type is that of an aggregate, by its first characters."""
    return type_ is not None and type_.startswith(_PACKED)


def may_be_aggregate(type_: str | None) -> bool:
    """Whether a type is that of an aggregate, or an alias (`!pair`), which may be anything."""
    return type_ is not None and type_[:1] == "!" and (type_.startswith(_PACKED) or "." not in type_)


def is_pointer(type_: str | None) -> bool:
    """Whether a value of this type is a bare pointer, which may be null: a memref never is."""
    return type_ is not None and type_.startswith(_POINTER_TYPES)


def is_integer(type_: str | None) -> bool:
    """Whether a type is that of integers, of any width: flags are some, too."""
    return type_ is not None and (type_ == "index" or (type_[:1] == "i" and type_[1:].isdecimal()))


def may_hold_buffer(type_: str | None) -> bool:
    """Whether a value of this type may stand for memory: all but numbers, also several of them, tokens, functions."""
    if type_ is None:
        return True
    if _NUMBER.fullmatch(type_):
        return False
    if type_.startswith(_AGGREGATES):
        return any(word in type_[6:] for word in _POINTERS)
    if type_.startswith("tuple<"):
        return any(word in type_ for word in _IN_TUPLES)
    return not (type_.startswith(_SCALARS) or is_done(type_) or _OLD_SCALAR.match(type_))


def is_wide_integer(type_: str | None) -> bool:
    """Whether a type is that of integers in which an address has room."""
    return is_integer(type_) and (type_ == "index" or int((type_ or "")[1:]) >= 64)


def may_hold_address(type_: str | None) -> bool:
    """Whether a value of this type may be an address or hold one, as a number as well."""
    if may_hold_buffer(type_) or is_wide_integer(type_):
        return True
    return is_aggregate(type_) and "i64" in (type_ or "")


def is_buffer(type_: str | None, memory: Mapping[str, Collection[str] | None] = NOTHING_SAID) -> bool:
    """Whether a type is surely that of a buffer: a memref, or a type that is said to stand for memory."""
    of_dialect = OF_DIALECT.match(type_ or "") if memory else None
    if of_dialect is not None:
        return of_dialect[2] in (memory.get(of_dialect[1]) or ())
    return type_ is not None and type_.startswith("memref<")


def is_open(type_: str | None, memory: Mapping[str, Collection[str] | None]) -> bool:
    """Whether a type is one of a dialect of which nothing says what its values are: handles of memory, or numbers."""
    of_dialect = OF_DIALECT.match(type_ or "")
    if of_dialect is None or is_pointer(type_) or is_aggregate(type_):
        return False
    return of_dialect[1] not in memory


def is_done(type_: str | None) -> bool:
    """Whether a value of this type may say that something has been done, or what comes after what."""
    return type_ is not None and type_.endswith(_TOKEN)
