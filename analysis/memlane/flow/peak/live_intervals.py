"""Buffers whose life can be read off the text: made, used and freed in one block, whatever path is taken.

Most buffers of bufferized programs are of that kind, and there may be tens of thousands of them in one function. They
need no exploration: their bytes are sums over a line of positions, one for each op in text order. `follow` tells them
from the others, which a `Product` follows; `Timeline` says how much lives between two of its stops.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from enum import IntEnum
from typing import NamedTuple

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import ancestor, top
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.peak.branch_ops import varies
from memlane.flow.peak.touching_ops import only_makes, touches
from memlane.flow.scalars.trip_count import TripOf, trip_of
from memlane.flow.symbolic.amounts import UNBOUNDED, ZERO, Amount, maximal
from memlane.syntax.tree.tree import Block, Op

Besides = tuple[tuple[Amount, ...], tuple[Amount, ...], tuple[Amount, ...]]
"""What lives besides, by `Until`: where sizes are unknown several amounts, none of which covers another."""
Mentions = Callable[[Op], bool]
"""Whether a call may free or keep the buffers it is passed."""


class Until(IntEnum):
    """How long a buffer lives: until it is freed; from its first use until its last; until the last op that names
    it."""

    FREED = 0
    USED = 1
    NAMED = 2


class Interval(NamedTuple):
    """The life of one buffer, in positions: the starts inclusive, the ends exclusive, by `Until`."""

    origin: Origin
    size: Amount
    starts: tuple[int, int, int]
    ends: tuple[int, int, int]


NOTHING: Besides = ((ZERO,), (ZERO,), (ZERO,))


class LiveSpan(NamedTuple):
    """So much lives besides from position `start` to `stop`, both inclusive, by `Until`; `held`: which buffers."""

    start: int
    stop: int
    amounts: tuple[Amount, Amount, Amount]
    held: tuple[tuple[Origin, Amount], ...] = ()


class _Steps(NamedTuple):
    """So much lives from each of some positions on to the next; nothing before the first."""

    places: list[int]
    amounts: list[Amount]

    def between(self, start: int, stop: int) -> Iterator[tuple[int, Amount]]:
        """From `start` on, and from each position behind it up to `stop`, inclusive, where that changes."""
        first, last = bisect_right(self.places, start), bisect_right(self.places, stop)
        yield start, self.amounts[first - 1] if first else ZERO
        yield from zip(self.places[first:last], self.amounts[first:last], strict=True)


class Timeline:
    """The positions of a function's ops, in text order, and what lives at each.

    An op with regions has two: `position` where it is entered and `end` where it is left; the ops inside lie between,
    and so does a position for each block but the first, where that is entered.

    Args:
        function: the function-like op, at position 0.
        only: these ops alone have positions, good for nothing but telling which comes first: their offsets.
    """

    def __init__(self, function: Op, only: Iterable[Op] | None = None) -> None:
        self.ops: list[Op] = []
        self.position: dict[Op, int] = {}
        self.end: dict[Op, int] = {}
        if only is None:
            self._read(function)
        for op in only or ():
            self.position[op], self.end[op] = op.span
        self.intervals: tuple[Interval, ...] = ()
        self.spans: tuple[LiveSpan, ...] = ()
        self._live: list[_Steps] = []
        self._bounded = False

    def again(self) -> Timeline:
        """The same, where nothing lives yet."""
        line = copy(self)
        line.fill((), ())
        return line

    def _read(self, function: Op) -> None:
        self._begin(function)  # where it stands itself is no place in it
        around = [(function, function.inside())] if function.regions else []
        while around:
            holder, inside = around[-1]
            for op in inside:
                self._enter(op)
                if op.regions:
                    around.append((op, op.inside()))
                    break
            else:
                around.pop()
                self.end[holder] = len(self.ops)
                self.ops.append(holder)

    def _enter(self, op: Op) -> None:
        block = op.parent
        if op.index == 0 and block is not None and block is not block.region.op.regions[0].blocks[0]:
            self.ops.append(block.region.op)
        self._begin(op)

    def _begin(self, op: Op) -> None:
        self.position[op] = self.end[op] = len(self.ops)
        self.ops.append(op)

    def fill(self, intervals: Sequence[Interval], spans: Iterable[LiveSpan], bounds: Sequence[LiveSpan] = ()) -> None:
        """Let the buffers live here; `bounds`: so much lives at most."""
        self.intervals, self.spans = tuple(intervals), tuple(spans)
        self._bounded = bool(bounds)
        changes: list[dict[int, list[Amount]]] = [{} for _ in Until]
        for interval in intervals:
            for until, change in enumerate(changes):
                _add(change, interval.starts[until], interval.ends[until], interval.size)
        for span in (*self.spans, *bounds):
            for until, change in enumerate(changes):
                _add(change, span.start, span.stop + 1, span.amounts[until])
        self._live = [self._sums(change) for change in changes] if any(changes) else []

    def _sums(self, change: Mapping[int, Sequence[Amount]]) -> _Steps:
        live, endless, sums = ZERO, 0, list[Amount]()
        places = sorted(change)
        for place in places:
            for amount in change[place]:
                if amount.unbounded:
                    endless += -1 if amount == ENDED else 1
                else:
                    live = live + amount
            sums.append(UNBOUNDED if endless else live)
        return _Steps(places, sums)

    def between(self, start: int, stop: int) -> Besides:
        """The most that lives after any op from `start` to `stop`, both inclusive."""
        if not self._live:
            return NOTHING
        return (self._most(0, start, stop), self._most(1, start, stop), self._most(2, start, stop))

    def during(self, op: Op) -> Besides:
        """What lives while an op without regions is executed."""
        if not self._live:
            return NOTHING
        position = self.position[op]
        # A span says what lives between ops: of those it covers, the one before and the one after this.
        return self.between(position - 1 if self._bounded else position, position)

    def _most(self, until: int, start: int, stop: int) -> tuple[Amount, ...]:
        return maximal(amount for _, amount in self._live[until].between(start, stop))

    def peak(self, until: Until, start: int, stop: int) -> int:
        """The position from `start` to `stop`, both inclusive, where the most lives."""
        if not self._live:
            return start
        (best, most), *others = self._live[until].between(start, stop)
        for place, amount in others:
            if not most.covers(amount):
                best, most = place, amount
        return best

    def live(self, position: int) -> Amount:
        """What lives after the op at `position`."""
        return next(amount for _, amount in self._live[0].between(position, position)) if self._live else ZERO

    def segment(self, block: Block, stops: Sequence[Op], index: int) -> tuple[int, int]:
        """The positions between stop `index - 1` and stop `index` of a block, the end of the former included."""
        if index > 0:
            start = self.end[stops[index - 1]]
        elif not block.ops:
            around = self.position[block.region.op]
            return around, around
        else:
            start = self.position[block.ops[0]] - 1  # where the block is entered
        stop = self.position[stops[index]] - 1 if index < len(stops) else self.end[block.ops[-1]]
        return start, max(start, stop)


def _add(change: dict[int, list[Amount]], start: int, end: int, amount: Amount) -> None:
    if amount != ZERO and start < end:
        change.setdefault(start, []).append(amount)
        change.setdefault(end, []).append(ENDED if amount.unbounded else amount.times(-1))


ENDED = Amount(frozenset({((), -1)}), unbounded=True)
"""Takes one `UNBOUNDED` back."""


def sharp(graph: Graph, line: Timeline, found: Interval, cluster: Cluster) -> bool:
    """Whether an interval is that of every path, not a bound: the first use is one op of its block, and so is the last.

    An op that makes a buffer while it uses this one may be done with this one before it is done itself.
    """
    block = found.origin.value.op.parent if found.origin.value.op is not None else None
    region = block.region if block is not None else None
    if any(varies(graph, expr) for monomial, _ in found.size.terms for expr in monomial):
        return False
    for user in _users(cluster):
        inner = top(user, region)
        if inner is None:
            return False
        first, last = line.position[inner] == found.starts[Until.USED], line.end[inner] + 1 == found.ends[Until.USED]
        if not (first or last) or not touches(graph, user):
            continue
        if not (_again(graph, user, inner) if inner is not user else not last or _at_once(graph, user)):
            return False
    return True


def _at_once(graph: Graph, user: Op) -> bool:
    """Whether an op makes nothing while it uses a buffer. What a call makes lives besides what it is passed."""
    inside = (op for op in user.walk() if op is not user)
    return not effects_at(graph, user).allocs and not any(
        effects_at(graph, op).allocs or graph.call(op) is not None for op in inside
    )


def _again(graph: Graph, user: Op, inner: Op) -> bool:
    """Whether `user` may be executed again at any time until `inner` is done: only loops stand between them."""
    region = user.parent.region if user.parent is not None else None
    while region is not None:
        trip, op = trip_of(graph, region.op), region.op
        if not graph.may_repeat(region) or len(region.blocks) > 1 or (trip is not None and not _repeats(trip)):
            return False
        if op is inner:
            return True
        region = op.parent.region if op.parent is not None else None
    return False


def _repeats(trip: TripOf) -> bool:
    """Whether a loop may run twice."""
    if trip.lower[0] == trip.upper[0] == trip.step[0] == "const":
        return trip.lower[1] + trip.step[1] < trip.upper[1]
    return trip.lower != trip.upper


def interval(
    graph: Graph,
    line: Timeline,
    cluster: Cluster,
    size: Amount,
    takes: Mentions,
    kept: bool,
    movable: Callable[[Graph, Op], bool] = only_makes,
) -> Interval | None:
    """The life of the cluster's buffer where it can be read off the text; None where paths have to be followed.

    Args:
        kept: what is handed to the caller has to be followed, too.
        movable: whether an op may as well stand where what it makes is used first.
    """
    origin, op = cluster.origins[0], plainly_made(graph, cluster)
    if op is None:
        return None
    freed: Op | None = None
    handed = False
    first = len(line.ops) if movable(graph, op) else line.position[op]
    used = named = line.position[op]
    for value in cluster.root:
        for use in value.uses:
            user = use.op
            if user not in line.position:
                return None
            effects = effects_at(graph, user)
            inner = ancestor(user, op.parent)
            if inner is None or effects.unknown or value in effects.escapes:
                return None
            if graph.call(user) is not None and takes(user):
                return None
            end = line.end[inner]
            named = max(named, end)
            if any(free.value is value for free in effects.frees):
                if freed is not None or user.parent is not op.parent or effects.allocs or len(effects.frees) > 1:
                    return None
                if any(free.condition is not None for free in effects.frees):
                    return None
                freed = user
                continue
            if touches(graph, user):
                first, used = min(first, line.position[inner]), max(used, end)
            if value in effects.returned or value in effects.packed:
                handed = True
    if freed is None and kept and handed:
        return None
    if freed is not None and (handed or any(_late(line, user, freed) for user in _users(cluster))):
        return None
    if freed is None and not (handed and op.parent is graph.entry) and not _once(graph, op):
        return None
    start, last = line.position[op], len(line.ops)
    end = line.position[freed] if freed is not None else last
    return Interval(origin, size, (start, first, start), (end, used + 1 if not handed else last, named + 1))


def plainly_made(graph: Graph, cluster: Cluster) -> Op | None:
    """The op that makes the one buffer that all names of a cluster stand for, and does nothing else; None: others."""
    origin = cluster.origins[0]
    op, effects = origin.value.op, effects_at(graph, origin.value.op) if origin.value.op is not None else None
    simple = len(cluster.origins) == 1 and origin.kind is OriginKind.ALLOCATION and origin.owned
    if not simple or effects is None or op is None or op.parent is None or len(effects.allocs) != 1 or effects.frees:
        return None
    return op if all(root is origin.value for root in cluster.root.values()) else None


def _users(cluster: Cluster) -> Iterator[Op]:
    yield from (use.op for value in cluster.root for use in value.uses)


def _late(line: Timeline, user: Op, freed: Op) -> bool:
    """Whether an op stands after the deallocation: it may be wrong, and what lives is another question."""
    return line.position[user] > line.position[freed]


def _once(graph: Graph, op: Op) -> bool:
    """Whether an op stands on every way through the function, and is executed once: in its first block."""
    return op.parent is not None and op.parent is graph.entry and not graph.cycle(op.parent)
