"""Clusters that are followed by themselves, and what they take is added up: together each state would name all of them.

The most that several clusters take at once is the sum of the most that each takes where one path takes the most of all
of them. That is so where what a cluster takes at a place does not depend on the way there and on from there; where all
prefer the same way, as into a loop that uses all of them; and where no other cluster depends on a choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field

from memlane.cancellation import poll
from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.scc import reachable
from memlane.flow.peak.branch_ops import Deciders
from memlane.flow.peak.demand import NOTHING, carried, in_place, losses, made, needs, required, weigh
from memlane.flow.peak.instance_ids import size
from memlane.flow.peak.live_intervals import LiveSpan, Timeline
from memlane.flow.peak.product import Move, Product, ProductNode
from memlane.flow.peak.sparse_product import Sparse, places
from memlane.flow.scalars.trip_count import trip_of
from memlane.flow.symbolic.amounts import ZERO, Amount
from memlane.flow.symbolic.range import Range
from memlane.flow.symbolic.scalar import Expr
from memlane.syntax.tree.tree import Block, Op, Value

Read = Callable[[Cluster], "Alone | None"]
"""What follows one cluster from the start of the function; None where that cannot be done."""
Place = tuple[str, Op | Block]
"""A choice: `at` an op or the end of a block, or between `rounds`, which are distinguished by the facts in a block."""
Wish = frozenset[object] | None
"""The alternatives of a choice that are best for a cluster; None: what it takes depends on it in some other way."""


@dataclass(slots=True)
class Alone:
    """A cluster by itself.

    Args:
        spans: what it takes where.
        sizes: of its buffers; several sizes of one origin joined.
        wishes: the choices that it depends on.
        places: all choices that it meets.
    """

    spans: list[LiveSpan] = field(default_factory=list[LiveSpan])
    sizes: dict[Origin, Amount] = field(default_factory=dict[Origin, Amount])
    wishes: dict[Place, Wish] = field(default_factory=dict[Place, Wish])
    places: set[Place] = field(default_factory=set[Place])


@dataclass(slots=True)
class Separate:
    """What is known of a cluster by itself, in the ways its function is entered.

    Args:
        decided: the values that paths and sizes depend on; None: that is not known yet.
        found: per arguments that are one buffer, and constants that are passed for those values.
    """

    decided: frozenset[Value] | None = None
    found: dict[tuple[tuple[int | None, ...], frozenset[object]], Alone | None] = field(
        default_factory=dict[tuple[tuple[int | None, ...], frozenset[object]], "Alone | None"]
    )


def apart(graph: Graph, clusters: Sequence[Cluster], deciders: Deciders, read: Read) -> dict[Cluster, Alone]:
    """Those of some clusters that need not be followed with the others, by identity."""
    table = _Table()
    around: set[Op] = set()
    for cluster in clusters:
        poll()
        alone = read(cluster) if _plain(graph, cluster) else None
        if alone is None or any(what == "at" and deciders.may_know(_asking(place)) for what, place in alone.wishes):
            table.take(_around(graph, cluster, around))
        else:
            table.add(cluster, alone)
    return table.found


def naming(cluster: Cluster) -> Iterator[Op]:
    """The ops that define or use a buffer of a cluster."""
    for value in cluster.root:
        yield from (use.op for use in value.uses)
        if value.op is not None:
            yield value.op


def _asking(place: Op | Block) -> Op:
    """The op that asks at a choice."""
    if isinstance(place, Op):
        return place
    return place.ops[-1] if place.ops and place.ops[-1].successors else place.region.op


class _Table:
    """Who wishes what. `taken`: the choices of those that are followed together."""

    def __init__(self) -> None:
        self.found: dict[Cluster, Alone] = {}
        self._taken: set[Place] = set()
        self._wishes: dict[Place, Wish] = {}
        self._wishing: dict[Place, list[Cluster]] = {}

    def add(self, cluster: Cluster, alone: Alone) -> None:
        """Add a cluster if its wishes agree with those of the others; else its choices are taken."""
        if not all(self._agrees(place, wish) for place, wish in alone.wishes.items()):
            self.take(alone.places)
            return
        self.found[cluster] = alone
        for place, wish in alone.wishes.items():
            known = self._wishes.get(place, wish)
            self._wishes[place] = known & wish if known is not None and wish is not None else None
            self._wishing.setdefault(place, []).append(cluster)

    def _agrees(self, place: Place, wish: Wish) -> bool:
        if place in self._taken:
            return False
        if place not in self._wishes:
            return True
        known = self._wishes[place]
        return bool(known is not None and wish is not None and known & wish)

    def take(self, places: Iterable[Place]) -> None:
        """Let some choices be those of clusters that are followed together: who depends on them is one of these."""
        self._taken.update(reachable(places, self._let_go))

    def _let_go(self, place: Place) -> Iterator[Place]:
        """The choices of the clusters that depend on one, which are no longer followed by themselves."""
        for cluster in self._wishing.pop(place, ()):
            alone = self.found.pop(cluster, None)
            yield from alone.places if alone is not None else ()


def alone(graph: Graph, line: Timeline, product: Product, part: Sparse) -> Alone | None:
    """A cluster by itself, from the graph of what is followed of it; None where it has to be followed with others."""
    if not product.exact or product.starts != 1:
        return None
    trips = (trip_of(graph, op) for op in part.counted)
    counters = {trip.counter for trip in trips if trip is not None}
    reading = _NodeReading(product.nodes, part, line, counters)
    return reading.alone if reading.exact else None


def _plain(graph: Graph, cluster: Cluster) -> bool:
    """Whether calls and callers have nothing to do with the buffers of a cluster."""
    if any(origin.kind is not OriginKind.ALLOCATION or origin.symbol is not None for origin in cluster.origins):
        return False
    return not any(graph.call(use.op) is not None for value in cluster.root for use in value.uses)


def _around(graph: Graph, cluster: Cluster, seen: set[Op]) -> set[Place]:
    """The choices that a cluster may meet, by the text alone. `seen`: the ops around which they have been listed."""
    found: set[Place] = set()
    ops = list(naming(cluster))
    while ops:
        op = ops.pop()
        if op not in seen:
            seen.add(op)
            found.update(_inside(graph, op))
            if op.parent is not None:
                region = op.parent.region
                found.update((what, block) for block in region.blocks for what in ("at", "rounds"))
                ops.append(region.op)
    return found


def _inside(graph: Graph, op: Op) -> Iterator[Place]:
    yield "at", op
    entered = [edge.block for edge in graph.entries(op) if edge.block is not None] if op.regions else []
    for block in (*entered, *(block for region in op.regions for block in region.blocks)):
        yield "at", block
        yield "rounds", block


Facts = frozenset[tuple[Expr, Expr | Range]]
Taken = tuple[Amount, Amount, Amount]
"""Bytes by `Until`."""
_ZERO: Taken = ZERO, ZERO, ZERO


class _NodeReading:
    """Reads off the nodes of one cluster what it takes, and on what that depends.

    Attributes:
        exact: of amounts that were compared one was the larger; nothing is moved.
    """

    def __init__(self, nodes: Sequence[ProductNode], part: Sparse, line: Timeline, counters: Set[Expr]) -> None:
        self._nodes, self._part, self._line = nodes, part, line
        self._counters, self._given = counters, nodes[0].state.facts
        self._lost = losses(nodes)
        self._needs = [needs(nodes, frees) for frees in (False, True)]
        self._required = required(nodes, False, self._needs[0]), self._needs[1]
        self._steady = all(one == ZERO for one in self._lost) and all(len(s) == 1 for one in self._needs for s in one)
        self.alone = Alone()
        self.exact = not any(move.both for node in nodes for move in node.moves)
        points: dict[object, list[int]] = {}
        for index, node in enumerate(nodes):
            points.setdefault(node.point, []).append(index)
            for held in node.heap:
                known = self.alone.sizes.get(held.origin)
                self.alone.sizes[held.origin] = size(held) if known is None else known.join(size(held))
        for indices in points.values():
            self._read(indices)
        for index in range(len(nodes)):
            self._choose(index)
        if not self._steady or not all(self.alone.wishes.values()):
            self.alone.wishes = dict.fromkeys(self.alone.places)

    def _read(self, indices: list[int]) -> None:
        """Note what is taken at one point."""
        taken = [self._taken(index) for index in indices]
        most = self._most(taken)
        best = next((i for i, amounts in zip(indices, taken, strict=True) if amounts[0] == most[0]), indices[0])
        node = self._nodes[best]
        if most != _ZERO:
            held = tuple([(one.origin, size(one)) for one in node.heap if one.freed is None and size(one) != ZERO])
            among = places(self._line, self._part, node.point)
            self.alone.spans += [LiveSpan(start, stop, most, held) for start, stop in among]
        self._compare(indices, taken, most)
        if node.op is not None:
            self._read_step(node.op, indices)

    def _compare(self, indices: Sequence[int], taken: Sequence[Taken], most: Taken) -> None:
        """Note on what it depends what is taken at one point."""
        rounds: dict[Facts, Taken] = {}
        for index, amounts in zip(indices, taken, strict=True):
            facts = self._nodes[index].state.facts - self._given
            self._steady &= rounds.setdefault(facts, amounts) == amounts
        if len(rounds) > 1:
            good = frozenset(facts for facts, amounts in rounds.items() if amounts == most)
            block = self._nodes[indices[0]].point.block
            self._place(("rounds", block), good if len(good) < len(rounds) else None)
            known = {key for facts in rounds for key, _ in facts}
            self.exact &= len(good) == len(rounds) or known <= self._counters

    def _taken(self, index: int) -> Taken:
        node = self._nodes[index]
        used, named = (self._needed(node, sets[index]) for sets in self._required)
        return node.live + self._lost[index], used, named

    def _most(self, found: Iterable[Taken]) -> Taken:
        most = _ZERO
        for taken in found:
            self.exact &= all(one.covers(two) or two.covers(one) for one, two in zip(most, taken, strict=True))
            most = most[0].join(taken[0]), most[1].join(taken[1]), most[2].join(taken[2])
        return most

    def _read_step(self, op: Op, indices: list[int]) -> None:
        """What an op makes lives while it is executed, used later or not; so does what it uses for the last time."""
        steps = [(index, move) for index in indices for move in self._nodes[index].moves]
        moments = [self._moment(index, move) for index, move in steps]
        most = self._most(moments)
        if most == _ZERO:
            return
        if not all(in_place(self._nodes, self._nodes[index]) for index in indices):
            self.exact &= self._is_inside(op, [move for _, move in steps], most)
            return
        self._compare([index for index, _ in steps], [(ZERO, one[1], ZERO) for one in moments], (ZERO, most[1], ZERO))
        after = self._most([self._after(move) for _, move in steps])
        self.exact &= all(one.covers(other) for one, other in zip(most, after, strict=True))
        start, end = self._line.position[op], self._line.end[op]  # at the end lives what is needed later, see `_read`
        if start < end:
            self.alone.spans.append(LiveSpan(start, end - 1, most))
        if most != after:
            self.alone.spans.append(LiveSpan(end, end, (ZERO, most[1] - after[1], most[2] - after[2])))

    def _is_inside(self, op: Op, moves: Sequence[Move], most: Taken) -> bool:
        """Whether all that an op with regions uses lives in the first of these, and it makes nothing."""
        if any(made(self._nodes, move) != ZERO for move in moves):
            return False
        entered = op.regions[0].blocks[0] if op.regions[0].blocks else None
        inside = [move for move in moves if self._nodes[move.target].point.block is entered]
        return not any(move.used for move in moves) or self._most(map(self._after, inside))[1] == most[1]

    def _moment(self, index: int, move: Move) -> Taken:
        node, new = self._nodes[index], made(self._nodes, move)
        used = self._needed(node, [carried(move, later) | move.used for later in self._required[0][move.target]])
        named = self._needed(node, [carried(move, later) for later in self._required[1][move.target]])
        return ZERO, used + new if move.touches else used, named + new

    def _after(self, move: Move) -> Taken:
        used, named = (self._needed(self._nodes[move.target], sets[move.target]) for sets in self._required)
        return ZERO, used, named

    def _needed(self, node: ProductNode, sets: Iterable[frozenset[int]]) -> Amount:
        """The most of what any of some sets of its buffers takes."""
        return self._most([(weigh(node, buffers), ZERO, ZERO) for buffers in sets])[0]

    def _place(self, place: Place, best: frozenset[object] | None) -> None:
        """Note a choice, and what is wished there; None: nothing."""
        self.alone.places.add(place)
        if best is not None:
            known = self.alone.wishes.get(place, best)
            self.alone.wishes[place] = best & known if known is not None else None

    def _choose(self, index: int) -> None:
        node = self._nodes[index]
        if len(node.moves) < 2:
            return
        place: Place = ("at", node.op if node.op is not None else node.point.block)
        ways = [self._way(node, move) for move in node.moves]
        for which in range(2):
            good = [self._good(index, move, which) for move in node.moves]
            best = frozenset(way for way, is_good in zip(ways, good, strict=True) if is_good)
            self._place(place, None if all(good) else best)
        if place in self.alone.wishes and len(set(ways)) < len(ways):
            self.alone.wishes[place] = None

    def _good(self, index: int, move: Move, which: int) -> bool:
        """Whether after a step as much is needed as on any path from its node."""
        most = frozenset[int]().union(*self._needs[which][index])
        now = move.used | (move.freed if which else NOTHING)
        return any(carried(move, later) | now == most for later in self._needs[which][move.target] or (NOTHING,))

    def _way(self, node: ProductNode, move: Move) -> object:
        """What tells the alternatives of a choice apart: the block that is entered, or none."""
        block, stop = self._nodes[move.target].point
        return block if stop == 0 else None
