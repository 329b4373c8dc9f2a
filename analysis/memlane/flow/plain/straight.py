"""Buffers whose story their block tells: made, used and freed in it, in this order, perhaps in loops and branches.

Following such a buffer along the paths of its function would find nothing but that it is freed late: what happens to it
is decided wherever its block is entered, and ends there. They are the most, and following them would cost as much as
the blocks around them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from memlane.dialects.model import Guard
from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.liveness import LateFree
from memlane.flow.alias.origin import Origin
from memlane.flow.control.callee import is_private
from memlane.flow.control.graph import Graph
from memlane.flow.control.trips import TripOf
from memlane.flow.control.within import ancestor, defining_block
from memlane.flow.scalars.scalar import Expr, leaves, may_be_either, points
from memlane.syntax.tree.tree import Block, Op, Value

Lends = Callable[[Op, Cluster], bool]
"""Whether a call that is passed the buffer of a cluster comes back and neither frees nor keeps it."""


def nowhere(call: Op, cluster: Cluster) -> bool:
    """`Lends` of those who do not ask."""
    return False


class Settled(NamedTuple):
    """What is told of a cluster, and what that rests on beside the ops that name its buffer.

    Args:
        late: the late deallocations that the explorer, asked about the cluster, would find, where it would find no
            incidents; None where that takes more than a look: where paths, tokens, ops nobody described or callees that
            do more than borrow the buffer have a say.
        around: it rests on the ops around those that name the buffer.
        since: it rests on which ops work between this one and the deallocation, in the block of both; None: on none.
    """

    late: tuple[LateFree, ...] | None
    around: bool = True
    since: Op | None = None


_LEFT_OPEN = Settled(None, around=False)


def settled(graph: Graph, cluster: Cluster, lends: Lends = nowhere) -> Settled:
    """What the block that makes the buffer of a cluster tells of it."""
    origin = cluster.origins[0]
    made = origin.value.op
    if made is None or made.parent is None or not simple(graph, cluster):
        return _LEFT_OPEN
    users = sorted({use.op for value in cluster.root for use in value.uses}, key=_start)
    if origin.resource == "stack":  # it ends with its scope
        passed = followed(graph, made.parent, users, None, cluster, has_contents(graph, origin), lends)
        return Settled(None if passed is None else ())
    if not users or users[-1].parent is not made.parent:
        return _LEFT_OPEN
    frees = frees_it(graph, users[-1], cluster, origin)
    if not frees and not returns(graph, users[-1], cluster):
        return _LEFT_OPEN
    freed = users[-1] if frees else None
    users_then, filled = users if frees else users[:-1], has_contents(graph, origin)
    passed = followed(graph, made.parent, users_then, freed, cluster, filled, lends)
    if passed is None or not frees:
        return Settled(None if passed is None else ())
    sure = max(passed.sure, made.index)
    return Settled(_late(graph, origin, sure, users), since=made.parent.ops[sure])


class Passed(NamedTuple):
    """What is known of a buffer after some ops of a block.

    Args:
        sure: the index of the last op of which it is sure that it uses the buffer; -1: none.
        written: whether the buffer has contents.
    """

    sure: int
    written: bool


def followed(
    graph: Graph,
    block: Block,
    users: list[Op],
    freed: Op | None,
    cluster: Cluster,
    written: bool,
    lends: Lends = nowhere,
) -> Passed | None:
    """What `users`, ops of `block` or in regions of its ops, do, in this order. `written`: before them.

    None where more than reading and writing is done, or where contents may be read that nobody wrote.
    """
    filled: dict[Block, Trips] = {block: _ANYHOW} if written else {}
    passing: dict[Op, bool] = {}
    sure = -1
    for user in users:
        around = _around(graph, user, block, passing)
        if around is None or user.successors or (user.regions and not passes(graph, user)):
            return None
        before = _contents(graph, around, filled)
        after = _after(graph, user, user is freed, cluster, before, lends)
        if after is None:
            return None
        top = _sure(graph, user, block, filled if after and not before else None)
        if top is not None and user is not freed:
            sure = max(sure, top.index)
    return Passed(sure, filled.get(block) == _ANYHOW)


Trips = frozenset[tuple[Expr, Expr]]
"""Loops, by the bounds that they count from and to: those of the same bounds run or do not run together."""
_ANYHOW: Trips = frozenset()


def _contents(graph: Graph, around: list[Block], filled: dict[Block, Trips]) -> bool:
    """Whether the buffer has contents in the first of some blocks, each inside the next: `filled` says in which it has,
    and which loops have to have run for that."""
    running: Trips = _ANYHOW
    for inner in around:
        if inner in filled and filled[inner] <= running:
            return True
        trip = graph.trip(inner.region.op)
        if trip is not None:
            running |= {(trip.lower, trip.upper)}
    return False


def _around(graph: Graph, op: Op, block: Block, passing: dict[Op, bool]) -> list[Block] | None:
    """The blocks from that of `op` to `block`; None where `block` is not around it, or control may stay inside.

    `passing` keeps of which ops that was asked.
    """
    found: list[Block] = []
    inner = op.parent
    while inner is not None:
        found.append(inner)
        if inner is block:
            return found
        holder = inner.region.op
        through = passing.get(holder)
        if through is None:
            through = passing[holder] = passes(graph, holder)
        if not through:
            return None
        inner = holder.parent
    return None


def _sure(graph: Graph, op: Op, block: Block, filled: dict[Block, Trips] | None) -> Op | None:
    """The op of `block` that is or holds `op`, where that is executed whenever the block is; else None.

    `filled` takes the blocks in which all that follows comes after `op`, where loops run that are round `op`.
    """
    needed = _ANYHOW
    while op.parent is not None:
        if filled is not None and (op.parent not in filled or needed < filled[op.parent]):
            filled[op.parent] = needed
        if op.parent is block:
            return None if needed else op
        op = op.parent.region.op
        trip = graph.trip(op)
        if trip is None:
            return None
        if not _runs(trip):
            if filled is None:
                return None
            needed |= {(trip.lower, trip.upper)}
        if needed and not all(_known_outside(op, bound) for trip in needed for bound in trip):
            return None
    return None


def _runs(trip: TripOf) -> bool:
    return trip.lower[0] == trip.upper[0] == "const" and trip.lower[1] < trip.upper[1]


def _known_outside(op: Op, bound: Expr) -> bool:
    """Whether nothing in the regions of `op` has a say in a bound."""
    return not points(bound) and not any(_stands_in(leaf, op) for leaf in leaves(bound))


def _stands_in(value: Value, op: Op) -> bool:
    block = defining_block(value)
    while block is not None and block.region.op is not op:
        block = block.region.op.parent
    return block is not None


def passes(graph: Graph, op: Op) -> bool:
    """Whether control comes out of the regions of `op` in the end, and the op does nothing with them."""
    model, effects = graph.model(op), graph.effects(op)
    if model is None or effects.completion or effects.unknown or model.detached or model.call is not None:
        return False
    if any(len(region.blocks) > 1 for region in op.regions):
        return False
    if any(edge.source is None and edge.target is None for edge in model.regions or ()):
        return True  # they need not be entered
    exits = (edge for region in op.regions for block in region.blocks for edge in graph.exits(block))
    return any(edge.leaves is op for edge in (*graph.entries(op), *exits))


def _late(graph: Graph, origin: Origin, sure: int, users: list[Op]) -> tuple[LateFree, ...] | None:
    """Whether work stands between the last use and the deallocation."""
    freed = users[-1]
    block = freed.parent
    assert block is not None
    work = graph.work(block, sure + 1, freed.index)
    if work.first is None:
        return ()
    tops = [(top.index, op) for op in users[:-1] if (top := ancestor(op, block)) is not None]
    last = max((index for index, _ in tops), default=sure)
    if last > sure:  # on some paths at least
        work = graph.work(block, last + 1, freed.index)
        if not any(reached(graph, op) for index, op in tops if index == last):
            return None
    else:
        last = sure
    if work.first is None:
        return ()
    if not entered(graph, block):
        return None
    return (LateFree(freed, origin, block.ops[last], work.operations, work.first),)


def reached(graph: Graph, op: Op) -> bool:
    """Whether it is plain to see that control may come to `op`: as `entered`, and the loops on the way may run."""
    block = op.parent
    if block is None or not entered(graph, block):
        return False
    while block is not None and block.region.op is not graph.function:
        holder = block.region.op
        trip = graph.trip(holder)
        if trip is None and graph.may_repeat(block.region):
            return False
        if trip is not None and not _runs(trip) and not _may_run(graph, trip):
            return False
        block = holder.parent
    return block is not None


def _may_run(graph: Graph, trip: TripOf) -> bool:
    """Whether nothing is known of how far a loop counts. All such loops may run at once."""
    if trip.lower[0] != "const" or trip.upper[0] != "leaf":
        return False
    limit: Value = trip.upper[1]
    if limit.op is not None:
        return not limit.op.regions and graph.call(limit.op) is None
    return limit.block is graph.entry and not is_private(graph.function)


def entered(graph: Graph, block: Block) -> bool:
    """Whether it is plain to see that control may come to `block`: at most one flag decides, and it is any flag."""
    flags = 0
    while block.region.op is not graph.function:
        holder = block.region.op
        if block.index or holder.parent is None:
            return False
        if not graph.may_repeat(block.region):
            for edge in graph.entries(holder):
                if edge.block is block and edge.guard is not Guard.ALWAYS:
                    expr = graph.asks(edge)
                    known = expr is None or not may_be_either(expr)
                    flags += 1
                    if known or flags > 1:
                        return False
        block = holder.parent
    return not block.index


def simple(graph: Graph, cluster: Cluster) -> bool:
    """Whether one op makes the buffer, does nothing else, and nothing but views stands for it."""
    origin = cluster.origins[0]
    if len(cluster.origins) != 1 or not origin.made_here:
        return False
    if origin.value.op is None or origin.symbol is not None:
        return False
    effects = graph.effects(origin.value.op)
    plain = len(effects.allocs) == 1 and not (effects.frees or effects.completion or effects.unknown)
    return plain and all(root is origin.value for root in cluster.root.values())


def has_contents(graph: Graph, origin: Origin) -> bool:
    """Whether the buffer of an op has contents from the start."""
    size = origin.size
    filled = origin.value.op is not None and graph.effects(origin.value.op).filled
    return filled or (size is not None and size.bytes == 0)


def frees_it(graph: Graph, op: Op, cluster: Cluster, origin: Origin) -> bool:
    """Whether an op frees the buffer in any case, and as it should be."""
    effects = graph.effects(op)
    if len(effects.frees) != 1 or effects.allocs:
        return False
    free = effects.frees[0]
    right = free.resource == origin.resource and (free.value.type or "").startswith("memref<")
    return right and free.value in cluster.root and free.condition is None and not free.retained


def returns(graph: Graph, op: Op, cluster: Cluster) -> bool:
    """Whether an op hands the buffer to the caller, once, and does nothing else."""
    effects = graph.effects(op)
    # What is returned besides is not looked through: it may be much.
    named = [value for value in cluster.root for use in value.uses if use.op is op]
    besides = effects.packed or effects.reads or effects.writes or effects.frees
    return len(named) == 1 and named[0] in effects.returned and not besides


def _after(graph: Graph, user: Op, last: bool, cluster: Cluster, written: bool, lends: Lends) -> bool | None:
    """Whether the buffer has contents after one of its users; None where that does more than read and write."""
    effects = graph.effects(user)
    if graph.call(user) is not None:
        return True if not effects.completion and lends(user, cluster) else None  # what is called may write
    if effects.unknown or effects.completion or (effects.frees and not last):
        return None
    elsewhere = (*effects.escapes, *effects.acquires, *effects.returned, *effects.packed)
    if any(value in cluster.root for value in elsewhere):
        return None
    for value in dict.fromkeys((*effects.reads, *effects.writes)):
        if value in cluster.root:
            if value in effects.reads and not written:
                return None
            written = written or value in effects.writes
    return written


def _start(op: Op) -> int:
    return op.span.start
