"""Buffers whose story their block tells: made, used and freed in it, in this order, perhaps in loops and branches.

Following such a buffer along the paths of its function would find nothing wrong: what happens to it
is decided wherever its block is entered, and ends there. They are the most, and following them would cost as much as
the blocks around them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import block_in, defining_block
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.scalars.trip_count import TripOf, trip_of
from memlane.flow.symbolic.scalar import Expr, leaves, points
from memlane.syntax.tree.tree import Block, Op, Region, Value, starts_at

Lends = Callable[[Op, Cluster], bool]
"""Whether a call that is passed the buffer of a cluster comes back and neither frees nor keeps it."""


def nowhere(call: Op, cluster: Cluster) -> bool:
    """`Lends` of those who do not ask."""
    return False


class Settled(NamedTuple):
    """The result for a cluster, and its inputs besides the ops that name its buffer.

    Args:
        right: nothing goes wrong with its buffer; False where that takes more than a look: where paths, tokens, ops
            that no description explains or callees that do more than borrow the buffer have a say.
        around: it rests on the ops around those that name the buffer.
        lost: operations other than calls read and write it, and nothing else is done with it to the end of the block
            that makes it.
    """

    right: bool
    around: bool = True
    lost: bool = False


_LEFT_OPEN = Settled(right=False, around=False)


def settled(graph: Graph, cluster: Cluster, lends: Lends = nowhere) -> Settled:
    """The result for a cluster, decided in the block that makes its buffer."""
    origin = cluster.origins[0]
    made = origin.value.op
    if made is None or made.parent is None or not simple(graph, cluster):
        return _LEFT_OPEN
    users = sorted({use.op for value in cluster.root for use in value.uses}, key=starts_at)
    if origin.resource == "stack":  # it ends with its scope
        passed = followed(graph, made.parent, users, None, cluster, has_contents(graph, origin), lends)
        return Settled(passed is not None)
    last = users[-1] if users and users[-1].parent is made.parent else None
    frees = last is not None and frees_it(graph, last, cluster, origin)
    gone = last is not None and (frees or returns(graph, last, cluster))
    users_then, filled = users[:-1] if gone and not frees else users, has_contents(graph, origin)
    passed = followed(graph, made.parent, users_then, last if frees else None, cluster, filled, lends)
    lost = not gone and not any(graph.call(user) is not None for user in users)  # a call may keep what it is passed
    return Settled(passed is not None and gone, lost=passed is not None and lost)


def followed(
    graph: Graph,
    block: Block,
    users: list[Op],
    freed: Op | None,
    cluster: Cluster,
    written: bool,
    lends: Lends = nowhere,
) -> bool | None:
    """Whether the buffer has contents after `users`, ops of `block` or in regions of its ops, in this order.
    `written`: before them.

    None where more than reading and writing is done, or where contents may be read that were never written.
    """
    filled: dict[Block, Trips] = {block: _ANYHOW} if written else {}
    passing: dict[Op, bool] = {}
    for user in users:
        around = _around(graph, user, block, passing)
        if around is None or user.successors or (user.regions and not passes(graph, user)):
            return None
        before = _contents(graph, around, filled)
        after = _after(graph, user, user is freed, cluster, before, lends)
        if after is None:
            return None
        if after and not before:
            _fill(graph, user, block, filled)
    return filled.get(block) == _ANYHOW


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
        trip = trip_of(graph, inner.region.op)
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


def _fill(graph: Graph, op: Op, block: Block, filled: dict[Block, Trips]) -> None:
    """Note in `filled` the blocks up to `block` in which all that follows comes after `op`, where loops run that are
    round `op`."""
    needed = _ANYHOW
    while op.parent is not None:
        if op.parent not in filled or needed < filled[op.parent]:
            filled[op.parent] = needed
        if op.parent is block:
            return
        op = op.parent.region.op
        trip = trip_of(graph, op)
        if trip is None:
            return
        if not runs(trip):
            needed |= {(trip.lower, trip.upper)}
        if needed and not all(_known_outside(op, bound) for trip in needed for bound in trip):
            return


def runs(trip: TripOf) -> bool:
    """Whether a loop of constant bounds runs at least once."""
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
    model, effects = graph.model(op), effects_at(graph, op)
    if model is None or effects.completion or effects.unknown or model.detached or model.call is not None:
        return False
    if any(len(region.blocks) > 1 for region in op.regions):
        return False
    if any(edge.source is None and edge.target is None for edge in model.regions or ()):
        return True  # they need not be entered
    exits = (edge for region in op.regions for block in region.blocks for edge in graph.exits(block))
    return any(edge.leaves is op for edge in (*graph.entries(op), *exits))


def simple(graph: Graph, cluster: Cluster) -> bool:
    """Whether one op makes the buffer, does nothing else, and nothing but views stands for it."""
    origin = cluster.origins[0]
    if len(cluster.origins) != 1 or not origin.made_here:
        return False
    if origin.value.op is None or origin.symbol is not None:
        return False
    effects = effects_at(graph, origin.value.op)
    plain = len(effects.allocs) == 1 and not (effects.frees or effects.completion or effects.unknown)
    return plain and all(root is origin.value for root in cluster.root.values())


def by_block(users: Iterable[Op], region: Region) -> dict[Block, list[Op]] | None:
    """The ops that name a buffer, by the block of a region that they stand in; None: some stand elsewhere."""
    found: dict[Block, list[Op]] = {}
    for op in users:
        block = block_in(op.parent, region)
        if block is None:
            return None
        found.setdefault(block, []).append(op)
    return found


def has_contents(graph: Graph, origin: Origin) -> bool:
    """Whether the buffer of an op has contents from the start."""
    size = origin.size
    filled = origin.value.op is not None and effects_at(graph, origin.value.op).filled
    return filled or (size is not None and size.bytes == 0)


def frees_it(graph: Graph, op: Op, cluster: Cluster, origin: Origin) -> bool:
    """Whether an op frees the buffer in any case, and as it should be; others besides."""
    effects, root = effects_at(graph, op), cluster.root
    mine = [free for free in effects.frees if free.value in root]
    if len(mine) != 1 or effects.allocs or any(value in root for value in mine[0].retained):
        return False
    right = mine[0].resource == origin.resource and (mine[0].value.type or "").startswith("memref<")
    return right and mine[0].condition is None


def returns(graph: Graph, op: Op, cluster: Cluster) -> bool:
    """Whether an op hands the buffer to the caller, once, and does nothing else."""
    effects = effects_at(graph, op)
    # What is returned besides is not looked through: it may be much.
    named = [value for value in cluster.root for use in value.uses if use.op is op]
    besides = effects.packed or effects.reads or effects.writes or effects.frees
    return len(named) == 1 and named[0] in effects.returned and not besides


def _after(graph: Graph, user: Op, last: bool, cluster: Cluster, written: bool, lends: Lends) -> bool | None:
    """Whether the buffer has contents after one of its users; None where that does more than read and write."""
    effects = effects_at(graph, user)
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
