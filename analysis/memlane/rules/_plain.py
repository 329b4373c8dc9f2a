"""Plain buffers: made, used and freed in one block whatever path is taken. What advice can be sure of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from memlane.flow import FunctionFacts, FunctionFlow, Origin
from memlane.flow.alias.alias import Aliases, Cluster
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import ancestor, defining_block
from memlane.flow.effects.cost_model import is_work
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.peak.live_intervals import Timeline, interval
from memlane.flow.symbolic.amounts import ZERO
from memlane.flow.symbolic.sizes import Size
from memlane.flow.symbolic.types import may_hold_buffer
from memlane.syntax.tree.tree import Op, Value, starts_at, used


class Plain(NamedTuple):
    """One buffer.

    Args:
        made, freed: the ops that make and free it, in one block.
        users: the ops that name it otherwise, in text order.
        held: those of its block that are or hold users, in order.
        size: None where the type does not tell.
        filled: it is made with contents, as a clone is: making it elsewhere, or not at all, is another question.
    """

    origin: Origin
    made: Op
    freed: Op
    users: tuple[Op, ...]
    held: tuple[Op, ...]
    size: Size | None
    filled: bool = False

    @property
    def name(self) -> str:
        """Its first name."""
        return self.origin.value.name


def plain_buffers(facts: FunctionFacts, flow: FunctionFlow, named: Collection[Op] | None = None) -> Iterator[Plain]:
    """The plain buffers of a function about which nothing is wrong, in text order.

    `named`: only those that one of these ops makes or names; None: all.
    """
    aliases = flow.aliases
    if aliases is None:
        return
    bad = {incident.origin for incident in facts.incidents}
    line: Timeline | None = None
    found: list[Plain] = []
    concerned = _concerned(aliases, named) if named is not None else None
    for cluster in _those(aliases, concerned):
        origin = cluster.origins[0]
        if len(cluster.origins) != 1 or not origin.owned or origin.value.op is None or origin in bad:
            continue
        if facts.doubts.of(cluster):
            continue
        only = _near(cluster, origin.value.op) if named is not None else None  # few
        line = Timeline(flow.op, only) if line is None or only is not None else line
        one = plain(flow.graph, cluster, line)
        if one is not None:
            found.append(one)
    yield from sorted(found, key=_place)


def _those(aliases: Aliases, concerned: Collection[Cluster | None] | None) -> Iterable[Cluster]:
    """Clusters, in the order in which they are known; `concerned`: those of interest, or None for all."""
    every = aliases.clusters.values()
    return every if concerned is None else [cluster for cluster in every if cluster in concerned] if concerned else ()


def _near(cluster: Cluster, made: Op) -> Iterator[Op]:
    """The ops that make and name a buffer, and those around them in the block of the one that makes it."""
    yield made
    for value in cluster.root:
        for use in value.uses:
            around = ancestor(use.op, made.parent)
            yield from (use.op,) if around is None else (use.op, around)


def _concerned(aliases: Aliases, ops: Collection[Op]) -> set[Cluster | None]:
    """The clusters of all that some ops make or name."""
    return {aliases.cluster_of(value) for op in ops for value in (*op.results, *used(op))}


def plain(graph: Graph, cluster: Cluster, line: Timeline) -> Plain | None:
    """The buffer of a cluster where it is plain; `line`: of the function. Whether anything is wrong is not asked."""
    origin = cluster.origins[0]
    if interval(graph, line, cluster, ZERO, _takes, True) is None or origin.value.op is None:
        return None
    return _plain(graph, cluster, origin, origin.value.op)


def _takes(call: Op) -> bool:
    return True


def _plain(graph: Graph, cluster: Cluster, origin: Origin, made: Op) -> Plain | None:
    users: set[Op] = set()
    freed: Op | None = None
    for value in cluster.root:
        for use in value.uses:
            if any(free.value in cluster.root for free in effects_at(graph, use.op).frees):
                freed = use.op
            else:
                users.add(use.op)
    if freed is None:
        return None
    ordered = tuple(sorted(users, key=starts_at))
    held = dict.fromkeys(op for user in ordered if (op := ancestor(user, made.parent)) is not None)
    return Plain(origin, made, freed, ordered, tuple(held), origin.size, bool(effects_at(graph, made).reads))


def for_nothing(graph: Graph, plain: Plain) -> bool:
    """Whether what is written to the buffer is never read: all its uses could be removed, too."""
    known = {plain.origin.value}
    for op in plain.users:
        effects, views = effects_at(graph, op), {view.result for view in effects_at(graph, op).views}
        if not _quiet(graph, op) or any(result.uses and result not in views for result in op.results):
            return False
        known |= views
        if not known.issuperset(effects.writes):
            return False
    return True


def _quiet(graph: Graph, op: Op) -> bool:
    """Whether an op does nothing but compute, read and write, and what is in its regions only computes."""
    inner = [nested for nested in op.walk() if nested is not op]
    effects = effects_at(graph, op)
    model = graph.model(op)
    if model is None or model.terminator or op.successors or _acts(graph, op) or effects.completion or effects.waits:
        return False
    return not any(graph.model(n) is None or _acts(graph, n) or effects_at(graph, n).writes for n in inner)


def _acts(graph: Graph, op: Op) -> bool:
    effects, model = effects_at(graph, op), graph.model(op)
    if (model is not None and model.acts) or (effects.reads and not (effects.writes or op.results)):
        return True  # what only reads and gives nothing has done something with it all the same
    kept = any(may_hold_buffer(value.type) for value in (*effects.escapes, *effects.acquires))
    return bool(effects.allocs or effects.frees or kept or graph.call(op) is not None)


def repeated(graph: Graph, op: Op) -> Op | None:
    """The loop that may execute `op` again before the stack is given back: the op that repeats it, or a branch."""
    while op is not graph.function and op.parent is not None:
        block = op.parent
        if graph.cycle(block):
            return block.ops[-1]
        op = block.region.op
        if op is graph.function or effects_at(graph, op).scope:
            return None
        if graph.may_repeat(block.region):
            return op
    return None


def counted(graph: Graph, ops: list[Op]) -> int:
    """How many of some ops count as work: constants, deallocations and allocations do not."""
    return sum(is_work(graph, op) and not effects_at(graph, op).allocs for op in ops)


def defined_inside(value: Value, op: Op) -> bool:
    """Whether a value is defined in the regions of `op`."""
    block = defining_block(value)
    while block is not None:
        if block.region.op is op:
            return True
        block = block.region.op.parent
    return False


def _place(plain: Plain) -> int:
    return plain.made.span.start
