"""Functions that never return: each path through them ends the program, or calls another such function.

Nothing can leak behind a call of one, as behind a call of `abort`, whether or not it is passed a buffer. A function
that only loops or calls itself without end is not one of them: nothing in it ends the program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from memlane.dialects import select
from memlane.flow.cfg.graph import Graph
from memlane.flow.interproc.call_graph import CallGraph
from memlane.flow.interproc.calls_in_text import CallsInText, awaited
from memlane.flow.interproc.function import FunctionFlow
from memlane.flow.interproc.scc_fixpoint import Least
from memlane.flow.memory.function_graph import function_graph
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.symbolic.scalar import FALSE
from memlane.syntax.tree.tree import Block, Op


def comes_back(program: CallGraph, flow: FunctionFlow) -> bool:
    """Whether a function may return. Determined once."""
    return ComesBack(program).of(flow)


def never_comes_back(program: CallGraph, call: Op) -> bool:
    """Whether a call is of a function that ends the program."""
    callee = program.callee(call) if awaited(program.models.of(call.name)) else None
    return callee is not None and not comes_back(program, callee)


class _Text(NamedTuple):
    flow: FunctionFlow
    calling: CallsInText


class ComesBack(Least[_Text, bool]):
    def __init__(self, program: CallGraph) -> None:
        self._program = program

    def read(self, flow: FunctionFlow) -> _Text:
        return _Text(flow, self._program.calling(flow))

    def asked(self, text: _Text) -> list[FunctionFlow]:
        return [*text.calling.callees]

    def alone(self, text: _Text) -> bool:
        return False

    def _settle(self, members: list[FunctionFlow], texts: Mapping[FunctionFlow, _Text]) -> None:
        """See `Least`. Where none of the functions, and nothing that they call, may end the program, all come back."""
        outside = {callee for one in members for callee in texts[one].calling.callees}.difference(members)
        if any(texts[one].calling.ends for one in members) or any(self.known(one) is False for one in outside):
            super()._settle(members, texts)
        else:
            for flow in members:
                self.keep(flow, True)

    def together(self, text: _Text, before: bool) -> bool:
        if not text.calling.ends and all(self.known(callee) for callee in text.calling.callees):
            return True
        if before:
            return True
        graph = text.flow.graph
        # Of its own: the graph of the function remembers where control ends, which is not known before this is.
        return _reaches_an_end(function_graph(graph.function, graph.models, graph.source, graph.defined), self._ends)

    def _ends(self, graph: Graph, op: Op) -> bool:
        """Whether control does not come behind an op. Flags that are kept somewhere are not looked for."""
        model = graph.model(op)
        if model is None:
            return False
        if awaited(model):
            callee = self._program.callee(op)
            return callee is not None and self.known(callee) is False
        if model.asserts is not None:
            asserted = [use.value for use in select(op, model.asserts, model)]
            made = [one.op for one in asserted if one is not None and one.op is not None and not one.op.operands]
            return any(scalar_of(graph, value) == FALSE for one in made for value in one.results)
        return model.stops


def _reaches_an_end(graph: Graph, ends: Callable[[Graph, Op], bool]) -> bool:
    """Whether a path through a function leads back to the caller, or to where that is not known."""
    pending: list[tuple[Block, int]] = [(graph.entry, 0)] if graph.entry is not None else []
    if not pending:
        return True
    seen = set(pending)
    while pending:
        block, start = pending.pop()
        after = list(_behind(graph, block, start, ends))
        if None in after:
            return True
        fresh = [one for one in dict.fromkeys(after) if one is not None and one not in seen]
        seen.update(fresh)
        pending += fresh
    return False


def _detached(graph: Graph, op: Op) -> bool:
    """Whether control goes on behind an op, whatever its regions do."""
    model = graph.model(op)
    return model is None or model.detached


def _behind(
    graph: Graph, block: Block, start: int, ends: Callable[[Graph, Op], bool]
) -> Iterator[tuple[Block, int] | None]:
    """Where control goes from a place in a block: to others, or (None) back to the caller, perhaps."""
    for op in block.ops[start:]:
        if ends(graph, op):
            return
        edges = graph.entries(op) if op.regions else ()
        if edges:
            past = (block, op.index + 1)
            yield from ((edge.block, 0) if edge.block is not None else past for edge in edges)
            if not _detached(graph, op):
                return
    edges = graph.exits(block)
    if not edges and not graph.stops(block):
        yield None
    for edge in edges:
        left = edge.leaves
        if edge.block is not None:
            yield edge.block, 0
        else:
            yield (left.parent, left.index + 1) if left is not None and left.parent is not None else None
