"""Buffers that always have one owner, which forwards or frees them: round loops, along branches, out of regions.

Each name of such a buffer is good from where it is bound to where it is given up, once on every way (linear types:
Wadler, "Linear types can change the world!", 1990). Where that is plain to see of all names of a cluster nothing goes
wrong with its buffers, however many of them a name may stand for. Following them one by one, through all that hands
them on, would cost the product of both.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.forwarding import Handing
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import ancestor
from memlane.flow.cfg.scc import reachable
from memlane.flow.fastpath.limits import MAX_BLOCKS_AHEAD
from memlane.flow.fastpath.single_block import by_block, followed, frees_it, has_contents, passes, returns
from memlane.flow.memory.effects_at import effects_at
from memlane.syntax.tree.tree import Block, Op, Value, starts_at


def settled_owned(graph: Graph, cluster: Cluster, handing: Handing) -> bool:
    """As `settled`, for buffers that are forwarded: whether the explorer would find no incidents; False also where that
    takes more than a look."""
    if all(root is cluster.origins[0].value for root in cluster.root.values()):
        return False  # nothing is forwarded
    if not all(_plain(graph, origin, cluster.origins[0].resource) for origin in cluster.origins):
        return False
    names: dict[Value, list[Value]] = {}
    for value, root in cluster.root.items():
        names.setdefault(root, []).append(value)
        if not (value.type or "").startswith("memref<"):
            return False
    made = {origin.value: has_contents(graph, origin) for origin in cluster.origins}
    if not all(root in made or _received(graph, root, cluster, handing) for root in names):
        return False
    stories: dict[Value, _Story] = {}
    for root, aliases in names.items():
        teller = _Teller(graph, cluster, root, aliases, handing)
        story = teller.story(written=False) or teller.story(written=True)
        if story is None:
            return False
        stories[root] = story
    filled = _filled(stories, made)
    return all(filled[root] or not story.needs for root, story in stories.items())


def _plain(graph: Graph, origin: Origin, resource: str) -> bool:
    """Whether an op makes the buffer and does nothing else."""
    op = origin.value.op
    if origin.kind is not OriginKind.ALLOCATION or not origin.owned or origin.resource != resource:
        return False
    if op is None or op.regions or origin.symbol is not None:
        return False
    effects = effects_at(graph, op)
    return len(effects.allocs) == 1 and not (effects.frees or effects.completion or effects.unknown)


def _received(graph: Graph, root: Value, cluster: Cluster, handing: Handing) -> bool:
    """Whether a name that is no buffer's first is bound to one of the cluster's, in an orderly way."""
    if root.op is not None and not root.op.regions:
        return False
    holder = root.op if root.op is not None else root.block.region.op if root.block is not None else None
    if holder is None or not (holder is graph.function or _orderly(graph, holder)):
        return False
    return all(source in cluster.root for source in handing.into(root))


def _orderly(graph: Graph, op: Op) -> bool:
    """Whether the regions of an op run one after the other, and control comes out in the end."""
    model = graph.model(op)
    return model is not None and not model.parallel and passes(graph, op)


class _Story(NamedTuple):
    """What becomes of a buffer under one name.

    Args:
        needs: it is read, and has to have contents when it comes.
        given: the names that get it, each with whether it has been written to under this one.
    """

    needs: bool
    given: list[tuple[Value, bool]]


class _Teller:
    """Tells the story of one name. `aliases`: it and its views."""

    def __init__(
        self,
        graph: Graph,
        cluster: Cluster,
        root: Value,
        aliases: list[Value],
        handing: Handing,
    ) -> None:
        self._graph = graph
        self._own = Cluster(cluster.origins[:1], dict.fromkeys(aliases, root))
        self._root = root
        self._handing = handing
        self._users = sorted({use.op for value in aliases for use in value.uses}, key=starts_at)
        home = root.block if root.block is not None else root.op.parent if root.op is not None else None
        assert home is not None
        self._home = home

    def story(self, written: bool) -> _Story | None:
        """None where the buffer is not given up once on every way. `written`: it has contents when it comes."""
        users = by_block(self._users, self._home.region)
        needs, given = written, list[tuple[Value, bool]]()
        entered: Counter[Block] = Counter()
        pending, left = [self._home], 0
        while users is not None and pending:
            block = pending.pop()
            left = max(MAX_BLOCKS_AHEAD, 2 * len(entered)) if users else left - 1
            if left < 0:
                return None
            after = self._through(block, users.pop(block, []), written, given)
            if after is None:
                return None
            if block is self._home:
                written = after.written
            for edge in after.kept:
                target = edge.block
                if target is None or target is self._home or target.region is not self._home.region:
                    return None  # lost
                if not entered[target]:
                    pending.append(target)
                entered[target] += 1
        if users is None or users or any(self._handing.entering(one) != count for one, count in entered.items()):
            return None
        return _Story(needs, given)

    def _through(self, block: Block, users: list[Op], written: bool, given: list[tuple[Value, bool]]) -> _After | None:
        """What a block does with the buffer; None where that is not plain. `given` takes the names that get it."""
        last = users[-1] if users and users[-1].parent is block else None
        frees = last is not None and frees_it(self._graph, last, self._own, self._own.origins[0])
        edges = self._edges(last) if last is not None and not frees else ()
        hands = any(self._receivers(edge) for edge in edges)
        gone = last is not None and (frees or hands or returns(self._graph, last, self._own))
        before = users[:-1] if gone and not frees else users
        freed = last if frees else None
        passed = followed(self._graph, block, before, freed, self._own, written)
        if passed is None or any(self._receivers(edge) for op in before for edge in self._edges(op)):
            return None
        if last is not None and frees:
            return _After(passed, [])
        if last is None or not hands:
            kept = [] if gone else list(self._graph.exits(block))
            return _After(passed, kept) if gone or kept else None
        if not self._only_hands(last) or any(ancestor(op, block) is last for op in before):
            return None
        kept: list[Edge] = []
        for edge in edges:
            receivers = self._receivers(edge)
            given.extend((receiver, passed) for receiver in receivers)
            if len(receivers) > 1 or (last.regions and not receivers):
                return None
            kept += [] if receivers else [edge]
        return _After(passed, kept)

    def _edges(self, op: Op) -> tuple[Edge, ...]:
        """Where control goes from an op."""
        if op.regions:
            return self._graph.entries(op)
        block = op.parent
        return self._graph.exits(block) if block is not None and op.index == len(block.ops) - 1 else ()

    def _receivers(self, edge: Edge) -> list[Value]:
        """The names that get the buffer along an edge."""
        given, own = self._handing.given(edge), self._own.root
        sources = own if len(own) < len(given) else [value for value in given if value in own]
        return [receiver for value in sources for receiver in given.get(value, ())]

    def _only_hands(self, op: Op) -> bool:
        """Whether an op that hands the buffer on does nothing else with it."""
        if op.regions and not _orderly(self._graph, op):
            return False
        effects = effects_at(self._graph, op)
        does = (*effects.reads, *effects.writes, *effects.escapes, *effects.acquires, *effects.returned)
        other = effects.frees or effects.allocs or effects.completion or effects.unknown or effects.packed
        plain = self._graph.model(op) is not None and self._graph.call(op) is None and not other
        return plain and not any(value in self._own.root for value in does)


class _After(NamedTuple):
    """Whether the buffer has contents at the end of a block, and the edges along which it stays with its name."""

    written: bool
    kept: list[Edge]


def _filled(stories: dict[Value, _Story], made: dict[Value, bool]) -> dict[Value, bool]:
    """Which names stand for a buffer that has contents, whichever it is. `made`: those of the new ones."""
    empty = [root for root in stories if not made.get(root, True)]
    lacking = {*reachable(empty, lambda root: (to for to, written in stories[root].given if not written))}
    return {root: root not in lacking for root in stories}
