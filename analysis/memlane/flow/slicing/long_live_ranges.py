"""Values that are asked for far from where they are made: until where, for all of them at once.

Sets are numbers, a bit for each value, and what is asked at the end of a block is what those behind it ask (Kildall, "A
unified approach to global program optimization", 1973). One by one, n values in n blocks are a square of steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from memlane.syntax.tree.tree import Block, Region, Value

Before = Callable[[Region], Mapping[Block, list[Block]]]
"""The blocks of a region from which control comes to each."""


class Far:
    """See the module."""

    def __init__(self) -> None:
        self._number: dict[Value, int] = {}
        self._values: list[Value] = []
        self._asked: dict[Region, dict[Block, int]] = {}
        self._made: dict[Block, int] = {}
        self._inside: dict[Block, int] = {}
        self._entering: dict[Block, int] = {}
        self._ending: dict[Block, int] = {}
        self._behind: dict[Block, int] = {}

    def __contains__(self, value: Value) -> bool:
        return value in self._number

    def __len__(self) -> int:
        return len(self._values)

    def add(self, value: Value, asking: Iterable[Block], born: Block | None, region: Region) -> None:
        """Follow a value, too: asked in some blocks of a region, `born` in one of them or before."""
        bit = 1 << len(self._values)
        self._number[value] = len(self._values)
        self._values.append(value)
        asked = self._asked.setdefault(region, {})
        for block in asking:
            asked[block] = asked.get(block, 0) | bit
        if born is not None:
            self._made[born] = self._made.get(born, 0) | bit
            if value.block is None:
                self._inside[born] = self._inside.get(born, 0) | bit

    def settle(self, before: Before) -> None:
        """All have been added."""
        for region, asked in self._asked.items():
            preceding = before(region)
            pending = sorted(asked, key=lambda block: block.index)
            waiting = set(pending)
            while pending:
                block = pending.pop()
                waiting.discard(block)
                there = asked.get(block, 0) | self._behind.get(block, 0)
                self._entering[block] = there & ~self._inside.get(block, 0)
                there &= ~self._made.get(block, 0)
                for other in preceding.get(block, ()):
                    known = self._behind.get(other, 0)
                    if there & ~known:
                        self._behind[other] = known | there
                        if other not in waiting:
                            waiting.add(other)
                            pending.append(other)

    def behind(self, block: Block, value: Value) -> bool:
        """Whether a value is asked for behind a block."""
        return bool(self._behind.get(block, 0) >> self._number[value] & 1)

    def ends(self, block: Block, value: Value) -> None:
        """Note that a value is not forgotten before the end of a block."""
        self._ending[block] = self._ending.get(block, 0) | 1 << self._number[value]

    def gone(self, source: Block | None, target: Block) -> set[Value]:
        """What is still asked for at the end of a block, or handed over, and not at the start of another."""
        there = self._gone(source, target)
        found: set[Value] = set()
        while there:
            found.add(self._values[there.bit_length() - 1])
            there ^= 1 << there.bit_length() - 1
        return found

    def gone_of(self, values: Iterable[Value], source: Block | None, target: Block) -> set[Value]:
        """The same, of some values alone."""
        there = self._gone(source, target)
        numbers = ((value, self._number.get(value)) for value in values) if there else ()
        return {value for value, number in numbers if number is not None and there >> number & 1}

    def _gone(self, source: Block | None, target: Block) -> int:
        there = self._behind.get(source, 0) | self._ending.get(source, 0) if source is not None else 0
        for value in target.arguments if self._number else ():
            if value in self._number:
                there |= 1 << self._number[value]
        return there & ~self._entering.get(target, 0)
