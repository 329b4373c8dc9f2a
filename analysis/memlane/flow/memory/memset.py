"""Local memory that is filled with one value: what is then at each of its places."""

from __future__ import annotations

from collections.abc import Collection

from memlane.dialects import select
from memlane.flow.cfg.graph import Graph
from memlane.flow.effects.effects import Effects
from memlane.flow.memory.model_effects import by_itself, effects_of
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.scalars.locations import Location
from memlane.flow.symbolic.constant_folding import width
from memlane.flow.symbolic.scalar import FALSE
from memlane.flow.symbolic.types import is_pointer
from memlane.syntax.tree.tree import Op, Use, Value

_POINTER = 64
"""Bits of a pointer."""


def fills(graph: Graph, op: Op) -> bool:
    """Whether an op fills all or part of what it writes with one value."""
    model = graph.model(op)
    return model is not None and model.fill is not None


def filled_with(graph: Graph, use: Use, places: Collection[tuple[Location, str | None]], whole: bool) -> Value | None:
    """What is at all of some places of memory, given with their types, once an op has filled that; None where the op
    does something else, or where it is not known.

    Bytes are zeros, which are a null pointer and a number.

    Args:
        whole: all of the memory is filled; else the filled part begins where the memory does, and its length alone
            bounds it.
    """
    op, memory = use.op, use.value
    model = graph.model(op)
    if model is None or model.fill is None or memory is None or op.results or not by_itself(model):
        return None
    value = _only(select(op, model.fill, model))
    effects = effects_of(graph, op, model)
    others = Effects(reads=effects.reads, writes=(memory,), filled=effects.filled)
    if value is None or effects != others or memory in effects.reads:
        return None
    if model.length is None:
        return value if whole and all(type_ == value.type for _, type_ in places) else None
    length = _only(select(op, model.length, model))
    count = scalar_of(graph, length) if length is not None else None
    if count is None or count[0] != "const" or scalar_of(graph, value) != FALSE:
        return None
    return value if all(_is_within(place, type_, count[1]) for place, type_ in places) else None


def _is_within(place: Location, type_: str | None, count: int) -> bool:
    """Whether a pointer or a number at a place is in so many bytes from the start."""
    bits = _POINTER if is_pointer(type_) else width(type_) or 0
    return place.offset is not None and bits > 0 and 0 <= 8 * place.offset <= 8 * count - bits


def _only(uses: tuple[Use, ...]) -> Value | None:
    return uses[0].value if len(uses) == 1 else None
