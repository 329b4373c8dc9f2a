"""Where to free the buffers of a cluster: on every path once, after the last use, before more memory is taken.

The places are the points between operations, and edges that can be given a block of their own. First all buffers that
are dead on every path through a point are freed there, at the earliest such point. What then stays unfreed on some
path, or is held while memory is taken, is freed on the edge where it dies, or under a condition that tells the
paths apart. Each choice is tried on the paths themselves (`exploded_liveness.py`): one that frees twice, or a live
buffer, is never made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from memlane.fixes.custom_free import fits, kinds
from memlane.fixes.decision_tree import decide
from memlane.fixes.eh import is_landing, may_not_be
from memlane.fixes.free_effects import FREED, UNFREED, FreeEffects, PlannedFree
from memlane.fixes.limits import MAX_PLACEMENTS
from memlane.fixes.path_graph import Terrain
from memlane.fixes.scope import Scope
from memlane.flow.cfg.edge import Edge
from memlane.flow.dataflow.events import Point
from memlane.flow.peak.exploded_liveness import Lives
from memlane.flow.slicing.body_blocks import BodyBlocks
from memlane.syntax.tree.tree import Block, Op, Value

More = Callable[[Point, frozenset[int], frozenset[int]], bool]

Ways = Callable[[Point, Value], Iterable[PlannedFree]]
"""How a buffer may be freed at a point, under a name, on some of the paths there."""


class Placing:
    """The search, and its result.

    Args:
        lives: the paths.
        more: where no existing condition distinguishes paths, whether a new flag can (`PlannedFree.nodes`): at a point
            those
            on which it is true from those on which it is false.
        body: of the function, where they are known.

    Attributes:
        sites: the deallocations chosen.
        complete: every owned buffer is freed exactly once on every path.
    """

    def __init__(self, lives: Lives, more: More | None = None, body: BodyBlocks | None = None) -> None:
        self.lives = lives
        self._more = more
        self.sites: list[PlannedFree] = []
        self._pinned: list[PlannedFree] = []
        self._spread = FreeEffects(lives)
        self._scope = Scope(self.lives.graph, self.lives.part.stops, body)
        self._points = sorted((p for p in self.lives.at if self._placeable(p)), key=self._text_order)
        self._kinds = kinds(self.lives.part.origins)
        self._flags = self.lives.paths.flags()
        self._terrain = Terrain(lives)
        self._tried: set[object] = set()
        for _ in range(MAX_PLACEMENTS if more is None else 2 * MAX_PLACEMENTS):
            self._place_always()
            if self._spread.wrong.intersection(self._pinned):
                # A choice made since has freed the buffer before.
                self._pinned = [site for site in self._pinned if site not in self._spread.wrong]
                continue
            bad = self._bad()
            if not bad or not any(self._pin_one(bad, ways) for ways in self._ways()):
                break
        self.complete = (
            not self._left() and not self._spread.wrong and not any(map(may_not_be, lives.part.origins.values()))
        )

    def plain(self) -> bool:
        """Whether what paths know made no difference: nothing is freed on some, or held while more may be taken."""
        taking = (*self._terrain.taking, *self._terrain.passing)
        return not self._pinned and not any(self.lives.ahead[number] for number in taking)

    def settled(self) -> bool:
        """Whether all is freed as early as can be, whatever way is taken."""
        return self.complete and not self._pinned and not self._bad()

    def direct(self) -> bool:
        """Whether blocks that are not followed make no difference: what is known there could decide nothing, and what
        is needed no more is not held past them, as they may take memory."""
        ahead, out = self.lives.ahead, self._spread.out
        held = (bits & UNFREED and i not in ahead[n] for n in self._terrain.passing for i, bits in enumerate(out[n]))
        return all(map(self._parts, self._pinned)) and not any(held)

    def _parts(self, site: PlannedFree) -> bool:
        """Whether a deallocation is on an edge by which ways part: no name or condition behind it would do as well."""
        source = site.edge.place.parent if site.edge is not None else None
        return source is not None and len(self.lives.graph.exits(source)) > 1

    # Freeing wherever it holds on all paths.

    def _place_always(self) -> None:
        self.sites = list(self._pinned)
        self._spread.start(self.sites)
        progress = True
        while progress:
            progress = False
            for point in self._points:
                # All that can be freed here, before a later point takes some of it for its own.
                while (site := self._always(point)) is not None:
                    self.sites.append(site)
                    self._spread.add(site)
                    progress = True

    def _always(self, point: Point) -> PlannedFree | None:
        numbers = self.lives.at[point]
        first = self.lives.nodes[numbers[0]]
        for i, held in enumerate(first.heap):
            if not (self._spread.into[numbers[0]][i] == UNFREED and self._spread.out[numbers[0]][i] == UNFREED):
                continue
            for value in self._names(point, held.holders):
                if all(self._free_at(number, value) for number in numbers):
                    return PlannedFree(point, value, unsure=self._unsure(point, value))
        return None

    def _free_at(self, number: int, value: Value) -> bool:
        node = self.lives.nodes[number]
        i = node.holding(value)
        return i is not None and self._spread.out[number][i] == UNFREED and not node.heap[i].pending

    def _names(self, point: Point, holders: frozenset[Value]) -> list[Value]:
        """The names under which a buffer may be freed at a point, best first."""
        stops = self.lives.part.stops.get(point.block, [])
        last = stops[point.stop - 1] if point.stop else None
        here = {use.value for use in last.operands} if last is not None else set[Value | None]()
        origins = self.lives.part.origins
        found = [v for v in holders if self._scope.sees(point, v) and self._scope.once(point, v)]
        return sorted(found, key=lambda v: (self._odd(v), v not in here, v not in origins, -v.span.start, v.index))

    def _odd(self, value: Value) -> bool:
        """Whether what frees the buffers does not take the value, by its type: another name is better."""
        return not fits(value, self._kinds)

    def _unsure(self, point: Point, value: Value) -> bool:
        nodes = (self.lives.nodes[number] for number in self.lives.at[point])
        return any(node.heap[i].unsure for node in nodes if (i := node.holding(value)) is not None)

    # What is wrong with them.

    def _left(self) -> set[tuple[int, int]]:
        """Buffers that some path leaves unfreed: at the node where the last name goes, or the path ends."""
        out = self._spread.out
        return {(number, i) for number, i in self._terrain.ends if out[number][i] & UNFREED}

    def _bad(self) -> set[tuple[int, int]]:
        """Buffers that are unfreed at a node, and stay so for ever or while memory is taken."""
        ahead, out, into = self.lives.ahead, self._spread.out, self.lives.paths.into
        found = self._left()
        found |= {(n, i) for n in self._terrain.taking for i, bits in enumerate(out[n]) if bits & UNFREED}
        pending = list(found)
        while pending:
            target, j = pending.pop()
            for number, step in into[target]:
                for i, after in step.image.items():
                    if after == j and out[number][i] & UNFREED and i not in ahead[number] and (number, i) not in found:
                        found.add((number, i))
                        pending.append((number, i))
        return found

    # Freeing on some paths only.

    def _ways(self) -> list[Ways]:
        """The ways to free on some paths only, best first."""
        found: list[Ways] = [lambda point, value: (*self._on_edges(point, value), *self._if(point, value))]
        if self._more is not None:
            found += [self._if_one, self._told]
        return found

    def _pin_one(self, bad: set[tuple[int, int]], ways: Ways) -> bool:
        """Choose one more deallocation, at the first place where something bad can be helped in one of the `ways`."""
        standing = {self.lives.nodes[number].point for number, _ in bad}
        for point in sorted(standing, key=self._text_order):
            holders = {
                value
                for number in self.lives.at[point]
                for i, held in enumerate(self.lives.nodes[number].heap)
                if (number, i) in bad
                for value in held.holders
            }
            for value in sorted(holders, key=lambda value: (self._odd(value), -value.span.start, value.index)):
                for site in ways(point, value):
                    key = point, site.edge, value, site.nodes or site.tree
                    if key not in self._tried:
                        self._tried.add(key)
                        self._pinned.append(site)
                        return True
        return False

    def _on_edges(self, point: Point, value: Value) -> Iterator[PlannedFree]:
        """The edges into the point on which the buffer is unfreed whenever one is taken."""
        for edge, taken in self._terrain.edges_to(point).items():
            if self._can_split(edge, value) and all(self._dies_between(*pair, value) for pair in taken):
                yield PlannedFree(point, value, edge=edge, unsure=self._unsure(point, value))

    def _dies_between(self, source: int, target: int, value: Value) -> bool:
        node, after = self.lives.nodes[source], self.lives.nodes[target]
        i, j = node.holding(value), after.holding(value)
        if i is None or j is None or j in self.lives.ahead[target] or not after.owned(j) or after.heap[j].pending:
            return False
        image = next((s.image.get(i) for s in node.steps if s.target == target), None)
        return image == j and (i in self.lives.ahead[source] or self._spread.out[source][i] in (0, UNFREED))

    def _can_split(self, edge: Edge, value: Value) -> bool:
        """Whether the edge can have a block of its own (an `else`, a critical edge) that sees the name."""
        stops = self.lives.part.stops
        if self._terrain.goes_past(edge) or (edge.block is not None and is_landing(self.lives.graph, edge.block)):
            return False
        if edge.place.successors and edge.place.parent is not None and edge.block is not None:
            source = Point(edge.place.parent, len(stops.get(edge.place.parent, ())))
            return self._scope.sees(source, value) and self._scope.once(Point(edge.block, 0), value)
        op = edge.leaves
        if op is None or op.parent is None or op not in self.lives.part.position:
            return False
        if not self._names(Point(op.parent, self.lives.part.position[op]), frozenset((value,))):
            return False
        return edge.place is op and len(op.regions) == 1 and edge.guard.value == "false"

    def _told(self, point: Point, value: Value) -> Iterator[PlannedFree]:
        """Under a flag that is still to be made: all that can be freed here, or the buffers from one place."""
        all_, leave = self._apart(point, value)
        for act in (all_, *self._by_origin(all_, value)):
            nodes = frozenset(act)
            key = point, None, value, nodes
            if act and key not in self._tried and self._more is not None:
                rest = frozenset((*all_, *leave)) - nodes
                if rest and self._more(point, nodes, rest):
                    yield PlannedFree(point, value, unsure=self._unsure(point, value), nodes=nodes)

    def _if_one(self, point: Point, value: Value) -> Iterator[PlannedFree]:
        """Under a condition at the point, the buffers from one place."""
        all_, leave = self._apart(point, value)
        flags = [flag for flag in self._flags if self._scope.sees(point, flag)]
        for act in self._by_origin(all_, value):
            tree = decide(act, [*leave, *(n for n in all_ if n not in act)], flags, self.lives.paths.known)
            if tree is not None and tree.size:
                yield PlannedFree(point, value, tree, unsure=self._unsure(point, value))

    def _by_origin(self, numbers: list[int], value: Value) -> list[list[int]]:
        """The nodes by where the buffer comes from that `value` denotes there, if there are several such places."""
        groups: dict[Value, list[int]] = {}
        for number in numbers:
            node = self.lives.nodes[number]
            i = node.holding(value)
            if i is not None:
                groups.setdefault(node.heap[i].origin.value, []).append(number)
        # What was made last is known best here.
        order = sorted(groups, key=lambda origin: (-origin.span.start, origin.index))
        return [groups[origin] for origin in order] if len(order) > 1 else []

    def _apart(self, point: Point, value: Value) -> tuple[list[int], list[int]]:
        """The nodes at the point at which the buffer is to be freed, and the others; none where that is not known."""
        if not self._placeable(point) or not self._names(point, frozenset((value,))):
            return [], []
        numbers = self.lives.at[point]
        act = [number for number in numbers if self._free_at(number, value)]
        leave = [number for number in numbers if number not in act]
        return ([], []) if any(self._mixed(number, value) for number in leave) else (act, leave)

    def _if(self, point: Point, value: Value) -> Iterator[PlannedFree]:
        """Under a condition at the point."""
        act, leave = self._apart(point, value)
        flags = [flag for flag in self._flags if self._scope.sees(point, flag)]
        tree = decide(act, leave, flags, self.lives.paths.known)
        if act and tree is not None and tree.size:
            yield PlannedFree(point, value, tree, unsure=self._unsure(point, value))

    def _mixed(self, number: int, value: Value) -> bool:
        i = self.lives.nodes[number].holding(value)
        return i is not None and self._spread.out[number][i] == UNFREED | FREED

    # Places.

    def _placeable(self, point: Point) -> bool:
        """Whether text can stand at the point: not behind what ends the block, nor before what must begin it."""
        last = self._before(point)
        return not (is_landing(self.lives.graph, point.block) if last is None else self._ends(last, point.block))

    def _ends(self, op: Op, block: Block) -> bool:
        if op is not block.ops[-1]:
            return False
        model = self.lives.graph.model(op)
        return bool(op.successors) or model is None or model.terminator or model.exits

    def _before(self, point: Point) -> Op | None:
        return self.lives.part.stops[point.block][point.stop - 1] if point.stop else None

    def _text_order(self, point: Point) -> tuple[int, int]:
        last = self._before(point)
        return (last.span.end if last is not None else point.block.span.end), point.stop
