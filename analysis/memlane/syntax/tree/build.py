"""Statements and links -> the op tree. Built on first access; `resolve.py` has resolved the names before.

Walks the same events in the same order as the resolver, so the links come in the order in which uses are met.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Mapping
from itertools import accumulate
from sys import intern as _interned
from typing import Any, cast

from memlane.findings import Span
from memlane.syntax.lines.statements import BEFORE, Statements
from memlane.syntax.shapes import forms
from memlane.syntax.shapes.element import element_type
from memlane.syntax.shapes.holes import NAME, VALUE, clean
from memlane.syntax.shapes.shape import Close, Cut, Definition, Label, Open, OpShape, Rest, Target, TypeText
from memlane.syntax.tree.aliases import NO_ALIASES, Aliases, meant
from memlane.syntax.tree.inside import Inside
from memlane.syntax.tree.layout import NO_ATTRIBUTES, Layout, OpLayout, keep_layout, layout_of
from memlane.syntax.tree.tree import Block, Op, Region, Successor, Use, Value

_span: Callable[[type[Span], tuple[int, int]], Span] = cast("Any", tuple).__new__  # in half the time


class Builder:
    """Builds ops piece by piece: a function's, or those of a section outside functions.

    Args:
        parent: the block the ops stand in; None at the top of a section.
        index: number of the first op in it.
        dialect: what a name without a dialect belongs to, "" where nothing says.
        aliases: what those of the chunk stand for.

    Attributes:
        top: the ops that have no op around them here.
        values: by the number of their definition; `before`: how many uses came before each.
        uses: by the number of their link.
    """

    def __init__(self, parent: Block | None, index: int = 0, dialect: str = "", aliases: Aliases = NO_ALIASES) -> None:
        self.aliases = aliases
        self.links: array[int] = array("i")
        self.next_link = 0
        self.top: list[Op] = []
        self.parent = parent
        self.index = index
        self.values: list[Value] = []
        self.before: list[int] = []
        self.uses: list[Use] = []
        self.unlinked: list[tuple[Use, int]] = []
        self.regions: list[Inside] = []
        self.dialects = [dialect]
        self.op: Op | None = None

    @property
    def block(self) -> Block | None:
        """The block that ops are added to."""
        return self.regions[-1].block if self.regions else self.parent

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

    def run(self, statements: Statements, text: str, base: int, links: array[int]) -> None:
        """Build the ops of a leaf whose text starts at `base`; `links` tells what its uses mean."""
        cleaned = clean(text)
        plain = cleaned == text
        self.links, self.next_link, self.text, self.base = links, 0, text, base
        names = self.names = NAME.findall(cleaned)
        # What the names before each name are longer than the one character that stands for them in the skeleton.
        longer = self.longer = [0, *accumulate([len(name) - 1 for name in names])]
        skeleton = NAME.sub(VALUE, cleaned)
        starts, firsts = statements.starts, [*statements.names, len(names)]
        ends = [*starts[1:], len(text)]
        for number, template in enumerate(statements.templates):
            start, end, first = starts[number], ends[number], firsts[number]
            written = skeleton[start - longer[first] : end - longer[firsts[number + 1]]].rstrip()
            self.first, self.start = first, start + base - longer[first]
            layout = layout_of(template, written) if plain else None
            if layout is None:
                layout = Layout(template, written)
                if plain:
                    keep_layout(template, written, layout)
            self.layout = layout
            for _ in range(statements.pops.get((number, BEFORE), 0)):
                self.pop(self.regions[-1].op.span.end)
            if template.single is not None:
                self.shape(template.single)
                self.op = None
                continue
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

    def finish(self) -> list[Op]:
        """The ops at the top, all regions closed and all uses linked."""
        while self.regions:
            self.pop(self.regions[-1].op.span.end)
        for use, link in self.unlinked:
            value = self.values[link]
            use.value = value
            value.uses.append(use)
        self.unlinked.clear()
        return self.top

    # ---- positions ---------------------------------------------------------------------------------------------

    def at(self, offset: int) -> int:
        """The document offset of an offset in the shape of the current statement."""
        layout = self.layout
        further = layout.at(offset)
        return self.start + further + self.longer[self.first + bisect_left(layout.slots, further)]

    def cut(self, cut: Cut) -> str:
        """The text of a part of the statement."""
        base = self.base
        return _interned(self.text[self.at(cut.start) - base : self.at(cut.end) - base])

    def meant(self, cut: Cut) -> str:
        """The same, with what its aliases stand for."""
        return meant(self.cut(cut), self.aliases)

    def type_text(self, written: TypeText) -> str | None:
        """The type that is written there, or meant by it."""
        if not isinstance(written, Cut):
            return written
        return element_type(self.meant(written)) if written.element else self.meant(written)

    def attributes(self, written: Mapping[str, Cut | None]) -> Mapping[str, str]:
        """Attributes by name; unit attributes are ""."""
        return {key: self.meant(cut) if cut is not None else "" for key, cut in written.items()} or NO_ATTRIBUTES

    def name_at(self, slot: int) -> tuple[str, int]:
        """A name, and where it begins."""
        number = self.first + slot
        name = self.names[number]
        start = self.start + self.layout.slots[slot] + self.longer[number]
        return name, start

    # ---- ops ---------------------------------------------------------------------------------------------------

    def shape(self, shape: OpShape) -> None:
        name = shape.name
        if shape.bare and self.dialects[-1]:
            name = f"{self.dialects[-1]}.{shape.bare}"
        layout = self.layout
        if shape is layout.first:
            laid = layout.op
            if laid is None and layout.again():
                layout.look(shape, self.cut)
                laid = layout.op
            if laid is not None and not (laid.aliased and self.aliases):
                self.laid(shape, laid, name)
                return
        start, name_start = self.at(shape.start), self.at(shape.name_start)
        op = Op(
            name,
            name_start - start,
            self.at(shape.name_end) - name_start,
            Span(start, self.at(shape.end)),
            keywords=shape.keywords,
            symbol=self.cut(shape.symbol).strip('"') if shape.symbol is not None else None,
            attributes=self.attributes(shape.attributes),
            literal=self.cut(shape.literal) if shape.literal is not None else None,
            types=tuple(map(self.meant, shape.types)),
            unparsed=shape.unparsed or (shape.unknown and not self.dialects[-1]),
            aliases=self.aliases,
        )
        if shape.generic and op.symbol is None:
            op.symbol = forms.symbol_of(op.attributes)
        self.add(op)
        self.operands(op, shape)
        if shape.results:
            op.results = self.results(op, shape)
        self.op = op

    def add(self, op: Op) -> None:
        """Put an op at the end of the current block."""
        if self.regions:
            block = self.regions[-1].going_on()
            op.parent, op.index = block, len(block.ops)
            block.ops.append(op)
        else:
            op.parent, op.index = self.parent, self.index + len(self.top)
            self.top.append(op)

    def laid(self, shape: OpShape, laid: OpLayout, name: str) -> None:
        """An op of which all is known but its names: as in `shape`, `results` and `operands`, with less work."""
        start, first, longer, names = self.start, self.first, self.longer, self.names
        head, (begin, before), (end, after) = laid.name_start, laid.start, laid.end
        begin += longer[first + before]
        op = self.op = Op(
            name,
            head.offset + longer[first + head.names] - begin,
            laid.name_size,
            _span(Span, (start + begin, start + end + longer[first + after])),
            None,
            0,
            (),
            (),
            (),
            (),
            shape.keywords,
            laid.symbol,
            laid.attributes,
            laid.literal,
            laid.types,
            shape.unparsed or (shape.unknown and not self.dialects[-1]),
        )
        if shape.generic and op.symbol is None:
            op.symbol = forms.symbol_of(op.attributes)
        self.add(op)
        if laid.operands:
            link, links, values = self.next_link, self.links, self.values
            self.next_link += len(laid.operands)
            uses: list[Use] = []
            for slot, offset, suffix, group in laid.operands:
                number = first + slot
                use = Use(names[number] + suffix, offset + longer[number] - begin, op, len(uses), group)
                target = links[link]
                link += 1
                if target >= 0:
                    if target < len(values):
                        value = use.value = values[target]
                        value.uses.append(use)
                    else:
                        self.unlinked.append((use, target))
                uses.append(use)
            op.operands = tuple(uses)
            self.uses += uses
        if laid.results:
            found: list[Value] = []
            for slot, offset, types in laid.results:
                number = first + slot
                written = names[number]
                at, size = offset + longer[number] - begin, len(written)
                for position, type_ in enumerate(types):
                    name = written if len(types) == 1 else f"{written}#{position}"
                    found.append(Value(name, at, size, type_, len(found), op, None, []))
            op.results = tuple(found)
            self.define(found)

    def define(self, values: list[Value]) -> None:
        """Number definitions."""
        self.values += values
        self.before += [len(self.uses)] * len(values)

    def results(self, op: Op, shape: OpShape) -> tuple[Value, ...]:
        found: list[Value] = []
        for slot, count in shape.results:
            name, start = self.name_at(slot)
            at, size = start - op.span.start, len(name)
            for number in range(count):
                written = name if count == 1 else f"{name}#{number}"
                type_ = self.type_text(shape.result_types[len(found)])
                found.append(Value(written, at, size, type_, len(found), op))
        self.define(found)
        return tuple(found)

    def operands(self, op: Op, shape: OpShape) -> None:
        successors = [self.successor(target) for target in shape.successors]
        uses = [self.use(op, position, *operand) for position, operand in enumerate(shape.operands)]
        forwarded: set[int] = set()
        for successor, target in zip(successors, shape.successors, strict=True):
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
        name, start = self.name_at(slot)
        if number is not None:
            name = f"{name}#{number}"
        use = Use(name, start - op.span.start, op, index, group)
        self.uses.append(use)
        link = self.links[self.next_link]
        self.next_link += 1
        if link >= 0:
            if link < len(self.values):
                use.value = self.values[link]
                use.value.uses.append(use)
            else:
                self.unlinked.append((use, link))
        return use

    def successor(self, target: Target) -> Successor:
        name, start = self.name_at(target.slot)
        there = Span(start, start + len(name))
        successor = Successor(name, there, (), None, self.cut(target.case) if target.case is not None else None)
        if self.regions:
            self.regions[-1].lead(successor)
        return successor

    def rest(self, event: Rest) -> None:
        op = self.op
        if op is None:
            self.next_link += len(event.operands)
            return
        op.span = Span(op.span.start, self.at(event.end))
        if event.attributes:
            op.attributes = {**op.attributes, **self.attributes(event.attributes)}
            if op.symbol is None and self.generic(op):
                op.symbol = forms.symbol_of(op.attributes)
        op.types = (*op.types, *map(self.meant, event.types))
        for value, written in zip(op.results, event.result_types, strict=False):
            value.type = value.type or self.type_text(written)
        count = len(op.operands)
        more = [self.use(op, count + position, *operand) for position, operand in enumerate(event.operands)]
        op.operands = (*op.operands, *more)

    def generic(self, op: Op) -> bool:
        """Whether the op is written in generic form: its name in quotes."""
        return op.name_size == len(op.name) + 2

    # ---- regions -----------------------------------------------------------------------------------------------

    def open(self, event: Open) -> None:
        op = self.op
        if op is None or (op.regions and not event.goes_on(op.name, self.generic(op))):
            at = self.at(event.start)
            op = Op("", 0, 1, Span(at, at + 1), unparsed=True)
            block = self.block
            op.parent = block
            siblings = self.top if block is None or not self.regions else block.ops
            op.index = len(siblings) if self.regions else self.index + len(siblings)
            siblings.append(op)
        label = self.cut(event.label) if event.label is not None else ""
        region = Region(op, len(op.regions), label, [])
        op.regions = (*op.regions, region)
        at = self.at(event.start)
        self.regions.append(Inside(op, region, Span(at, at + 1)))
        self.dialects.append(forms.DEFAULT_DIALECTS.get(op.name, self.dialects[-1]))
        self.op = None
        if event.defines:
            self.regions[-1].block.arguments = self.arguments(self.regions[-1].block, event.defines)

    def arguments(self, block: Block, defines: tuple[Definition, ...]) -> tuple[Value, ...]:
        count = len(block.arguments)
        found: list[Value] = []
        for slot, written in defines:
            name, start = self.name_at(slot)
            type_ = self.type_text(written)
            found.append(Value(name, start, len(name), type_, count + len(found), None, block, []))
        self.define(found)
        return (*block.arguments, *found)

    def close(self, end: int, pops: int) -> None:
        self.op = None
        for left in range(pops - 1, -1, -1):
            if self.regions:
                self.pop(end if left else end + 1)

    def pop(self, end: int) -> None:
        op = self.regions.pop().op
        self.dialects.pop()
        op.span = Span(op.span.start, max(end, op.span.end))
        self.op = op

    def label(self, event: Label) -> None:
        self.op = None
        if not self.regions:
            for slot, _ in event.arguments:  # counted as definitions all the same
                name, start = self.name_at(slot)
                self.define([Value(name, start, len(name), None, 0)])
            return
        name, start = self.name_at(event.slot)
        block = self.regions[-1].label(name, Span(start, self.at(event.end)))
        block.arguments = self.arguments(block, event.arguments)
