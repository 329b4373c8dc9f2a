"""Blocks of a region that follow one another in its text: as a set that is as little work for many as for one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Set

from memlane.syntax.tree.tree import Block


class Consecutive(Set[Block]):
    """The blocks of a region from one to another.

    Args:
        blocks: all of the region.
        first, last: the numbers of the first and the last of those, which belongs to them.
    """

    __slots__ = ("_blocks", "first", "last")

    def __init__(self, blocks: list[Block], first: int, last: int) -> None:
        self._blocks = blocks
        self.first, self.last = first, last

    def __contains__(self, block: object) -> bool:
        if not isinstance(block, Block) or not self.first <= block.index <= self.last:
            return False
        return self._blocks[block.index] is block

    def __iter__(self) -> Iterator[Block]:
        return iter(self._blocks[self.first : self.last + 1])

    def __len__(self) -> int:
        return self.last - self.first + 1


def extent(blocks: Collection[Block]) -> tuple[int, int]:
    """The lowest and the highest number of some blocks of one region."""
    if isinstance(blocks, Consecutive):
        return blocks.first, blocks.last
    indices = [block.index for block in blocks]
    return min(indices), max(indices)
