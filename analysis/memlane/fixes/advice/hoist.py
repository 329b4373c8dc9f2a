"""`loop-invariant-alloc`: allocation and deallocation leave their loop together, as far as they can go."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from memlane.findings import Fix
from memlane.fixes.advice.proof import written_first
from memlane.fixes.advice.subject import OfBuffer, alone, free_name
from memlane.fixes.edit_writer import Writer
from memlane.flow.cfg.graph import Graph
from memlane.flow.effects.alloc_counts import taken_between
from memlane.flow.scalars.trip_count import trip_of
from memlane.rules._plain import Plain, defined_inside
from memlane.syntax.tree.tree import Op

_OLD_CONTENTS = "an iteration may read what the one before it wrote: it is not known to write the whole buffer first"
_MAYBE_NEVER = "the loop may run zero times: the memory would be allocated but never used"
_HELD = "the buffer would live while the loop takes other memory: more may be needed at once"


def fixes(subject: OfBuffer) -> Iterator[Fix]:
    """One fix: the outermost place that the size allows and that no parallel loop keeps it from."""
    plain, graph = subject.plain, subject.graph
    loops = list(_loops(graph, plain))
    if not loops or not alone(plain.made) or plain.freed.results:
        return
    outermost = loops[-1]
    name = free_name(subject)
    writer = Writer(subject.text)
    renamed = {plain.origin.value: name}
    writer.move(plain.made, renamed, before=outermost)
    writer.move(plain.freed, renamed, after=outermost)
    if name != plain.name:
        writer.rename(plain.origin.value, name, (plain.freed,))
    reasons = (
        "" if written_first(graph, plain, subject.text.source) else _OLD_CONTENTS,
        "" if all(_runs(graph, loop) for loop in loops) else _MAYBE_NEVER,
        _HELD if _takes_besides(graph, plain, loops) else "",
    )
    where = "the loop" if len(loops) == 1 else f"{len(loops)} loops"
    yield subject.fix(f"Allocate {plain.name} before {where}, and free it after", writer.edits(), *reasons)


def _loops(graph: Graph, plain: Plain) -> Iterator[Op]:
    """The loops that the buffer can leave, innermost first."""
    block = plain.made.parent
    while block is not None and block.region.op is not graph.function and len(block.region.blocks) == 1:
        loop = block.region.op
        model = graph.model(loop)
        if model is None or model.parallel or model.function is not None or loop.parent is None:
            return
        if trip_of(graph, loop) is None or not graph.may_repeat(block.region):
            return
        if any(use.value is None or defined_inside(use.value, loop) for use in plain.made.operands):
            return
        yield loop
        block = loop.parent


def _runs(graph: Graph, loop: Op) -> bool:
    """Whether the loop is known to run at least once."""
    trip = trip_of(graph, loop)
    if trip is None:
        return False
    lower, upper = trip.lower, trip.upper
    return lower[0] == "const" and upper[0] == "const" and lower[1] < upper[1]


def _takes_besides(graph: Graph, plain: Plain, loops: list[Op]) -> bool:
    """Whether a loop takes memory where the buffer has not lived until now."""
    inner = loops[0].regions[0].blocks[0]
    around = [(inner, plain.made.index, plain.freed.index)]
    around += [(loop.regions[0].blocks[0], child.index, child.index) for child, loop in pairwise(loops)]
    return any(
        taken_between(graph, block, 0, first) or taken_between(graph, block, last + 1, len(block.ops))
        for block, first, last in around
    )
