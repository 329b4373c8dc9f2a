"""Whether the contents of one place of a variable are distinguished from those of its other places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlane.flow.scalars.locations import Location
from memlane.flow.symbolic.lowered_sizes import stored
from memlane.flow.symbolic.type_layout import has_one_place, layout
from memlane.flow.symbolic.types import is_aggregate, is_descriptor, is_pointer, may_hold_buffer
from memlane.lazy import regex

if TYPE_CHECKING:
    from memlane.flow.memory.memory_accesses import MemoryAccess

_SMALL = ("i1", "i8", "i16", "i32", "i64", "index", "f16", "bf16", "f32", "f64")
_COUNTED = regex(r"!llvm\.struct<|!llvm\.array<\d+ x ptr>|!llvm\.ptr$")
"""What indices may be counted in for two of them to be apart: in bytes a pointer overlaps its neighbours."""


def are_apart(accesses: list[MemoryAccess]) -> bool:
    """Whether each place is apart from the others, and all that is kept there is of one type."""
    types: dict[Location, str | None] = {}
    for one in accesses:
        if not one.filled and types.setdefault(one.place, one.value.type) != one.value.type:
            return False
    if any(_holds_several(type_) for type_ in types.values()):
        return False  # which of its buffers is taken out of one that is loaded is not known
    if all(place.offset is not None for place in types):
        return len(types) == 1 or _are_disjoint(types)
    shapes = {(place.unit, len(place.indices)) for place in types if place.indices}
    if len(types) == 1 or (Location() not in types and shapes == {("", len(next(iter(types)).indices))}):
        return True  # elements of a memref are of one type
    plain = all(unit for unit, _ in shapes)  # else indices of a memref, and a view that starts where its first one is
    if not plain or len(shapes) > 1:
        return False
    return _are_elements(types) or all(_fits(place, type_) for place, type_ in types.items())


def _are_disjoint(types: dict[Location, str | None]) -> bool:
    """Whether no place that is counted in bytes reaches into another."""
    sizes = [(place.offset or 0, stored(type_ or "")) for place, type_ in types.items()]
    ends = 0
    for offset, one in sorted(sizes, key=lambda one: one[0]):
        if one is None or offset < ends:
            return False
        ends = offset + one.size
    return True


def _are_elements(types: dict[Location, str | None]) -> bool:
    """Whether the places are counted in what is kept at each: elements of an array, of whatever size."""
    first, *others = dict.fromkeys(types.values())
    counted = [place for place in types if place.indices]
    return not others and first is not None and all(_counts(place, first) for place in counted)


def _counts(place: Location, type_: str) -> bool:
    """Whether the one index of a place is counted in elements of a type: it stands last in the text, or alone."""
    return len(place.indices) == 1 and (place.unit == type_ or place.unit.endswith(f", {type_}"))


def _holds_several(type_: str | None) -> bool:
    """Whether a value of this type is an aggregate that may hold more buffers than the analysis distinguishes."""
    one = is_descriptor(type_) or not may_hold_buffer(type_) or has_one_place(type_ or "")
    return is_aggregate(type_) and not one and not layout(type_ or "")


def _fits(place: Location, type_: str | None) -> bool:
    """Whether what is kept at a place of a struct or an array is one of its elements, by its type: no larger than a
    pointer, and not counted in something smaller, nor through arrays in arrays."""
    small = is_pointer(type_) or type_ in _SMALL
    return small and len(place.indices) < 3 and (not place.unit or _COUNTED.search(place.unit) is not None)
