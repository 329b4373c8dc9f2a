"""The deallocations of one function that come late, and where the buffers could be freed instead.

A deallocation is late when on each execution that reaches it work lies between it and where its buffer died, and the
buffer can be freed there instead, exactly once on each execution. As nothing is wrong with it each execution frees it
exactly once as it is; where it dies each execution comes past exactly once. So all its deallocations can be taken out,
and others put in there: together with those of the buffers that one of them may free instead.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Container, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from memlane.cancellation import poll
from memlane.flow.alias.origin import Origin
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_dispatch import through_hubs
from memlane.flow.cfg.region_edges import defining_block
from memlane.flow.cfg.scc import reachable
from memlane.flow.dataflow.bits import single
from memlane.flow.derived import query
from memlane.flow.effects.aggregate_buffers import is_written
from memlane.flow.interproc.program import FunctionFlow, Program
from memlane.flow.memory.effects_at import effects_at
from memlane.placement.deaths import Death, deaths
from memlane.placement.distances import Distances
from memlane.placement.earlier import EarlierPlaces, MayBeSame
from memlane.placement.feasible import edges_never_taken, feasible_segments
from memlane.placement.holders import holders_of
from memlane.placement.mentions import Act, Family, MentionReader, is_whole
from memlane.placement.places import Place, PlaceFinder
from memlane.placement.ranges import Ranges
from memlane.placement.segments import Segments
from memlane.placement.weights import Point, Weights
from memlane.syntax.tree.tree import Op, Value, starts_at


class Lateness(NamedTuple):
    """A deallocation that is late.

    Args:
        op: the deallocation.
        origin: the buffer's.
        operations: the fewest that are executed between where it dies and the deallocation.
        buffers: all that have to be freed elsewhere then.
    """

    op: Op
    origin: Origin
    operations: int
    buffers: Buffers


class MovableFree(NamedTuple):
    """A deallocation that is late as it can be moved up by itself, to the earliest `point`; see `Lateness`."""

    op: Op
    origin: Origin
    operations: int
    point: Point


class Buffers:
    """Owners that are freed together: one deallocation may free any of them.

    Args:
        frees: all their deallocations.
        sure: what they are used by is described.
        place: where the one deallocation can be moved; None: they can be freed wherever they die.
    """

    def __init__(
        self, owners: list[tuple[int, Value]], frees: list[Op], sure: bool, family: _Family, place: Place | None = None
    ) -> None:
        self.owners = owners
        self.frees = frees
        self.sure = sure
        self._family, self._place = family, place

    @cached_property
    def places(self) -> list[tuple[Value, list[Place]]]:
        """Where each of them can be freed."""
        family = self._family
        if self._place is not None:
            return [(root, [self._place]) for _, root in self.owners]
        return [(root, family.places.of(family.died.get(bit, []), root)) for bit, root in self.owners]

    @property
    def family(self) -> _Family:
        """What is known of them and their like."""
        return self._family


class Placement:
    """Where the buffers of one function die.

    Args:
        program, flow: the function.
        wrong: whether something is wrong with a buffer; then where it should be freed is another question.

    Attributes:
        feeding: the operations that only name a buffer for its deallocation.
        groups: the owners that can be freed elsewhere.
    """

    def __init__(self, program: Program, flow: FunctionFlow, wrong: Callable[[Origin], bool]) -> None:
        self.graph = through_hubs(flow.graph)
        reading = MentionReader(program, flow, self.graph)
        families = [] if _suspends(flow.graph) else [*reading.families()]
        holders = holders_of(self.graph, families, query(self.graph, edges_never_taken))
        self.segments = feasible_segments(self.graph, holders)
        self.feeding = {op for family in families for op in family.feeding}
        self.weights = Weights(self.graph, self.segments, self.feeding)
        distances = Distances(self.graph, self.segments, self.weights)
        self._families = [_Family(self.graph, self.segments, distances, family) for family in families]
        self.groups = [group for family in self._families for group in family.movable(wrong)]

    def late(self) -> Iterator[Lateness]:
        """The deallocations that are late, in no order."""
        for group in self.groups:
            poll()
            yield from group.family.late(group)

    def early(self, wrong: Container[Op]) -> Iterator[MovableFree]:
        """The deallocations that stay in their places in `late`, and could be moved up by themselves, in no order.
        `wrong`: those at which something else goes wrong."""
        elsewhere = {(group.family, op) for group in self.groups for op in group.frees}
        for family in self._families:
            for op in (*family.family.frees, *family.family.conditional):
                poll()
                if op not in wrong and (family, op) not in elsewhere and (found := family.early(op)) is not None:
                    yield found

    def sometimes(self) -> Iterator[Lateness]:
        """The deallocations that are late on some executions and not on others, in no order; `operations`: on the path
        from where a buffer dies on which they are the most, the fewest."""
        for group in self.groups:
            poll()
            yield from group.family.sometimes(group)

    def sees(self, number: int, at: int, value: Value) -> bool:
        """Whether a value is defined before the operation of a number in a segment, on every path there."""
        home = defining_block(value)
        block, index = self.segments.every[number].block, at
        while home is not None and block.region is not home.region:
            around = block.region.op
            if around.parent is None or around is self.graph.function:
                return False
            block, index = around.parent, around.index
        if home is None:
            return False
        if block is home:
            return value.op is None or value.op.index < index
        entry = self.segments.entry_of(home)
        if entry is None:
            return False
        defined = entry if value.op is None else (self.segments.of(value.op) or (entry, 0))[0]
        return self.segments.dominates(defined, number)

    def buffers_of(self, op: Op) -> Buffers | None:
        """The buffers that a deallocation frees, where they can be freed elsewhere, and nothing is freed with them."""
        return self._freed_with.get(op) or self._moved_up(op)

    def _moved_up(self, op: Op) -> Buffers | None:
        """The buffer of a deallocation under a flag, which can be moved up by itself."""
        family = self._family_of.get(op)
        if family is None or op not in family.family.conditional or not self._is_single(op):
            return None
        found = family.early(op)
        return family.moved_up(op, Place(*found.point)) if found is not None else None

    @cached_property
    def _freed_with(self) -> dict[Op, Buffers]:
        alone = (group for group in self.groups if all(map(self._is_single, group.frees)))
        return {op: group for group in alone for op in group.frees}

    def _is_single(self, op: Op) -> bool:
        """Whether an operation frees one buffer, and does not say who owns another that it retains."""
        frees = effects_at(self.graph, op).frees
        return len(frees) == 1 and not frees[0].retained

    def would_be_late(self, op: Op) -> bool:
        """Whether a deallocation comes late, also where something else is wrong with the buffer."""
        family = self._family_of.get(op)
        return family is not None and family.would_be_late(op)

    @cached_property
    def _family_of(self) -> dict[Op, _Family]:
        return {op: one for one in self._families for op in (*one.family.frees, *one.family.conditional)}


class _Family:
    """Where the buffers of a family die, and which of them can be freed there.

    Attributes:
        died: by the bit of an owner.
    """

    def __init__(self, graph: Graph, segments: Segments, distances: Distances, family: Family) -> None:
        self.graph, self.segments, self.family = graph, segments, family
        self.distances, self.weights = distances, distances.weights
        self.ranges = Ranges(graph, segments, family)
        self.died: dict[int, list[Death]] = deaths(segments, self.ranges)
        self.places = PlaceFinder(segments, self.ranges, self.weights)
        self._root = {bit: root for root, bit in family.bit.items()}
        self._stops = self._stopping()

    # ---- what can be moved -------------------------------------------------------------------------------------------

    def _stopping(self) -> dict[int, dict[int, list[int]]]:
        """By the bit of an owner the numbers of the deallocations that may free it, by segment."""
        found: dict[int, dict[int, list[int]]] = {}
        for number, events in self.ranges.events.items():
            for at, act, bits, _ in events:
                if act is Act.FREE and self.segments.position[number] >= 0:
                    for bit in single(bits & ~self.ranges.flawed):
                        insort(found.setdefault(bit, {}).setdefault(number, []), at)
        return found

    def _fixed(self, wrong: Callable[[Origin], bool]) -> int:
        """The bits of the owners that cannot be freed elsewhere."""
        family, ranges = self.family, self.ranges
        fixed = ranges.flawed
        for root in family.blocked:
            fixed |= ranges.stands_for[root] & ranges.owners
        fixed |= self._reached_from(bit for bit, origin in family.origins.items() if wrong(origin))
        for event, live in ranges.behind():
            fixed |= live & event.bits if event.act is Act.FREE else 0
        return fixed

    def _reached_from(self, bits: Iterable[int]) -> int:
        """The bits of owners that the buffers of some may become."""
        found, flows = 0, self.ranges.flows
        for root in reachable([self._root[bit] for bit in bits], lambda root: flows.get(root, ())):
            found |= self.ranges.stands_for[root] & self.ranges.owners
        return found

    def movable(self, wrong: Callable[[Origin], bool]) -> list[Buffers]:
        """The owners that can be freed where they die, those together that one deallocation may free."""
        fixed = self._fixed(wrong)
        masks: dict[Op, int] = {}
        for op in self.family.frees:
            if self.segments.comes_to(op):
                masks[op] = self.freed_by(op)
        groups: list[tuple[int, list[Op]]] = []
        for mask, ops in _together(_without(masks, fixed)):
            if mask and all(self._is_mine(op) for op in ops):
                groups.append((mask, ops))
        unsure = self.family.bits(())
        for root in self.family.unsure:
            unsure |= self.ranges.stands_for[root]
        found: list[Buffers] = []
        for mask, ops in groups:
            owners = [(bit, self._root[bit]) for bit in single(mask)]
            found.append(Buffers(owners, ops, not mask & unsure, self))
        return found

    def moved_up(self, op: Op, place: Place) -> Buffers:
        """What a deallocation frees that is moved to a place."""
        root = self.family.freed_root(op)
        unsure = any(self.ranges.stands_for[one] & self.ranges.stands_for[root] for one in self.family.unsure)
        return Buffers([(self.family.bit[root], root)], [op], not unsure, self, place)

    def _is_mine(self, op: Op) -> bool:
        """Whether a deallocation frees nothing but owners: what it names may be no other buffer."""
        return not self.family.bit[self.family.frees[op]] & self.ranges.borrowed

    # ---- lateness ----------------------------------------------------------------------------------------------------

    def late(self, group: Buffers) -> Iterator[Lateness]:
        """The deallocations of a group that are late."""
        weights = self.weights
        least: dict[Point, int] = {}
        near: set[Point] = set()
        for bit, _ in group.owners:
            starts = self.starts(bit)
            stops = self._stops.get(bit, {})
            near |= weights.next_to([*starts, *self.segments.open], stops, self._sure(group.frees, bit))
            rest = {(number, at) for number, ats in stops.items() for at in ats} - near
            if rest:
                for point, weight in self.distances.least(starts, stops, self._naming.get(bit, ())).items():
                    least[point] = min(weight, least.get(point, weight))
        for op in group.frees:
            point = self.segments.of(op)
            if point is None or point in near or point not in least:
                continue
            origin = self._origin(op)
            if origin is not None:
                yield Lateness(op, origin, max(1, least[point]), group)

    def early(self, op: Op) -> MovableFree | None:
        """A deallocation that could be moved up by itself; None: it is not late for that."""
        point, origin, names = self.segments.of(op), self._origin(op), self._alike(op)
        if point is None or origin is None or not self.segments.comes_to(op) or names & self._hidden:
            return None
        found = self._earlier.of(point, names, self._known_from(effects_at(self.graph, op).frees[0].condition))
        stops = {point[0]: [point[1]]}
        if found == point or point in self.weights.next_to([found, *self.segments.open], stops):
            return None
        least = self.distances.least([found], stops).get(point)
        return MovableFree(op, origin, max(1, least), found) if least is not None else None

    def _known_from(self, flag: Value | None) -> Point | None:
        """From where on a flag is known; None for no flag."""
        if flag is None:
            return None
        if flag.op is None:
            number = self.segments.entry_of(flag.block) if flag.block is not None else None
            return (number, self.segments.every[number].start) if number is not None else None
        place = self.segments.of(flag.op)
        if place is not None and self.segments.every[place[0]].head is flag.op:
            number = self.segments.behind(flag.op)
            return number, self.segments.every[number].start
        return (place[0], place[1] + 1) if place is not None else None

    @cached_property
    def _earlier(self) -> EarlierPlaces:
        return EarlierPlaces(self.graph, self.segments, self.ranges)

    @cached_property
    def _hidden(self) -> int:
        """The bits of the roots that may be used where none of their names is."""
        return self.family.bits(self.family.hidden)

    def _alike(self, op: Op) -> int:
        """The bits of the roots that may stand for what a deallocation frees."""
        return self._may_be_same.alike(self.ranges.stands_for[self.family.freed_root(op)])

    @cached_property
    def _may_be_same(self) -> MayBeSame:
        return MayBeSame(self.ranges, self.family.bit)

    def would_be_late(self, op: Op) -> bool:
        """See `Placement`."""
        point, bits = self.segments.of(op), self.freed_by(op)
        reached = False
        for bit in single(bits) if point is not None else ():
            starts, stops = self.starts(bit), self._stops.get(bit, {})
            if point in self.weights.next_to([*starts, *self.segments.open], stops, self._sure(self.family.frees, bit)):
                return False
            reached = reached or point in self.distances.least(starts, stops)
        return reached

    def _sure(self, frees: Iterable[Op], bit: int) -> set[int]:
        """The segments with deallocations that free one owner and no other."""
        sure = (op for op in frees if self.freed_by(op) == bit)
        return {place[0] for op in sure if (place := self.segments.of(op)) is not None}

    def sometimes(self, group: Buffers) -> Iterator[Lateness]:
        """The deallocations of a group that are late on some executions and not on others."""
        weights = self.weights
        most: dict[Point, int] = {}
        near: set[Point] = set()
        for bit, _ in group.owners:
            stops = self._stops.get(bit, {})
            for start in self.starts(bit):
                close = weights.next_to([start], stops, self._sure(group.frees, bit))
                near |= close
                for point, weight in self.distances.least([start], stops, self._naming.get(bit, ())).items():
                    if point not in close:
                        most[point] = max(weight, 1, most.get(point, 0))
        for op in group.frees:
            point = self.segments.of(op)
            origin = self._origin(op) if point in near and point in most else None
            if origin is not None and point is not None:
                yield Lateness(op, origin, most[point], group)

    @cached_property
    def _naming(self) -> dict[int, list[Op]]:
        """By the bit of an owner the operations that only name it for its deallocation."""
        found: dict[int, list[Op]] = {}
        for op in self.family.feeding:
            stands = 0
            for value in self.family.uses.get(op, ()):
                stands |= self.ranges.stands_for[self.family.root[value]]
            for bit in single(stands & self.ranges.owners):
                found.setdefault(bit, []).append(op)
        return found

    def freed_by(self, op: Op) -> int:
        """The bits of the owners that a deallocation may free."""
        return self.ranges.stands_for[self.family.freed_root(op)] & self.ranges.owners

    def starts(self, bit: int) -> list[Point]:
        """The points behind which an owner is dead."""
        every = self.segments.every
        found: list[Point] = []
        for death in self.died.get(bit, ()):
            if death.way is not None:
                found.append((death.way.target, every[death.way.target].start))
            elif death.at is not None:
                found.append((death.segment, death.at + 1))
        return found

    def names_of(self, root: Value, place: Place) -> list[Value]:
        """The names that surely are an owner at a place, as far as they are seen there; its own first."""
        bit = self.ranges.bit_of(root)
        near = self._known_as.get(bit, ())
        sure = [one for one in near if place.way is not None or not self.ranges.stands_for[one] & place.rebound]
        roots = {root, *sure} if place.way is not None or not bit & place.rebound else {*sure}
        found = [name for one in roots for name in self._names.get(one, ()) if is_written(name)]
        whole = [one for one in found if is_whole(self.graph, one, self.family.root)]
        return sorted(whole, key=lambda one: (one is not root, one.span))

    @cached_property
    def _known_as(self) -> dict[int, list[Value]]:
        """By the bit of an owner the roots that surely stand for it."""
        found: dict[int, list[Value]] = {}
        for one, stands in self.ranges.stands_for.items():
            if not stands & self.ranges.borrowed:
                found.setdefault(stands & self.ranges.owners, []).append(one)
        return found

    @cached_property
    def _names(self) -> dict[Value, list[Value]]:
        """The names of each root."""
        found: dict[Value, list[Value]] = {}
        for name, root in self.family.root.items():
            found.setdefault(root, []).append(name)
        return found

    def origins_of(self, root: Value) -> list[Origin]:
        """Where the buffers of an owner may come from."""
        sources = {*reachable([root], lambda one: self._into.get(one, ()))}
        return [origin for value, origin in self._made.items() if value in sources]

    @cached_property
    def _made(self) -> dict[Value, Origin]:
        """Where the buffers come from, by their first names, but for code that never runs."""
        origins = ((origin.value, origin) for origin in self.family.origins.values())
        return {value: origin for value, origin in origins if value.op is None or self.segments.comes_to(value.op)}

    @cached_property
    def _into(self) -> dict[Value, list[Value]]:
        """The roots that flow into each."""
        into: dict[Value, list[Value]] = {}
        for source, targets in self.ranges.flows.items():
            for target in targets:
                into.setdefault(target, []).append(source)
        return into

    def _origin(self, op: Op) -> Origin | None:
        """Of the buffers that a deallocation may free one: the nearest."""
        root, origins = self.family.freed_root(op), self._made
        if root in origins:
            return origins[root]
        into = self._into
        ring, seen = [root], {root}
        while ring:
            near = [origins[one] for one in ring if one in origins]
            if near:
                return min(near, key=lambda origin: (origin.value.span, origin.value.index))
            ring = [source for one in ring for source in into.get(one, ()) if source not in seen]
            seen.update(ring)
        return None


def _without(masks: dict[Op, int], fixed: int) -> dict[Op, int]:
    """The deallocations that free none of some owners, nor what another may free that frees one of these."""
    before = -1
    while before != fixed:
        before = fixed
        for mask in masks.values():
            if mask & fixed:
                fixed |= mask
    return {op: mask for op, mask in masks.items() if not mask & fixed}


def _together(masks: dict[Op, int]) -> list[tuple[int, list[Op]]]:
    """The deallocations that may free one of the same owners, with these."""
    found: list[tuple[int, list[Op]]] = []
    at: dict[int, int] = {}
    for op, mask in masks.items():
        met = {at[bit] for bit in single(mask) if bit in at}
        ops = [op]
        for index in met:
            other, others = found[index]
            mask |= other
            ops += others
            found[index] = (0, [])
        at.update(dict.fromkeys(single(mask), len(found)))
        found.append((mask, ops))
    return [(mask, sorted(ops, key=starts_at)) for mask, ops in found if ops]


def _suspends(graph: Graph) -> bool:
    """Whether control is suspended: what lives then is kept, though nothing names it there."""
    return any(model is not None and model.suspends for model in graph.named_models.values())
