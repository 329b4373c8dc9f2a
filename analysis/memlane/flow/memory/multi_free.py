"""Which of the values that one operation frees are followed: n buffers ask that of an operation that frees them all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import chain
from typing import NamedTuple

from memlane.flow.cfg.graph import Graph
from memlane.flow.derived import query
from memlane.flow.effects.effects import FreeOf
from memlane.flow.memory.effects_at import effects_at
from memlane.syntax.tree.tree import Op, Value


class MultiFree(NamedTuple):
    """What one op frees, and for each value where it stands among that."""

    frees: Sequence[FreeOf]
    places: Mapping[Value, Sequence[int]]


def freed(graph: Graph, op: Op, values: Set[Value]) -> Sequence[FreeOf]:
    """What `op` frees of some values, in its order."""
    frees = effects_at(graph, op).frees
    if len(frees) <= len(values):
        return [free for free in frees if free.value in values]
    found = query(graph, _known)
    known = found.get(op)
    if known is None or known.frees is not frees:
        known = found[op] = MultiFree(frees, _places(frees))
    return [frees[at] for at in sorted(chain.from_iterable(filter(None, map(known.places.get, values))))]


def _known(_: Graph) -> dict[Op, MultiFree]:
    """What has been found so far."""
    return {}


def _places(frees: Iterable[FreeOf]) -> Mapping[Value, Sequence[int]]:
    found: dict[Value, list[int]] = {}
    for at, free in enumerate(frees):
        found.setdefault(free.value, []).append(at)
    return found
