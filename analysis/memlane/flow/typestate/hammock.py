"""The part of a function's blocks that matters to a buffer: entered in one block and left at the end of one.

(Hammocks: Ferrante, Ottenstein and Warren, "The program dependence graph and its use in optimization", 1987.) What is
made and freed there needs to be followed there only: following each of n buffers through all of n blocks is a square.
What paths know when they come in is another matter; a hammock is given only where it makes no difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from memlane.dialects.model import Guard
from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import OriginKind
from memlane.flow.control.dominators import Trees, trees_of
from memlane.flow.control.graph import Edge, Graph
from memlane.flow.control.region_edges import defining_block
from memlane.flow.control.token_chains import waiting
from memlane.flow.slicing.block_interval import Consecutive, extent
from memlane.flow.slicing.cfg_contraction import Roads
from memlane.flow.slicing.late_start import LateStarts, is_fixed
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.branch_assumption import assume
from memlane.flow.symbolic.scalar import Expr, Facts, leaves, simplify
from memlane.flow.typestate.block_ranges import Bounds
from memlane.flow.typestate.hammock_slice import Hammock, Narrow
from memlane.syntax.tree.tree import Block, Op, Region, Value

_MAX_WIDENINGS = 8
"""How often the two ends are moved apart before it is given up."""


class Hammocks:
    """Finds those of one version of a function.

    Args:
        graph: its control flow, which is kept as an attribute.
        known: what is known of its arguments where it is called.
    """

    def __init__(self, graph: Graph, known: Iterable[Expr] = ()) -> None:
        self.graph = self._graph = graph
        self._known = {leaf for expr in known for leaf in leaves(expr)}
        self._reached: set[Block] = set()
        blocks = graph.function.regions[0].blocks if graph.function.regions else []
        self._blocks = blocks if len(blocks) > 1 else []
        self._looked = False
        self._ordered = True
        self._bounds = Bounds([], 0)
        self._asked: dict[Block, set[Value]] = {}
        self._askers: dict[Value, list[Block]] = {}

    @cached_property
    def _trees(self) -> Trees:
        return trees_of(self._graph, self._blocks[0].region)

    @cached_property
    def roads(self) -> Roads:
        """Those between the blocks of the body."""
        return Roads(self._graph, self._graph.function.regions[0])

    @cached_property
    def starts(self) -> LateStarts:
        """Where paths through the body may begin."""
        return LateStarts(self._graph, self._graph.function.regions[0])

    @cached_property
    def returning(self) -> Roads:
        """The same without those that fail."""
        fails = bool(self._blocks) and bool(self._trees.failing)
        return Roads(self._graph, self._graph.function.regions[0], failing=True) if fails else self.roads

    @property
    def blocks(self) -> list[Block]:
        """The blocks of the body, where it has several."""
        return self._blocks

    def always(self) -> frozenset[int]:
        """The numbers of those that matter in any case, see `Roads`; and -1, where there are loops that do not end."""
        return frozenset(block.index for block in self.roads.always).union((-1,) if self.roads.turning else ())

    def comes_to(self, block: Block) -> bool:
        """Whether control comes to a block on some path, whatever else paths know of their conditions."""
        self._look()
        return block in self._reached

    def askers(self, value: Value) -> Iterable[Block]:
        """The blocks at the end of which a value is asked."""
        self._look()
        return self._askers.get(value, ())

    def narrow(
        self,
        clusters: Iterable[Cluster],
        graph: Graph | None = None,
        direct: bool = False,
        tried: list[Slice] | None = None,
    ) -> Narrow | None:
        """What there is to follow of clusters; None: all of the function, or unknown.

        Args:
            graph: the same control flow, with effects that differ.
            direct: paths go past blocks in which nothing matters, and there may be more than are known to be taken.
            tried: takes what is looked at.
        """
        clusters = list(clusters)
        if not self._blocks or any(o.kind is OriginKind.ARGUMENT for c in clusters for o in c.origins):
            return None
        tops = self._tops(clusters)
        found = self._around(tops, direct) if tops is not None else None
        if found is None or (not direct and len(found.blocks) == len(self._blocks)):
            return None
        part = Narrow(graph or self._graph, clusters, found, self.returning if direct else None)
        if tried is not None:
            tried.append(part)
        if len(part.blocks) == len(self._blocks):
            return None
        if not self._closed(part):
            return None
        part.taken = self._told(part)
        return part if part.taken or direct else None

    def extent(self, clusters: Iterable[Cluster]) -> int:
        """How many blocks of the text there are from the first that names the buffers to the last; 0: all lies inside
        one operation."""
        tops = self._tops(list(clusters)) if self._blocks else None
        indices = [block.index for block in tops or ()]
        return max(indices) - min(indices) + 1 if indices else 0

    def dominates(self, first: Block, second: Block) -> bool:
        """Whether all paths to `second` pass `first`, of two blocks of the function's body, where it has several."""
        self._look()
        return self._trees.forth.dominates(first.index, second.index)

    def crossed(self, first: Block, last: Block) -> bool:
        """Whether control that is in one block of the body comes to another in any case, through blocks that stand
        between them in the text, into which it comes no other way, and not to `first` again before that."""
        self._look()
        one, two = first.index, last.index
        return (
            self._bounds.alone(one, two)
            and self._bounds.once(one, two)
            and self._trees.forth.dominates(one, two)
            and self._trees.back.dominates(two + 1, one + 1)
        )

    def returns(self, block: Block, last: Block) -> Block | None:
        """The last block before `last` in the text, not before `block`, from which control may come back to that."""
        self._look()
        found = self._bounds.returns(block.index, last.index)
        return self._blocks[found] if found is not None else None

    def returned_to(self, block: Block, last: Block) -> Block | None:
        """The first block in the text, not after `block`, to which control may come back from that or from those before
        `last`."""
        self._look()
        found = self._bounds.returned_to(block.index, last.index)
        return self._blocks[found] if found is not None else None

    def is_made(self, value: Value) -> bool:
        """Whether control is known to come on some path to the block of the body in which a value is made."""
        home = self._home(value) if self._blocks else None
        return not self._blocks or (home is not None and self.comes_to(home))

    def of(self, region: Region) -> bool:
        """Whether the blocks of a region are those of the body."""
        return bool(self._blocks) and self._blocks[0].region is region

    def contiguous(self, hammock: Hammock) -> bool:
        """Whether the blocks of a hammock follow one another in the text, and none that it leads to stands before."""
        first, last = extent(hammock.blocks)
        return self._ordered and last - first + 1 == len(hammock.blocks)

    # ---- where it is -------------------------------------------------------------------------------------------

    def _tops(self, clusters: list[Cluster]) -> set[Block] | None:
        """The blocks of the body in which the buffers are named; None: all of it lies inside one operation."""
        body = self._blocks[0].region
        found: dict[Block, set[Op | None]] = {}
        seen: set[Op] = set()
        pending = [op for cluster in clusters for value in cluster.root for op in _naming(value)]
        while pending:
            op = pending.pop()
            if op in seen:
                continue
            seen.add(op)
            effects = self._graph.effects(op)
            pending += [use.op for token in effects.completion for use in token.uses]
            pending += waiting(self._graph, op) if effects.joins else ()
            top = op
            while top.parent is not None and top.parent.region is not body:
                top = top.parent.region.op
            if top.parent is None:
                return None
            found.setdefault(top.parent, set()).add(top if top is not op else None)
        for block in (value.block for cluster in clusters for value in cluster.root):
            if block is not None and block.region is body:
                found[block] = {None}
        inside = list(found.values())
        if not found or (len(found) == 1 and len(inside[0]) == 1 and None not in inside[0]):
            return None
        return set(found)

    def _look(self) -> None:
        """Find out about the blocks, once."""
        if self._looked:
            return
        self._looked, trees = True, self._trees
        for block in self._blocks:
            asked = {leaf for expr in self._guards(self._graph.exits(block)) for leaf in leaves(expr)}
            self._asked[block] = {leaf for leaf in asked if not is_fixed(self._graph, leaf)}
            for leaf in self._asked[block]:
                self._askers.setdefault(leaf, []).append(block)
        count = len(self._blocks)
        self._bounds = Bounds(trees.edges if len(self._trees.forth.parents) == count else [], count)
        self._ordered = all(parent < block for block, parent in self._trees.forth.parents.items() if block)
        self._reach()

    def _reach(self) -> None:
        """Find blocks to which control comes on some path, whatever else paths know of their conditions."""
        pending = [self._blocks[0]]
        while pending:
            block = pending.pop()
            if block in self._reached:
                continue
            self._reached.add(block)
            after = self._trees.back.parents.get(block.index + 1, 0)
            if after:
                pending.append(self._blocks[after - 1])
            edges = self._graph.exits(block)
            pending += [edge.block for edge in edges if edge.block in self._trees.before and self._may_go(block, edge)]

    def _may_go(self, block: Block, edge: Edge) -> bool:
        """Whether control, once it is in a block, is sure to take an edge on some path."""
        if edge.guard is Guard.ALWAYS:
            return True
        value = edge.place.operands[edge.number].value if edge.number < len(edge.place.operands) else None
        if value is None or edge.guard not in (Guard.TRUE, Guard.FALSE):
            return False
        expr = self._graph.expression(value)
        facts = self._begun(block, expr)
        free = leaves(simplify(expr, facts))
        if not all(self._any(block, leaf) or is_fixed(self._graph, leaf) for leaf in free):
            return False
        return any(True for _ in assume(expr, edge.guard is Guard.TRUE, facts, lambda _: True))

    def _begun(self, block: Block, expr: Expr) -> Facts:
        """The numbers with which what is counted from block to block begins."""
        found: Facts = {}
        for leaf in leaves(expr):
            if leaf.block is block:
                bound = [self._bound_to(before, block, leaf) for before in self._trees.before[block]]
                numbers = [one for one in bound if one is not None and one[0] == "const"]
                if len(numbers) == 1:
                    found["leaf", leaf] = numbers[0]
        return found

    def _bound_to(self, before: Block, block: Block, leaf: Value) -> Expr | None:
        if before in self._graph.cycle(block):
            return None
        bindings = [pair for edge in self._graph.exits(before) if edge.block is block for pair in edge.bindings]
        source = next((source for source, receiver in bindings if receiver is leaf), None)
        return self._graph.expression(source) if source is not None else None

    def _any(self, block: Block, leaf: Value) -> bool:
        """Whether a value that is asked at the end of a block may be anything there."""
        home = self._home(leaf)
        if leaf in self._known or home is None or self._hands_on(leaf):
            return False
        return len(self._askers.get(leaf, ())) == 1 or self._always(block, home)

    def _always(self, block: Block, home: Block) -> bool:
        """Whether control comes from `home`, once it is there, to `block`, and never back before that."""
        if home.index + 1 not in self._trees.back.parents or self._graph.cycle(home):
            return False
        return self._trees.back.dominates(block.index + 1, home.index + 1)

    def _home(self, value: Value) -> Block | None:
        """The block of the body in which a value is defined, or inside which."""
        home = defining_block(value)
        while home is not None and home.region is not self._blocks[0].region:
            home = home.region.op.parent
        return home

    def _hands_on(self, value: Value) -> bool:
        """Whether a value is what others were on the way to it."""
        if value.op is not None:
            return bool(value.op.regions) or self._graph.call(value.op) is not None
        return value.block is not None and (value.block.index > 0 or value.block.region.op is not self._graph.function)

    def _guards(self, edges: Iterable[Edge]) -> Iterator[Expr]:
        for edge in edges:
            if edge.guard in (Guard.TRUE, Guard.CASE) and edge.number < len(edge.place.operands):
                value = edge.place.operands[edge.number].value
                if value is not None:
                    yield self._graph.expression(value)

    def _around(self, tops: set[Block], shared: bool) -> Hammock | None:
        """The smallest hammock around some blocks. `shared`: or one whose last block, which is not one of them, control
        enters from elsewhere, too: as the labels of C are, to which each error jumps; without what fails."""
        self._look()
        trees = self._trees
        back, failing = (trees.onwards, trees.failing) if shared else (trees.back, frozenset[Block]())
        indices = sorted(block.index for block in tops)
        for _ in range(_MAX_WIDENINGS):
            first = self._trees.forth.meet(indices)
            last = back.meet([index + 1 for index in indices])
            if first is None or not last:  # no block, or the virtual exit
                return None
            ends = sorted({first, last - 1})
            if ends == indices:
                return self._between(self._blocks[first], self._blocks[last - 1], failing)
            if shared and self._blocks[last - 1] not in tops and not self._trees.forth.dominates(last - 1, first):
                found = self._between(self._blocks[first], self._blocks[last - 1], failing, shared=True)
                if found is not None:
                    return found
            indices = ends
        return None

    def _between(self, first: Block, last: Block, failing: frozenset[Block], shared: bool = False) -> Hammock | None:
        if self._bounds.alone(first.index, last.index, shared):
            return Hammock(first, last, Consecutive(self._blocks, first.index, last.index), shared)
        found = {first}
        pending = [first] if first is not last else []
        while pending:
            for after in self._trees.after[pending.pop()]:
                if after not in found and after not in failing:
                    found.add(after)
                    if after is not last:
                        pending.append(after)
        inside = found - {last}
        for block in inside - {first} if shared else found - {first}:
            if not all(before in inside for before in self._trees.before[block]):
                return None
        return Hammock(first, last, frozenset(found), shared)

    # ---- what paths know when they come in ---------------------------------------------------------------------

    def _closed(self, part: Narrow) -> bool:
        """Whether nothing that decides or is followed is handed in, or made elsewhere."""
        body, hammock = self._blocks[0].region, part.hammock
        entered = (hammock.first, hammock.last) if hammock.shared else (hammock.first,)
        if any(block.region is body and block not in hammock.blocks for block in part.stops):
            return False
        values = [*part.root, *part.decided]
        return part.scope is body and not any(
            value.block is not None
            and value.block.index > 0
            and value.block.region is body
            and (value.block in entered or value.block not in hammock.blocks)
            for value in values
        )

    def _told(self, part: Narrow) -> bool:
        """Whether paths come in, and all that may be known then may be: what is asked here is asked nowhere else, or
        whatever it is, control comes here. Notes what is asked elsewhere as well."""
        asked = (leaf for leaf in part.decided if not is_fixed(self._graph, leaf))
        part.open = {leaf for leaf in asked if not all(map(part.hammock.asks_within, self._askers.get(leaf, ())))}
        part.shared |= part.open
        return part.hammock.first in self._reached and all(self._is_free(part.hammock, leaf) for leaf in part.open)

    def _is_free(self, hammock: Hammock, leaf: Value) -> bool:
        """Whether control comes to a hammock in any case behind where a value is made."""
        home = self._home(leaf)
        return home is not None and self._always(hammock.first, home)


def _naming(value: Value) -> Iterator[Op]:
    """The ops that define or use a value."""
    if value.op is not None:
        yield value.op
    yield from (use.op for use in value.uses)
