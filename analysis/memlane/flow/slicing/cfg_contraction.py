"""How control goes on between the blocks of a region in which something matters, past all others.

Where it comes to next, from the start of each block, is known as reaching definitions are, backwards: it may part in
the iterated dominance frontier of the blocks that matter (Cytron et al., "Efficiently computing static single
assignment form and the control dependence graph", 1991; of the reversed graph, that is), and comes from any other to
the nearest of these that it has to pass.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from operator import itemgetter

from memlane.cancellation import poll
from memlane.dialects.model import Guard
from memlane.flow.cfg.dominators import trees_of
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.incomplete_cfg import breaks_off
from memlane.flow.cfg.region_edges import block_in, defining_block
from memlane.flow.cfg.scc import reachable
from memlane.flow.scalars.edge_conditions import condition_of, is_doubtful
from memlane.flow.slicing.edge_effect import suspends
from memlane.flow.slicing.limits import MAX_DECISIONS_PER_BLOCK
from memlane.flow.symbolic.scalar import Expr, leaves
from memlane.syntax.tree.tree import Block, Region, Value

_DECIDING = (Guard.ALWAYS, Guard.TRUE, Guard.FALSE, Guard.CASE)


class Roads:
    """See the module.

    Args:
        graph, region: the region of a function's op of which the blocks are.
        failing: paths that fail are of no interest where nothing that matters happens on them (cfg/noreturn.py).

    Attributes:
        always: blocks that matter whatever happens in them.
        turning: those that are in loops which do not end, for all that is known.
        leaving: by value that is the same in each round of a loop, the blocks at the end of which it decides whether
            that is left: behind them it is known.
    """

    def __init__(self, graph: Graph, region: Region, failing: bool = False) -> None:
        poll()
        self._failing = trees_of(graph, region).failing if failing else frozenset[Block]()
        self._graph, self._region = graph, region
        self._blocks = region.blocks
        self._parting: dict[Block, list[Block]] = {}
        self.always: set[Block] = set()
        self._next: dict[Block, Block | None] = {}
        """The nearest block that has to be passed behind each; None: that is no block."""
        self.leaving: dict[Value, list[Block]] = {}
        self._within: dict[Block, tuple[int, int]] = {}
        """Numbers of each, from the first to the last (inclusive) of those behind which it has to be passed."""
        self._see()
        self._part()
        self.turning = self._endless()
        self.always |= self.turning
        self.always &= self._reached()

    def ways(
        self, matter: Collection[Block], ends: Iterable[Block], around: Collection[Block], returning: bool = False
    ) -> dict[Block, tuple[Edge, ...]]:
        """The edges by which control goes on, from each block that it comes to.

        Args:
            matter: blocks in which something happens; of any region.
            ends: blocks that are passed in any case.
            around: the blocks between them.
            returning: from there control goes straight to a return, where it is sure to return.
        """
        inside = around if len(around) < len(self._blocks) else None
        always = self.always if inside is None else filter(inside.__contains__, self.always)
        within = (block for block in matter if (block.region is self._region if inside is None else block in inside))
        stay = dict.fromkeys((*ends, *within, *always))
        for _ in self._decided(stay, inside):
            pass
        beyond = self._returns if returning and inside is not None else {}
        found = {block: self._exits(block, stay, beyond) for block in stay}
        if beyond:
            after = [edge.block for edges in found.values() for edge in edges]
            found.update((block, self._graph.exits(block)) for block in after if block and beyond.get(block) is block)
        return found

    def _decided(self, stay: dict[Block, None], inside: Collection[Block] | None) -> Iterator[Block]:
        """Add to some blocks, one by one, those at the end of which it is decided whether control comes there."""
        pending = list(stay)
        while pending:
            for block in self._parting.get(pending.pop(), ()):
                if block not in stay and (inside is None or block in inside):
                    stay[block] = None
                    pending.append(block)
                    yield block

    def asking(self, block: Block) -> Iterator[Block]:
        """The blocks at the end of which the same is asked as at the end of one, itself included."""
        for expr in self._asked(block):
            yield from self._askers.get(expr, ())  # none, if it is one of another region

    @cached_property
    def _askers(self) -> dict[Expr, list[Block]]:
        found: dict[Expr, list[Block]] = {}
        for block in self._blocks:
            for expr in self._asked(block):
                found.setdefault(expr, []).append(block)
        return found

    def _asked(self, block: Block) -> set[Expr]:
        """What is asked at the end of a block, if anything decides that."""
        asked = (
            condition_of(self._graph, edge)
            for edge in self._graph.exits(block)
            if edge.guard in (Guard.TRUE, Guard.CASE)
        )
        return {expr for expr in asked if expr is not None and any(True for _ in leaves(expr))}

    def _exits(self, block: Block, stay: Collection[Block], beyond: Mapping[Block, Block]) -> tuple[Edge, ...]:
        found: list[Edge] = []
        for edge in self._graph.exits(block):
            target = edge.block
            if target is not None and target.region is self._region and target not in stay:
                target = self._nearest(target, stay) or beyond.get(target)
                if target is None and edge.block in self._failing:
                    continue
            found.append(edge if target in (None, edge.block) else edge._replace(block=target, bindings=()))
        one = found[0].block if len(found) > 1 and block not in self.always else None
        if one is not None and not any(edge.block is not one or edge.bindings for edge in found):
            return (Edge(one, None, (), Guard.ALWAYS, found[0].place),)
        return tuple(found)

    def _nearest(self, block: Block, stay: Collection[Block]) -> Block | None:
        """The first block of `stay` that post-dominates a block outside of `stay`; None: no such block."""
        target = self._next[block]
        for _ in stay:  # as far as it takes to look at all of them
            if target is None or target in stay:
                return target
            target = self._next[target]
        number = self._numbers()[block][0]
        around = [(one, self._within[one]) for one in stay if one in self._within]
        passed = [(first, one) for one, (first, last) in around if first <= number <= last]
        return max(passed, key=itemgetter(0))[1] if passed else None

    def _numbers(self) -> dict[Block, tuple[int, int]]:
        """See `_within`; in the order of a walk of the tree of what has to be passed, from its root."""
        if self._within:
            return self._within
        behind: dict[Block | None, list[Block]] = {}
        for block, after in self._next.items():
            behind.setdefault(after, []).append(block)
        order: list[Block] = []
        pending = behind.get(None, [])[::-1]
        while pending:
            order.append(block := pending.pop())
            pending.extend(behind.get(block, ()))
        last = {block: number for number, block in enumerate(order)}
        for number in range(len(order) - 1, -1, -1):
            block = order[number]
            self._within[block] = number, last[block]
            after = self._next[block]
            if after is not None:
                last[after] = max(last[after], last[block])
        return self._within

    def _see(self) -> None:
        """Find the nearest block behind each that has to be passed, and those that matter in any case."""
        trees = trees_of(self._graph, self._region)
        for block in self._blocks:
            if block not in self._failing and not self._plain(block):
                self.always.update((block, *trees.after[block]))
        tree = (trees.onwards if self._failing else trees.back).parents
        for block in self._blocks:
            parent = tree.get(block.index + 1, 0)
            self._next[block] = self._blocks[parent - 1] if parent else None
            if block.index + 1 not in tree:  # control never leaves it
                self.always.add(block)

    def _plain(self, block: Block) -> bool:
        """Whether control goes from the end of a block to others of its region, as conditions say."""
        graph, edges = self._graph, self._graph.exits(block)
        return (
            bool(edges)
            and all(edge.block is not None and edge.block.region is self._region for edge in edges)
            and all(edge.guard in _DECIDING for edge in edges)
            and not any(is_doubtful(graph, edge, block) or suspends(graph, edge) for edge in edges)
            and not breaks_off(graph, block)
        )

    def _part(self) -> None:
        """Find the blocks at the end of which it is decided whether control comes to each. Where that are too many,
        those that decide it for the most blocks matter in any case, and need not be known."""
        depth = self._depths()
        deciding: list[tuple[int, Block, Iterable[Block]]] = []
        for block in self._blocks:
            after = {edge.block: None for edge in self._graph.exits(block)} if block not in self.always else {}
            targets = [target for target in after if target is not None]
            end = self._next[block]
            if len(targets) > 1:
                above = depth[end] if end is not None else 0
                deciding.append((sum(max(1, depth[target] - above) for target in targets), block, targets))
        left = MAX_DECISIONS_PER_BLOCK * len(self._blocks)
        for count, block, targets in sorted(deciding, key=itemgetter(0)):
            left -= count
            if left < 0:
                self.always.add(block)
                continue
            end = self._next[block]
            for target in targets:
                while target is not None and target is not end:
                    self._parting.setdefault(target, []).append(block)
                    target = self._next[target]

    def _depths(self) -> dict[Block, int]:
        """How many blocks have to be passed from each on, itself included."""
        depth: dict[Block, int] = {}
        for block in self._blocks:
            path: list[Block] = []
            on: Block | None = block
            while on is not None and on not in depth:
                path.append(on)
                on = self._next[on]
            known = depth[on] if on is not None else 0
            depth.update((one, known + count) for count, one in enumerate(reversed(path), 1))
        return depth

    @cached_property
    def _returns(self) -> dict[Block, Block]:
        """The nearest block at whose end control returns, of those from which it does in any case."""
        before = trees_of(self._graph, self._region).before
        found = {block: block for block in self._blocks if self._is_return(block)}
        doubtful = {block for block in self.always if block not in found and not self._plain(block)}
        doubtful = {*reachable(doubtful, lambda block: before.get(block, ()))}
        pending = list(found)
        for block in pending:
            for source in before.get(block, ()):
                if source not in found and source not in doubtful:
                    found[source] = found[block]
                    pending.append(source)
        return found

    def _is_return(self, block: Block) -> bool:
        graph = self._graph
        return bool(block.ops) and not (graph.goes_on(block) or graph.stops(block) or breaks_off(graph, block))

    def _reached(self) -> set[Block]:
        """The blocks that control may come to, whatever is known: in others nothing happens, and while a branch or a
        label is being typed these may be half of a function."""

        def after(block: Block) -> list[Block]:
            targets = (edge.block for edge in self._graph.exits(block))
            return [one for one in targets if one is not None and one.region is self._region]

        return {*reachable(self._blocks[:1], after)}

    def _endless(self) -> set[Block]:
        """The blocks of loops that do not end, for all that is known: nothing that decides it is made in them. Where
        that is still to be written, it may be anything."""
        loops = self._graph.loops(self._region)
        headers = {block for block in self._blocks if loops.heads(block)}
        above: dict[Block, Block | None] = {}
        """Of the headers of loops that may end those around them, perhaps past others of such loops."""

        def end(header: Block | None, target: Block | None) -> None:
            """The loops may end that are around `header`, it included, and not around `target`."""
            passed: list[Block] = []
            while header is not None and (header in above or target is None or not loops.holds(header, target)):
                passed.append(header)
                header = above[header] if header in above else loops.outer(header)
            above.update(dict.fromkeys(passed, header))

        for block in self._blocks:
            inner = loops.inner(block)
            for edge in self._graph.exits(block) if inner is not None else ():
                target = edge.block if edge.block is None or edge.block.region is self._region else None
                if inner is None or (target is not None and loops.holds(inner, target)):
                    continue
                expr = condition_of(self._graph, edge)
                if expr is None and _is_open(edge):
                    end(inner, target)
                asked = [*leaves(expr)] if expr is not None else []
                around = [self._around_both(block, defining_block(leaf)) for leaf in asked]
                for header in around:
                    end(header, target)
                for leaf in asked if not any(around) else ():
                    self.leaving.setdefault(leaf, []).append(block)
        return (headers - above.keys()) | self._crossed()

    def _around_both(self, block: Block, home: Block | None) -> Block | None:
        """The header of the innermost loop around two blocks, the second of which may be inside nested regions."""
        loops, home = self._graph.loops(self._region), block_in(home, self._region)
        header = loops.inner(home) if home is not None else None
        while header is not None and not loops.holds(header, block):
            header = loops.outer(header)
        return header

    def _crossed(self) -> set[Block]:
        """The blocks to which control returns in irreducible cycles: at least one of each cycle."""
        loops, followed = self._graph.loops(self._region), set(self._blocks)
        found: set[Block] = set()
        entered, left = set[Block](), set[Block]()
        pending = [(block, False) for block in reversed(self._blocks)]
        while pending:
            block, over = pending.pop()
            if over:
                left.add(block)
            elif block not in entered:
                entered.add(block)
                pending.append((block, True))
                for edge in self._graph.exits(block):
                    target = edge.block
                    if target is None or target not in followed:
                        continue
                    if target not in entered:
                        pending.append((target, False))
                    elif target not in left and not loops.holds(target, block):
                        found.add(target)
        return found


def _is_open(edge: Edge) -> bool:
    """Whether it is not known what decides whether an edge is taken: it has no name yet, or one that nothing has."""
    uses = edge.place.operands[edge.number : edge.number + 1]
    return edge.guard is not Guard.ALWAYS and all(use.value is None for use in uses)
