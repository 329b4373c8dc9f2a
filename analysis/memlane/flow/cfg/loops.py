"""Loops of blocks, and how they nest: natural loops (Aho, Lam, Sethi and Ullman, "Compilers", 9.6.6).

Bodies are found from the inside outwards and stand for one block each from then on (Tarjan, "Testing flow graph
reducibility", 1974): loops nested in loops cost no more than their blocks.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from memlane.flow.cfg.scc import components, reachable
from memlane.syntax.names.dominance import dominator_tree, relation
from memlane.syntax.tree.tree import Block, Region


class Loops:
    """The loops of a region's blocks.

    A loop has a header, the only one of its blocks that control enters from outside. Irreducible cycles are not loops
    here; only their existence is recorded.

    Args:
        region: whose blocks.
    """

    __slots__ = ("_cycles", "_nest", "_region")

    def __init__(self, region: Region) -> None:
        self._region = region
        self._nest: _Nest | None = None
        self._cycles: dict[Block, frozenset[Block]] = {}
        for members in components(region.blocks, _following):
            if len(members) > 1 or members[0] in _following(members[0]):
                self._cycles.update(dict.fromkeys(members, frozenset(members)))

    def cycle(self, block: Block) -> frozenset[Block]:
        """The blocks that control may visit between two visits of `block`, itself included.

        Empty when it does not come back by successors.
        """
        return self._cycles.get(block, frozenset())

    def heads(self, block: Block) -> bool:
        """Whether the block is the header of a loop."""
        return block in self._cycles and block in self._nested().outer

    def inner(self, block: Block) -> Block | None:
        """The header of the innermost loop that a block is in."""
        return self._nested().inner.get(block) if block in self._cycles else None

    def outer(self, header: Block) -> Block | None:
        """The header of the next loop around the one with this header."""
        return self._nested().outer[header]

    def holds(self, header: Block, block: Block) -> bool:
        """Whether a block is in the loop with this header."""
        inner = self.inner(block)
        return inner is not None and self._nested().holds(header, inner)

    def around(self, block: Block, known: set[Block]) -> None:
        """Add to `known` the headers of all loops that a block is in; those around one that is known are known."""
        header = self.inner(block)
        while header is not None and header not in known:
            known.add(header)
            header = self.outer(header)

    def _nested(self) -> _Nest:
        if self._nest is None:
            self._nest = _Nest(self._region)
        return self._nest


class Changing:
    """Blocks in which something changes, and the loops that they are in.

    Args:
        loops: of a region.
    """

    __slots__ = ("_around", "_blocks", "_loops", "_new")

    def __init__(self, loops: Callable[[Region], Loops]) -> None:
        self._loops = loops
        self._blocks: set[Block] = set()
        self._new: list[Block] = []
        self._around: set[Block] = set()

    def __contains__(self, block: Block) -> bool:
        return block in self._blocks

    def add(self, block: Block) -> None:
        """Add a block."""
        if block not in self._blocks:
            self._blocks.add(block)
            self._new.append(block)

    def within(self, header: Block) -> bool:
        """Whether one of them is in the loop with this header."""
        while self._new:
            block = self._new.pop()
            self._loops(block.region).around(block, self._around)
        return header in self._around


class _Nest:
    """How loops nest.

    Attributes:
        inner: the header of the innermost loop that a block is in; that of a header is itself.
        outer: of each header that of the next loop around its own.
    """

    def __init__(self, region: Region) -> None:
        blocks = region.blocks
        edges = [(block.index, after.index) for block in blocks for after in _following(block)]
        parents = dominator_tree(len(blocks), edges)
        dominates = relation(parents)
        self._into: dict[int, list[int]] = {}
        backwards: dict[int, list[int]] = {}
        for source, target in edges:
            if source in parents:
                to = backwards if dominates(target, source) else self._into
                to.setdefault(target, []).append(source)
        self._within: dict[int, int] = {}
        """The header of a loop that stands for a block by now, or for another such header."""
        self.inner: dict[Block, Block] = {}
        self.outer: dict[Block, Block | None] = {}
        depth = _depths(parents)
        for header in sorted(backwards, key=depth.__getitem__, reverse=True):
            home = blocks[header]
            self.outer[home] = None
            self.inner[home] = home
            for number in self._body(header, backwards[header]) - {header}:
                self._within[number] = header
                if blocks[number] in self.outer:
                    self.outer[blocks[number]] = home
                else:
                    self.inner[blocks[number]] = home

    def holds(self, header: Block, other: Block) -> bool:
        """Whether the loop with the first header is that with the other one, or around it."""
        return header in self.outer and self._within_loop(header.index + 1, other.index + 1)

    @cached_property
    def _within_loop(self) -> Callable[[int, int], bool]:
        return relation({0: 0} | {one.index + 1: above.index + 1 if above else 0 for one, above in self.outer.items()})

    def _body(self, header: int, ends: list[int]) -> set[int]:
        """The blocks of a loop, by what stands for them: from those that end a round back to the header."""

        def before(number: int) -> list[int]:
            return [self._standing(one) for one in self._into.get(number, ())] if number != header else []

        return {header, *reachable({self._standing(end) for end in ends}, before)}

    def _standing(self, number: int) -> int:
        """What stands for a block; the way there is cut short for those who ask next."""
        way: list[int] = []
        while number in self._within:
            way.append(number)
            number = self._within[number]
        self._within.update(dict.fromkeys(way, number))
        return number


def _depths(parents: dict[int, int]) -> dict[int, int]:
    """How far each block is from the root of a dominator tree."""
    depth: dict[int, int] = {}
    for block in parents:
        way: list[int] = []
        while block not in depth and parents[block] != block:
            way.append(block)
            block = parents[block]
        start = depth.setdefault(block, 0)
        depth.update((each, start + number) for number, each in enumerate(reversed(way), 1))
    return depth


def _following(block: Block) -> list[Block]:
    last = block.ops[-1] if block.ops else None
    return [s.block for s in last.successors if s.block is not None] if last is not None else []
