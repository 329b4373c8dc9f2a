"""Statements and links -> the op tree. Built when someone looks; `resolve.py` has told before what each name means.

Walks the same events in the same order as the resolver, so the links come in the order in which uses are met.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable

from memlane.findings import Span
from memlane.syntax import forms
from memlane.syntax.pieces import Statements
from memlane.syntax.shape import Close, Definition, Label, Open, OpShape, Rest
from memlane.syntax.tokens import MARK, NAME
from memlane.syntax.tree import Block, Op, Region, Successor, Use, Value


class Builder:
    """Builds ops piece by piece: a function's, or those of a section outside functions.

    Args:
        parent: the block the ops stand in; None at the top of a section.
        index: number of the first op in it.
        dialect: what a name without a dialect belongs to, "" where nothing says.
    """

    def __init__(self, links: array[int], parent: Block | None, index: int = 0, dialect: str = "") -> None:
        self.links = links
        self.next_link = 0
        self.top: list[Op] = []
        self.parent = parent
        self.index = index
        self.values: list[Value] = []
        self.unlinked: list[tuple[Use, int]] = []
        self.regions: list[tuple[Op, Region, Block, dict[str, Block], list[Successor]]] = []
        self.dialects = [dialect]
        self.op: Op | None = None

    @property
    def block(self) -> Block | None:
        """The block that ops are added to."""
        return self.regions[-1][2] if self.regions else self.parent

    @property
    def dialect(self) -> str:
        """What a name without a dialect belongs to here."""
        return self.dialects[-1]

    def place(self, make: Callable[[Block | None, int], Op]) -> Op:
        """Put an op that is built elsewhere at the place reached so far."""
        block = self.block
        if block is None or not self.regions:
            op = make(self.parent, self.index + len(self.top))
            self.top.append(op)
        else:
            op = make(block, len(block.ops))
            block.ops.append(op)
        self.op = None
        return op

    def run(self, statements: Statements, text: str, base: int) -> None:
        """Build the ops of a piece whose text starts at `base`."""
        self.names = NAME.findall(text.replace(MARK, " ") if MARK in text else text)
        for number, template in enumerate(statements.templates):
            self.first = statements.names[number]
            self.locate(statements.starts[number] + base, template.marks)
            for position, event in enumerate(template.events):
                if isinstance(event, OpShape):
                    self.shape(event)
                elif isinstance(event, Open):
                    self.open(event)
                elif isinstance(event, Close):
                    self.close(self.at(event.start), statements.pops.get((number, position), 1))
                elif isinstance(event, Label):
                    self.label(event)
                elif isinstance(event, Rest):
                    self.rest(event)
            if template.single is not None:
                self.op = None

    def finish(self) -> list[Op]:
        """The ops at the top, all regions closed and all uses linked."""
        while self.regions:
            self.pop(self.regions[-1][0].span.end)
        for use, link in self.unlinked:
            value = self.values[link]
            use.value = value
            value.uses.append(use)
        self.unlinked.clear()
        return self.top

    # ---- positions ---------------------------------------------------------------------------------------------

    def locate(self, start: int, marks: tuple[int, ...]) -> None:
        """Where the names of the statement at hand stand."""
        self.start = start
        self.marks = marks
        self.slots: list[int] = []
        added = 0
        names, first = self.names, self.first
        for slot, mark in enumerate(marks):
            self.slots.append(start + mark + added)
            added += len(names[first + slot]) - 1

    def at(self, offset: int) -> int:
        total = self.start + offset
        for slot, mark in enumerate(self.marks):
            if mark >= offset:
                break
            total += len(self.names[self.first + slot]) - 1
        return total

    def name_at(self, slot: int) -> tuple[str, Span]:
        name = self.names[self.first + slot]
        start = self.slots[slot]
        return name, Span(start, start + len(name))

    # ---- ops ---------------------------------------------------------------------------------------------------

    def shape(self, shape: OpShape) -> None:
        name = shape.name
        if shape.bare and self.dialects[-1]:
            name = f"{self.dialects[-1]}.{shape.bare}"
        op = Op(
            name,
            Span(self.at(shape.name_start), self.at(shape.name_end)),
            Span(self.at(shape.start), self.at(shape.end)),
            keywords=shape.keywords,
            symbol=shape.symbol,
            attributes=shape.attributes,
            literal=shape.literal,
            types=shape.types,
            unparsed=shape.unparsed,
        )
        if self.regions:
            op.parent = self.regions[-1][2]
            op.index = len(op.parent.ops)
            op.parent.ops.append(op)
        else:
            op.parent, op.index = self.parent, self.index + len(self.top)
            self.top.append(op)
        self.uses(op, shape)
        if shape.results:
            op.results = self.results(op, shape)
        self.op = op

    def results(self, op: Op, shape: OpShape) -> tuple[Value, ...]:
        found: list[Value] = []
        for slot, count in shape.results:
            name, span = self.name_at(slot)
            for number in range(count):
                written = name if count == 1 else f"{name}#{number}"
                found.append(Value(written, span, shape.result_types[len(found)], len(found), op))
        self.values.extend(found)
        return tuple(found)

    def uses(self, op: Op, shape: OpShape) -> None:
        successors = [self.successor(target.name, target.start, target.end, target.case) for target in shape.successors]
        uses = [self.use(op, position, *operand) for position, operand in enumerate(shape.operands)]
        forwarded: set[int] = set()
        for successor, target in zip(successors, shape.successors):
            successor.operands = tuple(uses[target.first : target.last])
            for index, use in enumerate(successor.operands):
                use.successor, use.index = successor, index
            forwarded.update(range(target.first, target.last))
        if forwarded:
            uses = [use for position, use in enumerate(uses) if position not in forwarded]
            for index, use in enumerate(uses):
                use.index = index
        op.operands = tuple(uses)
        op.successors = tuple(successors)

    def use(self, op: Op, index: int, slot: int, number: int | None, group: str) -> Use:
        name, span = self.name_at(slot)
        if number is not None:
            name = f"{name}#{number}"
            span = Span(span.start, span.start + len(name))
        use = Use(name, span, op, index, group)
        link = self.links[self.next_link]
        self.next_link += 1
        if link >= 0:
            if link < len(self.values):
                use.value = self.values[link]
                use.value.uses.append(use)
            else:
                self.unlinked.append((use, link))
        return use

    def successor(self, name: str, start: int, end: int, case: str | None) -> Successor:
        successor = Successor(name, Span(self.at(start), self.at(end)), (), None, case)
        if self.regions:
            _, _, _, labels, waiting = self.regions[-1]
            successor.block = labels.get(name)
            if successor.block is None:
                waiting.append(successor)
        return successor

    def rest(self, event: Rest) -> None:
        op = self.op
        if op is None:
            return
        op.span = Span(op.span.start, self.at(event.end))
        if event.attributes:
            op.attributes = {**op.attributes, **event.attributes}
            if op.symbol is None and self.generic(op):
                op.symbol = forms.symbol_of(op.attributes)
        op.types = (*op.types, *event.types)
        for value, text in zip(op.results, event.result_types):
            value.type = value.type or text
        count = len(op.operands)
        more = [self.use(op, count + position, *operand) for position, operand in enumerate(event.operands)]
        op.operands = (*op.operands, *more)

    def generic(self, op: Op) -> bool:
        """Whether the op is written in generic form: its name in quotes."""
        return op.name_span.end - op.name_span.start == len(op.name) + 2

    # ---- regions -----------------------------------------------------------------------------------------------

    def open(self, event: Open) -> None:
        op = self.op
        if op is None:
            at = self.at(event.start)
            op = Op("", Span(at, at + 1), Span(at, at + 1), unparsed=True)
            block = self.block
            op.parent = block
            siblings = self.top if block is None or not self.regions else block.ops
            op.index = len(siblings) if self.regions else self.index + len(siblings)
            siblings.append(op)
        region = Region(op, len(op.regions), event.label)
        op.regions = (*op.regions, region)
        at = self.at(event.start)
        block = Block(region, 0, None, Span(at, at + 1))
        region.blocks.append(block)
        self.regions.append((op, region, block, {}, []))
        self.dialects.append(forms.DEFAULT_DIALECTS.get(op.name, self.dialects[-1]))
        self.op = None
        if event.defines:
            block.arguments = self.arguments(block, event.defines)

    def arguments(self, block: Block, defines: tuple[Definition, ...]) -> tuple[Value, ...]:
        count = len(block.arguments)
        found: list[Value] = []
        for slot, text in defines:
            name, span = self.name_at(slot)
            found.append(Value(name, span, text, count + len(found), None, block))
        self.values.extend(found)
        return (*block.arguments, *found)

    def close(self, end: int, pops: int) -> None:
        for left in range(pops - 1, -1, -1):
            if self.regions:
                self.pop(end if left else end + 1)

    def pop(self, end: int) -> None:
        op, _, _, _, _ = self.regions.pop()
        self.dialects.pop()
        op.span = Span(op.span.start, max(end, op.span.end))
        self.op = op

    def label(self, event: Label) -> None:
        self.op = None
        if not self.regions:
            return
        op, region, block, labels, waiting = self.regions[-1]
        span = Span(self.at(event.start), self.at(event.end))
        if block.ops or block.label is not None or block.index or block.arguments:
            block = Block(region, len(region.blocks))
            region.blocks.append(block)
            self.regions[-1] = (op, region, block, labels, waiting)
        block.label, block.span = event.name, span
        block.arguments = self.arguments(block, event.arguments)
        if labels.setdefault(event.name, block) is not block:
            return
        still = [successor for successor in waiting if successor.name != event.name]
        for successor in waiting:
            if successor.name == event.name:
                successor.block = block
        waiting[:] = still
