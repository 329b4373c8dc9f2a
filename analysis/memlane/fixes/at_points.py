"""Deallocations at points between operations: those under conditions at one place ask each flag once.

An operation there that asks the flag anyway takes them in. A flag that has to be false is inverted, before the last use
where it is known there: what inverts it is work, and would make the deallocation late.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from memlane.dialects.model import Guard
from memlane.fixes import printer
from memlane.fixes.decision_tree import Branching, branching
from memlane.fixes.edit_writer import Writer
from memlane.fixes.free_effects import PlannedFree
from memlane.fixes.free_text import FreeText
from memlane.fixes.removing import Removal
from memlane.fixes.scope import Scope
from memlane.fixes.truths import Truths
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.events import Point
from memlane.flow.effects.cost_model import is_work
from memlane.flow.peak.exploded_liveness import Lives
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.symbolic.scalar import simplify
from memlane.syntax.tree.tree import Block, Op, Value


@dataclass(slots=True)
class AtPoints:
    """Writes statements at points of the paths of one cluster.

    Args:
        lives: its paths.
        writer: takes the statements.
        removal: what is taken out.
        freeing: tells how buffers are freed.
        truths: gives truth values and inverted flags.
        label: makes the name of a block that is not taken.
        by_flag: free under a condition by the operation that takes it as an operand, where there is one.

    Attributes:
        on_edges: what is to be put on edges.
        failed: there is no place for something.
    """

    lives: Lives
    writer: Writer
    removal: Removal
    freeing: FreeText
    truths: Truths
    label: Callable[[], str]
    by_flag: bool
    on_edges: dict[Edge, list[str]] = field(default_factory=dict[Edge, list[str]])
    failed: bool = False
    graph: Graph = field(init=False)
    _inversions: list[str] = field(default_factory=list[str])
    _scope: Scope = field(init=False)

    def __post_init__(self) -> None:
        self.graph = self.lives.graph
        self._scope = Scope(self.graph, self.lives.part.stops)

    def put_asked(self, point: Point, sites: list[tuple[PlannedFree, list[str]]]) -> None:
        """Put in the deallocations under conditions at one place: behind those without, of which none is late then."""
        flagged = {site: self._flagged(site, lines) for site, lines in sites} if self.by_flag else {}
        rest = branching([(site.tree, lines) for site, lines in sites if not flagged.get(site)])
        values = [site.value for site, _ in sites]
        before = self._before(point)
        splits = [split for split in rest.splits if not self._joined(point, split, values)]
        rest = Branching(rest.lines, tuple(splits))
        block = point.block
        if printer.branches(block, self.graph.models):
            lines = printer.blocks(rest, block, self.label)
        else:
            lines = printer.under(rest, partial(self._inverted, point))
        lines = [*(line for several in flagged.values() for line in several), *self._inversions, *lines]
        self._inversions.clear()
        if lines:
            self._put(point, self._past_frees(before) if before is not None else None, lines)

    def put(self, point: Point, lines: list[str]) -> None:
        """Put in statements at a place."""
        self._put(point, self._before(point), lines)

    def _put(self, point: Point, after: Op | None, lines: list[str]) -> None:
        if after is not None:
            self.writer.after(after, lines)
        else:
            self.writer.at_start(point.block, lines + self._terminator(point.block))

    def _flagged(self, site: PlannedFree, lines: list[str]) -> list[str]:
        """The lines that free under a flag in that form; none where there is no such form."""
        start = printer.free_if(site.value, self.freeing.origins(site), self.graph.models)
        if start is None:
            return []
        return printer.flagged(site.tree, start, lines, partial(self._inverted, site.point))

    def _inverted(self, point: Point, flag: Value) -> str:
        """The name of what is true where `flag` is false. Behind the last use, to invert it would make the deallocation
        late: it is done before that where the flag is known there."""
        for use in flag.uses:
            for other in use.op.results:
                if other.type == "i1" and self._scope.sees(point, other) and self._opposite(point, flag, other):
                    return other.name
        before = self._asked_at(point)
        ops = before.parent.ops if before.parent is not None and point.stop else []
        while before.index and ops and not is_work(self.graph, before):
            before = ops[before.index - 1]
        if self._scope.sees_before(before, flag):
            return self.truths.inverted(before, flag)
        name, statement = self.truths.inversion(before, flag)
        self._inversions.append(statement)
        return name

    def _asked_at(self, point: Point) -> Op:
        """The operation before which is put what is needed at a point."""
        before = self._before(point)
        if before is not None:
            return before
        around = point.block.region.op
        return around if around is not self.graph.function else point.block.region.blocks[0].ops[-1]

    def _opposite(self, point: Point, flag: Value, other: Value) -> bool:
        """Whether one flag is true where the other is false, wherever that is known at a point."""
        known = self.lives.paths.known
        both = [(known(node, flag), known(node, other)) for node in self.lives.at[point]]
        return all(one is None or two is (not one) for one, two in both)

    def _joined(self, point: Point, split: tuple[Value, Branching, Branching], values: list[Value]) -> bool:
        """Whether what is to be done under a flag could be put into an operation at the place that asks it anyway: the
        one before, if nothing is needed that it gives, or the one behind."""
        before, (_, then, otherwise) = self._before(point), split
        needed = {value.op for value in (*values, *then.flags(), *otherwise.flags())}
        if before is not None and before not in needed and self._put_into(before, split, at_end=True):
            return True
        last = self._past_frees(before) if before is not None else None
        behind = point.block.ops[last.index + 1 if last is not None else 0 :]
        following = next((op for op in behind if op not in self.removal.gone), None)
        return following is not None and self._put_into(following, split, at_end=False)

    def _put_into(self, op: Op, split: tuple[Value, Branching, Branching], at_end: bool) -> bool:
        """Put what is to be done under a flag into an operation that asks it, or its opposite; False: it does not, or
        has no place."""
        flag, then, otherwise = split
        edges = self._edges_by(op, flag)
        wanted = [(edges.get(known), side) for known, side in ((True, then), (False, otherwise)) if side]
        opposites = {one: self._opposite_before(op, one) for _, side in wanted for one in side.inverted()}
        if op in self.removal.gone or None in opposites.values():
            return False
        blocks = [edge.block for edge, _ in wanted if edge is not None]
        if len(blocks) < len(wanted) or any(block is not None and len(block.region.blocks) > 1 for block in blocks):
            return False
        for edge, side in wanted:
            if edge is not None:
                self._put_on(edge, side, lambda one: opposites[one] or "", at_end)
        return True

    def _edges_by(self, op: Op, flag: Value) -> dict[bool, Edge]:
        """The edges into an operation that it takes where a flag is true, and where it is false."""
        found: dict[bool, Edge] = {}
        for edge in self.graph.entries(op):
            if edge.guard in (Guard.TRUE, Guard.FALSE):
                asked = op.operands[edge.number].value
                if asked is flag or (asked is not None and self._inverts(asked, flag)):
                    found[(edge.guard is Guard.TRUE) == (asked is flag)] = edge
        return found

    def _inverts(self, value: Value, flag: Value) -> bool:
        """Whether a value is true where a flag is false, by what the two are computed from."""
        opposite = simplify(("xori", scalar_of(self.graph, flag), ("const", 1)), {})
        return value.type == "i1" and scalar_of(self.graph, value) == opposite

    def _opposite_before(self, op: Op, flag: Value) -> str | None:
        """The name of what is true where `flag` is false, where that is known before an operation."""
        others = (other for use in flag.uses for other in use.op.results if self._inverts(other, flag))
        return next((other.name for other in others if self._scope.sees_before(op, other)), None)

    def _put_on(self, edge: Edge, side: Branching, opposite: Callable[[Value], str], at_end: bool) -> None:
        """Put what is to be done where an edge leads: at the end of the block there, or at its start; what is under
        another flag into an operation there that asks it."""
        if edge.block is None:
            self.on_edges.setdefault(edge, []).extend(printer.under(side, opposite))
            return
        self.removal.filled.add(edge.block)
        inner = [op for op in edge.block.ops if not self._ends_block(op) and op not in self.removal.gone]
        if inner:
            beside = inner[-1] if at_end else inner[0]
            rest = tuple(split for split in side.splits if not self._put_into(beside, split, at_end))
            side = Branching(side.lines, rest)
        lines = printer.under(side, opposite)
        if not lines:
            return
        if at_end and inner:
            self.writer.after(inner[-1], lines)
        else:
            self.writer.at_start(edge.block, lines + self._terminator(edge.block))

    def _ends_block(self, op: Op) -> bool:
        model = self.graph.model(op)
        return model is None or model.terminator

    def _terminator(self, block: Block) -> list[str]:
        """What ends a block that has been empty, in the generic form: what ends another region of the operation."""
        source = self.writer.text.source
        op = block.region.op
        if block.ops or source[op.name_span.start] != '"':
            return []
        ends = [other.ops[-1] for region in op.regions for other in region.blocks if other.ops]
        plain = [end for end in ends if not (end.operands or end.successors or end.regions)]
        self.failed = self.failed or not plain
        return [source[end.span.start : end.span.end] for end in plain[:1]]

    def _before(self, point: Point) -> Op | None:
        return self.lives.part.stops[point.block][point.stop - 1] if point.stop else None

    def _past_frees(self, op: Op) -> Op:
        siblings = op.parent.ops if op.parent is not None else []
        for index in range(op.index + 1, len(siblings)):
            other = siblings[index]
            model = self.graph.model(other)
            if model is None or not model.free or model.alloc or other in self.removal.removed:
                break
            op = other
        return op
