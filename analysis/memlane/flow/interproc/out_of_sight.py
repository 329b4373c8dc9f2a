"""What a function may do to its arguments that its paths do not show: derived from its text.

A function without a description may give what it was passed, or a place in it, although paths take its result for a new
buffer. Then it is the argument that is returned, or freed, by another name. And work that a function begins on an
argument, and does not wait for, goes on when it has come back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memlane.flow.alias.alias import Aliases, Cluster
from memlane.flow.alias.origin import OriginKind
from memlane.flow.cfg.scc import reachable
from memlane.flow.effects.aggregate_buffers import handed_back, results_of
from memlane.flow.interproc.call_graph import CallGraph
from memlane.flow.interproc.function import FunctionFlow
from memlane.flow.interproc.may_free import may_free
from memlane.flow.interproc.may_summary import may_give_back
from memlane.flow.interproc.return_summary import exits
from memlane.flow.interproc.scc_fixpoint import Least
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.extern_aliases import Indirect, may_point
from memlane.flow.memory.token_chains import never_awaited
from memlane.flow.symbolic.type_layout import is_owned_memory
from memlane.syntax.tree.tree import Op, Value


class OutOfSight(NamedTuple):
    """What a function may do that its paths do not show.

    Args:
        results: the positions of results that may be what a function without a description was passed.
        freed: the positions of arguments that may be freed as what such a function has given.
        background: the positions of arguments on which work may go on when the function has come back.
    """

    results: frozenset[int] = frozenset()
    freed: frozenset[int] = frozenset()
    background: frozenset[int] = frozenset()


_NOTHING = OutOfSight()
_Position = tuple[int, FunctionFlow, int]
"""Of a result or an argument; another function; and the position of one of its results or arguments."""


class _OutOfSightText(NamedTuple):
    """What the text of a function says.

    Args:
        own: what it does itself.
        given: the results that another function may give, as one of its results.
        lent: the arguments that are passed to another function, as one of its arguments.
        freed: the arguments that may be what another function gives, as one of its results, and are freed as that.
    """

    own: OutOfSight
    given: tuple[_Position, ...]
    lent: tuple[_Position, ...]
    freed: tuple[_Position, ...]


def out_of_sight(program: CallGraph, flow: FunctionFlow) -> OutOfSight:
    """What `flow` may do that its paths do not show. Found out once."""
    return OutOfSightOf(program).of(flow)


def is_perhaps_passed(program: CallGraph, flow: FunctionFlow, call: Op, value: Value) -> bool:
    """Whether `value`, which a call in `flow` gives, may be memory that the call, or one in the callee, was passed."""
    if _is_passed_here(program, flow, call):
        return True
    callees = program.callees(call)
    return any(place_of_result(flow, call, value) in out_of_sight(program, one).results for one in callees)


def may_be_freed(program: CallGraph, flow: FunctionFlow, names: Iterable[Value]) -> bool:
    """Whether a call in `flow` may free a buffer of some names as what a function without a description has given."""
    return any(at in out_of_sight(program, callee).freed for callee, at in _passing(program, flow, names))


def may_go_on(program: CallGraph, flow: FunctionFlow, names: Iterable[Value]) -> bool:
    """Whether work that `flow`, or a function that it calls, begins on a buffer of some names may go on for ever as far
    as that shows."""
    names = [*names]
    if never_awaited(flow.graph, names):
        return True
    return any(at in out_of_sight(program, callee).background for callee, at in _passing(program, flow, names))


def place_of_result(flow: FunctionFlow, call: Op, value: Value) -> int:
    """The position of what a call gives among its results."""
    results = results_of(flow.graph, call)
    return results.index(value) if value in results else value.index


def names_of(aliases: Aliases, origin: Value) -> set[Value]:
    """The names that may denote what `origin` makes, not another buffer of its cluster."""
    return set(reachable([origin], lambda value: (target for target, _ in aliases.flows(value))))


def is_freed(program: CallGraph, flow: FunctionFlow, names: set[Value]) -> bool:
    """Whether an op of the function, or one that it calls, may free a buffer by one of some names."""
    for op in {use.op: None for value in names for use in value.uses}:
        if any(free.value in names for free in effects_at(flow.graph, op).frees):
            return True
        freed = may_free(program, op) if flow.graph.call(op) is not None else None
        passed = arguments_of(flow.graph, op) if freed else ()
        if any(value in names for at, value in enumerate(passed) if freed and at in freed):
            return True
    return False


def is_freed_by_another_name(program: CallGraph, flow: FunctionFlow, name: Indirect) -> bool:
    """Whether what a function without a description gives, which may be the argument of that name, may be freed."""
    calls = (use.op for use in name.uses if flow.graph.call(use.op) is not None)
    return name.freed or any(may_free(program, call) for call in calls)


def _is_passed_here(program: CallGraph, flow: FunctionFlow, call: Op) -> bool:
    """Whether what a call of a function without a description gives may be memory that it was passed."""
    root, passed = program.aliases(flow).root, may_point(flow.graph, call)
    if any(value in root or is_owned_memory(value.type, program.models.memory) for value in passed):
        return True
    return may_give_back(program, flow, call)


def _passing(program: CallGraph, flow: FunctionFlow, names: Iterable[Value]) -> Iterator[tuple[FunctionFlow, int]]:
    """The functions that are passed a buffer by one of some names, and as which argument."""
    for value in names:
        for op in {use.op: None for use in value.uses if flow.graph.call(use.op) is not None}:
            for callee in program.callees(op):
                passed = enumerate(arguments_of(flow.graph, op))
                yield from ((callee, at) for at, one in passed if one is value)


class OutOfSightOf(Least[_OutOfSightText, OutOfSight]):
    """The answer for each function, from those for the functions that it calls."""

    def __init__(self, program: CallGraph) -> None:
        self._program = program

    def read(self, flow: FunctionFlow) -> _OutOfSightText:
        program, aliases = self._program, self._program.aliases(flow)
        results, freed, background = set[int](), set[int](), set[int]()
        given, lent, freed_results = list[_Position](), list[_Position](), list[_Position]()
        for at, call, place in _results(flow, aliases):
            if _is_passed_here(program, flow, call):
                results.add(at)
            given += [(at, callee, place) for callee in program.callees(call)]
        for cluster in aliases.clusters.values():
            own = [one.value.index for one in cluster.origins if one.kind is OriginKind.ARGUMENT]
            if not own:
                continue
            indirect = (name for name in cluster.root if isinstance(name, Indirect))
            if any(is_freed_by_another_name(program, flow, name) for name in indirect):
                freed.update(own)
            if never_awaited(flow.graph, cluster.root, callers=True):
                background.update(own)
            lent += [(at, *passed) for at in own for passed in _passing(program, flow, cluster.root)]
            freed_results += [(at, *result) for at in own for result in self._freed(flow, cluster)]
        own = OutOfSight(frozenset(results), frozenset(freed), frozenset(background))
        return _OutOfSightText(own, tuple(given), tuple(lent), tuple(freed_results))

    def _freed(self, flow: FunctionFlow, cluster: Cluster) -> Iterator[tuple[FunctionFlow, int]]:
        """The functions that give a buffer of a cluster which is freed then, and as which result."""
        program = self._program
        for one in cluster.origins:
            call = one.value.op if one.kind is OriginKind.CALL else None
            callees = program.callees(call) if call is not None else ()
            if call is not None and callees and is_freed(program, flow, names_of(program.aliases(flow), one.value)):
                yield from ((callee, place_of_result(flow, call, one.value)) for callee in callees)

    def asked(self, text: _OutOfSightText) -> list[FunctionFlow]:
        return [callee for _, callee, _ in (*text.given, *text.lent, *text.freed)]

    def alone(self, text: _OutOfSightText) -> OutOfSight:
        return text.own

    def together(self, text: _OutOfSightText, before: OutOfSight) -> OutOfSight:
        known = {callee: self.known(callee) or _NOTHING for callee in self.asked(text)}
        results = {at for at, callee, place in text.given if place in known[callee].results}
        freed = {at for at, callee, place in text.lent if place in known[callee].freed}
        freed |= {at for at, callee, place in text.freed if place in known[callee].results}
        background = {at for at, callee, place in text.lent if place in known[callee].background}
        return OutOfSight(before.results | results, before.freed | freed, before.background | background)


def _results(flow: FunctionFlow, aliases: Aliases) -> Iterator[tuple[int, Op, int]]:
    """The positions of results that a call may give, the call, and as which of its results."""
    for op in exits(flow):
        for at, value in enumerate(handed_back(flow.graph, op)):
            cluster = aliases.cluster_of(value) if value is not None else None
            for origin in cluster.origins if cluster is not None else ():
                if origin.kind is OriginKind.CALL and origin.value.op is not None:
                    yield at, origin.value.op, place_of_result(flow, origin.value.op, origin.value)
