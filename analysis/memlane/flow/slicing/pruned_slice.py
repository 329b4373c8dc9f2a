"""The shortest way through the blocks of a function for the buffers of a slice: past all in which nothing matters.

A choice between blocks that name no buffer, and after which control comes to the same block in any case, is irrelevant
to them: its condition is not followed, else n such choices would make 2 to the power of n paths. (The next observable
node of a slice: Danicic et al., "A unifying theory of control dependence and its application to arbitrary program
structures", 2011.) Loops that name none end, whatever is known.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import chain

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import OriginKind
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.memory.effects_at import named_through
from memlane.flow.slicing.cfg_contraction import Roads
from memlane.flow.slicing.dispatch_slice import regions_of
from memlane.flow.slicing.late_start import LateStarts, is_fixed
from memlane.flow.slicing.slice import Slice
from memlane.syntax.tree.tree import Block, Op, Region, Value


class Direct(Slice):
    """A slice of which paths go straight to the next block that matters.

    Args:
        graph, clusters, whole, plain: see `Slice`.
        roads: between the blocks of the function's body; None: paths go through all blocks.
        late: paths go straight to where the first of the buffers is made or named, where that is one of these. They
            have to be free of what is decided before, see `is_free`.

    Attributes:
        first: the block where that is; None: paths come to it as they do.
    """

    returning = True
    """Whether paths that begin late are followed to a return of the function from where nothing matters any more."""

    __slots__ = ("_late", "_roads", "_short", "_through", "_until", "_ways", "first")

    def __init__(
        self,
        graph: Graph,
        clusters: Collection[Cluster],
        roads: Roads | None,
        whole: bool = False,
        plain: bool = False,
        late: LateStarts | None = None,
    ) -> None:
        self._roads, self._late = roads, late
        self.first: Block | None = None
        self._until: Collection[Block] | None = None
        """The blocks between that and the last that matters, where it is known how control goes on behind these."""
        self._through: Collection[Block] | None = None
        self._short: dict[Region, Roads] = {}
        """The regions of which paths go past blocks, each with the ways between the others."""
        self._ways: dict[Block, tuple[Edge, ...]] = {}
        super().__init__(graph, clusters, whole, plain=plain)

    @property
    def blocks(self) -> Collection[Block]:
        """See `Slice.blocks`."""
        return self.around if self._through is None else self._through

    @property
    def around(self) -> Collection[Block]:
        """The blocks of the scope among which paths stay."""
        return self._late.behind(self.first) if self._late is not None and self.first is not None else self.scope.blocks

    @property
    def passed(self) -> Iterable[Block]:
        """Those of them that are passed in any case; the first may matter to nothing, as before a loop in which a
        buffer is made."""
        return self.scope.blocks[:1] if self.first is None else (self.scope.blocks[0], self.first)

    def points(self) -> int:
        """See `Slice.points`."""
        inner = {block for region in regions_of(self._graph, self.position) for block in region.blocks}
        return sum(1 + len(self.stops.get(block, ())) for block in inner.union(self.blocks))

    def stays(self, block: Block) -> bool:
        """Whether paths go through a block of a region that they enter, not past it."""
        return block in self._ways or block.region not in self._short

    def shortens(self, region: Region) -> bool:
        """Whether paths go past blocks of a region."""
        return region in self._short

    def exits(self, block: Block) -> tuple[Edge, ...]:
        """See `Slice.exits`; of blocks that paths go past there are none."""
        found = self._ways.get(block)
        if found is None:
            return () if block.region in self._short else super().exits(block)
        return found

    def _ops(self) -> set[Op]:
        return {op for op in super()._ops() if not self._hands_out(op)}

    def _hands_out(self, op: Op) -> bool:
        """Whether all that the end of a block does to the buffers is to hand them on under names not followed."""
        block = op.parent
        if block is None or op is not block.ops[-1] or op.regions or not (edges := self._graph.exits(block)):
            return False
        # Operands that a branch itself uses are conditions; those it forwards are named by its successors.
        handed = {source for edge in edges for source, _ in edge.bindings} if not op.successors else ()
        if any(use.value in self.root and use.value not in handed for use in op.operands):
            return False
        if self._graph.call(op) is not None and any(map(self.root.__contains__, named_through(self._graph, op))):
            return False  # where the end of a block is not written, a call that is passed a container may be the last
        return not self._concerned(op) and not any(to in self.root for edge in edges for _, to in edge.bindings)

    def _decide(self, ops: set[Op]) -> set[Op]:
        stay = {op.parent for op in ops if op.parent is not None}
        stay.update(value.block for value in self.root if value.block is not None)
        while True:
            self._shorten(ops, stay)
            found = super()._decide(ops)
            around = frozenset[Block | Region]().union(*map(self.inside, (*self.decided, *self.scalars)))
            made = {block for block in around if isinstance(block, Block)}  # there what is known of them ends
            for roads in self._short.values():
                made.update(block for leaf in self.decided for block in roads.leaving.get(leaf, ()))
            if made <= stay:
                return found
            stay |= made

    def _begin(self, ops: set[Op]) -> Block | None:
        """The first block that matters, where paths go straight to that."""
        if self._late is None or self.scope is not self._late.region:
            return None
        if any(one.kind is not OriginKind.ALLOCATION or one.symbol is not None for one in self.origins.values()):
            return None
        homes = (*(op.parent for op in ops), *(value.block for value in self.root))
        among = {block for block in homes if block is not None and block.region is self.scope}
        return self._late.first(among) if among else None

    def is_free(self, asking: Callable[[Value], Iterable[Block]]) -> bool:
        """Whether nothing that is decided before the first of the buffers is asked again behind, or handed over there.
        `asking`: the blocks at the end of which a value is asked."""
        if self.first is None:
            return True
        for value in self.known:
            if value.block is not None and self._is_handed(value.block):
                return False
            if not is_fixed(self._graph, value) and not all(map(self.holds, asking(value))):
                return False
        return True

    @property
    def known(self) -> Iterable[Value]:
        """All of which something may be known."""
        return chain(self.root, self.decided, self.scalars, self.shared)

    def holds(self, block: Block) -> bool:
        """Whether a block is one of those among which paths stay, where they begin late."""
        return block.index > 0 and block in self.around

    @property
    def closed(self) -> bool:
        """Whether it is known how paths go on everywhere."""
        after = (edge.block for edges in self._ways.values() for edge in edges)
        return all(block is None or block.region not in self._short or block in self._ways for block in after)

    def _is_handed(self, home: Block) -> bool:
        """Whether arguments of a block are what others were before the first of the buffers."""
        return home.region is self.scope and home.index > 0 and (home is self.first or not self.holds(home))

    def _shorten(self, ops: set[Op], stay: set[Block]) -> None:
        self.first, self._until = self._begin(ops), None
        if self.first is not None and self._late is not None and self.returning:
            self._until = self._late.leading(self.first, filter(self.holds, stay))
            self._take_ways(ops, stay)
            if self.closed:
                return
            self._until = None
        self._take_ways(ops, stay)

    def _take_ways(self, ops: set[Op], stay: set[Block]) -> None:
        body = self._graph.function.regions[0]
        self._ways, self._through, self._short = {}, None, {}
        for region in {self.scope, *regions_of(self._graph, ops)} if self._roads else ():
            if len(region.blocks) > 1:
                roads = self._roads if region is body else Roads(self._graph, region)
                inner = region is not self.scope
                ends, around = (
                    (region.blocks[:1], region.blocks) if inner else (self.passed, self._until or self.around)
                )
                if roads is None:
                    continue
                found = roads.ways(stay, ends, around, self.returning)
                self._ways.update(found)
                self._short[region] = roads
                self._through = self._through if inner else [*found]
        if self.first is not None and self._late is not None:
            self._ways[self.scope.blocks[0]] = self._late.way_to(self.first)
