"""Ops whose decision later ops repeat: there paths are distinguished by earlier decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from memlane.flow.cfg.graph import Graph
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.scalars.edge_conditions import condition_of
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.scalars.trip_count import trip_of
from memlane.flow.symbolic.scalar import TRUE, Expr, leaves, simplify
from memlane.syntax.tree.tree import Op, Value


class Deciders:
    """The ops of a function whose decision others ask again, or constants know: paths tell them apart.

    `called`: those who call the function may know of its arguments, too.
    """

    def __init__(self, graph: Graph, called: bool) -> None:
        self._graph = graph
        self._called = called

    @cached_property
    def _asked(self) -> Counter[Value]:
        """What decisions ask."""
        graph = self._graph
        found = Counter(
            leaf
            for op in graph.function.walk()
            if (op.regions and op is not graph.function) or op.successors
            for expr in _decisions(graph, op)
            for leaf in leaves(expr)
        )
        if self._called and graph.entry is not None:
            found.update(graph.entry.arguments)
        return found

    @cached_property
    def _besides(self) -> Counter[Value]:
        """That, and what is asked besides."""
        graph = self._graph
        return self._asked + Counter(
            leaf for op in graph.function.walk() for expr in _questions(graph, op) for leaf in leaves(expr)
        )

    def around(self, inner: Iterable[Op]) -> set[Op]:
        """Those around some ops."""
        seen: set[Op] = set()
        deciding: set[Op] = set()
        for op in inner:
            while op.parent is not None and (op := op.parent.region.op) not in seen:
                if op is self._graph.function:
                    break
                seen.add(op)
                if any(_decided(expr, self._asked) for expr in _decisions(self._graph, op)):
                    deciding.add(op)
        return deciding

    def may_know(self, op: Op) -> bool:
        """Whether something else may tell how an op decides; of what comes out of regions and calls it is not known."""
        asked = [*_decisions(self._graph, op), *_questions(self._graph, op)]
        calls = self._graph.call(op) is not None
        return calls or any(_decided(expr, self._besides) or varies(self._graph, expr) for expr in asked)


def _questions(graph: Graph, op: Op) -> Iterator[Expr]:
    """What is asked besides: what a call is passed, which of two buffers is meant, whether one is freed."""
    values = [free.condition for free in effects_at(graph, op).frees]
    values += arguments_of(graph, op) if graph.call(op) is not None else ()
    values += [use.value for use in op.operands[:1]] if graph.selects(op) else ()
    return (scalar_of(graph, value) for value in values if value is not None)


def _decisions(graph: Graph, op: Op) -> Iterator[Expr]:
    """What is asked before a region of `op`, or a block after it, is entered."""
    trip = trip_of(graph, op)
    if trip is not None:
        yield ("cmpi", "slt", trip.lower, trip.upper)
    edges = graph.exits(op.parent) if op.successors and op.parent is not None else graph.entries(op)
    for edge in {edge.number: edge for edge in edges}.values():
        expr = condition_of(graph, edge)
        if expr is not None:
            yield expr


def _decided(expr: Expr, asked: Mapping[Value, int]) -> bool:
    """Whether a decision may be known on some path: asked more than once, or made of constants."""
    known = simplify(expr, {})
    if known[0] == "const":
        return known != TRUE
    return any(asked[leaf] > 1 for leaf in leaves(known))


def varies(graph: Graph, size: Expr) -> bool:
    """Whether a size may be a number that paths or iterations tell apart."""
    return any(
        leaf.block is not graph.entry if leaf.op is None else leaf.op.regions or graph.call(leaf.op) is not None
        for leaf in leaves(size)
    )
