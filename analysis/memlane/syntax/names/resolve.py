"""Names -> definitions, over statements. The result is numbers, not objects: one for each use, in text order.

Definitions are counted in text order: an op's results where it stands, block arguments where they are declared. A link
is the number of the definition a use means, -1 if undefined. `build.py` makes values and uses of them.

A name may be used before it is defined where control flow allows it; then the definition must dominate the use. The
results of an op are defined after its regions, so these may reuse the name.
"""

from __future__ import annotations

from array import array

from memlane.findings import Span
from memlane.syntax.lines.statements import BEFORE, NO_LEAF, NO_OPERAND, Leaf, Statements
from memlane.syntax.names.blocks import Ended, block_problems, lost_branches
from memlane.syntax.names.frames import Frame, Met, NameScope, OpenBlock, OpenOp, Pending, Resolved, defined_at, share
from memlane.syntax.names.leaf_reading import LeafReading
from memlane.syntax.names.scoping import Scoping
from memlane.syntax.names.undescribed import declares, explained, foreign, goes_on_with, hides, undescribed, unlike_ops
from memlane.syntax.names.unseen import Lost, outside
from memlane.syntax.shapes import forms
from memlane.syntax.shapes.limits import MAX_RESULTS
from memlane.syntax.shapes.shape import Close, Label, Open, Operand, OpShape, Rest, Template
from memlane.syntax.shapes.shape import Definition as Shaped


class Resolver(LeafReading):
    """Reads statements leaf by leaf. One resolver for a function, or for all of a section outside functions."""

    def __init__(self, scoping: Scoping) -> None:
        super().__init__(scoping)
        self.links: array[int] = NO_LEAF.links
        self.link = 0
        self.count = 0
        self.blocks: list[OpenBlock] = []
        self.homes: array[int] = array("i")
        self.sizes: dict[int, int] = {}
        self.regions = 0
        self.frames = [
            Frame(self.open_block(0, 0), OpenOp("", self.text, 0, None, (), 0), NameScope(0), outermost=True)
        ]
        self.op: OpenOp | None = None
        self.again = False  # it has a region already
        self.ended: Ended | None = None  # what has just ended a block
        self.loose = False
        self.declared: set[str] = set()
        self.symbols: set[str] = set()
        self.references: list[tuple[str, Span]] = []

    def run(self, leaf: Leaf, base: int, links: array[int]) -> None:
        """Read the statements of a leaf that starts at `base`. `links` is filled in; complete when all is read."""
        names = self.take(Met(leaf, base, self.count))
        statements = leaf.statements
        blocks, homes, firsts, ending = self.blocks, self.homes, statements.names, forms.ENDING
        self.links, link = links, 0
        for number, template in enumerate(statements.templates):
            single = template.single
            first = firsts[number]
            self.number, self.first = number, first
            if single is None or (number, BEFORE) in statements.pops:
                self.link = link
                self.statement(template, statements)
                link = self.link
                continue
            if self.op is not None:
                self.finish_op()
            if self.ended is not None:
                self.nameless()
            frame = self.frames[-1]
            frame.filled = True
            values = frame.scope.values
            for operand in single.operands:
                known = values.get(names[first + operand[0]])
                if known is None or operand[1] is not None or not blocks[homes[known]].current:
                    self.link = link
                    self.use(operand)
                else:
                    links[link] = known
                link += 1
            if single.successors or single.name in ending:
                self.end_block(single)
            for slot, count in single.results:
                name = names[first + slot]
                if count == 1 and name not in values:
                    values[name] = self.count
                    frame.names.append(name)
                    homes.append(frame.block.order)
                    self.count += 1
                else:
                    self.reserve(count)
                    self.define(name, self.count - count, count, slot)

    def statement(self, template: Template, statements: Statements) -> None:
        for fault in template.faults:
            if not fault.lenient:
                self.fault(fault)
        for _ in range(statements.pops.get((self.number, BEFORE), 0)):
            self.unclosed()
        for position, event in enumerate(template.events):
            self.loose = declares(self.scoping, template.events, position, self.op)
            if isinstance(event, OpShape):
                self.shape(event)
            elif isinstance(event, Open):
                self.open(event)
            elif isinstance(event, Close):
                self.close(event, statements.pops.get((self.number, position), 1))
            elif isinstance(event, Label):
                self.label(event)
            elif isinstance(event, Rest):
                self.rest(event)
        self.loose = False
        for fault in template.faults:
            if fault.lenient and not undescribed(self.scoping, self.op or self.frames[-1].op):
                self.fault(fault)

    def shape(self, shape: OpShape) -> None:
        goes_on = self.again and goes_on_with(self.scoping, self.op)
        self.finish_op()
        self.nameless()
        if shape.unknown or shape.symbol is not None or shape.generic:
            self.symbol(shape, goes_on)
        for operand in shape.operands:
            self.use(operand)
        frame = self.frames[-1]
        frame.filled = True
        if shape.ends:
            self.end_block(shape)
        names, first = self.names, self.first
        results = tuple([(names[first + slot], slot, count) for slot, count in shape.results])
        clause = goes_on and bool(shape.bare)
        self.op = OpenOp(shape.name, self.text, self.number, shape, results, self.count, clause=clause)
        self.again = False
        for _, _, count in results:
            self.reserve(count)

    def end_block(self, shape: OpShape) -> None:
        """An op that is the last of its block."""
        frame = self.frames[-1]
        for target in shape.successors:
            name = self.names[self.first + target.slot]
            frame.edges.append((frame.block, name, self.text, self.number, target.slot))
        if not self.scoping.undescribed(shape.name):
            self.ended = Ended(self.text, self.number, shape)

    def nameless(self) -> None:
        """An op follows the one before: if that ended the block, the name of the next is missing."""
        ended, self.ended = self.ended, None
        if ended is not None and len(self.frames) > 1:
            self.problem("syntax", ended.message, ended.span)

    def symbol(self, shape: OpShape, goes_on: bool) -> None:
        """What an op of an unknown name or with a symbol means for others. `goes_on`: its name may be a word of an op
        before it whose syntax is unknown."""
        cut = shape.refers or shape.symbol or shape.attributes.get("sym_name")
        if cut is not None:
            name, span = self.text.symbol(self.span(cut.start, cut.end))
            if shape.refers is not None:
                self.references.append((name, span))
            elif shape.name not in forms.MENTIONING:
                self.symbols.add(name)
        if not shape.unknown or goes_on:
            return
        if not explained(self.scoping, shape.name, (one.op.name for one in reversed(self.frames))):
            close = self.suggestions.op(shape.name)
            extended = self.frames[-1].op.name in forms.DEFAULT_DIALECTS  # it is one of an extension of it
            if close or not (extended or foreign(self.scoping, self.before())):
                span = self.span(shape.name_start, shape.name_end)
                self.problem("syntax", f"unknown operation '{shape.name}'", span, suggestion=close)

    def finish_op(self) -> None:
        """Define the results of the current op: no part of it follows."""
        op, self.op = self.op, None
        if op is None:
            return
        number = op.first
        for name, slot, count in op.results:
            self.define(name, number, count, slot, op)
            number += count

    def rest(self, event: Rest) -> None:
        if self.op is None:
            if unlike_ops(self.scoping, self.frames[-1].op) or foreign(self.scoping, self.before()):
                self.declared.update(self.names[self.first + operand.slot] for operand in event.operands)
            else:
                self.problem("syntax", "expected an operation", self.span(event.start, event.end))
            self.links[self.link : self.link + len(event.operands)] = array("i", (NO_OPERAND,)) * len(event.operands)
            self.link += len(event.operands)
            return
        for operand in event.operands:
            self.use(operand)

    def open(self, event: Open) -> None:
        self.ended = None
        if self.op is not None and self.again and not event.goes_on(self.op.name, self.op.generic):
            self.finish_op()
        op = self.op
        if op is None:
            if not unlike_ops(self.scoping, self.frames[-1].op):
                at = self.at(event.start)
                self.problem("syntax", "expected an operation before '{'", Span(at, at + 1))
            op = OpenOp("", self.text, self.number, None, (), self.count)
            self.frames[-1].filled = True
        self.op = None
        isolated = self.scoping.isolated(op.name)
        scope = NameScope(len(self.frames)) if isolated else self.frames[-1].scope
        self.regions += 1
        frame = Frame(self.open_block(self.regions, 0), op, scope, isolated, event.lacking)
        self.frames.append(frame)
        frame.filled = bool(event.defines)
        self.arguments(event.defines, head=op.name)
        if op.name in forms.SHARING:
            share(frame, op, self.homes)

    def open_block(self, frame: int, number: int) -> OpenBlock:
        block = OpenBlock(len(self.blocks), frame, number)
        self.blocks.append(block)
        return block

    def home(self, known: int) -> OpenBlock:
        """The block that a definition stands in."""
        return self.blocks[self.homes[known]]

    def arguments(self, defines: tuple[Shaped, ...], head: str = "") -> None:
        """Define arguments of a block, in the head of an op if one is named: an op with unknown syntax may also mention
        them, `-> (%a, %a) =`."""
        again = self.count if head and self.scoping.undescribed(head) else None
        for slot, _ in defines:
            self.reserve(1)
            self.define(self.names[self.first + slot], self.count - 1, 1, slot, again=again)

    def reserve(self, count: int) -> None:
        """Number `count` definitions that stand here."""
        self.homes.extend([self.frames[-1].block.order] * count)
        self.count += count

    def label(self, event: Label) -> None:
        self.finish_op()
        self.ended = None
        frame = self.frames[-1]
        if len(self.frames) == 1:
            self.problem("syntax", "a block label outside a region", self.slot_span(event.slot))
            self.reserve(len(event.arguments))
            return
        name = self.names[self.first + event.slot]
        if frame.filled:
            frame.block.current = False
            frame.block = self.open_block(frame.number, frame.blocks)
            frame.blocks += 1
        known = frame.labels.get(name)
        if known is not None:
            notes = (("first here", known[1].span(known[2], known[3])),)
            self.problem("redefined-value", f"block '{name}' is defined twice", self.slot_span(event.slot), notes)
        else:
            frame.labels[name] = (frame.block, self.text, self.number, event.slot)
        frame.filled = True
        self.arguments(event.arguments)

    def close(self, event: Close, pops: int) -> None:
        self.finish_op()
        if not pops or len(self.frames) == 1:
            self.problem("syntax", "'}' closes nothing", self.span(event.start, event.start + 1))
            return
        for left in range(pops - 1, -1, -1):
            if left and len(self.frames) > 2:
                self.unclosed()
            elif len(self.frames) > 1:
                self.pop()

    def unclosed(self) -> None:
        self.finish_op()
        self.problem("syntax", "a region of this operation is not closed", self.frames[-1].op.span)
        self.pop()
        self.finish_op()

    def finish(self) -> Resolved:
        """What there is to know of names besides the links. Nothing can be read after that."""
        while len(self.frames) > 1:
            self.unclosed()
        self.finish_op()
        self.end_scope(self.frames[0])
        for _, name, text, number, slot in self.frames[0].edges:
            message = f"block '{name}' is not defined: there is no region here"
            self.problem("undefined-block", message, text.span(number, slot))
        self.add(self.unseen.problems(self.texts))
        problems, others = self.problems.first()
        return Resolved(problems, frozenset(self.symbols), tuple(self.references), others, self.suggestions.asked)

    # ---- names -------------------------------------------------------------------------------------------------

    def use(self, operand: Operand) -> None:
        slot, number, _ = operand
        name = self.names[self.first + slot]
        scope = self.frames[-1].scope
        known = scope.values.get(name)
        if known is not None and number is None and self.home(known).current:
            self.links[self.link] = known
            self.link += 1
            return
        use = Pending(self.links, self.link, name, number, self.text, self.number, slot, ())
        self.link += 1
        if known is None:
            chain = tuple(one.block for one in self.frames[scope.base :])
            scope.pending.append(use._replace(chain=chain))
            if self.loose:
                self.declared.add(name)
            return
        block = self.home(known)
        if self.bind(use, known) and not block.current:
            owner = next(one for one in reversed(self.frames) if one.number == block.frame)
            owner.checks.append((block, owner.block, use))

    def bind(self, use: Pending, known: int) -> bool:
        wanted, size = use.number or 0, self.sizes.get(known, 1)
        if wanted >= size:
            if size < MAX_RESULTS:  # else there may be more than are known
                self._no_such_result(use, known, size)
            return False
        use.links[use.entry] = known + wanted
        return True

    def _no_such_result(self, use: Pending, known: int, size: int) -> None:
        results = "result" if size == 1 else "results"
        message = f"'{use.name}' has {size} {results}, number {use.number} does not exist"
        notes = (("defined here", defined_at(self.texts, known)),)
        self.problem("undefined-value", message, use.span, notes=notes)

    def define(
        self, name: str, number: int, count: int, slot: int, op: OpenOp | None = None, again: int | None = None
    ) -> None:
        """The name means definition `number` from here on; it is in the current statement, or that of `op`.

        Definitions from `again` on may be of the same name.
        """
        frame = self.frames[-1]
        values = frame.scope.values
        known = values.get(name)
        if known is not None:
            mentioned = again is not None and known >= again
            if not (mentioned or hides(self.scoping, self.frames, self.home(known).frame)):
                text, statement = (op.text, op.number) if op is not None else (self.text, self.number)
                notes = (("first defined here", defined_at(self.texts, known)),)
                self.problem("redefined-value", f"'{name}' is defined twice", text.span(statement, slot), notes)
            if self.home(known).frame != frame.number:
                frame.hidden.append((name, known))
        frame.names.append(name)
        values[name] = number
        if count != 1:
            self.sizes[number] = count

    def pop(self) -> None:
        """Close the innermost region."""
        self.ended = None
        frame = self.frames.pop()
        frame.block.current = False
        self.declared.update(frame.guessed())
        if frame.scope is self.frames[-1].scope:
            self.end_region(frame)
        else:
            self.end_scope(frame)
        for use in lost_branches(frame, self.suggestions):
            self.add(self.unseen.block(use))
        self.add(block_problems(frame, self.texts, self.scoping.graph(frame.op.name)))
        self.op, self.again = frame.op, True

    def end_region(self, frame: Frame) -> None:
        scope = frame.scope
        if len(scope.pending) > frame.pending:
            waiting = scope.pending[frame.pending :]
            del scope.pending[frame.pending :]
            for use in waiting:
                known = scope.values.get(use.name)
                if known is not None and self.home(known).frame == frame.number:
                    self.late(use, known, frame)
                else:
                    scope.pending.append(use)
        values = scope.values
        for name in frame.names:
            values.pop(name, None)
        for name, known in frame.hidden:
            values[name] = known

    def end_scope(self, frame: Frame) -> None:
        values = frame.scope.values
        for use in frame.scope.pending:
            known = values.get(use.name)
            if known is not None:
                self.late(use, known, frame)
            if known is None and use.name not in self.declared:
                self.undefined(use, frame)
        values.clear()

    def undefined(self, use: Pending, frame: Frame) -> None:
        """A use of a name that the isolated region around it, `frame`, does not define."""
        close = self.suggestions.name(use.name, frame.scope.values)
        close = f"{close}#{use.number}" if close and use.number is not None else close
        lost = Lost(use.name, use.span, close)
        self.add(outside(self.frames, frame, lost, self.texts) or self.unseen.value(lost))

    def late(self, use: Pending, known: int, frame: Frame) -> None:
        """A use that stands before the definition of its name."""
        if not self.bind(use, known):
            return
        block = next((one for one in use.chain if one.frame == frame.number), None)
        if block is None or self.scoping.graph(frame.op.name):
            return
        definer = self.home(known)
        frame.checks.append((definer, block, use))
