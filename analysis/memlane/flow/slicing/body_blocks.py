"""What is known of the blocks of a function's body, whatever buffer is followed: how control comes from one to another,
and where what is asked."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from operator import attrgetter

from memlane.dialects.model import Guard
from memlane.flow.cfg.block_ranges import Bounds
from memlane.flow.cfg.dominators import Trees, trees_of
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import block_in, defining_block
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.slicing.cfg_contraction import Roads
from memlane.flow.slicing.late_start import LateStarts, is_fixed
from memlane.flow.symbolic.branch_assumption import assume
from memlane.flow.symbolic.scalar import Expr, Facts, leaves, simplify
from memlane.syntax.tree.tree import Block, Region, Value

_INDEX = attrgetter("index")


class BodyBlocks:
    """Those of one version of a function.

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
        self._bounds = Bounds([], 0)
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

    def stretch(self, block: Block, stay: Sequence[int]) -> tuple[Block, Block | None] | None:
        """The last of the blocks through which control comes from one on before the next that matters, all between them
        in the text being such, and that next one; None: it is not that simple. Who walks through the blocks for each of
        n buffers does so through n blocks.

        Args:
            stay: the numbers of the blocks that matter, in order.
        """
        self._look()
        first = block.index
        at = bisect_left(stay, first)
        stop = stay[at] if at < len(stay) else len(self._blocks)
        last = self._blocks[stop - 1]
        if stop <= first or not (block.ops and last.ops) or not self._bounds.alone(first, stop, shared=True):
            return None
        after = self._blocks[stop] if stop < len(self._blocks) else None
        return last, after if after is not None and self._comes(first, after) else None

    def _comes(self, first: int, after: Block) -> bool:
        """Whether control comes to a block directly from the ones before it in the text, up to `first`."""
        before = self._trees.before[after]
        at = bisect_left(before, first, key=_INDEX)
        return at < len(before) and before[at].index < after.index

    def is_made(self, value: Value) -> bool:
        """Whether control is known to come on some path to the block of the body in which a value is made."""
        home = self._home(value) if self._blocks else None
        return not self._blocks or (home is not None and self.comes_to(home))

    def of(self, region: Region) -> bool:
        """Whether the blocks of a region are those of the body."""
        return bool(self._blocks) and self._blocks[0].region is region

    def _look(self) -> None:
        """Find out about the blocks, once."""
        if self._looked:
            return
        self._looked, trees = True, self._trees
        for block in self._blocks:
            asked = {leaf for expr in self._guards(self._graph.exits(block)) for leaf in leaves(expr)}
            for leaf in asked:
                if not is_fixed(self._graph, leaf):
                    self._askers.setdefault(leaf, []).append(block)
        count = len(self._blocks)
        self._bounds = Bounds(trees.edges if len(self._trees.forth.parents) == count else [], count)
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
        expr = scalar_of(self._graph, value)
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
        return scalar_of(self._graph, source) if source is not None else None

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
        return block_in(defining_block(value), self._blocks[0].region)

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
                    yield scalar_of(self._graph, value)
