"""How control goes through the blocks of a function, whatever becomes of its buffers: found once, for all of them.

What paths know of conditions decides which ways there are. That is explored as for a buffer (explorer.py), without any:
so it is known with which knowledge control comes to each block, in how many steps, and which way to an end of the
function is the shortest from there. Of ways that are equally short it is the one that is found first: choices come in
the order of the edges of the graph.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from memlane.dialects.model import Guard
from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.forwarding import Handing
from memlane.flow.control.graph import Edge, Graph
from memlane.flow.control.incomplete_cfg import breaks_off
from memlane.flow.dataflow.call_outcomes import Outcome
from memlane.flow.dataflow.context import Context
from memlane.flow.dataflow.events import Pair, Purpose
from memlane.flow.dataflow.solver import BudgetExceeded, reach
from memlane.flow.dataflow.state import State
from memlane.flow.slicing.liveness import Fading
from memlane.flow.slicing.pruned_slice import Direct
from memlane.flow.slicing.realloc import gives_another
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.scalar import TRUE, Expr, addresses, compares, leaves
from memlane.flow.typestate import bug_path
from memlane.flow.typestate.bug_path import ExploredPaths
from memlane.flow.typestate.explorer import PAIRS_PER_POINT, Explorer
from memlane.flow.typestate.hammock import Hammocks, is_fixed
from memlane.syntax.tree.tree import Block, Op, Value

BUFFERS_WORTH = 10
"""Finding the course may take the steps of following so many buffers, or as many as there are to follow. Of one buffer
that is so many steps, and as an exploration for each point:"""
MIN_STEPS = 500
MAX_WAYS_KEPT, WAYS_PER_POINT = 1_000, 16
"""Pairs of point and state from which on, and for each point, control goes too many ways to follow each buffer on all
of them, as where n of its conditions are asked twice: those that matter to the buffer are enough."""


class Arrival(NamedTuple):
    """Control comes to the start of a block.

    Args:
        steps: how many steps that takes.
        rank: of arrivals after equally many steps those of a lower rank come first, with all that follows them.
        pair: what is known then.
    """

    steps: int
    rank: int
    pair: Pair


@dataclass(frozen=True, slots=True, eq=False)
class Onwards:
    """The shortest way to an end of the function.

    Args:
        steps: how many it has.
        end: the op that ends it.
        edge: the edge that is taken first; None: the first step is not an edge.
        choice: where the first choice on the way is made; None: no choice is made.
    """

    steps: int
    end: Op | None
    edge: Edge | None
    choice: Onwards | None


class Course:
    """See the module.

    Args:
        graph: the function, of several blocks.
        context: how it is entered.
        times: so many times the steps that following a buffer may take.

    Attributes:
        part: the slice that decisions between blocks make.
        many: there are too many ways to follow each buffer on all of them.
        told: whether the exploration is complete: indirect calls depend on buffers, and so do addresses that decide
            whether one could be replaced (realloc.py).
        compared: the values whose addresses are compared, each with the blocks of the body at the end of which that
            decides; None: wherever a flag is asked that it is bound to. For buffers that are not followed they are free
            choices, so the exploration of one of these must include these conditions (live_region_slice.py).
        stops: the ops of the slice, by the block of the body in which they stand, or inside which.
        known: what the context tells something of.
        paths: how control comes to each pair of `arrivals`.
        frayed: the pairs from which control may come to where the text breaks off (incomplete_cfg.py), or to an end at
            which losses do not matter: no path to it is reported.

    Raises:
        BudgetExceeded: there are too many ways.
    """

    def __init__(self, graph: Graph, context: Context, times: int) -> None:
        self._graph = graph
        self.part = Slice(graph, (), whole=True)
        self.known = {leaf for expr in context.constants for leaf in leaves(expr)}
        self.stops: dict[Block, list[Op]] = {}
        self.compared: dict[Value, set[Block | None]] = {}
        self._asked: dict[Block, set[Value]] = {}
        self._faded: dict[int, frozenset[Value]] = {}
        self._arrivals: dict[Block, list[Arrival]] = {}
        self._onwards: dict[Pair, Onwards] = {}
        self._chosen: dict[Onwards, tuple[int, tuple[Edge, ...]]] = {}
        self._endless: set[Pair] = set()
        self.frayed: set[Pair] = set()
        self.told, self.many = self._plain(), False
        if self.told:
            walker, points = _Walker(graph, self.part, context), self.part.points()
            reached = reach(walker.starts(), walker.step, times * (MIN_STEPS + PAIRS_PER_POINT * points))
            self.many = len(reached.came_from) > MAX_WAYS_KEPT + WAYS_PER_POINT * points
            self.paths = ExploredPaths(reached.came_from, walker.log.taken)
            self._fading, self._dying = walker.fading, walker.fading.dying(self.part.scope)
            self._arrive(reached.came_from)
            self._go_on(walker, list(reached.came_from), reached.following)

    def arrivals(self, block: Block) -> list[Arrival]:
        """How control comes to a block of the body, the shortest way first."""
        return self._arrivals.get(block, [])

    def onwards(self, pair: Pair) -> Onwards | None:
        """How the function ends from a pair; None: it does not.

        Raises:
            BudgetExceeded: control does not come there with what is known then: it has to be followed.
        """
        found = self._onwards.get(pair)
        if found is None and pair not in self._endless:
            raise BudgetExceeded
        return found

    def chosen(self, onwards: Onwards) -> tuple[int, tuple[Edge, ...]]:
        """How many edges are taken by choice on a way to an end, and the last of them, up to the number that reports
        show."""
        way: list[Onwards] = []
        at = onwards if onwards.edge is not None and onwards.edge.guard is not Guard.ALWAYS else onwards.choice
        while at is not None and at not in self._chosen:
            way.append(at)
            at = at.choice
        count, last = self._chosen[at] if at is not None else (0, ())
        for one in reversed(way):
            assert one.edge is not None
            count, last = count + 1, (one.edge, *last) if len(last) < bug_path.MAX_CHOICES_SHOWN else last
            self._chosen[one] = count, last
        return count, last

    def asked(self, block: Block) -> set[Value]:
        """The live conditions at the end of a block of the body: those tested there, and those forwarded to later
        tests."""
        found = self._asked.get(block)
        if found is None:
            found = self._asked[block] = set()
            for edge in self._graph.exits(block):
                bound = (value for value, receiver in edge.bindings if receiver in self.part.scalars)
                for value in (*bound, _condition(edge)):
                    if value is not None:
                        found.update(leaves(self._graph.expression(value)))
        return found

    def forgotten(self, edge: Edge, source: Block) -> frozenset[Value]:
        """The values that are dead after an edge between blocks of the body: tested before, in the source or there."""
        found = self._faded.get(id(edge))  # the graph keeps its edges
        if found is None:
            along = self._fading.along(edge, source)
            found = self._faded[id(edge)] = along | self._dying.get(source, frozenset())
        return found

    def remembers(self, block: Block, value: Value) -> bool:
        """Whether what is known of a value is still known at the start of a block of the body."""
        return value in self.part.decided and self._fading.asked_from(block, value)

    def _plain(self) -> bool:
        """Whether neither calls nor variables have a say in where control goes."""
        graph, part = self._graph, self.part
        blocks = part.scope.blocks
        if part.counted:
            return False
        for stops in part.stops.values():
            for op in stops:
                top = _top(op, part)
                told = graph.call(op) is None and graph.cells.at(op) is None
                if not told or top is None or not graph.expressions.computed.keys().isdisjoint(op.results):
                    return False
                self.stops.setdefault(top, []).append(op)
        for block in blocks:
            for edge in graph.exits(block):
                if not self._compare(_condition(edge), block):
                    return False
                bound = (value for value, receiver in edge.bindings if receiver in part.scalars)
                if not all(self._compare(value, None) for value in bound):
                    return False
        return not any(gives_another(graph, value) for value in self.compared)

    def _compare(self, value: Value | None, block: Block | None) -> bool:
        """Note whose address a condition compares; whether it is that of one value alone with null, or one as fixed.
        What follows from those of two is not known any more where it is forgotten what is known of one."""
        expr = self._graph.expression(value) if value is not None else TRUE
        found = {*addresses(expr)} if compares(expr) else set[Value]()
        free = [one for one in found if not is_fixed(self._graph, one)]
        for one in free:
            self.compared.setdefault(one, set()).add(block)
        return not found or (len(free) == 1 and len(found) < 3)

    def _arrive(self, came_from: dict[Pair, Pair | None]) -> None:
        inner: dict[Pair | None, list[Pair]] = {}
        steps: dict[Pair | None, int] = {None: -1}
        for pair, source in came_from.items():
            steps[pair] = steps[source] + 1
            inner.setdefault(source, []).append(pair)
        rank: dict[Pair, int] = {}
        pending = inner.get(None, [])[::-1]
        while pending:
            pair = pending.pop()
            rank[pair] = len(rank)
            pending.extend(reversed(inner.get(pair, ())))
        for pair in came_from:
            point, _ = pair
            if point.stop == 0 and point.block.region is self.part.scope:
                self._arrivals.setdefault(point.block, []).append(Arrival(steps[pair], rank[pair], pair))

    def _go_on(self, walker: _Walker, pairs: list[Pair], following: list[list[Pair]]) -> None:
        """Find the way to an end from each pair, the shortest first, backwards from the ends."""
        before: dict[Pair, list[int]] = {}
        for number, after in enumerate(following):
            for pair in after:
                before.setdefault(pair, []).append(number)
        pending = [number for number, pair in enumerate(pairs) if pair in walker.broken]
        while pending:
            self.frayed.add(pair := pairs[pending.pop()])
            pending += [number for number in before.get(pair, ()) if pairs[number] not in self.frayed]
        ends = [number for number, pair in enumerate(pairs) if pair in walker.ends]
        for number in ends:
            self._onwards[pairs[number]] = Onwards(0, walker.ends[pairs[number]], None, None)
        while ends:
            leading = dict.fromkeys(number for end in ends for number in before.get(pairs[end], ()))
            ends = [number for number in leading if pairs[number] not in self._onwards]
            ways = [self._shortest(walker, pairs[number], following[number]) for number in ends]
            self._onwards.update(zip((pairs[number] for number in ends), ways, strict=True))
        self._endless = {pair for pair in pairs if pair not in self._onwards}

    def _shortest(self, walker: _Walker, pair: Pair, following: list[Pair]) -> Onwards:
        ways = [(way, after) for after in following if (way := self._onwards.get(after)) is not None]
        rest, after = min(ways, key=lambda way: way[0].steps)
        edge = walker.edges.get((pair, after))
        chosen = rest.edge is not None and rest.edge.guard is not Guard.ALWAYS
        choice = rest if chosen else rest.choice
        return Onwards(rest.steps + 1, rest.end, edge, choice)


class Courses:
    """The course of a function, computed on demand; several buffers share its cost.

    Args:
        graph, contexts: the function, and how it is entered.
        hammocks: of its blocks. `handing`: between them.
        groups: how many groups of buffers have to be followed.
    """

    def __init__(
        self, graph: Graph, contexts: list[Context], hammocks: Hammocks, handing: Handing, groups: int
    ) -> None:
        self.hammocks, self.handing = hammocks, handing
        self._times = min(groups, BUFFERS_WORTH)
        self.graph, self._contexts = graph, contexts
        self._found: Course | None = None
        self._asked = False
        self.many = False
        """There are too many ways to follow all."""

    def __call__(self) -> Course | None:
        """None: unknown."""
        if not self._asked:
            self._asked = True
            if len(self._contexts) == 1 and self._times > 1:
                self.many = True
                with suppress(BudgetExceeded):
                    found = Course(self.graph, self._contexts[0], self._times)
                    self._found = found if found.told else None
                    self.many = found.many
        return self._found

    def direct(self, clusters: Collection[Cluster]) -> Direct:
        """A slice of which paths go past all blocks in which nothing matters."""
        return Direct(self.graph, clusters, self.hammocks.roads)


class _Walker(Explorer):
    """Explores the ways of control. Knows by which edge each step is taken, and where paths end."""

    def __init__(self, graph: Graph, part: Slice, context: Context) -> None:
        super().__init__(graph, part, _Nobody(), Purpose.PATHS, context)
        self.fading = self._fading = Fading(graph, part, False, bound=False)
        self.edges: dict[tuple[Pair, Pair], Edge] = {}
        self.ends: dict[Pair, Op | None] = {}
        self.broken: set[Pair] = set()

    def _leave(self, block: Block, state: State) -> Iterator[Pair]:
        if self.log.here is not None and breaks_off(self._graph, block):
            self.broken.add(self.log.here)
        yield from super()._leave(block, state)

    def _follow(self, edge: Edge, source: Block | None, state: State) -> Iterator[Pair]:
        assert self.log.here is not None
        for pair in super()._follow(edge, source, state):
            self.edges.setdefault((self.log.here, pair), edge)
            yield pair

    def _finish(self, block: Block, state: State) -> None:
        assert self.log.here is not None
        if self._graph.stops(block):
            self.broken.add(self.log.here)
        else:
            self.ends[self.log.here] = block.ops[-1] if block.ops else None


class _Nobody:
    """Who is asked what calls do where there are none."""

    def outcomes(
        self, call: Op, partition: tuple[int | None, ...], scalars: tuple[Expr | None, ...], wanted: tuple[int, ...]
    ) -> tuple[Outcome, ...]:
        """See `Callees.outcomes`."""
        raise BudgetExceeded

    def may_free(self, call: Op) -> frozenset[int] | None:
        """See `Callees.may_free`."""
        return None


def _condition(edge: Edge) -> Value | None:
    """What decides whether an edge is taken."""
    if edge.guard in (Guard.ALWAYS, Guard.HOLDS, Guard.FAILS) or edge.number >= len(edge.place.operands):
        return None
    return edge.place.operands[edge.number].value


def _top(op: Op, part: Slice) -> Block | None:
    """The block of the body in which an op stands, or inside which."""
    block = op.parent
    while block is not None and block.region is not part.scope:
        block = block.region.op.parent
    return block
