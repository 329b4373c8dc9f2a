"""Taking statements out so that nothing empty is left.

An operation around in which nothing else is goes with them, and a condition with nothing to do where it is true is
asked the other way round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from memlane.dialects.model import Guard
from memlane.findings import Span
from memlane.fixes.edit_writer import Writer
from memlane.fixes.generic import is_generic
from memlane.fixes.truths import Truths
from memlane.flow.cfg.graph import Graph
from memlane.syntax.tree.tree import Block, Op, Value, ancestors


class Heir(NamedTuple):
    """A statement that is put in.

    Args:
        lines: its text; comments are put before it.
        reused: the removed one of which it is the text, with the comment behind it.
        alike: the removed ones that do the same.
    """

    lines: list[str]
    reused: Op | None
    alike: Collection[Op]


@dataclass(slots=True)
class Removal:
    """What goes when some statements of one function are taken out.

    Args:
        graph: its control flow.
        removed: the statements.
        filled: blocks into which something is put; more may be added before `emptied`.

    Attributes:
        gone: the outermost operations to take out.
    """

    graph: Graph
    removed: Collection[Op]
    filled: set[Block] = field(default_factory=set[Block])
    gone: set[Op] = field(init=False)
    _parts: dict[Op, list[Op]] = field(init=False)

    def __post_init__(self) -> None:
        self.gone, self._parts = self._whole(), {}
        for op in self.removed:
            whole = op if op in self.gone else next(one for one in ancestors(op) if one in self.gone)
            self._parts.setdefault(whole, []).append(op)

    def inside(self, op: Op) -> list[Op]:
        """The removed statements that are in `op`, one of those that are gone, or are it."""
        return self._parts.get(op, [])

    def besides(self) -> str:
        """What goes besides the statements, as the end of what a fix says that it does."""
        names = Counter(op.name for op in sorted(self.gone.difference(self.removed), key=lambda op: op.span))
        said = [f"the `{name}`" if count == 1 else f"{count} `{name}`" for name, count in names.items()]
        verb = "frees" if names.total() == 1 else "free"
        return f", and remove {' and '.join(said)} that {verb} it" if said else ""

    def take_along(self, writer: Writer, heirs: Sequence[Heir]) -> list[Op]:
        """Take out what new statements take the place of: its comments go with them. Gives these operations."""
        moved: list[Op] = []
        reused = {heir.reused for heir in heirs}
        for op in sorted(self.gone, key=lambda op: op.span):
            inner = self.inside(op)
            same = (heir for heir in heirs if heir.reused in inner)
            alike = (heir for heir in heirs if any(one in inner for one in heir.alike))
            heir = next(chain(same, alike, heirs), None)
            if heir is not None:
                heir.lines[:0] = writer.take(op, [one for one in inner if one in reused])
                moved.append(op)
        return moved

    def emptied(self) -> list[tuple[Op, Value]]:
        """The conditions that are left with nothing to do where they are true, but something where they are false, each
        with the flag that is asked."""
        found: list[tuple[Op, Value]] = []
        for block in dict.fromkeys(op.parent for op in self.removed):
            if block is not None and self._is_emptied(block, Guard.TRUE):
                around = block.region.op
                edges = (edge for edge in self.graph.entries(around) if edge.block is block)
                flag = next((around.operands[edge.number].value for edge in edges), None)
                found += [(around, flag)] if flag is not None else []
        return found

    def _is_emptied(self, block: Block, guard: Guard) -> bool:
        """Whether nothing is left in a block of an operation that stays, which it enters so."""
        around = block.region.op
        if around in self.gone or _within(around, self.gone) or block in self.filled:
            return False
        entered = any(edge.block is block and edge.guard is guard for edge in self.graph.entries(around))
        return entered and all(map(self._empty, block.ops))

    def remove(self, writer: Writer, truths: Truths, moved: Iterable[Op] = ()) -> None:
        """Take out what goes; `moved`: statements that have been taken out already, with their comments."""
        apart = set(moved)
        for op in self.gone - apart:
            writer.remove(op)
        for op, flag in self.emptied():
            self._turn(op, flag, writer, truths, apart)
        for block in dict.fromkeys(op.parent for op in self.removed):
            if block is not None and self._is_emptied(block, Guard.FALSE):
                _without_else(block.region.op, writer)

    def _turn(self, op: Op, flag: Value, writer: Writer, truths: Truths, moved: set[Op]) -> None:
        """Ask the condition the other way round: what was to be done where it is false comes first."""
        blocks = [block for region in op.regions for block in region.blocks]
        use = next((use for use in op.operands if use.value is flag), None)
        if use is None or op.results or len(blocks) != 2 or is_generic(writer.text.source, op):
            return
        start, end = use.span.start, blocks[1].span.start
        if writer.text.source[end : end + 1] != "{":
            return
        left = [writer.around(one) for one in moved]
        comments = writer.comments(Span(start, end), left)
        writer.replace(Span(start, end), f"{truths.inverted(op, flag)} ")
        if comments:
            writer.at_start(blocks[1], comments)

    def _whole(self) -> set[Op]:
        """The operations to take out: where nothing else is left in one around, that one."""
        gone = set(self.removed)
        pending = list(self.removed)
        while pending:
            block = pending.pop().parent
            around = block.region.op if block is not None else None
            if around is None or around.results or around is self.graph.function or around in gone:
                continue
            if self._holds_nothing(around, gone):
                gone.add(around)
                pending.append(around)
        return {op for op in gone if not _within(op, gone)}

    def _holds_nothing(self, op: Op, gone: Collection[Op]) -> bool:
        """Whether nothing is done in the regions of an operation that gives nothing, once others are gone."""
        inner = [block for region in op.regions for block in region.blocks]
        model = self.graph.model(op)
        if op.results or model is None or not model.regions or self.filled.intersection(inner):
            return False
        return all(one in gone or self._ends(one) or self._holds_nothing(one, gone) for b in inner for one in b.ops)

    def _empty(self, op: Op) -> bool:
        return op in self.gone or self._ends(op) or self._holds_nothing(op, self.gone)

    def _ends(self, op: Op) -> bool:
        model = self.graph.model(op)
        return model is not None and model.terminator and not op.operands and not op.successors


def _without_else(op: Op, writer: Writer) -> None:
    """Take out the empty second region of an operation, with the word before it; one with a comment stays."""
    blocks = [block for region in op.regions for block in region.blocks]
    if op.results or len(blocks) != 2 or is_generic(writer.text.source, op):
        return
    source, start = writer.text.source, blocks[1].span.start
    closed = source.rfind("}", blocks[0].span.start, start)
    if closed < 0 or source[start : start + 1] != "{":
        return
    inner = blocks[1].ops
    if not writer.comments(Span(closed, op.span.end)):
        end = source.find("}", inner[-1].span.end if inner else start, op.span.end)
        writer.replace(Span(closed + 1, end + 1), "")


def _within(op: Op, gone: Collection[Op]) -> bool:
    """Whether an operation stands in one of some others."""
    return any(one in gone for one in ancestors(op))
