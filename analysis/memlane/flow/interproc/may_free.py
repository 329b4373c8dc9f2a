"""The arguments that a function may free at most: derived from its text, for all arguments and all paths.

Most functions free none, and who lends them a buffer need not know more. Following their paths, which differ with what
is passed, would say the same of each way.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from memlane.flow.alias.origin import OriginKind
from memlane.flow.cfg.region_edges import defining_block
from memlane.flow.effects.aggregate_buffers import results_of
from memlane.flow.interproc.call_graph import CallGraph
from memlane.flow.interproc.function import FunctionFlow
from memlane.flow.interproc.indirect_calls import perhaps
from memlane.flow.interproc.scc_fixpoint import Least
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.symbolic.scalar import leaves
from memlane.flow.symbolic.types import is_buffer
from memlane.syntax.tree.tree import Op, Value


class _MayFreeText(NamedTuple):
    """What the text of a function says.

    Args:
        freed: positions of the arguments that one of its ops may free.
        lent: the positions of arguments that may be passed to another function, which, and as which of its arguments.
    """

    freed: frozenset[int]
    lent: tuple[tuple[frozenset[int], FunctionFlow, int], ...]


def freed(program: CallGraph, flow: FunctionFlow) -> frozenset[int]:
    """The positions of the arguments that `flow`, or what it calls, may free. Found out once."""
    return FreedByCallee(program).of(flow)


def may_free(program: CallGraph, call: Op) -> frozenset[int] | None:
    """The positions of the arguments that the callee may free; None if the program does not have it."""
    callees = program.callees(call)
    if not callees or not all(callee.graph.entry is not None for callee in callees):
        return None
    return frozenset[int]().union(*(freed(program, callee) for callee in callees))


def lent(program: CallGraph, flow: FunctionFlow, names: Collection[Value]) -> frozenset[Op]:
    """The calls in `flow` that some buffers are lent to, and nothing else: they free none, give none, and are passed no
    number that is another one in each round of a loop."""
    calls = {use.op: None for value in names for use in value.uses if flow.graph.call(use.op) is not None}
    return frozenset(call for call in calls if _lends(program, flow, call, names))


def _lends(program: CallGraph, flow: FunctionFlow, call: Op, names: Collection[Value]) -> bool:
    graph, may = flow.graph, may_free(program, call)
    if may is None:
        return False
    values, body = arguments_of(graph, call), graph.function.regions[0]
    numbers = (one for one in values if one is not None and one not in names and not is_buffer(one.type))
    homes = (defining_block(leaf) for one in numbers for leaf in leaves(scalar_of(graph, one)))
    if any(home is not None and home.region is not body for home in homes):
        return False
    if any(result in names for result in results_of(graph, call)):
        return False
    return not any(at in may for at, value in enumerate(values) if value in names)


class FreedByCallee(Least[_MayFreeText, frozenset[int]]):
    def __init__(self, program: CallGraph) -> None:
        self._program = program

    def read(self, flow: FunctionFlow) -> _MayFreeText:
        return _read(self._program, flow)

    def asked(self, text: _MayFreeText) -> list[FunctionFlow]:
        return [callee for _, callee, _ in text.lent]

    def alone(self, text: _MayFreeText) -> frozenset[int]:
        return text.freed

    def together(self, text: _MayFreeText, before: frozenset[int]) -> frozenset[int]:
        inside = {at for own, callee, place in text.lent if place in (self.known(callee) or ()) for at in own}
        return before | inside


def _read(program: CallGraph, flow: FunctionFlow) -> _MayFreeText:
    graph = flow.graph
    freed: set[int] = set()
    lent: list[tuple[frozenset[int], FunctionFlow, int]] = []
    for cluster in program.aliases(flow).clusters.values():
        names = cluster.root
        own = frozenset(one.value.index for one in cluster.origins if one.kind is OriginKind.ARGUMENT)
        for op in {use.op: None for value in names for use in value.uses} if own else ():
            if any(free.value in names for free in effects_at(graph, op).frees):
                freed |= own
            calls = graph.call(op) is not None
            if calls and op.symbol is None and not program.callees(op):  # of a function that it is passed, perhaps
                freed |= own
            for callee in (*program.callees(op), *perhaps(program, flow, op)) if calls else ():
                lent += [(own, callee, at) for at, value in enumerate(arguments_of(graph, op)) if value in names]
    return _MayFreeText(frozenset(freed), tuple(lent))
