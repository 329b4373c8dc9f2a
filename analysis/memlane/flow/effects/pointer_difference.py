"""Offsets that are made of addresses, as a difference of two: what they are added to may then be any of those."""

from __future__ import annotations

from typing import NamedTuple

from memlane.dialects.model import OpModel
from memlane.flow.cfg.graph import Graph
from memlane.flow.derived import query
from memlane.flow.effects.limits import MAX_ADDRESSES
from memlane.flow.symbolic.types import may_hold_buffer
from memlane.syntax.tree.tree import Op, Value


def takes_offsets(model: OpModel | None) -> bool:
    """Whether an op of that model gives what is so far from the one operand as others say."""
    views = model.view if model is not None and model.compute is None else ()
    return any(view.may for view in views) and not all(view.may for view in views)


def leading_to(graph: Graph, base: tuple[Value, ...], values: tuple[Value, ...]) -> tuple[Value, ...]:
    """Those of some values that may be buffers, or numbers that lead from `base` to another buffer: made of a
    difference of the addresses of two, or from nowhere of any. What is made of one address, as a hash or a length is,
    does not.
    """
    offsets = query(graph, _offsets)
    nowhere = bool(base) and all(offsets.is_nothing(graph, value) for value in base)
    return tuple([value for value in values if may_hold_buffer(value.type) or offsets.leads(graph, value, nowhere)])


class _MadeOf(NamedTuple):
    """What a number is made of.

    Args:
        addresses: the buffers of whose addresses; None: of many.
        differ: also of how far the addresses of two buffers are from each other.
    """

    addresses: frozenset[Value] | None = frozenset()
    differ: bool = False

    def with_others(self, other: _MadeOf) -> _MadeOf:
        """The same of what is made of both."""
        differ = self.differ or other.differ
        if self.addresses is None or other.addresses is None:
            return _MadeOf(None, differ)
        both = self.addresses if other.addresses <= self.addresses else self.addresses | other.addresses
        return _MadeOf(both if len(both) <= MAX_ADDRESSES else None, differ)


_NOTHING = _MadeOf()


class _Offsets:
    """The numbers of a function, as far as they have been asked for; each is looked at once."""

    __slots__ = ("_known", "_origins")

    def __init__(self) -> None:
        self._known: dict[Value, _MadeOf] = {}
        self._origins: dict[Value, Value] = {}

    def leads(self, graph: Graph, value: Value, nowhere: bool) -> bool:
        """Whether a number leads to another buffer. `nowhere`: from no buffer."""
        made = self._made_of(graph, value)
        return made.addresses != frozenset() if nowhere else made.differ

    def is_nothing(self, graph: Graph, value: Value) -> bool:
        """Whether an address is so far from that of no buffer: lowering writes sizes so."""
        op = self._origin(graph, value).op
        model = graph.models.of(op.name) if op is not None else None
        return op is not None and model is not None and not op.operands and not model.alloc and model.call is None

    def _made_of(self, graph: Graph, asked: Value) -> _MadeOf:
        pending, begun = [asked], set[Value]()
        while pending:
            value = pending[-1]
            parts = _parts(graph, value)
            missing = [part for part in parts if part not in self._known] if value not in begun else []
            begun.add(value)
            if missing:
                pending += missing
            else:
                pending.pop()
                if value not in self._known:
                    self._known[value] = self._made(graph, value, parts)
        return self._known[asked]

    def _made(self, graph: Graph, value: Value, parts: list[Value]) -> _MadeOf:
        op = value.op
        kind = _computes(graph, op) if op is not None else None
        if op is not None and kind == "pointer":
            of = op.operands[0].value if op.operands else None
            if of is None or self.is_nothing(graph, of):
                return _NOTHING
            return _MadeOf(frozenset((self._origin(graph, of),)))
        made = [self._known.get(part, _NOTHING) for part in parts]  # in dead code one may be made of itself
        found = _NOTHING
        for one in made:
            found = found.with_others(one)
        if op is not None and kind == "subi" and len(made) == len(op.operands) == 2:
            one, other = (each.addresses for each in made)
            near = one is not None and other is not None and (not one or not other or one == other)
            found = found._replace(differ=found.differ or not near)
        return found

    def _origin(self, graph: Graph, value: Value) -> Value:
        """What an address is so far from."""
        trail: list[Value] = []
        while value not in self._origins:
            self._origins[value] = value  # where control never comes it may be a view of itself
            trail.append(value)
            op = value.op
            model = graph.models.of(op.name) if op is not None else None
            first = op.operands[0].value if op is not None and op.operands else None
            if model is not None and model.view and first is not None:
                value = first
        found = self._origins[value]
        self._origins.update(dict.fromkeys(trail, found))
        return found


def _offsets(_: Graph) -> _Offsets:
    return _Offsets()


def _parts(graph: Graph, value: Value) -> list[Value]:
    """The values of which a number is computed, as far as that is seen."""
    kind = _computes(graph, value.op) if value.op is not None else None
    if value.op is None or kind is None or kind == "pointer":
        return []
    return [use.value for use in value.op.operands if use.value is not None]


def _computes(graph: Graph, op: Op) -> str | None:
    model = graph.models.of(op.name)
    return model.compute if model is not None else None
