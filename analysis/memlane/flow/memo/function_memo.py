"""What is known of a function whose ops are kept for its next version, and what of that an edit leaves standing.

Ops that are put right stay the same objects (syntax/editing/splice.py), and so does what is known by them: effects and
edges (function_graph.py), clusters (`Aliases.put_right`), and what was found out by looking at a part of the text: from
one op to another, as offsets move. An edit disturbs that where it reaches one of the ops that were looked at, or one
around them, and where it changes how many ops stand between them in their block.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterator
from itertools import repeat
from typing import NamedTuple

from memlane.flow.alias.alias import Aliases, Cluster, MayReturn
from memlane.flow.cfg.callee import called
from memlane.flow.cfg.control_facts import control_facts
from memlane.flow.cfg.graph import Graph, Source, blocks_near
from memlane.flow.derived import known
from memlane.flow.effects.effects import Effects
from memlane.flow.fastpath.lost_buffers import LostBuffer
from memlane.flow.fastpath.single_block import Settled
from memlane.flow.memo.dirty_set import OpSpread
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.function_graph import put_right
from memlane.flow.memory.pointer_memory import known_slots, stores_buffer
from memlane.flow.scalars.dealloc_helper import HELPER
from memlane.flow.slicing.hidden_dependences import Ties, hides, known_hidden, ties
from memlane.flow.typestate.cluster_result import ClusterResult
from memlane.syntax.editing.splice import Spliced
from memlane.syntax.tree.tree import Op, Value, around, used


class _KnownCluster(NamedTuple):
    """What `single_block.settled` said of a cluster.

    Args:
        around: the ops that it rests on, which hold those that name it.
    """

    said: Settled
    around: frozenset[Op]


class Same(NamedTuple):
    """What following clusters gave, where no call had a say.

    Args:
        key, entry: by what it is recalled, and what; the same object where it is the same.
        ops: those that the result names.
    """

    clusters: tuple[Cluster, ...]
    key: bytes
    entry: object
    found: ClusterResult
    ops: frozenset[Op]


class Standing:
    """See the module.

    Args:
        graph: of the function.

    Attributes:
        aliases: of the function, where they were found.
        followed: by the first cluster of some what following them gave. Where the edits did not reach what was looked
            at, which is for `Recall` to say, it is what following them gives.
    """

    __slots__ = ("_edits", "_external", "_lost", "_settled", "_ties", "aliases", "followed", "graph")

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.aliases: Aliases | None = None
        self._settled: dict[Cluster, _KnownCluster] = {}
        self._edits: list[Spliced] = []
        self._external: frozenset[tuple[str, bool]] = frozenset()
        self._ties: Ties = {}
        self._lost: dict[Cluster, LostBuffer] = {}
        self.followed: dict[Cluster, Same] = {}

    def edited(self, edit: Spliced) -> None:
        """Statements were put in place of others; `put_right` will be called before anything is asked."""
        self._edits.append(edit)

    def put_right(self, defined: Container[str], ends: Callable[[Op], bool], source: Source) -> bool:
        """Forget what the edits have changed; whether anything stands. The ops are where they belong.

        Args:
            defined, ends: see `Graph`.
            source: the text, or what gives it.
        """
        gone = {op for edit in self._edits for op in edit.gone}
        fresh = [op for edit in self._edits for op in edit.fresh if op not in gone]
        relinked = {op for edit in self._edits for op in edit.relinked}.difference(gone, fresh)
        before = gone.difference(*[edit.fresh for edit in self._edits])
        # Edits that were taken back leave the number of an op as it was, but not the op.
        self.followed = {cluster: one for cluster, one in self.followed.items() if one.ops.isdisjoint(before)}
        graph = self.graph
        graph.source = source
        slots, hidden, new = known(graph, known_slots), known(graph, known_hidden), (*fresh, *relinked)
        plain = all(edit.plain and not _ends_block(graph, edit) for edit in self._edits)
        facts = control_facts(graph, blocks_near(gone, (*fresh, *relinked))) if plain else {}
        forgotten = put_right(graph, before, relinked.union(fresh), fresh, defined, ends)
        if slots is not None and slots.none and not any(stores_buffer(op, graph.model(op)) for op in new):
            graph.memo[known_slots] = slots
        if (slots is not None and slots.views) or hidden or hides(graph):
            return False  # loads stand for what was stored somewhere, and what is taken out for what was put in
        if self.aliases is not None and not all(map(self.aliases.stays_near, (*before, *relinked), repeat(forgotten))):
            self.aliases = None
        nearby = {edit.next for edit in self._edits if edit.next is not None}
        now, then = ties(graph), self._ties
        tied = [op for op in {**now, **then} if now.get(op) != then.get(op) and op not in before]
        seeds = list(dict.fromkeys((*fresh, *relinked, *nearby.difference(gone), *tied)))
        spread = self._reached(seeds)
        far = [op for op in spread.ops if op in forgotten and op not in relinked]
        if any(not _gives_the_same(effects_at(graph, op), forgotten[op]) for op in far):
            self.aliases = None  # what some give rests on ops that lie further back
        if _external(graph, defined) != self._external:
            return False
        if facts and not self._asked((*fresh, *relinked, *tied)):
            graph.memo.update(facts)
        if any(graph.models.functions[symbol].compute == HELPER for symbol, _ in self._external):
            self._settled = {}  # flags stand for what was stored somewhere
        self._disturb(spread)
        return True

    def find_aliases(self, may_return: MayReturn) -> Aliases | None:
        """The clusters now; None where they have to be found anew. To be asked once."""
        aliases, self.aliases = self.aliases, None
        if aliases is None:
            return None
        gone = {op for edit in self._edits for op in edit.gone}
        others = {op for edit in self._edits for op in (*edit.fresh, *edit.relinked)} - gone
        values = {value for edit in self._edits for value in edit.values}
        return aliases if aliases.put_right(values, gone, others, may_return) else None

    def keep(self, aliases: Aliases | None, defined: Container[str]) -> None:
        """The version was looked at, and its clusters are those; what is remembered of others is let go of.

        Args:
            defined: as in `put_right`.
        """
        self.aliases, self._edits = aliases, []
        there = set(aliases.clusters.values()) if aliases is not None else set[Cluster]()
        self._settled = {cluster: known for cluster, known in self._settled.items() if cluster in there}
        self._lost = {cluster: known for cluster, known in self._lost.items() if cluster in there}
        self.followed = {cluster: known for cluster, known in self.followed.items() if cluster in there}
        self._external = _external(self.graph, defined)
        self._ties = ties(self.graph)
        self.graph.source = ""

    def _reached(self, seeds: list[Op]) -> OpSpread:
        """What the edit reaches. `seeds`: ops that are new or use something else, and those before which some were."""
        spread = OpSpread(self.graph)
        pending = [*seeds, *(around for op in seeds for around in spread.around(op))]
        spread.spread(list(dict.fromkeys(pending)))
        return spread

    def _asked(self, ops: Collection[Op]) -> bool:
        """Whether some ops, or what they reach, say where control goes."""
        spread = OpSpread(self.graph)
        spread.spread(ops)
        return any(map(self.graph.asks, spread.ops))

    def _disturb(self, spread: OpSpread) -> None:
        """Forget what rests on ops that the edit reaches, or on ops around them; see `_reached`."""
        find = self.aliases.cluster_of if self.aliases is not None else _no_cluster
        touched = {find(value) for op in spread.ops for value in _named(op)}
        holders = spread.ends.union(op for op in spread.ops if op.regions)

        def stands(cluster: Cluster, known: _KnownCluster) -> bool:
            return cluster not in touched and holders.isdisjoint(known.around)

        self._settled = {cluster: known for cluster, known in self._settled.items() if stands(cluster, known)}

    # ---- what is remembered ------------------------------------------------------------------------------------------

    def settled(self, cluster: Cluster) -> Settled | None:
        """What `single_block.settled` says of a cluster, where that is known."""
        known = self._settled.get(cluster)
        return known.said if known is not None else None

    def settle(self, cluster: Cluster, said: Settled) -> None:
        """Remember what `single_block.settled` said of a cluster, where no call had a say."""
        users = {use.op for value in cluster.root for use in value.uses}
        if any(self.graph.call(op) is not None for op in users):
            return
        holders = frozenset(around(users, self.graph.function)) if said.around else _NONE
        self._settled[cluster] = _KnownCluster(said, holders)

    def lost(self, cluster: Cluster) -> LostBuffer | None:
        """The leak of a cluster that was found last without following it; whether it is the same now is not known."""
        return self._lost.get(cluster)

    def keep_lost(self, cluster: Cluster, found: LostBuffer) -> None:
        """Remember such a leak."""
        self._lost[cluster] = found


def _ends_block(graph: Graph, edit: Spliced) -> bool:
    """Whether it may rest on ops that are gone or fresh where control goes at the end of their block."""
    if edit.next is not None:
        return False
    ending = (op for op in (*edit.gone, *edit.fresh) if op.parent is not None)
    return any(graph.ends_region(op) or (op.parent is not None and op.parent.region.op.results) for op in ending)


def _gives_the_same(now: Effects, before: Effects) -> bool:
    return now.views == before.views and now.allocs == before.allocs


def _named(op: Op) -> Iterator[Value]:
    """The values that an op uses or defines."""
    yield from op.results
    yield from used(op)


def _no_cluster(value: Value) -> None:
    return None


def _external(graph: Graph, defined: Container[str]) -> frozenset[tuple[str, bool]]:
    """Of the well-known functions that are called, whether they have a body: their effects differ then. And the others
    that never come back."""
    models = graph.models
    calls = [(name, model.call) for name, model in graph.named_models.items() if model is not None and model.call]
    symbols = {called(op, call, models) for name, call in calls for op in graph.named[name]}
    ending = {called(op, call, models) for name, call in calls for op in graph.named[name] if graph.ends(op)}
    known = ((one, one in defined) for one in symbols - ending if one is not None and one in models.functions)
    return frozenset((*known, *((one, True) for one in ending if one is not None)))


_NONE = frozenset[Op]()
