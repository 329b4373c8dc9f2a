"""What a function may do by way of functions without a description, whose results may be what they were passed.

Such a result may be an argument, or point into one, although the paths of the function give a new buffer. Then it is
the argument that the function returns, or frees, by another name. Derived from its text.
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
from memlane.flow.interproc.may_summary import may_give_back
from memlane.flow.interproc.return_summary import exits
from memlane.flow.interproc.scc_fixpoint import Least
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.extern_aliases import Indirect, may_point
from memlane.flow.symbolic.type_layout import is_owned_memory
from memlane.syntax.tree.tree import Op, Value


class PerhapsPassed(NamedTuple):
    """What a function may do by way of functions without a description.

    Args:
        results: the positions of results that may be what such a function was passed.
        freed: the positions of arguments that may be freed as what such a function has given.
    """

    results: frozenset[int]
    freed: frozenset[int]


class _ByOtherNames(NamedTuple):
    """What the text of a function says.

    Args:
        own: what it does itself.
        given: the positions of results that another function may give, which, and as which of its results.
        lent: the positions of arguments that are passed to another function, which, and as which of its arguments.
        freed: the positions of arguments that may be what another function gives and the function frees then: which
            function, and as which of its results.
    """

    own: PerhapsPassed
    given: tuple[tuple[int, FunctionFlow, int], ...]
    lent: tuple[tuple[int, FunctionFlow, int], ...]
    freed: tuple[tuple[int, FunctionFlow, int], ...]


def perhaps_passed(program: CallGraph, flow: FunctionFlow) -> PerhapsPassed:
    """What `flow` may do by way of functions without a description. Found out once."""
    return ByOtherNames(program).of(flow)


def is_perhaps_passed(program: CallGraph, flow: FunctionFlow, call: Op, value: Value) -> bool:
    """Whether `value`, which a call in `flow` gives, may be memory that the call, or one in the callee, was passed."""
    if _is_passed_here(program, flow, call):
        return True
    callees = program.callees(call)
    return any(place_of_result(flow, call, value) in perhaps_passed(program, one).results for one in callees)


def may_be_freed(program: CallGraph, flow: FunctionFlow, names: Iterable[Value]) -> bool:
    """Whether a call in `flow` may free a buffer of some names as what a function without a description has given."""
    for value in names:
        for op in {use.op: None for use in value.uses if flow.graph.call(use.op) is not None}:
            places = [at for at, passed in enumerate(arguments_of(flow.graph, op)) if passed is value]
            if any(not perhaps_passed(program, one).freed.isdisjoint(places) for one in program.callees(op)):
                return True
    return False


def place_of_result(flow: FunctionFlow, call: Op, value: Value) -> int:
    """The position of what a call gives among its results."""
    results = results_of(flow.graph, call)
    return results.index(value) if value in results else value.index


def names_of(aliases: Aliases, origin: Value) -> set[Value]:
    """The names that may denote what `origin` makes, not another buffer of its cluster."""
    return set(reachable([origin], lambda value: (target for target, _ in aliases.flows(value))))


def is_freed(flow: FunctionFlow, names: set[Value]) -> bool:
    """Whether an op of the function frees a buffer by one of some names."""
    ops = {use.op: None for value in names for use in value.uses}
    return any(free.value in names for op in ops for free in effects_at(flow.graph, op).frees)


def _is_passed_here(program: CallGraph, flow: FunctionFlow, call: Op) -> bool:
    """Whether what a call of a function without a description gives may be memory that it was passed."""
    root, passed = program.aliases(flow).root, may_point(flow.graph, call)
    if any(value in root or is_owned_memory(value.type, program.models.memory) for value in passed):
        return True
    return may_give_back(program, flow, call)


class ByOtherNames(Least[_ByOtherNames, PerhapsPassed]):
    def __init__(self, program: CallGraph) -> None:
        self._program = program

    def read(self, flow: FunctionFlow) -> _ByOtherNames:
        aliases = self._program.aliases(flow)
        results, given = set[int](), list[tuple[int, FunctionFlow, int]]()
        for at, call, place in _results(flow, aliases):
            if _is_passed_here(self._program, flow, call):
                results.add(at)
            given += [(at, callee, place) for callee in self._program.callees(call)]
        arguments, lent, freed = (
            set[int](),
            list[tuple[int, FunctionFlow, int]](),
            list[tuple[int, FunctionFlow, int]](),
        )
        for cluster in aliases.clusters.values():
            own = [one.value.index for one in cluster.origins if one.kind is OriginKind.ARGUMENT]
            if not own:
                continue
            if any(isinstance(name, Indirect) and name.freed for name in cluster.root):
                arguments.update(own)
            lent += [(at, callee, place) for at in own for callee, place in self._passing(flow, cluster)]
            freed += [(at, callee, place) for at in own for callee, place in self._freed(flow, cluster)]
        return _ByOtherNames(
            PerhapsPassed(frozenset(results), frozenset(arguments)), tuple(given), tuple(lent), tuple(freed)
        )

    def _passing(self, flow: FunctionFlow, cluster: Cluster) -> Iterator[tuple[FunctionFlow, int]]:
        """The functions that are passed a buffer of a cluster, and as which argument."""
        for op in {use.op: None for value in cluster.root for use in value.uses}:
            for callee in self._program.callees(op) if flow.graph.call(op) is not None else ():
                passed = enumerate(arguments_of(flow.graph, op))
                yield from ((callee, at) for at, value in passed if value in cluster.root)

    def _freed(self, flow: FunctionFlow, cluster: Cluster) -> Iterator[tuple[FunctionFlow, int]]:
        """The functions that give a buffer of a cluster which is freed then, and as which result."""
        for one in cluster.origins:
            call = one.value.op if one.kind is OriginKind.CALL else None
            callees = self._program.callees(call) if call is not None else ()
            if call is not None and callees and is_freed(flow, names_of(self._program.aliases(flow), one.value)):
                yield from ((callee, place_of_result(flow, call, one.value)) for callee in callees)

    def asked(self, text: _ByOtherNames) -> list[FunctionFlow]:
        return [callee for _, callee, _ in (*text.given, *text.lent, *text.freed)]

    def alone(self, text: _ByOtherNames) -> PerhapsPassed:
        return text.own

    def together(self, text: _ByOtherNames, before: PerhapsPassed) -> PerhapsPassed:
        nothing = PerhapsPassed(frozenset(), frozenset())
        known = {callee: self.known(callee) or nothing for callee in self.asked(text)}
        results = {at for at, callee, place in text.given if place in known[callee].results}
        freed = {at for at, callee, place in text.lent if place in known[callee].freed}
        freed |= {at for at, callee, place in text.freed if place in known[callee].results}
        return PerhapsPassed(before.results | results, before.freed | freed)


def _results(flow: FunctionFlow, aliases: Aliases) -> Iterator[tuple[int, Op, int]]:
    """The positions of results that a call may give, the call, and as which of its results."""
    for op in exits(flow):
        for at, value in enumerate(handed_back(flow.graph, op)):
            cluster = aliases.cluster_of(value) if value is not None else None
            for origin in cluster.origins if cluster is not None else ():
                if origin.kind is OriginKind.CALL and origin.value.op is not None:
                    yield at, origin.value.op, place_of_result(flow, origin.value.op, origin.value)
