"""What a call passes, looked at once: who follows one of many buffers does not look at all the others each time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import cached_property

from memlane.dialects import select
from memlane.flow.cfg.callee import behind_callee
from memlane.flow.cfg.function_pointers import FunctionValues
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import defining_block
from memlane.flow.derived import known, query
from memlane.flow.effects.aggregate_buffers import fields_of
from memlane.flow.memory.pointer_memory import given_in, known_slots, slots_of
from memlane.flow.scalars.expressions import computed_flags, scalar_of
from memlane.flow.symbolic.scalar import Expr, leaves, simplify
from memlane.syntax.tree.tree import Block, Op, Value


class Passing:
    """The values of one call; each thing is found when it is asked for.

    Args:
        values: see `arguments_of`.
    """

    def __init__(self, values: Sequence[Value | None]) -> None:
        self.values = tuple(values)

    @cached_property
    def at(self) -> dict[Value, list[int]]:
        """The positions of each value."""
        found: dict[Value, list[int]] = {}
        for position, value in enumerate(self.values):
            if value is not None:
                found.setdefault(value, []).append(position)
        return found

    def among(self, names: Collection[Value]) -> list[int]:
        """The positions of values that are among some, in order."""
        few, many = sorted((names, self.at), key=len)
        return sorted(position for value in few if value in many for position in self.at[value])

    @cached_property
    def indices(self) -> list[int]:
        """The positions of numbers of the type `index`."""
        return [at for at, value in enumerate(self.values) if value is not None and value.type == "index"]


class PassedScalars:
    """The expressions of what one call passes.

    Args:
        written: the expressions.

    Attributes:
        bound: the leaves that may be what others are.
    """

    def __init__(self, graph: Graph, written: Sequence[Expr | None]) -> None:
        self.written = tuple(written)
        self.bound: list[Expr] = [("leaf", leaf) for leaf in self._leaves if not _is_given(graph, leaf)]

    @cached_property
    def plain(self) -> tuple[Expr | None, ...]:
        """The same where nothing is known."""
        return tuple([simplify(expr, {}) if expr is not None else None for expr in self.written])

    @cached_property
    def computed(self) -> list[tuple[int, Expr]]:
        """Those of them that are computed, with their positions."""
        return [(at, one) for at, one in enumerate(self.written) if one is not None and one[0] not in ("const", "leaf")]

    @cached_property
    def leaves(self) -> dict[Expr, list[int]]:
        """The other leaves, which cannot be computed, with their positions."""
        found: dict[Expr, list[int]] = {}
        for at, one in enumerate(self.written):
            if one is not None and one[0] == "leaf":
                found.setdefault(one, []).append(at)
        return found

    @cached_property
    def _leaves(self) -> Counter[Value]:
        return Counter(leaf for expr in self.written if expr is not None for leaf in leaves(expr))

    @cached_property
    def repeated(self) -> frozenset[Value]:
        """The leaves that it depends on in more than one way."""
        return frozenset(leaf for leaf, count in self._leaves.items() if count > 1)

    @cached_property
    def together(self) -> list[frozenset[Value]]:
        """All leaves, those that are defined in one block together."""
        found: dict[Block | None, list[Value]] = {}
        for leaf in self._leaves:
            found.setdefault(defining_block(leaf), []).append(leaf)
        return [frozenset(one) for one in found.values()]


def _is_given(graph: Graph, leaf: Value) -> bool:
    """Whether nothing flows into a leaf: an argument of the function, or a result of an op that is neither forwarded
    inside it nor kept in a variable."""
    if leaf.op is None:
        block = leaf.block
        return block is None or (block.index == 0 and block.region.op is graph.function)
    kept = computed_flags(graph)
    return not leaf.op.regions and leaf not in kept and graph.call(leaf.op) is None and not _may_be_kept(leaf)


def _may_be_kept(leaf: Value) -> bool:
    """Whether it may be loaded from a variable that is followed: a flag or a number, no buffer."""
    return (leaf.type or "i")[0] == "i"


def arguments_of(graph: Graph, op: Op) -> tuple[Value | None, ...]:
    """What a call passes, behind that its fields, and what it is lent in slots."""
    return passing(graph, op).values


def _arguments_of(graph: Graph, op: Op) -> list[Value | None]:
    model = graph.model(op)
    if model is None or model.call is None:
        return []
    begun = graph.unsettled(op)
    passed = [use.value if use.value is not begun else None for use in select(op, model.call.arguments, model)]
    passed = behind_callee(op, model.call, graph.models, passed, function_values(graph))
    inside = [*fields_of(graph).inside(passed), *given_in(graph, op, passed)]
    return [*passed, *inside, *slots_of(graph).lent.get(op, ())]


def given_places(graph: Graph, call: Op) -> list[Value]:
    """The names of what a call passes in containers."""
    slots = known(graph, known_slots)
    names = slots.given.get(call, {}).values() if slots is not None else ()
    return [name for some in names for name in some if name is not None]


def function_values(graph: Graph) -> FunctionValues:
    """Which functions the values of a function may be."""
    return query(graph, _function_values)


def _function_values(graph: Graph) -> FunctionValues:
    return FunctionValues(graph.function, graph.models)


def passing(graph: Graph, call: Op) -> Passing:
    """What a call passes."""
    known = query(graph, _known_values)
    found = known.get(call)
    if found is None:
        found = known[call] = Passing(_arguments_of(graph, call))
    return found


def _known_values(_: Graph) -> dict[Op, Passing]:
    """What has been looked at so far."""
    return {}


def passed_scalars(graph: Graph, call: Op) -> PassedScalars:
    """The expressions of what a call passes."""
    known = query(graph, _known_scalars)
    found = known.get(call)
    if found is None:
        values = arguments_of(graph, call)
        found = PassedScalars(graph, [scalar_of(graph, value) if value is not None else None for value in values])
        known[call] = found
    return found


def _known_scalars(_: Graph) -> dict[Op, PassedScalars]:
    """What has been looked at so far."""
    return {}
