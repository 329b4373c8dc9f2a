"""What is known of a function whose ops are kept for its next version, and what of that an edit leaves standing.

Ops that are put right stay the same objects (syntax/editing/splice.py), and so does what is known by them: effects and
edges (`Graph.put_right`), clusters (`Aliases.put_right`), and what was found out by looking at a part of the text: from
one op to another, as offsets move. An edit disturbs that where it reaches one of the ops that were looked at, or one
around them, and where it changes how many ops stand between them in their block.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Container, Iterator
from itertools import accumulate, repeat

from memlane.flow.alias.alias import Aliases, Cluster, MayReturn
from memlane.flow.alias.liveness import LateFree
from memlane.flow.control.callee import called
from memlane.flow.control.graph import Graph, Source
from memlane.flow.control.lowered import HELPER
from memlane.flow.control.slots import stores_buffer
from memlane.flow.control.within import ancestor
from memlane.flow.plain.straight import frees_it, returns
from memlane.flow.recall.reached import Spread
from memlane.flow.slices.hiding import hides
from memlane.syntax.editing.splice import Spliced
from memlane.syntax.tree.tree import Block, Op, Value

Known = tuple[LateFree, ...] | None
"""The late deallocations of the buffer of a cluster, as `straight.settled` tells them."""


class Standing:
    """See the module.

    Args:
        graph: of the function.

    Attributes:
        aliases: of the function, where they were found.
    """

    __slots__ = ("_edits", "_external", "_quiet", "_quiet_as", "_settled", "aliases", "graph")

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.aliases: Aliases | None = None
        self._settled: dict[Cluster, tuple[Op, Op, Known]] = {}
        self._quiet: set[Value] = set()
        self._quiet_as: object = None
        self._edits: list[Spliced] = []
        self._external: frozenset[tuple[str, bool]] = frozenset()

    def edited(self, edit: Spliced) -> None:
        """Statements were put in place of others; `put_right` will be called before anything is asked."""
        self._edits.append(edit)

    def put_right(self, defined: Container[str], source: Source) -> bool:
        """Forget what the edits have changed; whether anything stands. The ops are where they belong.

        Args:
            defined: symbols of functions whose body is at hand.
            source: the text, or what gives it.
        """
        gone = {op for edit in self._edits for op in edit.gone}
        fresh = [op for edit in self._edits for op in edit.fresh if op not in gone]
        relinked = {op for edit in self._edits for op in edit.relinked}.difference(gone, fresh)
        before = gone.difference(*[edit.fresh for edit in self._edits])
        graph = self.graph
        graph.source = source
        slots, new = graph.slots, (*fresh, *relinked)
        known = graph.put_right(before, relinked.union(fresh), fresh, defined)
        if slots is not None and slots.none and not any(stores_buffer(op, graph.model(op)) for op in new):
            graph.slots = slots
        if (slots is not None and slots.views) or hides(graph):
            return False  # loads stand for what was stored somewhere, and what is taken out for what was put in
        if self.aliases is not None and not all(map(self.aliases.stays_near, (*before, *relinked), repeat(known))):
            self.aliases = None
        if _external(graph, defined) != self._external:
            return False
        nearby = {edit.next for edit in self._edits if edit.next is not None}
        if any(graph.models.functions[symbol].compute == HELPER for symbol, _ in self._external):
            self._settled, self._quiet = {}, set()  # flags stand for what was stored somewhere
        self._disturb([*fresh, *relinked, *nearby.difference(gone)], gone)
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
        self._external = _external(self.graph, defined)
        self.graph.source = ""

    def _disturb(self, seeds: list[Op], gone: Collection[Op]) -> None:
        """Forget what rests on ops that the edit reaches, on ops around them, or on how many there are in a block.

        Args:
            seeds: ops that are new or use something else, and those before which some were.
        """
        spread = Spread(self.graph)
        pending = [*seeds, *(around for op in seeds for around in spread.around(op))]
        spread.spread(list(dict.fromkeys(pending)))
        self._quiet = {value for value in self._quiet if value.op not in spread.ops and value.op not in gone}
        find = self.aliases.cluster_of if self.aliases is not None else _no_cluster
        touched = {find(value) for op in spread.ops for value in _named(op)}
        spans = sorted({op.span for op in spread.ops if op.regions})
        starts, ends = [start for start, _ in spans], list(accumulate((end for _, end in spans), max))
        places: dict[Block | None, list[int]] = {}
        for op in seeds:
            places.setdefault(op.parent, []).append(op.span.start)

        def stands(cluster: Cluster, first: Op, last: Op) -> bool:
            begin, end, made = first.span.start, last.span.end, cluster.origins[0].value.op
            before = bisect_right(starts, end)
            if cluster in touched or made is None or (before and ends[before - 1] >= begin):
                return False
            return not any(begin <= place <= end for place in places.get(made.parent, ()))

        self._settled = {one: known for one, known in self._settled.items() if stands(one, known[0], known[1])}

    # ---- what is remembered ------------------------------------------------------------------------------------------

    def settled(self, cluster: Cluster) -> tuple[Known] | None:
        """What `straight.settled` says of a cluster, where that is known."""
        known = self._settled.get(cluster)
        return (known[2],) if known is not None else None

    def settle(self, cluster: Cluster, found: Known) -> None:
        """Remember what `straight.settled` said of a cluster, where no call had a say."""
        made = cluster.origins[0].value.op
        users = {use.op for value in cluster.root for use in value.uses}
        if made is None or any(self.graph.call(op) is not None for op in users):
            return
        around = [made]
        if found is not None or not self._left_open(cluster, users, made):
            around += [*users, *(one for op in users if (one := ancestor(op, made.parent)) is not None)]
        self._settled[cluster] = min(around, key=_start), max(around, key=_end), found

    def _left_open(self, cluster: Cluster, users: Collection[Op], made: Op) -> bool:
        """Whether the buffer is neither freed nor returned by the last op that names it, in the block that makes it:
        nothing else has a say in that."""
        last = max(users, key=_start, default=made)
        if last.parent is not made.parent:
            return True
        graph = self.graph
        return not frees_it(graph, last, cluster, cluster.origins[0]) and not returns(graph, last, cluster)

    def quiet(self, known: object) -> set[Value]:
        """The buffers of whose size nothing is to be said, to be added to. They rest on what their op uses, and so on.

        Args:
            known: what else that rests on; others are forgotten where it differs.
        """
        if self._quiet_as != known:
            self._quiet, self._quiet_as = set(), known
        return self._quiet


def _named(op: Op) -> Iterator[Value]:
    """The values that an op uses or defines."""
    yield from op.results
    for use in (*op.operands, *(use for one in op.successors for use in one.operands)):
        if use.value is not None:
            yield use.value


def _no_cluster(value: Value) -> None:
    return None


def _external(graph: Graph, defined: Container[str]) -> frozenset[tuple[str, bool]]:
    """Of the well-known functions that are called, whether their body is at hand: what they do differs then."""
    models = graph.models
    calls = [(name, model.call) for name in graph.named if (model := models.of(name)) is not None and model.call]
    symbols = {called(op, call, models) for name, call in calls for op in graph.named[name]}
    return frozenset((one, one in defined) for one in symbols if one is not None and one in models.functions)


def _start(op: Op) -> int:
    return op.span.start


def _end(op: Op) -> int:
    return op.span.end
