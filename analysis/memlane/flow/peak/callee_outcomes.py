"""What callers see of a function that was followed: the ways it may go, and what each demands meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memlane.flow.alias.origin import Origin
from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.call_outcomes import Outcome, ResultSource
from memlane.flow.effects.aggregate_buffers import formals_of
from memlane.flow.interproc.procedure_summary import outcome
from memlane.flow.peak.demand import Needs, demands, leading_to, losses, made, required, weigh
from memlane.flow.peak.instance_ids import size
from memlane.flow.peak.limits import MAX_NEEDS_PER_WAY, MAX_OUTCOMES
from memlane.flow.peak.live_intervals import Timeline, Until
from memlane.flow.peak.product import Footprint, Needed, Product, ProductNode
from memlane.flow.peak.sparse_product import Sparse
from memlane.flow.symbolic.amounts import ZERO, Amount, maximal, total

_Key = tuple[Outcome, tuple[Amount, ...]]
"""A way, and the sizes of the new buffers it hands out."""


@dataclass(slots=True)
class FollowedFunction:
    """A function's product graph, its other buffers, the slice that was followed, whether each path was, and sizes of
    buffers that were followed apart."""

    product: Product
    line: Timeline
    part: Sparse
    exact: bool
    sizes: Mapping[Origin, Amount]
    _required: dict[bool, Sequence[Needs]] = field(default_factory=dict[bool, Sequence[Needs]])

    def required(self, frees: bool) -> Sequence[Needs]:
        """Per node the sets of buffers that have to live there; see `required`."""
        found = self._required.get(frees)
        if found is None:
            found = self._required[frees] = required(self.product.nodes, frees)
        return found


def ways(
    followed: FollowedFunction,
    graph: Graph,
    groups: int,
    partition: tuple[int | None, ...],
    wanted: tuple[int, ...],
    passed: Amount,
    brief: bool,
) -> tuple[Footprint, ...]:
    """The ways a function may go, read off the ends of its product graph; one for all of them where they are many.
    `brief`: see `CallDemands`."""
    assert graph.entry is not None
    arguments = formals_of(graph)
    nodes, line = followed.product.nodes, followed.line
    lost = losses(nodes)
    found: dict[_Key, Amount] = {}
    ends: dict[_Key, list[int]] = {}
    for index, node in enumerate(nodes):
        if node.ending is None:
            continue
        ending = node.ending._replace(stays=False)
        way = outcome(ending, arguments, groups, partition, wanted, graph, followed.part.root)
        sizes: dict[int, Amount] = {}
        for position, source in way.results:
            held = node.ending.results[position] if position < len(node.ending.results) else None
            if source is not None and source.fresh and held is not None:
                sizes[source.number] = size(held)
        handed = {held for held in node.ending.results if held is not None}
        left = total(
            size(held) for held in node.heap if held.freed is None and held.origin.owned and held not in handed
        )
        last = node.point.block.ops[-1:]
        left += line.live(line.end[last[0]]) if last else ZERO
        key = way, tuple(sizes[number] for number in sorted(sizes))
        found[key] = found.get(key, ZERO).join(lost[index] + left)
        ends.setdefault(key, []).append(index)
    exact = followed.exact
    if len(found) > MAX_OUTCOMES:
        # What the arguments decide is given up: callers follow all ways, whatever they pass.
        found, ends, exact = *_unconditional(found, ends), False
        if len(found) > MAX_OUTCOMES:
            found, ends = _as_one(found, ends)
    result: list[Footprint] = []
    for (way, kept), gone in sorted(found.items(), key=lambda item: str(item[0])):
        part = leading_to(nodes, ends[way, kept])
        most = losses(part)
        peaks = maximal(peak - passed for index in range(len(part)) for peak in peaks_at(part, index, most))
        whole = len(part) == len(nodes)
        needed, closed = (
            () if brief else _needed(part, partition, frees, followed.required(frees) if whole else None)
            for frees in (False, True)
        )
        result.append(Footprint(way, kept, peaks, gone, needed, closed, arguments, exact))
    return tuple(result)


def _unconditional(
    found: dict[_Key, Amount], ends: dict[_Key, list[int]]
) -> tuple[dict[_Key, Amount], dict[_Key, list[int]]]:
    lost: dict[_Key, Amount] = {}
    places: dict[_Key, list[int]] = {}
    for (way, sizes), amount in found.items():
        key = way._replace(conditions=()), sizes
        lost[key] = lost.get(key, ZERO).join(amount)
        places.setdefault(key, []).extend(ends[way, sizes])
    return lost, places


def _as_one(found: dict[_Key, Amount], ends: dict[_Key, list[int]]) -> tuple[dict[_Key, Amount], dict[_Key, list[int]]]:
    """A way that takes as much memory as any of several: it makes whatever one of them makes, and frees what all do."""
    first = next(iter(found))[0]
    results: list[tuple[int, ResultSource | None]] = []
    sizes: list[Amount] = []
    for position, (index, source) in enumerate(first.results):
        sources = [(way.results[position][1], way, kept) for way, kept in found]
        fresh = [(one, way, kept) for one, way, kept in sources if one is not None and one.fresh]
        if fresh:
            source = fresh[0][0]._replace(number=len(sizes))
            most = ZERO
            for one, way, kept in fresh:
                most = most.join(kept[_numbers(way).index(one.number)])
            sizes.append(most)
        elif any(one != source for one, _, _ in sources):
            source = None
        results.append((index, source))
    groups = [
        one if all(way.groups[number].freed is not None for way, _ in found) else one._replace(freed=None)
        for number, one in enumerate(first.groups)
    ]
    lost = ZERO
    for amount in found.values():
        lost = lost.join(amount)
    key = Outcome((), tuple(groups), tuple(results), ()), tuple(sizes)
    return {key: lost}, {key: [place for those in ends.values() for place in those]}


def _numbers(way: Outcome) -> list[int]:
    """Those of the new buffers that a way hands out, in order."""
    return sorted({source.number for _, source in way.results if source is not None and source.fresh})


def peaks_at(nodes: Sequence[ProductNode], index: int, lost: list[Amount]) -> Iterable[Amount]:
    """The most that lives at a node, and inside the calls made from it."""
    node = nodes[index]
    here = node.live + lost[index]
    for besides in node.besides[Until.FREED]:
        yield here + besides
    for move in node.moves:
        inside = move.call.peaks if move.call is not None else ()
        for peak in (*inside, made(nodes, move)) if move.both else inside:
            for during in node.during[Until.FREED]:
                yield here + during + peak


def _needed(
    nodes: Sequence[ProductNode], partition: tuple[int | None, ...], frees: bool, sets: Sequence[Needs] | None
) -> Needed:
    """What must live at the moments of a callee, arguments as the numbers they are passed by. `sets`: those `required`,
    where they are known."""
    found: dict[frozenset[int], list[Amount]] = {}
    for index, besides, buffers in demands(nodes, frees, sets):
        node = nodes[index]
        passed: set[int] = set()
        own: list[int] = []
        for i in buffers:
            group = _group(node, i, partition)
            if group is None:
                own.append(i)
            else:
                passed.add(group)
        amounts = found.setdefault(frozenset(passed), [])
        amount = besides + weigh(node, own)
        if not any(other.covers(amount) for other in amounts):
            amounts[:] = [other for other in amounts if not amount.covers(other)] + [amount]
    pairs = [
        (amount, groups)
        for groups, amounts in found.items()
        for amount in maximal(amounts)
        if not any(groups < more and any(other.covers(amount) for other in found[more]) for more in found)
    ]
    if len(pairs) <= MAX_NEEDS_PER_WAY:
        return tuple(pairs)
    everything = ZERO
    for amount, _ in pairs:
        everything = everything.join(amount)
    return ((everything, frozenset[int]().union(*(groups for _, groups in pairs))),)


def _group(node: ProductNode, index: int, partition: tuple[int | None, ...]) -> int | None:
    """The number by which a buffer is passed; None for the callee's own."""
    held = node.heap[index]
    position = held.origin.value.index
    if held.origin.owned or held.origin.value.block is None or position >= len(partition):
        return None
    return partition[position]
