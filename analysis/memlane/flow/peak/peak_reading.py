"""A function's peak, read off the graph of what was followed of it (peak.py says what it is)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin
from memlane.flow.dataflow.events import Point
from memlane.flow.interproc.program import FunctionFlow
from memlane.flow.peak.call_demands import CallDemands
from memlane.flow.peak.callee_outcomes import FollowedFunction, peaks_at
from memlane.flow.peak.demand import demands, losses, made, weigh
from memlane.flow.peak.instance_ids import size
from memlane.flow.peak.live_intervals import Until
from memlane.flow.peak.product import ProductNode
from memlane.flow.peak.sparse_product import places
from memlane.flow.peak.touching_ops import works
from memlane.flow.symbolic.amounts import ZERO, Amount, maximal, total
from memlane.syntax.tree.tree import Op

Amounts = tuple[Amount, ...]


@dataclass(frozen=True, slots=True)
class Peak:
    """See peak.py.

    Args:
        where: the op during which or after which the peak is reached; None where nothing is allocated.
        buffers: what lives there: each buffer's origin and size, largest first. What callees allocate is not listed.
        curve: per op, in text order, the most that lives after it on any path; of a call, inside it.
        inside: per call the most that lives in what it calls, besides the buffers of this function.
        sizes: of each buffer that is followed; several sizes of one origin joined.
        exact: some execution that the models allow reaches the peak; else it is an upper bound.
    """

    peak: Amounts
    ideal: Amounts
    closed: Amounts
    floor: Amounts
    where: Op | None
    buffers: tuple[tuple[Origin, Amount], ...]
    curve: tuple[tuple[Op, Amount], ...]
    inside: Mapping[Op, Amount]
    sizes: Mapping[Origin, Amount]
    exact: bool


def read_peak(demands_of: CallDemands, flow: FunctionFlow, followed: FollowedFunction) -> Peak:
    """The peak of a function that has been followed. `demands_of`: tells sizes."""
    nodes = followed.product.nodes
    lost = losses(nodes)
    best, where = _most(followed, lost)
    ideal, closed = ideal_of(followed, freed=False), ideal_of(followed, freed=True)
    op, buffers = _at(followed, where, lost)
    floor = maximal(_needs(demands_of, flow))
    curve, inside, sizes = _curve(followed, lost), _inside(followed), _sizes(followed)
    return Peak(best, ideal, closed, floor, op, buffers, curve, inside, sizes, followed.exact)


def most_in(followed: FollowedFunction) -> Amounts:
    """`Peak.peak` alone."""
    return _most(followed, losses(followed.product.nodes))[0]


def ideal_of(followed: FollowedFunction, freed: bool) -> Amounts:
    """The peak if each buffer lived from its first use to its last; `freed`: from its allocation, and its deallocations
    are uses."""
    nodes = followed.product.nodes
    moments = demands(nodes, freed, followed.required(freed))
    return maximal(besides + weigh(nodes[i], buffers) for i, besides, buffers in moments)


def _most(followed: FollowedFunction, lost: list[Amount]) -> tuple[Amounts, int]:
    """The most that lives at once, and the number of a node where it does."""
    nodes = followed.product.nodes
    best: Amounts = ()
    where = 0
    for number in range(len(nodes)):
        for amount in peaks_at(nodes, number, lost):
            if not any(other.covers(amount) for other in best):
                best = maximal((*best, amount))
                where = number
    return best, where


def _at(
    followed: FollowedFunction, where: int, lost: list[Amount]
) -> tuple[Op | None, tuple[tuple[Origin, Amount], ...]]:
    """The op that reaches the peak at a node, and what lives there."""
    nodes, line = followed.product.nodes, followed.line
    node = nodes[where]
    before = [node.live + lost[where] + besides for besides in node.besides[Until.FREED]]
    inside = any(not any(one.covers(peak) for one in before) for peak in peaks_at(nodes, where, lost))
    buffers = [(held.origin, size(held)) for held in node.heap if held.freed is None and size(held) != ZERO]
    if inside:
        buffers += _reallocated(nodes, where)
    op = node.op if inside else node.after
    if line.intervals or line.spans:
        start, highest = _highest(followed, node.point)
        position = line.position[op] if inside and op is not None else highest
        buffers += [
            (one.origin, one.size)
            for one in line.intervals
            if one.starts[Until.FREED] <= position < one.ends[Until.FREED]
        ]
        buffers += [pair for span in line.spans if span.start <= position <= span.stop for pair in span.held]
        if not inside and (position != start or op is None):
            op = line.ops[position]
    if not buffers and not inside and before == [ZERO]:
        op = None
    return op, tuple(sorted(buffers, key=_largest))


def _highest(followed: FollowedFunction, point: Point) -> tuple[int, int]:
    """Where the buffers on the line take the most at a point: from where on it lies, and the position."""
    line = followed.line
    found: tuple[int, int] | None = None
    for start, stop in places(line, followed.part, point):
        at = line.peak(Until.FREED, start, stop)
        if found is None or not line.live(found[1]).covers(line.live(at)):
            found = start, at
    around = line.position[point.block.region.op]
    return found or (around, around)


def _reallocated(nodes: list[ProductNode], where: int) -> list[tuple[Origin, Amount]]:
    """What a reallocation from a node makes, while what it frees lives on."""
    moves = [move for move in nodes[where].moves if move.both]
    if not moves:
        return []
    most = next((one for one in moves if all(made(nodes, one).covers(made(nodes, o)) for o in moves)), moves[0])
    new = [
        held for index, held in enumerate(nodes[most.target].heap) if index not in most.lineage and held.freed is None
    ]
    return [(held.origin, size(held)) for held in new if size(held) != ZERO]


def _sizes(followed: FollowedFunction) -> dict[Origin, Amount]:
    sizes = {**{one.origin: one.size for one in followed.line.intervals}, **followed.sizes}
    for node in followed.product.nodes:
        for held in node.heap:
            known = sizes.get(held.origin)
            if known is None or not known.covers(size(held)):
                sizes[held.origin] = size(held) if known is None else known.join(size(held))
    return sizes


def _largest(entry: tuple[Origin, Amount]) -> tuple[int, int]:
    return -(entry[1].bytes or sum(count for _, count in entry[1].terms)), entry[0].value.span.start


def _curve(followed: FollowedFunction, lost: list[Amount]) -> tuple[tuple[Op, Amount], ...]:
    """Per op the most that lives after it; during a call, inside it."""
    line, part = followed.line, followed.part
    most = [ZERO] * len(line.ops)
    seen: dict[tuple[int, int], list[Amount]] = {}
    for index, node in enumerate(followed.product.nodes):
        for place in places(line, part, node.point):
            seen.setdefault(place, []).append(node.live + lost[index])
        for move in node.moves:
            for peak in move.call.peaks if move.call is not None and node.op is not None else ():
                at = line.position[node.op] if node.op is not None else 0
                most[at] = most[at].join(node.live + lost[index] + peak)
    for (start, stop), amounts in seen.items():
        amount = amounts[0]
        for other in amounts[1:]:
            amount = amount.join(other)
        for position in range(max(start, 0), stop + 1) if amount != ZERO else ():
            most[position] = most[position].join(amount)
    return tuple((op, most[i] + line.live(i)) for i, op in enumerate(line.ops) if line.position[op] == i)


def _inside(followed: FollowedFunction) -> dict[Op, Amount]:
    """Per call the most that lives in what it calls."""
    found: dict[Op, Amount] = {}
    for node in followed.product.nodes:
        for move in node.moves:
            for peak in move.call.peaks if move.call is not None and node.op is not None else ():
                if node.op is not None and peak != ZERO:
                    found[node.op] = found.get(node.op, ZERO).join(peak)
    return found


def _needs(ledger: CallDemands, flow: FunctionFlow) -> Iterator[Amount]:
    """What single operations use at once: of each cluster one buffer, as others may be the same."""
    aliases, extents = ledger.program.aliases(flow), ledger.extents(flow)
    known: dict[Cluster, Amount] = {}
    for cluster in aliases.clusters.values():
        sizes = [
            (extents.of(origin.value, {}) or ZERO) if ledger.counts(origin) else ZERO for origin in cluster.origins
        ]
        smallest = sizes[0]
        for other in sizes[1:]:
            smallest = other if smallest.covers(other) else smallest if other.covers(smallest) else ZERO
        known[cluster] = smallest
    for op in flow.op.walk():
        if op is flow.op or not works(flow.graph, op):
            continue
        values = {*(use.value for use in op.operands), *op.results}
        clusters = dict.fromkeys(c for value in values if value is not None and (c := aliases.cluster_of(value)))
        if clusters:
            yield _named(total(known[cluster] for cluster in clusters))


def _named(amount: Amount) -> Amount:
    """The part of an amount that is known: a part with unknown dimensions is at least 0."""
    terms = ((monomial, count) for monomial, count in amount.terms if all(expr[0] == "leaf" for expr in monomial))
    return Amount(frozenset(terms))
