"""The loops that repeat an operation, and how often each of them does."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import comes_back
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.scalars.trip_count import trip_of
from memlane.syntax.tree.tree import Block, Op


class Loop(NamedTuple):
    """A loop around an operation.

    Args:
        place: the op, or of a loop made of blocks the branch at the end of the block that it repeats.
        blocks: those of its that hold the operation, or of a cycle all.
        times: how many iterations it has; None: not known.
    """

    place: Op
    blocks: Collection[Block]
    times: int | None


def loops_around(graph: Graph, op: Op) -> Iterator[Loop]:
    """The loops of its function that repeat an operation, from the inside out."""
    return _loops(graph, op, lambda _: False)


def stack_loops(graph: Graph, op: Op, restored: Collection[Block]) -> Iterator[Loop]:
    """Of the loops that repeat an automatic allocation those that do before its scope ends.

    Args:
        restored: the blocks in which the stack is given back.
    """
    loops = _loops(graph, op, lambda around: _ends_stack(graph, around)) if not is_taken_once(graph, op) else ()
    for loop in loops:
        if not any(block in restored for block in loop.blocks):
            yield loop


def iterations(loops: Iterable[Loop]) -> int | None:
    """How many iterations loops inside each other have in all; None: not known."""
    found = 1
    for loop in loops:
        if loop.times is None:
            return None
        found *= loop.times
    return found


def is_in_each(op: Op, loops: Iterable[Loop]) -> bool:
    """Whether an operation is executed in each iteration of loops around it, whatever is decided in them."""
    for loop in loops:
        if len(loop.blocks) > 1 or op.parent not in loop.blocks or loop.place is op:
            return False
        op = loop.place
    return True


def is_taken_once(graph: Graph, op: Op) -> bool:
    """Whether the stack memory that an op names is taken where the function begins (`Alloc.once`)."""
    return not op.operands and any(alloc.once for _, alloc in effects_at(graph, op).allocs)


def _loops(graph: Graph, op: Op, ends: Callable[[Op], bool]) -> Iterator[Loop]:
    while op is not graph.function and op.parent is not None and not ends(op):
        block = op.parent
        cycle = graph.cycle(block)
        if cycle:
            yield Loop(block.ops[-1], cycle, None)
        op = block.region.op
        if op is not graph.function and comes_back(graph, block.region):
            trip = trip_of(graph, op)
            yield Loop(op, block.region.blocks, trip.times if trip is not None else None)


def _ends_stack(graph: Graph, op: Op) -> bool:
    """Whether automatic allocations inside end with an op: it is their scope, or what runs inside has its own stack."""
    model = graph.model(op)
    return effects_at(graph, op).scope or (model is not None and model.parallel)
