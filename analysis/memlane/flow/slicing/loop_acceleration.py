"""Rounds of a loop that leave everything as it was are as good as one: they are not counted to their end.

A loop that makes buffers in nests of others, each of some constant number of rounds, would have the product of these
numbers to be distinguished. Where nothing but the end of a loop asks for its counter, what a round does depends on the
buffers and on what is known besides; where that is the same in two rounds that follow one another, it is the same in
all of those that come, and the counter may be any number from there on.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import block_in, defining_block
from memlane.flow.dataflow.events import Pair
from memlane.flow.dataflow.state import Heap, State
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.scalars.trip_count import trip_of, trips_of
from memlane.flow.slicing.edge_effect import Passage
from memlane.flow.slicing.materialised_conditions import computed
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.range import Range
from memlane.flow.symbolic.scalar import Expr, leaves
from memlane.syntax.tree.tree import Block, Op, Value

Fact = tuple[Expr, Expr | Range]
Facts = frozenset[Fact]


class Steady:
    """The loops of a slice, and what came round in which round of them.

    Args:
        graph, part: the function and the slice that is followed.

    Attributes:
        closed: no steps are taken but again.
    """

    def __init__(self, graph: Graph, part: Slice) -> None:
        self._graph, self._part = graph, part
        self._around: dict[Block, set[Block]] = {}
        self._deciding: dict[Block, tuple[Block, Expr]] = {}
        """By the block at the end of which it is decided whether there are more rounds: the loop."""
        self._counters = self._found()
        self._deciders = {header for header, _ in self._deciding.values()}
        self._leaves = set(self._counters.values())
        self._seen: dict[Hashable, set[Expr]] = {}
        self._alike: set[Hashable] = set()
        self._settled: dict[Hashable, Facts] = {}
        self.closed = False

    def settle(self, here: Pair | None, passage: Passage, before: State, after: State) -> State:
        """A state behind an edge, `before` it at its start, without the counters that are no matter.

        Args:
            here: where the step began; taken again it leads to the same.
        """
        block = passage.edge.block
        if block is None:
            return after
        again = here, passage.edge, after.facts
        if not self.closed:
            facts = self._entered(block, passage.source, after.facts)
            facts = self._come(block, passage.source, before.facts, facts, after.heap)
            if facts is not after.facts:
                self._settled[again] = facts
        facts = self._settled.get(again)
        return after if facts is None else after._replace(facts=facts)

    def _entered(self, block: Block, source: Block | None, facts: Facts) -> Facts:
        """The facts after the decision for another iteration, without that decision: it is not tested again in the
        iteration."""
        loop = self._deciding.get(source) if source is not None else None
        fact = _known(facts, loop[1]) if loop is not None else None
        if loop is None or fact is None or not isinstance(fact[1], Range) or not self._within(block, loop[0]):
            return facts
        return facts - {fact}

    def _come(self, header: Block, source: Block | None, before: Facts, facts: Facts, heap: Heap) -> Facts:
        """What is known at the start of a round, and what may be said of its number."""
        counter = self._counters.get(header)
        fact = _known(facts, counter) if counter is not None else None
        if fact is None or counter is None or isinstance(fact[1], Range) or fact[1][0] != "const":
            return facts
        number: int = fact[1][1]
        rest = facts - {fact}
        alike = header, frozenset(one for one in rest if one[0] not in self._leaves), heap
        if source is None or not self._within(source, header):
            if alike in self._alike:  # how often it runs is no matter, but that it does
                return rest | {(fact[0], Range(number, number))} if header in self._deciders else rest
        else:
            last = _known(before, counter)
            if last is not None and isinstance(last[1], Range):
                return rest
            if last is not None and last[1] != fact[1] and last[1] in self._seen.get((header, rest, heap), ()):
                self._alike.add(alike)
                return rest
        self._seen.setdefault((header, rest, heap), set()).add(fact[1])
        return facts

    def _found(self) -> dict[Block, Expr]:
        """The counter of each loop that has one, by the block in which its rounds begin."""
        counters = dict(self._counting())
        asking = self._asking(counters)
        found: dict[Block, Expr] = {}
        for counter, header in counters.items():
            places = asking.get(counter, set())
            place = next(iter(places), None)
            if header in found or len(places) > 1 or (places and not self._ends(place, header)):
                continue
            found[header] = counter
            if place is not None and place.parent is not None:
                self._deciding[place.parent] = header, counter
        return found

    def _counting(self) -> Iterator[tuple[Expr, Block]]:
        """What counts rounds, and where each begins."""
        part = self._part
        for op in part.counted:
            trip = trip_of(self._graph, op)
            if trip is not None:
                yield trip.counter, op.regions[0].blocks[0]
        for edge in part.edges(part.position):
            header = edge.block
            if header is None or not edge.place.successors or not self._within(edge.place.parent, header):
                continue
            for value, receiver in edge.bindings:
                if value is not None and receiver in part.scalars and receiver.type != "i1":
                    expr = scalar_of(self._graph, value)
                    if receiver in leaves(expr) and expr != ("leaf", receiver):
                        yield ("leaf", receiver), header

    def _asking(self, counters: dict[Expr, Block]) -> dict[Expr, set[Op | None]]:
        """Where each counter is asked, but to count on; None: by what is not a decision."""
        part, graph = self._part, self._graph
        found: dict[Expr, set[Op | None]] = {}
        asked: list[tuple[Expr, Op | None, Value | None]] = [(expr, None, None) for expr in part.wanted]
        asked.extend((expr, place, None) for expr, place in part.guards(part.position))
        for call, passed in part.called(part.position):
            asked.extend((expr, call, None) for expr in passed.written if expr is not None)
        for _, trip in trips_of(graph, part.position):
            asked.extend((expr, None, None) for expr in (trip.lower, trip.upper, trip.step))
        asked.extend((expr, None, None) for expr in computed(graph, part).values())
        for edge in part.edges(part.position):
            bound = ((value, to) for value, to in edge.bindings if value is not None and to in part.scalars)
            asked.extend((scalar_of(graph, value), None, receiver) for value, receiver in bound)
        for expr, place, receiver in asked:
            for counter in counters.keys() & {("leaf", leaf) for leaf in leaves(expr)}:
                if counter != ("leaf", receiver) and not self._open(expr, counters[counter]):
                    found.setdefault(counter, set()).add(place)
        return found

    def _open(self, expr: Expr, header: Block) -> bool:
        """Whether a value is part of an expression that may be another one in each round, and is not followed."""
        homes = (defining_block(value) for value in leaves(expr) if value not in self._part.scalars)
        return any(home is not None and self._within(home, header) for home in homes)

    def _ends(self, place: Op | None, header: Block) -> bool:
        """Whether a loop of blocks may be left where `place` decides which way control goes."""
        if place is None or not place.successors or not self._within(place.parent, header):
            return False
        ways = [edge.block for edge in self._graph.exits(place.parent)] if place.parent is not None else []
        return any(block is not None and not self._within(block, header) for block in ways)

    def _within(self, block: Block | None, header: Block) -> bool:
        """Whether a block is in the loop with a header, or in the region of which that is the first."""
        block = block_in(block, header.region)
        if block is None:
            return False
        loops = self._graph.loops(header.region)
        if not loops.cycle(header):
            return True
        around = self._around.get(block)
        if around is None:
            around = self._around[block] = set()
            loops.around(block, around)
        return header in around


def _known(facts: Facts, counter: Expr) -> Fact | None:
    """What is known of a counter."""
    return next((fact for fact in facts if fact[0] == counter), None)
