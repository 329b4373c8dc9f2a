"""How many iterations of a loop are distinguished by its counter.

A loop of blocks, or of regions without bounds (`scf.while`), hands its counter on as any other value. Where a decision
in it depends on the counter and numbers alone, its rounds have an end, and that is found by counting. Where it depends
on another value as well, the end is unknown: the first iterations are distinguished, as those of loops with bounds are,
and then it is any iteration. What is counted in steps that are not known, or from a start that is not, is any number
from the second round on.

Beyond that limit what is known is a range, up to the next number with which the counter is compared: all rounds of such
a stretch go the same ways.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from memlane.dialects.model import Guard
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.derived import query
from memlane.flow.scalars.edge_conditions import condition_of
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.slicing.limits import MAX_CONSTANT_TRIPS, MAX_TERM, MAX_UNKNOWN_TRIPS, MIN_COUNTER_BITS
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.comparisons import offset_from
from memlane.flow.symbolic.constant_folding import width
from memlane.flow.symbolic.range import Range
from memlane.flow.symbolic.scalar import Expr, Facts, leaves, operands, simplify, size
from memlane.syntax.tree.tree import Block, Value

_ASKING = (Guard.TRUE, Guard.CASE)


class Step(NamedTuple):
    """What an edge hands over is a number that is known by another one: `source` and `by`."""

    source: Expr
    by: int


class Counted:
    """A value that an edge forwards, and the limit up to which its values are distinguished.

    Args:
        graph: the function.
        edge, source: the edge and the block at the end of which it is taken; None: from an op.
        value, receiver: what is handed over, and who takes it.
    """

    __slots__ = ("_besides", "_counts", "_graph", "_loop", "_receiver", "_rounds", "_stride")

    def __init__(self, graph: Graph, edge: Edge, source: Block | None, value: Value, receiver: Value) -> None:
        loop = _loop_of(graph, edge, source)
        self._rounds = source is not None and edge.block is not None and (source in loop or not edge.place.successors)
        self._stride = 1
        self._counts = False
        self._graph, self._receiver = graph, receiver
        self._loop = loop if source in loop else frozenset[Block]()
        self._besides: tuple[frozenset[Value], ...] | None = None
        """What each decision of the loop that depends on the receiver depends on besides, once that is asked."""
        if source in loop:
            expr = scalar_of(graph, value)
            computed = expr[0] not in ("const", "leaf")
            self._counts = receiver.type != "i1" and computed and any(leaf.block in loop for leaf in leaves(expr))
            if expr[0] == "addi" and any(part[0] == "leaf" and part[1].block in loop for part in expr[1:]):
                self._stride = max([abs(part[1]) for part in expr[1:] if part[0] == "const"], default=1)

    def out(self, expr: Expr, facts: Facts) -> bool:
        """Whether `expr`, which is forwarded, is a number or a term beyond that limit."""
        if size(expr) > MAX_TERM or (self._counts and expr[0] != "const"):
            return True
        if not self._rounds or expr[0] != "const":
            return False
        number = abs(expr[1])
        return number > MAX_CONSTANT_TRIPS or (number > MAX_UNKNOWN_TRIPS * self._stride and self._endless(facts))

    def _endless(self, facts: Facts) -> bool:
        """Whether no decision of the loop depends on what is counted and numbers alone."""
        if self._besides is None:
            asked = (set(leaves(expr)) for expr in _decisions(self._graph, self._loop))
            self._besides = tuple(frozenset(one - {self._receiver}) for one in asked if self._receiver in one)
        return bool(self._besides) and not any(
            all(_is_number(facts.get(("leaf", leaf))) for leaf in found) for found in self._besides
        )


def steps_of(graph: Graph, bound: Iterable[tuple[Value, Value]]) -> dict[Expr, Step]:
    """What an edge hands over that is another number and a constant, by what receives it.

    Args:
        bound: pairs (what is handed over, receiver).
    """
    found: dict[Expr, Step] = {}
    for value, receiver in bound:
        if (width(receiver.type) or MIN_COUNTER_BITS) < MIN_COUNTER_BITS:
            continue
        expr = scalar_of(graph, value)
        source, by = offset_from(expr) or (expr, 0)
        if source[0] == "leaf" and (by or source[1] is not receiver):
            found["leaf", receiver] = Step(source, by)
    return found


def _loop_of(graph: Graph, edge: Edge, source: Block | None) -> frozenset[Block]:
    """The blocks of the loop that an edge may begin a round of: blocks that lead to each other, or the regions of an
    op, where no bounds count its rounds (`scf.while`)."""
    if edge.block is None:
        return frozenset()
    op = edge.block.region.op
    between = source is not None and source.region.op is op and not edge.place.successors
    if between and edge.guard not in (Guard.TRIPS, Guard.DONE):
        return frozenset(block for region in op.regions for block in region.blocks)
    return graph.cycle(edge.block)


def _is_number(fact: Expr | Range | None) -> bool:
    return fact is not None and not isinstance(fact, Range) and fact[0] == "const"


def _decisions(graph: Graph, loop: frozenset[Block]) -> Iterator[Expr]:
    for block in loop:
        for edge in graph.exits(block):
            operands = edge.place.operands
            value = operands[edge.number].value if edge.number < len(operands) else None
            if value is not None and edge.guard in _ASKING:
                yield scalar_of(graph, value)


def numbers_compared(part: Slice) -> dict[Expr, set[int]]:
    """The numbers with which the decisions of a slice compare others, by these."""
    return query(part, _compared)


def turning_points(part: Slice, *counters: Expr) -> Sequence[int]:
    """The numbers from which on a comparison with a counter may come out otherwise, in ascending order."""
    compared = numbers_compared(part)
    return sorted({at for counter in counters for one in compared.get(counter, ()) for at in (one, one + 1)})


def _compared(part: Slice) -> dict[Expr, set[int]]:
    found: dict[Expr, set[int]] = {}
    for edge in part.edges(part.position):
        asked = condition_of(part.graph, edge)
        if asked is not None and edge.guard is Guard.CASE:
            cases = (*edge.others, *(() if edge.case is None else (edge.case,)))
            found.setdefault(simplify(asked, {}), set()).update(cases)
        elif asked is not None and edge.guard in (Guard.TRUE, Guard.HOLDS):
            _collect(asked, found)
    return found


def _collect(expr: Expr, found: dict[Expr, set[int]]) -> None:
    """Add the numbers with which a condition compares others to those of each."""
    pending = [simplify(expr, {})]
    while pending:
        one = pending.pop()
        if one[0] == "cmpi" and one[3][0] == "const":
            found.setdefault(one[2], set()).add(one[3][1])
        pending.extend(operands(one))
