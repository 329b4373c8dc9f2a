"""What a function may do to its arguments that its paths do not show: derived from its text.

A function without a description may give what it was passed, or a place in it, although paths take its result for a new
buffer. Then it is the argument that is returned, or freed, by another name. Work that a function begins on an
argument, and does not wait for, goes on when it has come back. And where a function gives null that `realloc` of C has
given, what it was passed has not been freed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memlane.flow.alias.alias import Aliases, Cluster
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.cfg.scc import reachable
from memlane.flow.effects.aggregate_buffers import handed_back, results_of
from memlane.flow.interproc.call_graph import CallGraph
from memlane.flow.interproc.function import FunctionFlow
from memlane.flow.interproc.may_free import may_free
from memlane.flow.interproc.may_summary import may_give_back
from memlane.flow.interproc.return_summary import arguments_in, exits
from memlane.flow.interproc.scc_fixpoint import Least
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.extern_aliases import Indirect, may_point
from memlane.flow.memory.token_chains import never_awaited
from memlane.flow.symbolic.type_layout import is_owned_memory
from memlane.flow.symbolic.types import is_pointer
from memlane.syntax.tree.tree import Op, Value


class OutOfSight(NamedTuple):
    """What a function may do that its paths do not show.

    Args:
        results: the positions of results that may be what a function without a description was passed.
        freed: the positions of arguments that may be freed as what such a function has given.
        background: the positions of arguments on which work may go on when the function has come back.
        replaced: the positions of results that are null where an argument has not been freed that is freed else, once;
            each with that of the argument.
    """

    results: frozenset[int] = frozenset()
    freed: frozenset[int] = frozenset()
    background: frozenset[int] = frozenset()
    replaced: frozenset[tuple[int, int]] = frozenset()


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
        replaced: the results that another function gives, as one of its results, which alone frees an argument; each
            with the arguments that may be what that is passed, by position.
    """

    own: OutOfSight
    given: tuple[_Position, ...]
    lent: tuple[_Position, ...]
    freed: tuple[_Position, ...]
    replaced: tuple[tuple[_Position, tuple[frozenset[int], ...]], ...]


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


def replaced(program: CallGraph, call: Op) -> frozenset[tuple[int, int]]:
    """The positions of the results of a call that are null where it has not freed an argument that it frees else; each
    with that of the argument."""
    return frozenset[tuple[int, int]]().union(
        *(out_of_sight(program, callee).replaced for callee in program.callees(call))
    )


def place_of_result(flow: FunctionFlow, call: Op, value: Value) -> int:
    """The position of what a call gives among its results."""
    results = results_of(flow.graph, call)
    return results.index(value) if value in results else value.index


def names_of(aliases: Aliases, origin: Value) -> set[Value]:
    """The names that may denote what `origin` makes, not another buffer of its cluster."""
    return set(reachable([origin], lambda value: (target for target, _ in aliases.flows(value))))


def is_freed(program: CallGraph, flow: FunctionFlow, names: set[Value]) -> bool:
    """Whether an op of the function, or one that it calls, may free a buffer by one of some names."""
    return next(_freeing(program, flow, names), None) is not None


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


def _freeing(program: CallGraph, flow: FunctionFlow, names: Iterable[Value]) -> Iterator[Op]:
    """The ops that may free a buffer by one of some names, themselves or by what they call."""
    known = {*names}
    for op in {use.op: None for value in known for use in value.uses}:
        if not known.isdisjoint(_freed_by(program, flow, op)):
            yield op


def _freed_by(program: CallGraph, flow: FunctionFlow, op: Op) -> list[Value]:
    """What an op may free, itself or by what it calls."""
    found = [free.value for free in effects_at(flow.graph, op).frees]
    freed = may_free(program, op) if flow.graph.call(op) is not None else None
    passed = arguments_of(flow.graph, op) if freed else ()
    return found + [value for at, value in enumerate(passed) if value is not None and freed and at in freed]


def _alone_frees(program: CallGraph, flow: FunctionFlow, op: Op) -> frozenset[int]:
    """The positions of the arguments that an op frees, and nothing else does."""
    aliases = program.aliases(flow)
    clusters = (aliases.cluster_of(value) for value in _freed_by(program, flow, op))
    alone = (one for one in clusters if one is not None and [*_freeing(program, flow, one.root)] == [op])
    return frozenset(at for cluster in alone for at in arguments_in(cluster))


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
        passed, null = set[int](), set[tuple[int, int]]()
        given, replacing = list[_Position](), list[tuple[_Position, tuple[frozenset[int], ...]]]()
        for at, origin, op in _results(flow, aliases):
            place = place_of_result(flow, op, origin.value)
            callees = [(at, callee, place) for callee in program.callees(op)]
            given += callees
            if origin.kind is OriginKind.CALL and _is_passed_here(program, flow, op):
                passed.add(at)
            alone = _alone_frees(program, flow, op) if is_pointer(origin.value.type) else frozenset[int]()
            if origin.kind is OriginKind.ALLOCATION:
                null.update((at, argument) for argument in alone)
            elif alone:
                lending = [
                    arguments_in(aliases.cluster_of(v) if v is not None else None) for v in arguments_of(flow.graph, op)
                ]
                replacing += [(one, tuple(those & alone for those in lending)) for one in callees]
        freed, background = set[int](), set[int]()
        lent, freed_results = list[_Position](), list[_Position]()
        for cluster in aliases.clusters.values():
            arguments = arguments_in(cluster)
            if arguments:
                freed.update(arguments if self._frees_by_another_name(flow, cluster) else ())
                background.update(arguments if never_awaited(flow.graph, cluster.root, callers=True) else ())
                lent += [(at, *place) for at in arguments for place in _passing(program, flow, cluster.root)]
                freed_results += [(at, *place) for at in arguments for place in self._freed(flow, cluster)]
        own = OutOfSight(frozenset(passed), frozenset(freed), frozenset(background), frozenset(null))
        return _OutOfSightText(own, tuple(given), tuple(lent), tuple(freed_results), tuple(replacing))

    def _frees_by_another_name(self, flow: FunctionFlow, cluster: Cluster) -> bool:
        names = (name for name in cluster.root if isinstance(name, Indirect))
        return any(is_freed_by_another_name(self._program, flow, name) for name in names)

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
        null = {
            (at, argument)
            for (at, callee, place), lending in text.replaced
            for result, position in known[callee].replaced
            if result == place and position < len(lending)
            for argument in lending[position]
        }
        return OutOfSight(
            before.results | results, before.freed | freed, before.background | background, before.replaced | null
        )


def _results(flow: FunctionFlow, aliases: Aliases) -> Iterator[tuple[int, Origin, Op]]:
    """The positions of results, what they may be that ops make or calls give, and these."""
    for op in exits(flow):
        for at, value in enumerate(handed_back(flow.graph, op)):
            cluster = aliases.cluster_of(value) if value is not None else None
            for origin in cluster.origins if cluster is not None else ():
                if origin.kind in (OriginKind.CALL, OriginKind.ALLOCATION) and origin.value.op is not None:
                    yield at, origin, origin.value.op
