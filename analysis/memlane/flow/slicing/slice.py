"""The part of a function that matters to one cluster: where its buffers are named, and what decides the way there.

Everything else is stepped over, so that following a buffer costs its uses and the structure around them, not
the length of the function. The slice lies in the smallest region that holds all its places; exploration starts
there and treats what is around it as given.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain
from operator import attrgetter

from memlane.dialects.model import Guard
from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import OriginKind
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.loops import Changing
from memlane.flow.cfg.region_edges import block_in, defining_block, edges_within, regions_around, repeats
from memlane.flow.derived import Memoized
from memlane.flow.effects.aggregate_buffers import results_of
from memlane.flow.effects.effects import FreeOf
from memlane.flow.memory.call_arguments import PassedScalars, passed_scalars
from memlane.flow.memory.effects_at import effects_at, named_through
from memlane.flow.memory.multi_free import freed
from memlane.flow.memory.pointer_memory import variables_among
from memlane.flow.memory.scalar_memory import cells_of
from memlane.flow.memory.stack_points import points_about
from memlane.flow.memory.token_chains import Chained
from memlane.flow.scalars.edge_conditions import condition_of
from memlane.flow.scalars.expressions import computed_flags, scalar_of
from memlane.flow.scalars.trip_count import trip_of
from memlane.flow.slicing.condition_vars import Decisions
from memlane.flow.slicing.dispatch_slice import Between, Followed, between, regions_of
from memlane.flow.slicing.entry_conditions import Entry, entry_of
from memlane.flow.slicing.forwarded_constants import is_forwarded_outside
from memlane.flow.symbolic.scalar import Expr, leaves
from memlane.flow.symbolic.types import is_integer
from memlane.syntax.tree.tree import Block, Op, Region, Value

_SHAPED = ("memref<", "tensor<")
_index, _VALUE, _OPERANDS = attrgetter("index"), attrgetter("value"), attrgetter("operands")


class Slice(Memoized):
    """See the module.

    Args:
        graph: the function's control flow.
        clusters: the clusters to follow together.
        whole: follow from the function's entry, whatever the clusters need (for summaries).
        wanted: expressions whose value matters besides.
        plain: take every decision as a free choice.
        also: ops to execute besides. `lending`: calls that change nothing but that buffers are used (may_free.py).

    Attributes:
        origins: by their value. `among`: gives the cluster of any value.
        root: of every alias; a state says for each root which buffer it denotes.
        scope: the region in which everything happens.
        stops: per block the ops to execute, in order. Blocks without any have no entry.
        position: index of each such op in its block's stops.
        between: the places between regions that are executed in any order.
        before: what holds where it begins.
        awaited: the tokens that stand for what an op waits for, where that is left out.
        scalars: block arguments and region results whose value decides a way.
        counted: loops whose counter is followed.
        loads: buffers come back from memory here.
        decided: leaves that a decision depends on.
        shared: leaves that more than one decision depends on.
        free: and remember nothing of arguments for callers.
        hopeless: there are too many ways through it to tell apart, by what is known on them alone.
    """

    lets_go = True
    """Whether names of buffers are let go between regions that are executed in any order, as no operation can use
    them."""

    __slots__ = (
        *("_around_leaves", "_changing", "_freeing", "_graph", "_idle", "_inside", "_named", "_on_stack", "_regions"),
        *("_roots", "among", "awaited", "before", "between", "counted", "decided", "free", "graph", "hopeless"),
        *("loads", "origins", "plain", "position", "root", "scalars", "scope", "shared", "stops", "wanted"),
    )

    def __init__(
        self,
        graph: Graph,
        clusters: Collection[Cluster],
        whole: bool = False,
        wanted: Iterable[Expr] = (),
        plain: bool = False,
        also: Iterable[Op] = (),
        lending: Collection[Op] = (),
    ) -> None:
        super().__init__()
        self.graph = self._graph = graph
        self._inside: dict[Value, frozenset[Block | Region]] = {}
        self._freeing, self._regions = None, dict[Op, frozenset[Block | Region]]()
        self._roots, self._idle = dict[Op, tuple[Value, ...]](), dict[Op, bool]()
        self.free = self.hopeless = False
        self._named, self._around_leaves = dict[Op, set[Value]](), dict[Expr, frozenset[Block | Region]]()
        self.root = dict(chain.from_iterable(cluster.root.items() for cluster in clusters))
        self.origins = {origin.value: origin for cluster in clusters for origin in cluster.origins}
        stack = [value for value, origin in self.origins.items() if origin.resource == "stack"]
        self._on_stack = frozenset(points_about(graph, stack, self.root))
        self.among = next((cluster.among for cluster in clusters), Cluster().among)
        self.loads = any(value.op is not None and value in effects_at(graph, value.op).loaded for value in self.root)
        self._changing = Changing(graph.loops)
        self.counted: set[Op] = set()
        self.scalars: set[Value] = set()
        self.shared: set[Value] = set()
        self.decided: Set[Value] = set()
        self.between: Mapping[Block, Between] = {}
        self.plain, self.wanted = plain, tuple(wanted)
        ops = self._ops() | set(also)
        self.scope = self._scope(ops | variables_among(graph, self.root), whole)
        self.stops, self.position = dict[Block, list[Op]](), dict[Op, int]()
        self._grow(ops, lending)
        whole_function = self.scope.op is graph.function
        entry = Entry() if plain or whole_function else entry_of(graph, self.scope, self._asked())
        self.before, self.shared = entry.conditions, self.shared | entry.shared
        if plain:
            self.counted, self.scalars, self.shared = set[Op](), set[Value](), set[Value]()
        self.between = between(graph, Followed(self.stops, self.root.keys(), self.scalars, self.lets_go))

    def _ops(self) -> set[Op]:
        ops: set[Op] = set(self._on_stack)
        for value in self.root:
            ops.update(use.op for use in value.uses)
            if value.op is not None:
                ops.add(value.op)
            elif value.block is not None and value.block.region.op is not self._graph.function:
                ops.add(value.block.region.op)
        return ops

    @property
    def blocks(self) -> Collection[Block]:
        """The blocks of the scope that paths go through."""
        return self.scope.blocks

    def points(self) -> int:
        """How many points there are at which a path may be."""
        blocks = {block for one in (self.scope, *regions_of(self._graph, self.position)) for block in one.blocks}
        return sum(1 + len(self.stops.get(block, ())) for block in blocks)

    def names_inside(self, holders: Collection[Value], op: Op) -> bool:
        """Whether a buffer with these holders is named in the regions of `op`."""
        return not self.named_inside(op).isdisjoint(holders)

    def named_inside(self, op: Op) -> Set[Value]:
        """The roots of the buffers that are named in the regions of `op`."""
        if not self._named:
            self._find_named()
        return self._named.get(op, frozenset())

    def _find_named(self) -> None:
        for value, root in self.root.items():
            for use in value.uses:
                block = use.op.parent
                while block is not None:
                    named = self._named.setdefault(block.region.op, set())
                    if root in named:
                        break  # and so in all around it
                    named.add(root)
                    block = block.region.op.parent

    def _scope(self, ops: set[Op], whole: bool) -> Region:
        body = self._graph.function.regions[0]
        if whole or any(origin.kind is OriginKind.ARGUMENT for origin in self.origins.values()):
            return body
        common: list[Region] | None = None
        for op in ops:
            around = regions_around(op, body)
            common = around if common is None else [a for a, b in zip(common, around, strict=False) if a is b]
        return common[-1] if common else body

    def _grow(self, ops: set[Op], lending: Collection[Op]) -> None:
        """Add the ops around the relevant ones, then the decisions on the way, until nothing new is needed."""
        pending, added, chained = list(ops), set[Op](), Chained(self._graph, ops)
        while True:
            while pending:
                if (op := pending.pop()) in added:
                    continue
                added.add(op)
                if (effects := effects_at(self._graph, op)).completion or effects.joins:
                    pending.extend(chained.after(op))
                holder = op.parent.region if op.parent is not None else None
                if holder is not None and holder is not self.scope and holder.op is not self._graph.function:
                    pending.append(holder.op)
            self._count_loops(added, lending)
            pending.extend(self._decide(added) - added)
            if not pending:
                break
        self.awaited = chained.awaited(added)
        for op in added:
            if op.parent is not None:
                self.stops.setdefault(op.parent, []).append(op)
        for stops in self.stops.values():
            stops.sort(key=_index)
            self.position.update((op, index) for index, op in enumerate(stops))

    def _count_loops(self, ops: set[Op], lending: Collection[Op]) -> None:
        """Loops whose body changes who holds what are followed iteration by iteration."""
        for op in ops:
            if not (
                (effects := effects_at(self._graph, op)).allocs or effects.frees or self._graph.call(op) is not None
            ):
                continue
            block = op.parent
            while block is not None:
                self._changing.add(block)
                if block.region is self.scope:
                    break
                if op not in lending and trip_of(self._graph, block.region.op) is not None:
                    self.counted.add(block.region.op)
                block = block.region.op.parent
        for block in (value.block for value in self.root if value.block is not None):
            holder = block.region.op
            if holder is not self._graph.function and trip_of(self._graph, holder) is not None:
                self.counted.add(holder)
            self._changing.add(block)

    def _decide(self, ops: set[Op]) -> set[Op]:
        """What the guards between the ops depend on; gives the ops whose execution binds it."""
        decisions, pending = Decisions(), list(self.wanted)
        for expr, place in self.guards(ops):
            pending.append(expr)
            for leaf in leaves(expr):
                if decisions.add(leaf) and repeats(self._graph, place, leaf):  # two are as good as more
                    decisions.add(leaf)
        seen, binders, fresh = set[Value](), set[Op](), ops
        while pending or fresh:  # what calls give may be passed to others: a chain of n is not n rounds over all ops
            for call, passed in self.called(fresh):
                pending.extend(passed.bound)
                for some in passed.together:
                    decisions.add_all(some, repeats(self._graph, call, next(iter(some))))
                decisions.shared |= passed.repeated
            fresh = self._trace(pending, decisions, seen) - ops - binders
            binders |= fresh
        self.decided, self.shared = decisions.all(seen), decisions.shared
        return binders

    def _asked(self) -> set[Value]:
        """What decisions depend on, and what was loaded elsewhere of the variables that they ask."""
        asked = set(self.decided)
        for op in (leaf.op for leaf in self.decided if leaf.op is not None):
            cell = cells_of(self._graph).of(self._graph, op, self.root)
            asked.update(cell.loads if cell is not None else ())
        return asked

    def follow_wanted(self) -> None:
        """Follow what is wanted, and what that depends on, also where decisions are free choices."""
        seen = set[Value]()
        self._trace(list(self.wanted), Decisions(), seen)
        self.shared |= seen

    def _trace(self, pending: list[Expr], decisions: Decisions, seen: set[Value]) -> set[Op]:
        """The ops that bind the leaves that expressions depend on, from block to block, but those `seen`; counts
        decisions."""
        binders = set[Op]()
        while pending:
            for leaf in leaves(pending.pop()):
                if leaf in seen:
                    continue
                seen.add(leaf)
                for source, binder in self._sources(leaf):
                    self.scalars.add(leaf)
                    decisions.add(leaf, twice=True)
                    binders.add(binder)
                    for inner in leaves(source):
                        decisions.add(inner)
                    pending.append(source)
        return binders

    def called(self, ops: Collection[Op]) -> Iterable[tuple[Op, PassedScalars]]:
        """The calls among the ops, with what they pass."""
        return ((op, passed_scalars(self._graph, op)) for op in ops if self._graph.call(op) is not None)

    def guards(self, ops: Collection[Op]) -> Iterator[tuple[Expr, Op]]:
        """The expressions that decide edges between the ops, each with the op that asks; of calls see `called`."""
        graph = self._graph
        asked = [e for e in self.edges(ops) if e.guard in (Guard.TRUE, Guard.CASE, Guard.HOLDS)]
        for edge in {e.place if e.guard is Guard.CASE else e: e for e in asked}.values():  # a switch asks once
            if (expr := condition_of(graph, edge)) is not None:
                yield expr, edge.place
        for op in ops:
            if (model := graph.model(op)) is None:
                continue
            trip = trip_of(graph, op) if model.trip is not None else None
            if trip is not None:
                yield ("cmpi", "slt", trip.lower, trip.upper), op
                if op in self.counted:
                    yield trip.upper, op
            for free in self.frees(op) if model.free else ():
                if free.condition is not None:
                    yield scalar_of(graph, free.condition), op
            if graph.call(op) is not None and op.symbol is None and op.operands:
                called = scalar_of(graph, op.operands[0].value) if op.operands[0].value is not None else ("const", 0)
                if called[0] in ("leaf", "select"):
                    yield called, op  # one of several functions
            if graph.selects(op) and op.operands and op.operands[0].value is not None:
                choice = scalar_of(graph, op.operands[0].value), op
                yield from (choice for _ in effects_at(graph, op).views)  # one for each field

    def edges(self, ops: Collection[Op]) -> Iterator[Edge]:
        for op in ops:
            if op.regions and op is not self._graph.function:
                yield from self._graph.entries(op)
        for region in {self.scope} | regions_of(self._graph, ops):
            for block in self.blocks if region is self.scope else region.blocks:
                yield from self.exits(block)

    def exits(self, block: Block) -> tuple[Edge, ...]:
        """Where paths go from its end."""
        place = self.between.get(block) if self.between else None
        return place.onward if place is not None else self._graph.exits(block)

    def _made_of(self, flag: Value) -> Iterator[tuple[Expr, Op]]:
        """What a flag is made of that is looked at where it is made, and the op that makes it, if paths pass that."""
        if flag.op is not None and block_in(flag.op.parent, self.scope) in self.blocks:
            yield computed_flags(self._graph)[flag], flag.op

    def _sources(self, leaf: Value) -> Iterator[tuple[Expr, Op]]:
        """What may flow into a block argument or a region op's result, each with the op that hands it over."""
        if (leaf.type or "").startswith(_SHAPED):
            return  # dimensions are asked of it, and it is followed by no number
        if is_forwarded_outside(self._graph, leaf, self.scope):
            return  # it is one value wherever paths go
        cell = cells_of(self._graph).of(self._graph, leaf.op, self.root) if leaf.op is not None else None
        if leaf.op is not None and (cell is not None or self._graph.call(leaf.op) is not None):
            if cell is not None or is_integer(leaf.type):  # of what a call gives, paths know numbers alone
                yield ("const", 0), leaf.op
            yield from cell.sources(self._graph) if cell is not None else ()
        elif leaf in computed_flags(self._graph):
            yield from self._made_of(leaf)
        elif leaf.op is not None and leaf.op.regions:
            if self._followed(leaf, _blocks_in(leaf.op)):
                for edge in edges_within(self._graph, leaf.op):
                    yield from self._bound(edge, leaf, leaf.op)
        elif leaf.block is not None and leaf.block.index > 0:
            if self._comes_round(leaf, leaf.block):
                for edge in self._graph.entering(leaf.block):
                    yield from self._bound(edge, leaf, edge.place)
        elif leaf.block is not None and leaf.block.region.op is not self._graph.function:
            holder = leaf.block.region.op
            if self._followed(leaf, _blocks_in(holder)):  # a round of `scf.while` goes through both its regions
                for edge in edges_within(self._graph, holder):
                    yield from self._bound(edge, leaf, holder)

    def _comes_round(self, leaf: Value, block: Block) -> bool:
        """The same of an argument of a block; of the header of a loop that loop decides, not those around it."""
        loops = self._graph.loops(block.region)
        if leaf.type != "i1" and loops.heads(block):
            return self._changing.within(block)
        return self._followed(leaf, loops.cycle(block))

    def _followed(self, leaf: Value, loop: Collection[Block]) -> bool:
        """Whether a value that changes round a loop is followed: numbers only where the loop changes buffers too."""
        if leaf.type == "i1" or not loop:
            return True
        return any(block in self._changing for block in loop) or not any(
            self._graph.cycle(block) or self._graph.may_repeat(block.region) for block in loop
        )

    def _bound(self, edge: Edge, target: Value, binder: Op) -> Iterator[tuple[Expr, Op]]:
        for source, receiver in edge.bindings:
            if receiver is target and source is not None:
                yield scalar_of(self._graph, source), binder

    def inside(self, value: Value) -> frozenset[Block | Region]:
        """The blocks and regions around the definition of `value`, up to the slice's scope."""
        if value not in self._inside:
            self._inside[value] = frozenset(self._containers(defining_block(value)))
        return self._inside[value]

    def named(self, op: Op) -> tuple[Value, ...]:
        """The roots of the buffers that an op names, each once."""
        if op not in self._roots:
            self._roots[op] = tuple({self.root[value]: None for value in self.names(op)})
        return self._roots[op]

    def names(self, op: Op) -> Iterable[Value]:
        """The values that an op names by which buffers are known; others, of which there may be many, cost little."""
        named = map(_VALUE, chain(op.operands, *map(_OPERANDS, op.successors)))
        return filter(self.root.__contains__, chain(named, named_through(self._graph, op)))

    def idle(self, op: Op) -> bool:
        """Whether an op itself does nothing to the buffers that are followed, whatever its regions do."""
        found = self._idle.get(op)
        if found is None:
            found = self._idle[op] = not self.named(op) and not self._concerned(op)
        return found

    def _concerned(self, op: Op) -> bool:
        if op in self._on_stack:
            return True
        effects = effects_at(self._graph, op)
        named = (*results_of(self._graph, op), *(one.result for one in effects.views))
        touched = (*effects.reads, *effects.writes, *effects.escapes, *effects.acquires, *effects.returned)
        return not self.root.keys().isdisjoint((*named, *touched, *effects.packed)) or bool(self.frees(op))

    def frees(self, op: Op) -> Sequence[FreeOf]:
        """What an op frees of the buffers that are followed."""
        return freed(self._graph, op, self.root.keys()) if effects_at(self._graph, op).frees else ()

    @property
    def freeing(self) -> bool:
        """Whether an op frees a buffer that is followed; what is called is not asked."""
        if self._freeing is None:
            self._freeing = any(map(self.frees, self.position))
        return self._freeing

    def regions(self, op: Op) -> frozenset[Block | Region]:
        """The regions of an op: one set, however many of them lead out of it."""
        if op not in self._regions:
            self._regions[op] = frozenset(op.regions)
        return self._regions[op]

    def leave(self, values: Iterable[Value], gone: frozenset[Block | Region]) -> bool:
        """Whether one of the values is defined in what is gone."""
        return not all(gone.isdisjoint(self.inside(value)) for value in values)

    def ends(self, expr: Expr, gone: frozenset[Block | Region]) -> bool:
        """The same of the values that an expression is made of."""
        if (around := self._around_leaves.get(expr)) is None:
            around = self._around_leaves[expr] = frozenset[Block | Region]().union(*map(self.inside, leaves(expr)))
        return not gone.isdisjoint(around)

    def _containers(self, block: Block | None) -> Iterator[Block | Region]:
        while block is not None:
            yield block
            yield block.region
            block = block.region.op.parent if block.region is not self.scope else None


def _blocks_in(op: Op) -> list[Block]:
    """The blocks of the regions of an op."""
    return [block for region in op.regions for block in region.blocks]
