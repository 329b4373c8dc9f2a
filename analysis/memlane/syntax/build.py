"""Statements -> the op tree of one section: regions nested, names resolved, problems collected."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Protocol

from memlane.dialects.model import Models
from memlane.findings import Span
from memlane.syntax import forms
from memlane.syntax.scan import Statement
from memlane.syntax.shape import Alias, Close, Definition, Label, Open, OpShape, Rest
from memlane.syntax.tree import Block, Op, Problem, Region, Successor, Use, Value


class Scoping(Protocol):
    """What the builder asks about op names."""

    def isolated(self, name: str) -> bool: ...

    def graph(self, name: str) -> bool: ...


class FallbackScoping:
    """Answers from the models where there are any, else from `forms`."""

    def __init__(self, models: Models | None) -> None:
        self.models = models

    def isolated(self, name: str) -> bool:
        """Whether the op's regions see no values from outside."""
        if name in forms.ISOLATED:
            return True
        model = self.models.of(name) if self.models is not None else None
        return model is not None and (model.isolated or model.function is not None)

    def graph(self, name: str) -> bool:
        """Whether the op's regions may use values before their definition."""
        return name in forms.GRAPH_REGIONS


class _Names:
    """The names of one isolated scope."""

    __slots__ = ("counts", "packs", "pending", "values")

    def __init__(self) -> None:
        self.values: dict[str, Value | tuple[Value, ...]] = {}
        self.pending: list[tuple[Use, int]] = []


class _Frame:
    """An open region."""

    __slots__ = ("block", "blocks", "defined", "names", "op", "region", "waiting")

    def __init__(self, op: Op, region: Region, names: _Names) -> None:
        self.op = op
        self.region = region
        self.names = names
        self.block: Block | None = None
        self.blocks: dict[str, Block] = {}
        self.defined: list[str] = []
        self.waiting: list[Successor] = []


class Builder:
    """Builds the ops of one section."""

    def __init__(self, source: str, names: list[str], scoping: Scoping) -> None:
        self.source = source
        self.all_names = names
        self.scoping = scoping
        self.problems: list[Problem] = []
        self.top: list[Op] = []
        self.frames: list[_Frame] = []
        self.outer = _Names()
        self.last: Op | None = None
        self.base = 0
        self.first = 0
        self.offsets: list[int] = []
        self.marks: tuple[int, ...] = ()

    # ---- positions ---------------------------------------------------------------------------------------------

    def at(self, offset: int) -> int:
        """The offset in the document of an offset in the skeleton of the statement at hand."""
        total = self.base + offset
        for mark, size in zip(self.marks, self.offsets):
            if mark >= offset:
                break
            total += size
        return total

    def name(self, slot: int) -> str:
        return self.all_names[self.first + slot]

    def slot_span(self, slot: int) -> Span:
        start = self.at(self.marks[slot])
        return Span(start, start + len(self.name(slot)))

    # ---- statements --------------------------------------------------------------------------------------------

    def run(self, statements: list[Statement]) -> None:
        for statement in statements:
            template = statement.template
            self.base, self.first, self.marks = statement.start, statement.first_name, template.marks
            self.offsets = [len(self.name(slot)) - 1 for slot in range(len(self.marks))]
            for fault in template.faults:
                span = Span(self.at(fault.start), max(self.at(fault.end), self.at(fault.start) + 1))
                self.problem("syntax", fault.message, span)
            for event in template.events:
                if isinstance(event, OpShape):
                    self.op(event)
                elif isinstance(event, Open):
                    self.open(event)
                elif isinstance(event, Close):
                    self.close(self.at(event.start))
                elif isinstance(event, Label):
                    self.label(event)
                elif isinstance(event, Rest):
                    self.rest(event)
                else:
                    assert isinstance(event, Alias)
        while self.frames:
            frame = self.frames[-1]
            self.problem("syntax", "a region of this operation is not closed", frame.op.name_span)
            self.close(frame.op.span.end)
        self.resolve(self.outer, [])

    def problem(self, rule: str, message: str, span: Span, **more: object) -> None:
        self.problems.append(Problem(rule, message, span, **more))  # type: ignore[arg-type]

    def op(self, shape: OpShape) -> None:
        op = Op(
            shape.name,
            Span(self.at(shape.name_start), self.at(shape.name_end)),
            Span(self.at(shape.start), self.at(shape.end)),
            keywords=shape.keywords,
            symbol=shape.symbol,
            attributes=shape.attributes,
            literal=shape.literal,
            types=shape.types,
            unparsed=shape.unparsed,
        )
        block = self.block()
        if block is None:
            op.index = len(self.top)
            self.top.append(op)
        else:
            op.parent, op.index = block, len(block.ops)
            block.ops.append(op)
        self.uses(op, shape)
        results: list[Value] = []
        for slot, count in shape.results:
            name, span = self.name(slot), self.slot_span(slot)
            pack = tuple(
                Value(name if count == 1 else f"{name}#{i}", span, shape.result_types[len(results) + i], i + len(results), op)
                for i in range(count)
            )
            results.extend(pack)
            self.define(name, pack[0] if count == 1 else pack, span)
        op.results = tuple(results)
        self.last = op

    def uses(self, op: Op, shape: OpShape) -> None:
        operands: list[Use] = []
        forwarded: dict[int, Successor] = {}
        successors: list[Successor] = []
        for target in shape.successors:
            span = Span(self.at(target.start), self.at(target.end))
            successor = Successor(target.name, span, (), None, target.case)
            successors.append(successor)
            for position in range(target.first, target.last):
                forwarded[position] = successor
            self.link_block(successor)
        for position, operand in enumerate(shape.operands):
            successor = forwarded.get(position)
            index = len(successor.operands) if successor is not None else len(operands)
            name = self.name(operand.slot)
            span = self.slot_span(operand.slot)
            written = name
            if operand.number is not None:
                written = f"{name}#{operand.number}"
                span = Span(span.start, span.start + len(written))
            use = Use(written, span, op, index, operand.group, None, successor)
            if successor is not None:
                successor.operands = (*successor.operands, use)
            else:
                operands.append(use)
            self.link(use, name, operand.number)
        op.operands = tuple(operands)
        op.successors = tuple(successors)

    def rest(self, event: Rest) -> None:
        op = self.last
        if op is None:
            self.problem("syntax", "expected an operation", Span(self.base, self.at(event.end)))
            return
        op.span = Span(op.span.start, self.at(event.end))
        if event.attributes:
            op.attributes = {**op.attributes, **event.attributes}
        if event.types:
            op.types = (*op.types, *event.types)
        if event.result_types and op.results and op.results[-1].type is None:
            for value, text in zip(op.results, event.result_types):
                value.type = value.type or text
        operands = list(op.operands)
        for operand in event.operands:
            name, span = self.name(operand.slot), self.slot_span(operand.slot)
            use = Use(name, span, op, len(operands), operand.group)
            operands.append(use)
            self.link(use, name, operand.number)
        op.operands = tuple(operands)

    # ---- regions and blocks ------------------------------------------------------------------------------------

    def scope(self) -> _Names:
        return self.frames[-1].names if self.frames else self.outer

    def block(self) -> Block | None:
        if not self.frames:
            return None
        frame = self.frames[-1]
        if frame.block is None:
            frame.block = Block(frame.region, len(frame.region.blocks), None, frame.op.name_span)
            frame.region.blocks.append(frame.block)
        return frame.block

    def open(self, event: Open) -> None:
        op = self.last
        if op is None:
            op = Op("", Span(self.base, self.base), Span(self.base, self.base), unparsed=True)
            self.problem("syntax", "expected an operation before '{'", Span(self.at(event.start), self.at(event.start) + 1))
            self.top.append(op)
        region = Region(op, len(op.regions), event.label)
        op.regions = (*op.regions, region)
        names = _Names() if self.scoping.isolated(op.name) else self.scope()
        self.frames.append(_Frame(op, region, names))
        self.last = None
        if event.defines:
            block = self.block()
            assert block is not None
            block.arguments = self.arguments(block, event.defines)

    def arguments(self, block: Block, defines: tuple[Definition, ...]) -> tuple[Value, ...]:
        values: list[Value] = []
        for slot, text in defines:
            span = self.slot_span(slot)
            value = Value(self.name(slot), span, text, len(values), None, block)
            values.append(value)
            self.define(self.name(slot), value, span)
        return tuple(values)

    def close(self, end: int) -> None:
        if not self.frames:
            self.problem("syntax", "'}' closes nothing", Span(end, end + 1))
            return
        frame = self.frames.pop()
        frame.op.span = Span(frame.op.span.start, end + 1)
        self.last = frame.op
        for successor in frame.waiting:
            close = get_close_matches(successor.name, frame.blocks, 1)
            self.problem(
                "undefined-block", f"block '{successor.name}' is not defined in this region", successor.span,
                suggestion=close[0] if close else None,
            )  # fmt: skip
        if frame.names is not self.scope():
            self.resolve(frame.names, [])
        else:
            self.resolve_in(frame)

    def label(self, event: Label) -> None:
        span = Span(self.at(event.start), self.at(event.end))
        if not self.frames:
            self.problem("syntax", "a block label outside a region", span)
            return
        frame = self.frames[-1]
        block = frame.block
        if block is None or block.ops or block.label is not None or event.name in frame.blocks:
            block = Block(frame.region, len(frame.region.blocks))
            frame.region.blocks.append(block)
        frame.block = block
        block.label, block.span = event.name, span
        block.arguments = (*block.arguments, *self.arguments(block, event.arguments))
        if event.name in frame.blocks:
            first = frame.blocks[event.name].span
            self.problem("redefined-value", f"block '{event.name}' is defined twice", span, notes=(("first here", first),))
        frame.blocks[event.name] = block
        for successor in [one for one in frame.waiting if one.name == event.name]:
            successor.block = block
            frame.waiting.remove(successor)
        self.last = None

    def link_block(self, successor: Successor) -> None:
        if not self.frames:
            return
        frame = self.frames[-1]
        successor.block = frame.blocks.get(successor.name)
        if successor.block is None:
            frame.waiting.append(successor)

    # ---- names -------------------------------------------------------------------------------------------------

    def define(self, name: str, value: Value | tuple[Value, ...], span: Span) -> None:
        names = self.scope()
        known = names.values.get(name)
        if known is not None:
            first = known[0] if isinstance(known, tuple) else known
            self.problem("redefined-value", f"'{name}' is defined twice", span, notes=(("first defined here", first.span),))
        else:
            if self.frames:
                self.frames[-1].defined.append(name)
        names.values[name] = value

    def link(self, use: Use, name: str, number: int | None) -> None:
        known = self.scope().values.get(name)
        if known is None:
            self.scope().pending.append((use, len(self.frames)))
            return
        self.attach(use, known, name, number)

    def attach(self, use: Use, known: Value | tuple[Value, ...], name: str, number: int | None) -> None:
        pack = known if isinstance(known, tuple) else (known,)
        if (number or 0) >= len(pack):
            self.problem("undefined-value", f"'{name}' has {len(pack)} results, number {number} does not exist", use.span)
            return
        use.value = pack[number or 0]
        use.value.uses.append(use)

    def resolve_in(self, frame: _Frame) -> None:
        """At the end of a region: uses inside it of what it defined later."""
        names = frame.names
        depth = len(self.frames) + 1
        left: list[tuple[Use, int]] = []
        for use, level in names.pending:
            base, _, number = use.name.partition("#")
            known = names.values.get(base) if level >= depth else None
            if known is not None:
                self.attach(use, known, base, int(number) if number else None)
            else:
                left.append((use, min(level, depth - 1)))
        names.pending = left
        for name in frame.defined:
            names.values.pop(name, None)

    def resolve(self, names: _Names, left: list[Use]) -> None:
        for use, _ in names.pending:
            base, _, number = use.name.partition("#")
            known = names.values.get(base)
            if known is not None:
                self.attach(use, known, base, int(number) if number else None)
                continue
            close = get_close_matches(base, names.values, 1, 0.7)
            self.problem(
                "undefined-value", f"'{use.name}' is not defined", use.span, suggestion=close[0] if close else None
            )  # fmt: skip
