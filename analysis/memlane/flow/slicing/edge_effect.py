"""What taking an edge means for one slice: all of it that does not depend on the state, found out once.

Most edges that a path takes neither decide anything nor hand over what is followed, and are taken again and again.
"""

from __future__ import annotations

from itertools import compress
from operator import itemgetter
from typing import NamedTuple

from memlane.dialects.model import Guard
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.events import Point
from memlane.flow.dataflow.state import Instance
from memlane.flow.derived import query
from memlane.flow.effects.aggregate_buffers import results_of
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.scalars.assertions import asserted_before
from memlane.flow.scalars.edge_conditions import condition_of, is_doubtful
from memlane.flow.scalars.trip_count import TripOf, trip_of
from memlane.flow.slicing.first_round import first_round
from memlane.flow.slicing.loop_counter import Counted, Step, steps_of
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.scalar import Expr, compares, leaves
from memlane.syntax.tree.tree import Block, Op, Region, Value


class Handed(NamedTuple):
    """A root and the buffer it will denote; `shifted`: through another address."""

    receiver: Value
    held: Instance | None
    shifted: bool


class Passage:
    """One edge.

    Args:
        graph, part: the function and the slice that is followed.
        edge: of `graph`.
        source: the block at the end of which it is taken; None: from an op.

    Attributes:
        target: where it leads; None: to nowhere that is followed.
        gone: what is entered anew or left: names defined there no longer mean what they meant.
        over: the same of buffers, which have no name between regions that are executed in any order.
        handed: pairs (value passed on or None where unknown, root that receives it).
        bound: the same of scalars that decide branches, each with the limit up to which its values are distinguished.
        loop, trip: the counted loop that is asked whether it runs; `counter` what counts then, a leaf of None where
            nothing does; `inside` what is known of arguments then.
        steps: what receives a number that is known by another one, as counters do; that of a counted loop says no
            more than that it grows.
        asked: what decides whether it is taken; None: nothing does.
        first: what it asked in the first round of a loop, where nothing else asks of that; None: of another edge.
        asserted: what has been asserted of the number that a switch asks, or the bounds of a loop.
        pointing: addresses do.
        suspends: what lives is kept for when control is resumed elsewhere.
        given: its op, a call that might have thrown and has not.
        unmade: what its op gives only where it goes on otherwise.
        leaving: whether the op that is left does something at the end of its regions.
    """

    __slots__ = (
        "asked",
        "asserted",
        "bound",
        "counter",
        "doubtful",
        "edge",
        "first",
        "given",
        "gone",
        "handed",
        "inside",
        "leaving",
        "loop",
        "over",
        "pointing",
        "source",
        "steps",
        "suspends",
        "target",
        "trip",
        "unmade",
    )

    def __init__(self, graph: Graph, part: Slice, edge: Edge, source: Block | None) -> None:
        self.edge, self.source = edge, source
        self.target = target_of(part, edge)
        self.doubtful = is_doubtful(graph, edge, source)
        self.gone = _gone(part, edge, source)
        between = part.lets_go and source is not None and edge.block is not source and edge.block in part.between
        self.over = self.gone | {source.region} if between and source is not None else self.gone
        receivers = [*map(itemgetter(1), edge.bindings)]  # of which many are those of others
        self.handed = tuple(compress(edge.bindings, map(part.root.__contains__, receivers)))
        self.bound = tuple(
            (value, receiver, Counted(graph, edge, source, value, receiver))
            for value, receiver in compress(edge.bindings, map(part.scalars.__contains__, receivers))
            if value is not None
        )
        self.loop: Op = edge.place if source is None else source.region.op
        trips = edge.guard in (Guard.TRIPS, Guard.DONE)
        self.trip: TripOf | None = trip_of(graph, self.loop) if trips else None
        self.counter = _counter(graph, edge)
        self.steps = steps_of(graph, [(value, receiver) for value, receiver, _ in self.bound])
        if self.trip is not None and edge.guard is Guard.TRIPS and source is not None:
            self.steps[self.trip.counter] = Step(self.trip.counter, 1)  # or more: a step is positive
        known = self.trip.inside if self.trip is not None and edge.guard is Guard.TRIPS else ()
        arguments = self.loop.regions[0].blocks[0].arguments if known else ()
        asked = {argument for argument in arguments if argument in part.decided}
        self.inside = [(expr, fact) for expr, fact in known if any(leaf in asked for leaf in leaves(expr))]
        self.asked, self.first = _asked(graph, part, edge, source)
        number = self.asked if edge.guard is Guard.CASE else None
        if self.trip is not None:
            number = ("cmpi", "slt", self.trip.lower, self.trip.upper)
        self.asserted = asserted_before(graph, number, self.loop if self.trip else edge.place) if number else []
        self.pointing = self.asked is not None and compares(self.asked)
        self.suspends = suspends(graph, edge)
        throwing, op = may_throw(graph, edge.place), edge.place
        self.given = op if throwing and edge.block is op.successors[0].block else None
        self.unmade = frozenset[Value](results_of(graph, op) if throwing and self.given is None else ())
        effects = effects_at(graph, edge.leaves) if edge.leaves is not None else None
        self.leaving = effects is not None and (effects.scope or effects.detached or bool(effects.completion))


def _asked(graph: Graph, part: Slice, edge: Edge, source: Block | None) -> tuple[Expr | None, Expr | None]:
    """What decides whether an edge is taken; into a round of a loop whose counter is not followed, with what that
    was in the first one, if something else asks of that, or else beside it."""
    asked, first = condition_of(graph, edge), first_round(graph, edge, source)
    if asked is None or first is None or source is None or not _is_any_round(part, source, asked):
        return asked, None
    if not query(part, _asked_elsewhere).issuperset(leaves(first)):
        return asked, first  # as facts, n loops of as many bounds would make a power of states
    return ("andi" if edge.guard is Guard.TRUE else "ori", asked, first), None


def _asked_elsewhere(part: Slice) -> frozenset[Value]:
    """What decisions depend on other than those of loops of blocks that hand on nothing that is followed."""
    found: set[Value] = set()
    for expr, place in part.guards(part.position):
        header = place.parent if place.successors else None
        hands = header is None or any(argument in part.scalars for argument in header.arguments)
        if header is None or hands or not _is_any_round(part, header, expr):
            found.update(leaves(expr))
    return frozenset(found)


def _is_any_round(part: Slice, block: Block, asked: Expr) -> bool:
    """Whether what is asked at the end of a block depends on what counts its rounds, which is not followed."""
    counts = any(leaf.block is block and leaf not in part.scalars for leaf in leaves(asked))
    return counts and part.graph.loops(block.region).heads(block)


def passages_of(part: Slice, summarise: bool) -> dict[Edge, Passage]:
    """What edges mean that have been followed: for itself, or to tell callers."""
    return query(part, _passages)[summarise]


def _passages(_: Slice) -> tuple[dict[Edge, Passage], dict[Edge, Passage]]:
    return {}, {}


def may_throw(graph: Graph, op: Op) -> bool:
    """Whether an op is a call that gives something at the first of its successors, and nothing at the others."""
    model = graph.models.of(op.name) if len(op.successors) > 1 and op.results else None
    return model is not None and model.call is not None


def suspends(graph: Graph, edge: Edge) -> bool:
    """Whether an edge is taken where a coroutine is suspended: its frame keeps what lives until it is resumed."""
    op, successors = edge.place, edge.place.successors
    if not successors:
        return False
    if (model := graph.model(op)) is not None and model.suspends:
        return len(successors) < 2 or edge.block is not successors[1].block
    value = op.operands[0].value if op.operands and edge.guard is Guard.CASE and edge.case != 0 else None
    for _ in range(2):  # its result may have been widened
        made = value.op if value is not None else None
        if made is not None and (model := graph.model(made)) is not None and model.suspends:
            return True
        value = made.operands[0].value if made is not None and len(made.operands) == 1 else None
    return False


def target_of(part: Slice, edge: Edge) -> Point | None:
    if edge.block is not None:
        return Point(edge.block, 0)
    if edge.leaves is not None and edge.leaves.parent is not None:
        return Point(edge.leaves.parent, part.position[edge.leaves] + 1)
    return None


def _counter(graph: Graph, edge: Edge) -> Expr:
    trip = trip_of(graph, edge.block.region.op) if edge.block is not None and edge.guard is Guard.TRIPS else None
    return trip.counter if trip is not None else ("leaf", None)


def _gone(part: Slice, edge: Edge, source: Block | None) -> frozenset[Block | Region]:
    if edge.block is None:
        return part.regions(edge.leaves) if edge.leaves is not None else frozenset()
    if edge.place.successors:
        return frozenset((edge.block,))
    if source is None or source in part.between or edge.block in part.between:
        return frozenset((edge.block.region,))
    return frozenset((edge.block.region, source.region))
