"""A region that is being built: the current block, and branches to blocks that do not exist yet."""

from __future__ import annotations

from memlane.findings import Span
from memlane.syntax.shapes import forms
from memlane.syntax.shapes.vocabulary import registered
from memlane.syntax.tree.tree import Block, Op, Region, Successor


class Inside:
    """An open region of `op`. It begins with a block; `block` is the current one."""

    __slots__ = ("_labels", "_waiting", "block", "op", "region")

    def __init__(self, op: Op, region: Region, span: Span) -> None:
        self.op = op
        self.region = region
        self.block = Block(region, 0, None, span, (), [])
        region.blocks.append(self.block)
        self._labels: dict[str, Block] = {}
        self._waiting: dict[str, list[Successor]] = {}

    def begin(self, span: Span) -> Block:
        """Begin another block."""
        self.block = Block(self.region, len(self.region.blocks), None, span, (), [])
        self.region.blocks.append(self.block)
        return self.block

    def going_on(self) -> Block:
        """The block that one more op stands in: where the last one ends its block, another, whose name is missing."""
        last = self.block.ops[-1] if self.block.ops else None
        return self.begin(last.name_span) if last is not None and _ends(last) else self.block

    def lead(self, successor: Successor) -> None:
        """Have a branch lead to the block that it names, as soon as there is one."""
        successor.block = self._labels.get(successor.name)
        if successor.block is None:
            self._waiting.setdefault(successor.name, []).append(successor)

    def label(self, name: str, span: Span) -> Block:
        """The block that begins with a name: the first one, as long as it is empty, or another."""
        block = self.block
        if block.ops or block.label is not None or block.index or block.arguments:
            block = self.begin(span)
        block.label, block.span = name, span
        if self._labels.setdefault(name, block) is block:
            for successor in self._waiting.pop(name, ()):
                successor.block = block
        return block


def _ends(op: Op) -> bool:
    """Whether an op is the last of its block, as far as ops of that name are known."""
    return registered(op.name) if op.successors else op.name in forms.ENDING
