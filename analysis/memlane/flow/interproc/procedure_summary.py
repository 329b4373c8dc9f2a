"""What a function does to its caller's buffers, read off the ends of its paths: values in the caller's terms."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from memlane.flow.alias.origin import OriginKind
from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.call_outcomes import GLOBAL, Effect, OpPlace, Outcome, ResultSource, passed_at, place_of
from memlane.flow.dataflow.events import EventKind, Goal
from memlane.flow.dataflow.state import Instance
from memlane.flow.effects.aggregate_buffers import fields_of, handed_back
from memlane.flow.memory.effects_at import handed_on
from memlane.flow.memory.extern_aliases import Indirect
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.scalars.null_checks import asks_null
from memlane.flow.symbolic.range import Range
from memlane.flow.symbolic.scalar import Expr, Facts, constant, leaves, rebuild, simplify
from memlane.flow.symbolic.types import may_hold_address, may_hold_buffer
from memlane.flow.typestate.exit_state import ExitState
from memlane.syntax.tree.tree import Op, Value


def external(call: Op, groups: int, wanted: tuple[int, ...], unsure: bool = False) -> Outcome:
    """A function without a body reads its arguments, frees and keeps none; its results are the caller's."""
    effect = Effect(first=place_of(call), unsure=unsure)
    results = tuple((i, ResultSource(True, n)) for n, i in enumerate(wanted))
    return Outcome((), (effect,) * groups, results, ())


def outcome(
    ending: ExitState,
    arguments: tuple[Value, ...],
    groups: int,
    partition: tuple[int | None, ...],
    wanted: tuple[int, ...],
    graph: Graph,
    root: Mapping[Value, Value],
    own: Container[Goal] = (),
) -> Outcome:
    """One end of a path as an outcome.

    Args:
        arguments: the function's.
        root: of the aliases that were followed.
        groups, partition, wanted: as in `Callees.outcomes`; `groups` is the number of buffers passed.
        own: violations in the function that occur for all arguments, equal or not: they are reported there.
    """
    effects = [Effect()] * groups
    for group in _otherwise(partition, arguments, graph):
        effects[group] = Effect(escaped=True)
    held: dict[Instance, ResultSource] = {}
    reached = {root.get(name) for name in _out_of_sight(graph, ending.exit)}
    for at in passed_at(partition[: len(arguments)]):
        group, instance = partition[at], ending.state.holding(arguments[at])
        if group is not None and instance is not None:
            first, freed = _place(instance.first), _place(instance.freed)
            again = _unless(own, EventKind.DOUBLE_FREE, instance.again)
            used = _unless(own, EventKind.USE_AFTER_FREE, instance.used)
            unsure = instance.unsure or instance.freeing is not None  # code after the call may run before that
            each = freed is not None and instance.by_each
            escaped = instance.escaped or not reached.isdisjoint(instance.holders)
            effects[group] = Effect(first, freed, escaped, unsure, instance.into, again, used, each)
            held[instance] = ResultSource(False, group)
    fresh: dict[Instance, ResultSource] = {}
    results: list[tuple[int, ResultSource | None]] = []
    scalars: list[tuple[int, Expr]] = []
    facts = dict(ending.state.facts)
    handed = handed_back(graph, ending.exit) if ending.exit is not None and wanted else []
    for index in wanted:
        instance = ending.results[index] if index < len(ending.results) else None
        if instance is not None and instance in held:
            results.append((index, held[instance]))
        elif instance is not None and instance.origin.owned and instance.freed is None:
            made = instance.origin.resource if instance.origin.kind is OriginKind.ALLOCATION else instance.made
            results.append((index, fresh.setdefault(instance, ResultSource(True, len(fresh), made, instance.escaped))))
        elif instance is not None and instance.origin.resource == GLOBAL.resource:
            results.append((index, GLOBAL))
        else:
            results.append((index, None))
        value = handed[index] if index < len(handed) else None
        if value is not None and not may_hold_buffer(value.type):
            formal = _in_formals(simplify(scalar_of(graph, value), facts), arguments)
            if formal is not None:
                scalars.append((index, formal))
    facts = dict(_of_nulls(graph, facts))
    return Outcome(tuple(_conditions(facts, arguments)), tuple(effects), tuple(results), tuple(scalars), ending.stays)


def _out_of_sight(graph: Graph, end: Op | None) -> tuple[Indirect, ...]:
    """The names of what callers are given with what calls have given, unless only buffers among the results may be it:
    callers know these as aliases of what they pass."""
    names = handed_on(graph, end)
    if not names or end is None:
        return ()
    addresses = [one.type for one in handed_back(graph, end) if one is not None and may_hold_address(one.type)]
    return () if addresses and all(map(may_hold_buffer, addresses)) else names


def _otherwise(partition: tuple[int | None, ...], arguments: tuple[Value, ...], graph: Graph) -> Iterator[int]:
    """The buffers that are passed in other fields than those of the arguments: a type may have a name here or there."""
    for position in passed_at(partition):
        group = partition[position]
        if group is not None and (position >= len(arguments) or fields_of(graph).of(arguments[position])):
            yield group


def _unless(own: Container[Goal], kind: EventKind, op: Op | None) -> OpPlace | None:
    return None if op is None or Goal(kind, op) in own else place_of(op)


def _place(op: Op | OpPlace | None) -> OpPlace | None:
    return place_of(op) if isinstance(op, Op) else op


def _of_nulls(graph: Graph, facts: Facts) -> Iterator[tuple[Expr, Expr | Range]]:
    """The facts, with null tests of pointers in the form that summaries use."""
    for key, fact in facts.items():
        yield asks_null(graph, key, fact) or (key, fact)


def _conditions(facts: Facts, arguments: tuple[Value, ...]) -> Iterator[tuple[Expr, bool]]:
    """The facts about arguments, as flags."""
    known = [(key, formal, fact) for key, fact in facts.items() if (formal := _in_formals(key, arguments)) is not None]
    # By name, and by position where half-written text gives one name to several.
    known.sort(key=lambda one: (str([leaf.name for leaf in leaves(one[0])]), str(one[1])))
    for _, formal, fact in known:
        if isinstance(fact, Range):
            yield from _in_range(formal, fact)
        elif fact[0] == "const":
            yield (formal, bool(fact[1])) if fact[1] in (0, 1) else (("cmpi", "eq", formal, fact), True)


def _in_range(formal: Expr, known: Range) -> Iterator[tuple[Expr, bool]]:
    if known.low == known.high:
        yield ("cmpi", "eq", formal, constant(int(known.low))), True
        return
    if known.low != -float("inf"):
        yield ("cmpi", "sge", formal, constant(int(known.low))), True
    if known.high != float("inf"):
        yield ("cmpi", "sle", formal, constant(int(known.high))), True
    for hole in sorted(known.holes):
        yield ("cmpi", "eq", formal, constant(hole)), False


def _in_formals(expr: Expr, arguments: tuple[Value, ...]) -> Expr | None:
    """`expr` with arguments written as `("formal", position)`; None when it has other leaves."""
    if expr[0] == "leaf":
        value = expr[1]
        known = value.index < len(arguments) and arguments[value.index] is value
        return ("formal", value.index) if known else None
    if expr[0] == "pointer":
        return None
    return rebuild(expr, lambda part: _in_formals(part, arguments))


def order(found: Outcome) -> str:
    """The key of a stable order: by text, operations by their place in their function, wherever that stands."""
    effects = [
        (_there(e.first), _there(e.freed), e.escaped, e.unsure, e.resource, _there(e.again), _there(e.used), e.by_each)
        for e in found.groups
    ]
    return str((found.conditions, effects, found.results, found.scalars, found.stays))


def _there(place: OpPlace | None) -> tuple[str, int] | None:
    return place[:2] if place is not None else None
