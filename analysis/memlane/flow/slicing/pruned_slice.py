"""The shortest way through the blocks of a function for the buffers of a slice: past all in which nothing matters.

A choice between blocks that name no buffer, and after which control comes to the same block in any case, is irrelevant
to them: its condition is not followed, else n such choices would make 2 to the power of n paths. (The next observable
node of a slice: Danicic et al., "A unifying theory of control dependence and its application to arbitrary program
structures", 2011.) Loops that name none end, whatever is known.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin
from memlane.flow.control.graph import Edge, Graph
from memlane.flow.slicing.cfg_contraction import Roads
from memlane.flow.slicing.dispatch_slice import regions_of
from memlane.flow.slicing.slice import Slice
from memlane.syntax.tree.tree import Block, Op, Region


class Direct(Slice):
    """A slice of which paths go straight to the next block that matters.

    Args:
        graph, clusters, only, whole, plain: see `Slice`.
        roads: between the blocks of the function's body; None: paths go through all blocks.
    """

    __slots__ = ("_roads", "_short", "_through", "_ways")

    def __init__(
        self,
        graph: Graph,
        clusters: Collection[Cluster],
        roads: Roads | None,
        only: Origin | None = None,
        whole: bool = False,
        plain: bool = False,
    ) -> None:
        self._roads = roads
        self._through: Collection[Block] | None = None
        self._short: set[Region] = set()
        self._ways: dict[Block, tuple[Edge, ...]] = {}
        super().__init__(graph, clusters, whole, only=only, plain=plain)

    @property
    def blocks(self) -> Collection[Block]:
        """See `Slice.blocks`."""
        return self.around if self._through is None else self._through

    @property
    def around(self) -> Collection[Block]:
        """The blocks of the scope among which paths stay."""
        return self.scope.blocks

    @property
    def passed(self) -> Iterable[Block]:
        """Those of them that are passed in any case."""
        return self.scope.blocks[:1]

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
        return not self._concerned(op) and not any(to in self.root for edge in edges for _, to in edge.bindings)

    def _decide(self, ops: set[Op]) -> set[Op]:
        stay = {op.parent for op in ops if op.parent is not None}
        stay.update(value.block for value in self.root if value.block is not None)
        while True:
            self._shorten(ops, stay)
            found = super()._decide(ops)
            around = frozenset[Block | Region]().union(*map(self.inside, (*self.decided, *self.scalars)))
            made = {block for block in around if isinstance(block, Block)}
            if made <= stay:
                return found
            stay |= made  # there what is known of them ends

    def _shorten(self, ops: set[Op], stay: set[Block]) -> None:
        body = self._graph.function.regions[0]
        self._ways, self._through, self._short = {}, None, set()
        for region in {self.scope, *regions_of(self._graph, ops)} if self._roads else ():
            if len(region.blocks) > 1:
                roads = self._roads if region is body else Roads(self._graph, region)
                inner = region is not self.scope
                ends, around = (region.blocks[:1], region.blocks) if inner else (self.passed, self.around)
                found = roads.ways(stay, ends, around) if roads is not None else {}
                self._ways.update(found)
                self._short.add(region)
                self._through = self._through if inner else [*found]
