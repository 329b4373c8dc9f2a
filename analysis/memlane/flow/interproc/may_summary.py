"""What functions may do to their callers' buffers at most, where too much is to be followed to tell it by paths.

Path-insensitive, from the text alone: the aliases of an argument under any conditions, and the effects on these.
Functions that call each other get a least fixpoint. The work is that of reading the functions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from memlane.cancellation import poll
from memlane.flow.alias.alias import Aliases
from memlane.flow.dataflow.call_outcomes import Effect, OpPlace, Outcome, ResultSource, count_groups, place_of
from memlane.flow.effects.aggregate_buffers import Content, formals_of, handed_back
from memlane.flow.interproc.call_graph import CallGraph
from memlane.flow.interproc.function import FunctionFlow
from memlane.flow.interproc.indirect_calls import among, may_be_defined, may_be_own, of_any, perhaps
from memlane.flow.interproc.procedure_summary import external
from memlane.flow.interproc.scc_fixpoint import Least
from memlane.flow.interproc.summary_engine import Ways
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.memory.effects_at import effects_at, handed_on
from memlane.flow.symbolic.types import may_hold_buffer
from memlane.syntax.tree.tree import Block, Op, Value, starts_at

NOTHING = Effect()


class _SummaryText(NamedTuple):
    """What the text of a function says.

    Args:
        own: per argument what its ops may do to it.
        lent: the arguments that may be passed to another function, as a set of bits; which; and as which of its own.
    """

    own: tuple[Effect, ...]
    lent: tuple[tuple[int, FunctionFlow, int], ...]


def ways(program: CallGraph, call: Op, partition: tuple[int | None, ...], wanted: tuple[int, ...]) -> Ways:
    """Ways of a call that have, taken together, all that it may do; see `Callees.outcomes`. One is to do nothing."""
    callees = program.callees(call)
    effects = [NOTHING] * count_groups(partition)
    for callee in callees:
        for group, effect in zip(partition, rough(program, callee), strict=False):
            if group is not None:
                effects[group] = _both(effects[group], effect)
    calm = (NOTHING,) * len(effects)
    ways = [
        Outcome((), calm, tuple((i, None) for i in wanted), ()),
        Outcome((), tuple(effects), tuple((i, ResultSource(True, i)) for i in wanted), ()),
    ]
    for kinds in [_kinds(program.aliases(callee), callee) for callee in callees] or [[]]:
        same = tuple((i, ResultSource(True, kinds[i] if i < len(kinds) else -1 - i)) for i in wanted)
        ways.append(Outcome((), calm, same, ()))
    return tuple(dict.fromkeys(ways))


def of_others(
    program: CallGraph, call: Op, partition: tuple[int | None, ...], wanted: tuple[int, ...], flow: FunctionFlow | None
) -> Ways:
    """Outcomes of a call in `flow` of an unknown function: those of a function without a body, with the frees of all
    functions of the program that it may be."""
    lent = external(call, count_groups(partition), wanted, may_do_more(program, flow, call))
    effects = [*lent.groups]
    for callee in perhaps(program, flow, call):
        for group, effect in zip(partition, rough(program, callee), strict=False):
            if group is not None and effect.freed is not None:
                effects[group] = _both(effects[group], effect)
    return tuple(dict.fromkeys((lent, lent._replace(groups=tuple(effects)))))


def _kinds(aliases: Aliases, flow: FunctionFlow) -> list[int]:
    """A number for each result, the same of those that may be one buffer: that of the first."""
    found: list[int] = []
    first: dict[object, int] = {}
    for block in flow.op.regions[0].blocks:
        for number, value in enumerate(_handed(flow, block)):
            if number == len(found):
                found.append(number)
            cluster = aliases.cluster_of(value) if value is not None else None
            found[number] = min(found[number], first.setdefault(cluster or value, found[number]))
    return found


def _handed(flow: FunctionFlow, block: Block) -> list[Value | None]:
    """What a block hands to the caller, where it ends the function."""
    graph, last = flow.graph, block.ops[-1] if block.ops else None
    return handed_back(graph, last) if last is not None and effects_at(graph, last).returned else []


def rough(program: CallGraph, flow: FunctionFlow) -> tuple[Effect, ...]:
    """Per argument what `flow`, with what it calls, may do to its buffer. Found out once."""
    return Rough(program).of(flow)


def may_do_more(program: CallGraph, flow: FunctionFlow | None, call: Op) -> bool:
    """Whether a call in `flow`, of one of several functions, may do more than one of a function that is declared only:
    that looks at what it is passed."""
    if of_any(program, call) or may_be_own(program, flow, call):
        return True
    callees = [callee for symbol in among(flow, call) for callee in program.named(symbol)]
    return any(not all(map(_looks, rough(program, one))) or _gives_back(program, one) for one in callees)


def may_give_back(program: CallGraph, flow: FunctionFlow | None, call: Op) -> bool:
    """Whether a call of an unknown function value may return what it is passed, and no new buffer."""
    if flow is None or call.symbol is not None or program.callees(call):
        return False
    if not any(value is not None and may_hold_buffer(value.type) for value in arguments_of(flow.graph, call)):
        return False
    callees = [callee for symbol in among(flow, call) for callee in program.named(symbol)]
    return may_be_own(program, flow, call) or any(_gives_back(program, one) for one in callees)


def _gives_back(program: CallGraph, flow: FunctionFlow) -> bool:
    return any(number >= 0 for result in program.returning(flow) for number in result)


def _looks(effect: Effect) -> bool:
    return effect.freed is None and not effect.escaped and not effect.unsure


class Rough(Least[_SummaryText, tuple[Effect, ...]]):
    def __init__(self, program: CallGraph) -> None:
        self._program = program

    def read(self, flow: FunctionFlow) -> _SummaryText:
        return _read(self._program, flow)

    def asked(self, text: _SummaryText) -> list[FunctionFlow]:
        return [callee for _, callee, _ in text.lent]

    def alone(self, text: _SummaryText) -> tuple[Effect, ...]:
        return text.own

    def together(self, text: _SummaryText, before: tuple[Effect, ...]) -> tuple[Effect, ...]:
        after = list(before)
        for bits, callee, at in text.lent:
            effects = self.known(callee) or ()
            if at < len(effects) and effects[at] != NOTHING:
                _add(after, bits, effects[at])
        return tuple(after)


def _read(program: CallGraph, flow: FunctionFlow) -> _SummaryText:
    graph, arguments = flow.graph, formals_of(flow.graph)
    own, lent = [NOTHING] * len(arguments), list[tuple[int, FunctionFlow, int]]()
    names = _names(program.aliases(flow), arguments)
    for op in sorted({use.op for value in names for use in value.uses}, key=starts_at):
        effects = effects_at(graph, op)
        calls = graph.call(op) is not None
        callees = program.callees(op) if calls else ()
        passed = arguments_of(graph, op)
        if callees and all(callee.graph.entry is not None for callee in callees):
            for callee in callees:
                lent += [(names[value], callee, at) for at, value in enumerate(passed) if value in names]
            continue
        for callee in perhaps(program, flow, op) if calls else ():
            lent += [(names[value], callee, at) for at, value in enumerate(passed) if value in names]
        place: OpPlace = place_of(op)
        unsure = effects.unknown or (calls and may_be_defined(program, flow, op))
        touched = passed if calls else (*effects.reads, *effects.writes, *effects.returned, *effects.packed)
        for value in touched:
            if value is not None:
                _add(own, names.get(value, 0), Effect(first=place, unsure=unsure))
        for free in effects.frees:
            _add(own, names.get(free.value, 0), Effect(freed=place, resource=free.resource))
        for value in (*effects.escapes, *handed_on(graph, op)):
            _add(own, names.get(value, 0), Effect(escaped=True, unsure=isinstance(value, Content)))
        for view in effects.views:
            for value in view.sources if view.unsure else ():
                _add(own, names.get(value, 0), Effect(unsure=True))
    return _SummaryText(tuple(own), tuple(lent))


def _names(aliases: Aliases, arguments: Iterable[Value]) -> dict[Value, int]:
    """The values that may be arguments, each with which, as a set of bits."""
    found = {value: 1 << number for number, value in enumerate(arguments) if value in aliases.root}
    pending = dict.fromkeys(found)
    while pending:
        poll()
        value, _ = pending.popitem()
        for target, _ in aliases.flows(value):
            if found[value] & ~found.get(target, 0):
                found[target] = found.get(target, 0) | found[value]
                pending[target] = None
    return found


def _add(own: list[Effect], bits: int, effect: Effect) -> None:
    while bits:
        at = (bits & -bits).bit_length() - 1
        own[at] = _both(own[at], effect)
        bits &= bits - 1


def _both(one: Effect, other: Effect) -> Effect:
    freed = one.freed or other.freed
    into = one.resource if one.resource == other.resource or other.freed is None else None
    return Effect(
        first=one.first or other.first,
        freed=freed,
        escaped=one.escaped or other.escaped,
        unsure=one.unsure or other.unsure,
        resource=into if one.freed is not None else other.resource,
    )
