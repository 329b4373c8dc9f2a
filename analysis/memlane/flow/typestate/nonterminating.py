"""Paths that never end: infinite loops of a function, as in a server or while waiting for a reset.

The fate of the buffers is then not visible at an end of the function. A buffer that has no name any more is lost all
the same, and callers want to know what was done to their buffers on the way, as of paths that end in an abort.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.incomplete_cfg import breaks_off
from memlane.flow.cfg.scc import reachable
from memlane.flow.dataflow.events import EventKind, Log, Pair, Point
from memlane.flow.dataflow.solver import Reached
from memlane.flow.dataflow.state import State, ordered
from memlane.flow.scalars.trip_count import trip_of
from memlane.flow.typestate.exit_state import ExitState
from memlane.flow.typestate.explorer import Explorer
from memlane.syntax.tree.tree import Block


def note_lost(log: Log, graph: Graph, reached: Reached[Point, State]) -> None:
    """Note as leaks what is lost on paths that never end."""
    for pair in _rounds(graph, reached):
        log.here = pair
        for held in ordered(pair[1].heap):
            op = held.origin.value.op
            gone = held.origin.owned and not (held.holders or held.escaped or held.freed)
            if gone and op is not None:
                log.add(EventKind.LEAK, op, held, None)


def endings(explorer: Explorer, graph: Graph, reached: Reached[Point, State]) -> Iterable[ExitState]:
    """The exits of a function, and its effects on paths that never exit."""
    return explorer.endings | {ExitState(state, None, (), stays=True) for _, state in _rounds(graph, reached)}


def _rounds(graph: Graph, reached: Reached[Point, State]) -> Iterator[Pair]:
    """Of pairs from which no end is reached those that close a round.

    A pair that nothing follows ends a path, too: what is called there does not come back, as far as is known yet. So
    does one in a block behind which the text breaks off.
    """
    blocks = {point.block for point, _ in reached.pairs}
    if not any(_turns(graph, block) for block in blocks):
        return
    torn = {block for block in blocks if breaks_off(graph, block)}
    following = reached.following
    before: list[list[int]] = [[] for _ in following]
    for number, after in enumerate(following):
        for target in after:
            before[target].append(number)
    ends = [not after or point.block in torn for (point, _), after in zip(reached.pairs, following, strict=True)]
    ending = {*reachable([number for number, end in enumerate(ends) if end], before.__getitem__)}
    for number, pair in enumerate(reached.pairs):
        if number not in ending and any(target <= number for target in following[number]):
            yield pair


def _turns(graph: Graph, block: Block) -> bool:
    """Whether control may come round to a block as often as it likes: loops that count end."""
    holder = block.region.op
    if graph.cycle(block):
        return True
    return holder is not graph.function and graph.may_repeat(block.region) and trip_of(graph, holder) is None
