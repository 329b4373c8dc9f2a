"""What the buffers of one cluster take by themselves, on any of their paths: to be added to those of others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.solver import BudgetExceeded
from memlane.flow.peak.demand import during_steps, in_place, losses, made, required, weigh
from memlane.flow.peak.live_intervals import LiveSpan, Timeline, Until
from memlane.flow.peak.product import Product, ProductNode
from memlane.flow.peak.sparse_product import Place, Short, Sparse, places
from memlane.flow.symbolic.amounts import UNBOUNDED, ZERO, Amount, total
from memlane.syntax.tree.tree import Block, Op

Part = Sparse | Short
_NOTHING = ZERO, ZERO, ZERO


def bounds(parts: Iterable[Part], explore: Callable[[Part], Product], line: Timeline, every: Amount) -> list[LiveSpan]:
    """What one cluster takes where, by the first slice of it that is not too much to follow.

    Args:
        parts: slices of it, the most precise first.
        explore: gives what following a slice gives, or raises `BudgetExceeded`.
        line: the places.
        every: what all that it ever makes takes, for where each is too much.
    """
    for part in parts:
        try:
            return [*_spans(explore(part).nodes, part, line)]
        except BudgetExceeded:
            continue
    return [LiveSpan(0, len(line.ops) - 1, (every, every, every))]


def all_of(graph: Graph, cluster: Cluster, extent: Callable[[Origin], Amount]) -> Amount:
    """What all buffers of a cluster take that are ever made. `extent`: what one takes."""
    made = [origin for origin in cluster.origins if origin.kind is not OriginKind.ARGUMENT]
    if any(origin.kind is OriginKind.CALL or _repeats(graph, origin.value.op) for origin in made):
        return UNBOUNDED
    return total(map(extent, made))


def _repeats(graph: Graph, op: Op | None) -> bool:
    """Whether an op may be executed more than once."""
    block = op.parent if op is not None else None
    while block is not None and block.region.op is not graph.function:
        if graph.may_repeat(block.region):
            return True
        block = block.region.op.parent
    return block is None or bool(graph.cycle(block))


def _spans(nodes: Sequence[ProductNode], part: Part, line: Timeline) -> Iterator[LiveSpan]:
    lost = losses(nodes)
    most: dict[Place, list[Amount]] = {}
    passed = [*_passed(nodes, part, line)]

    def note(among: Iterable[Place], until: Until, amount: Amount) -> None:
        for place in among:
            known = most.setdefault(place, [ZERO, ZERO, ZERO])
            known[until] = known[until].join(amount)

    here = [places(line, part, node.point) for node in nodes]
    steps = [_step(line, nodes, node) or among for node, among in zip(nodes, here, strict=True)]
    for index, node in enumerate(nodes):
        note(here[index], Until.FREED, node.live + lost[index])
        for move in node.moves:
            if move.both:
                note(steps[index], Until.FREED, node.live + lost[index] + made(nodes, move))
    for index, among in passed:
        note(among, Until.FREED, nodes[index].live + lost[index])
    for until, frees in ((Until.USED, False), (Until.NAMED, True)):
        found = required(nodes, frees)
        for index, node in enumerate(nodes):
            for later in found[index]:
                note(here[index], until, weigh(node, later))
        for index, besides, buffers in during_steps(nodes, frees, found):
            note(steps[index], until, besides + weigh(nodes[index], buffers))
        for index, among in passed:
            for later in found[index]:
                note(among, until, weigh(nodes[index], later))
    return _apart(most)


def _step(line: Timeline, nodes: Sequence[ProductNode], node: ProductNode) -> list[Place]:
    """Where the op at a node is executed, where that is one place: what it makes does not live before. Of n buffers
    made in one block each would else live beside all those made before."""
    op = node.op
    return [(line.position[op], line.end[op])] if op is not None and in_place(nodes, node) else []


def _apart(most: Mapping[Place, Sequence[Amount]]) -> Iterator[LiveSpan]:
    """What is taken where, by positions: paths that go past a block may have others beside them that do not."""
    ends = sorted({end for start, stop in most for end in (start, stop + 1)})
    number = {end: index for index, end in enumerate(ends)}
    taken = [_NOTHING] * len(ends)
    for (start, stop), (freed, used, named) in most.items():
        for index in range(number[start], number[stop + 1]):
            known = taken[index]
            taken[index] = known[0].join(freed), known[1].join(used), known[2].join(named)
    for start, end, amounts in zip(ends, ends[1:], taken, strict=False):
        if amounts != _NOTHING:
            yield LiveSpan(start, end - 1, amounts)


def _passed(nodes: Sequence[ProductNode], part: Part, line: Timeline) -> Iterator[tuple[int, list[Place]]]:
    """The places that paths go past, each with the node behind them: what lives there is the same."""
    if not isinstance(part, Short):
        return
    known: dict[Block, dict[Block | None, list[Place]]] = {}
    for index, node in enumerate(nodes):
        block = node.point.block
        if node.op is not None or not node.heap:
            continue
        if block not in known:
            known[block] = part.gone_past(line, block)
        for move in node.moves:
            among = known[block].get(nodes[move.target].point.block)
            if among:
                yield move.target, among
        if None in known[block]:
            yield index, known[block][None]
