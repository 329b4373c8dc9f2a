"""What types say of the buffers in values: of aggregates which places may hold some, and which hold flags."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache

from memlane.flow.symbolic.limits import MAX_FIELD_DEPTH, MAX_FIELDS
from memlane.flow.symbolic.types import NOTHING_SAID, OF_DIALECT, is_aggregate, is_descriptor, may_hold_buffer
from memlane.lazy import regex
from memlane.syntax.shapes.element import member_types

Place = tuple[int, ...]
"""A field of an aggregate, from the outermost index inwards."""
NAMED = regex(r"![\w$]+")
"""Types that have a name (`!pair`), which may be any."""
FLAG = "i1"
"""The type of flags: other numbers are not followed where they go in aggregates."""


@lru_cache(maxsize=512)
def layout(type_: str) -> tuple[tuple[Place, str], ...]:
    """The places of an aggregate that may hold a buffer, with their types; none where it holds no more than one."""
    found = _leaves(type_, may_hold_buffer)
    return tuple(found) if found is not None and len(found) > 1 else ()


@lru_cache(maxsize=512)
def flags_in(type_: str) -> tuple[tuple[Place, str], ...]:
    """The same of those that hold flags; none where they are too many."""
    return tuple(_leaves(type_, _is_flag) or ())


@lru_cache(maxsize=512)
def has_one_place(type_: str) -> bool:
    """Whether a value of this type may hold one buffer, and no more."""
    found = _leaves(type_, may_hold_buffer)
    return found is not None and len(found) == 1 and bool(member_types(type_, MAX_FIELDS))


@lru_cache(maxsize=512)
def holds_only(type_: str, place: Place) -> bool:
    """Whether an aggregate may hold one buffer, and no more, where this place is or in that."""
    if not is_aggregate(type_) or is_descriptor(type_):
        return False
    found = _leaves(type_, may_hold_buffer)
    return found is not None and len(found) == 1 and found[0][0][: len(place)] == place


@lru_cache(maxsize=512)
def replaces(type_: str, place: Place) -> bool:
    """Whether what is put at a place of an aggregate comes instead of all memory that may be there: besides, it has
    nothing but flags. A number may be an address."""
    if not is_aggregate(type_) or is_descriptor(type_):
        return False
    found = _leaves(type_, lambda member: not _is_flag(member))
    return found is not None and len(found) == 1 and found[0][0][: len(place)] == place


def is_owned_memory(type_: str | None, memory: Mapping[str, Collection[str] | None] = NOTHING_SAID) -> bool:
    """Whether a value of this type has one owner: tensors are values, and packed parts have one each.

    Functions lowered to LLVM return several memrefs as a struct of descriptors, which are structs; and a memref with a
    flag or a number as a struct that has one buffer.

    Args:
        memory: of a dialect the names of its types that stand for memory, where that is said (`Models.memory`).
    """
    of_dialect = OF_DIALECT.match(type_ or "") if memory else None
    names = memory.get(of_dialect[1]) if of_dialect is not None else None
    if of_dialect is not None and names is not None and of_dialect[2] not in names:
        return False
    if type_ is None or type_.startswith("tensor<") or not may_hold_buffer(type_):
        return type_ is None
    return type_.count("struct<(") < 2 or has_one_place(type_)


def _is_flag(type_: str) -> bool:
    return type_ == FLAG


def _leaves(type_: str, wanted: Callable[[str], bool], deeper: int = MAX_FIELD_DEPTH) -> list[tuple[Place, str]] | None:
    """The places of wanted types; None: too many, too deep inside, or of a type of which only the name is here."""
    if not deeper or NAMED.fullmatch(type_):
        return None
    members = member_types(type_, MAX_FIELDS) if is_aggregate(type_) and not is_descriptor(type_) else []
    if not members:
        return [((), type_)] if wanted(type_) else []
    found: list[tuple[Place, str]] = []
    for index, member in enumerate(members):
        inner = _leaves(member, wanted, deeper - 1)
        if inner is None or len(found) + len(inner) > MAX_FIELDS:
            return None
        found += [((index, *place), leaf) for place, leaf in inner]
    return found
