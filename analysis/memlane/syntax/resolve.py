"""Names -> definitions, over statements. The result is numbers, not objects: one for each use, in text order.

Definitions are counted in text order: an op's results where it stands, block arguments where they are declared. A
link is the number of the definition a use means, -1 where there is none. `build.py` makes values and uses of them.

A name may be used before it is defined where control flow allows it; then the definition must dominate the use. The
results of an op are defined after its regions, so these may reuse the name.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from difflib import get_close_matches

from memlane.findings import Span
from memlane.syntax.dominance import dominators
from memlane.syntax.frames import Cleaned, Frame, Known, OpenBlock, OpenOp, Pending, Resolved, Scope
from memlane.syntax.mistakes import may_be_bare, similar_op
from memlane.syntax.scoping import Scoping
from memlane.syntax.shape import Close, Label, Open, Operand, OpShape, Rest, Template
from memlane.syntax.shape import Definition as Shaped
from memlane.syntax.statements import NO_STATEMENTS, Statements
from memlane.syntax.tree import Problem

MOST_SUGGESTIONS = 20
"""For so many undefined names of a function a similar name is looked for."""


class Resolver:
    """Reads statements piece by piece. One resolver for a function, or for all of a section outside functions."""

    def __init__(self, scoping: Scoping) -> None:
        self.scoping = scoping
        self.links: array[int] = array("i")
        self.problems: list[Problem] = []
        self.count = 0
        self.text = Cleaned([], "", 0, NO_STATEMENTS)
        self.names: list[str] = []
        self.number = self.first = 0
        self.frames = [Frame(OpenOp("", self.text, 0, None, 0), Scope(0))]
        self.op: OpenOp | None = None
        self.suggestions = MOST_SUGGESTIONS
        self.symbols: set[str] = set()
        self.references: list[tuple[str, Span]] = []

    # ---- one statement after the other -------------------------------------------------------------------------

    def run(self, statements: Statements, cleaned: str, names: list[str], base: int) -> None:
        """Read the statements of a piece that starts at `base`: its cleaned text and the names in it."""
        here = self.text = Cleaned(names, cleaned, base, statements)
        self.names = names
        links, firsts = self.links, statements.names
        for number, template in enumerate(statements.templates):
            single = template.single
            first = firsts[number]
            self.number, self.first = number, first
            if single is None:
                self.statement(template, statements)
                continue
            if self.op is not None:
                self.finish_op()
            frame = self.frames[-1]
            frame.filled = True
            values = frame.scope.values
            for operand in single.operands:
                known = values.get(names[first + operand[0]])
                if known is None or operand[1] is not None or not known[2].current:
                    self.use(operand)
                else:
                    links.append(known[0])
            for target in single.successors:
                frame.edges.append((frame.block, names[first + target.slot], here, number, target.slot))
            for slot, count in single.results:
                name = names[first + slot]
                if name in values:
                    self.define(name, self.count, count, slot)
                else:
                    values[name] = Known(self.count, count, frame.block, here, number, slot)
                    frame.undo.append((name, None))
                self.count += count

    def statement(self, template: Template, statements: Statements) -> None:
        for fault in template.faults:
            start, end = self.at(fault.start), self.at(fault.end)
            self.problem("syntax", fault.message, Span(start, max(end, start + 1)), suggestion=fault.repair)
        for position, event in enumerate(template.events):
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

    def shape(self, shape: OpShape) -> None:
        self.finish_op()
        if shape.unknown or shape.symbol is not None or shape.generic:
            self.symbol(shape)
        for operand in shape.operands:
            self.use(operand)
        frame = self.frames[-1]
        frame.filled = True
        for target in shape.successors:
            name = self.names[self.first + target.slot]
            frame.edges.append((frame.block, name, self.text, self.number, target.slot))
        self.op = OpenOp(shape.name, self.text, self.number, shape, self.count)
        for _, count in shape.results:
            self.count += count

    def symbol(self, shape: OpShape) -> None:
        """What an op of an unknown name or with a symbol means for others."""
        cut = shape.refers or shape.symbol or shape.attributes.get("sym_name")
        if cut is not None:
            span = self.span(cut.start, cut.end)
            start = self.text.base
            name = self.text.cleaned[span.start - start : span.end - start].lstrip("@").strip('"')
            if shape.refers is not None:
                self.references.append((name, span))
            else:
                self.symbols.add(name)
        if shape.unknown and not may_be_bare(shape.name):
            close = None
            if self.suggestions:
                self.suggestions -= 1
                close = similar_op(shape.name)
            span = self.span(shape.name_start, shape.name_end)
            self.problem("syntax", f"unknown operation '{shape.name}'", span, suggestion=close)

    def finish_op(self) -> None:
        """Define the results of the op at hand: nothing of it follows."""
        op, self.op = self.op, None
        if op is None:
            return
        if op.shape is None or not op.shape.results:
            return
        number = op.first
        text, statement, first = self.text, self.number, self.first
        self.text, self.number, self.first = op.text, op.number, op.text.statements.names[op.number]
        for slot, count in op.shape.results:
            self.define(op.text.names[self.first + slot], number, count, slot)
            number += count
        self.text, self.number, self.first = text, statement, first

    def rest(self, event: Rest) -> None:
        if self.op is None:
            self.problem("syntax", "expected an operation", self.span(event.start, event.end))
            return
        for operand in event.operands:
            self.use(operand)

    def open(self, event: Open) -> None:
        op = self.op
        if op is None:
            at = self.at(event.start)
            self.problem("syntax", "expected an operation before '{'", Span(at, at + 1))
            op = OpenOp("", self.text, self.number, None, self.count)
            self.frames[-1].filled = True
        self.op = None
        scope = Scope(len(self.frames)) if self.scoping.isolated(op.name) else self.frames[-1].scope
        frame = Frame(op, scope)
        self.frames.append(frame)
        frame.filled = bool(event.defines)
        self.arguments(event.defines)

    def arguments(self, defines: tuple[Shaped, ...]) -> None:
        for slot, _ in defines:
            self.define(self.names[self.first + slot], self.count, 1, slot)
            self.count += 1

    def label(self, event: Label) -> None:
        self.finish_op()
        frame = self.frames[-1]
        if len(self.frames) == 1:
            self.problem("syntax", "a block label outside a region", self.slot_span(event.slot))
            return
        name = self.names[self.first + event.slot]
        if frame.filled:
            frame.block.current = False
            frame.block = OpenBlock(frame, frame.blocks)
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
            at = self.at(event.start)
            self.problem("syntax", "'}' closes nothing", Span(at, at + 1))
            return
        for left in range(pops - 1, -1, -1):
            if left and len(self.frames) > 2:
                self.unclosed()
            elif len(self.frames) > 1:
                self.pop()

    def unclosed(self) -> None:
        self.problem("syntax", "a region of this operation is not closed", self.frames[-1].op.span)
        self.pop()
        self.finish_op()

    def finish(self) -> Resolved:
        """All problems, in text order, and the links."""
        self.finish_op()
        while len(self.frames) > 1:
            self.unclosed()
        self.finish_op()
        self.end_scope(self.frames[0])
        for _, name, text, number, slot in self.frames[0].edges:
            message = f"block '{name}' is not defined: there is no region here"
            self.problem("undefined-block", message, text.span(number, slot))
        problems = tuple(sorted(self.problems, key=lambda problem: problem.span))
        return Resolved(self.links, problems, frozenset(self.symbols), tuple(self.references))

    # ---- names -------------------------------------------------------------------------------------------------

    def use(self, operand: Operand) -> None:
        slot, number, _ = operand
        name = self.names[self.first + slot]
        frame = self.frames[-1]
        scope = frame.scope
        known = scope.values.get(name)
        use = Pending(len(self.links), name, number, self.text, self.number, slot, ())
        if known is None:
            chain = tuple(one.block for one in self.frames[scope.base :])
            scope.pending.append(use._replace(chain=chain))
            self.links.append(-1)
            return
        self.links.append(-1)
        if self.link(use, known) and not known.block.current:
            owner = known.block.frame
            owner.checks.append((known.block, owner.block, use))

    def link(self, use: Pending, known: Known) -> bool:
        wanted = use.number or 0
        if wanted >= known.size:
            plural = "result" if known.size == 1 else "results"
            message = f"'{use.name}' has {known.size} {plural}, number {wanted} does not exist"
            self.problem("undefined-value", message, use.span, notes=(("defined here", known.span),))
            return False
        self.links[use.link] = known.number + wanted
        return True

    def define(self, name: str, number: int, count: int, slot: int) -> None:
        frame = self.frames[-1]
        values = frame.scope.values
        known = values.get(name)
        if known is not None:
            message = f"'{name}' is defined twice"
            self.problem("redefined-value", message, self.slot_span(slot), (("first defined here", known.span),))
        frame.undo.append((name, known))
        values[name] = Known(number, count, frame.block, self.text, self.number, slot)

    def pop(self) -> None:
        """Close the innermost region."""
        frame = self.frames.pop()
        frame.block.current = False
        if frame.scope is self.frames[-1].scope:
            self.end_region(frame)
        else:
            self.end_scope(frame)
        self.check_blocks(frame)
        self.op = frame.op

    def end_region(self, frame: Frame) -> None:
        scope = frame.scope
        if len(scope.pending) > frame.pending:
            waiting = scope.pending[frame.pending :]
            del scope.pending[frame.pending :]
            for use in waiting:
                known = scope.values.get(use.name)
                if known is not None and known.block.frame is frame:
                    self.late(use, known, frame)
                else:
                    scope.pending.append(use)
        for name, old in reversed(frame.undo):
            if old is None:
                scope.values.pop(name, None)
            else:
                scope.values[name] = old

    def end_scope(self, frame: Frame) -> None:
        values = frame.scope.values
        for use in frame.scope.pending:
            known = values.get(use.name)
            if known is not None:
                self.late(use, known, known.block.frame)
                continue
            close = self.similar(use.name, values)
            self.problem("undefined-value", f"'{use.name}' is not defined", use.span, suggestion=close)

    def similar(self, name: str, names: Iterable[str]) -> str | None:
        """A name like `name`, as long as not too many have been looked for."""
        if not self.suggestions:
            return None
        self.suggestions -= 1
        return next(iter(get_close_matches(name, list(names), 1, 0.7)), None)

    def late(self, use: Pending, known: Known, frame: Frame) -> None:
        """A use that stands before the definition of its name."""
        if not self.link(use, known):
            return
        block = next((one for one in use.chain if one.frame is frame), None)
        if block is None or self.scoping.graph(frame.op.name):
            return
        if block is known.block:
            self.undominated(use, known.span)
        else:
            frame.checks.append((known.block, block, use))

    def undominated(self, use: Pending, definition: Span) -> None:
        message = f"'{use.name}' is used before it is defined"
        self.problem("undefined-value", message, use.span, notes=(("defined here", definition),))

    def check_blocks(self, frame: Frame) -> None:
        edges: list[tuple[int, int]] = []
        for block, name, text, number, slot in frame.edges:
            known = frame.labels.get(name)
            if known is not None:
                edges.append((block.number, known[0].number))
                continue
            close = self.similar(name, frame.labels)
            message = f"block '{name}' is not defined in this region"
            self.problem("undefined-block", message, text.span(number, slot), suggestion=close)
        checks = [check for check in frame.checks if check[0].number]  # the entry dominates all others
        if not checks or self.scoping.graph(frame.op.name):
            return
        dominates = dominators(frame.blocks, edges)
        for definer, user, use in checks:
            if not dominates(definer.number, user.number):
                message = f"'{use.name}' is not defined on every path to this use"
                self.problem("undefined-value", message, use.span)

    # ---- places ------------------------------------------------------------------------------------------------

    def problem(
        self,
        rule: str,
        message: str,
        span: Span,
        notes: tuple[tuple[str, Span], ...] = (),
        suggestion: str | None = None,
    ) -> None:
        self.problems.append(Problem(rule, message, span, notes, suggestion))

    def at(self, offset: int) -> int:
        return self.text.places(self.number).at(offset)

    def span(self, start: int, end: int) -> Span:
        places = self.text.places(self.number)
        return Span(places.at(start), max(places.at(end), places.at(start) + 1))

    def slot_span(self, slot: int) -> Span:
        return self.text.span(self.number, slot)
