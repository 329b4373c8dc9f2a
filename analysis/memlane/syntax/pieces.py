"""Text -> pieces: a function each, or one statement outside functions. The unit of incremental reading.

How a piece is cut depends on its own text and on the first line after it, on nothing else: no state crosses from one
piece to the next. So an edit cuts the pieces it touches anew and goes on until a piece begins where an old one did.
Brackets that do not balance spoil one piece: a function ends at the latest before the next function head at its
indentation, and inside it the indentation of closing braces tells which region was left open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import Enum
from functools import cached_property

from memlane.syntax import forms
from memlane.syntax.characters import odd_characters
from memlane.syntax.frames import NOTHING_RESOLVED, Resolved
from memlane.syntax.holes import Places, clean
from memlane.syntax.resolve import Resolver
from memlane.syntax.scan import Kind, Line, Memo, Scanner, Statement
from memlane.syntax.scoping import Scoping
from memlane.syntax.shape import Close, Open, OpShape, Template
from memlane.syntax.statements import NO_POPS, NO_STATEMENTS, Statements, pack
from memlane.syntax.tokens import Fault
from memlane.syntax.tree import Problem


class Sort(Enum):
    """What a piece holds."""

    FUNCTION = "function"
    GLUE = "glue"
    SEPARATOR = "separator"
    BLANK = "blank"


class Piece:
    """A piece of text and what it says, without its place in the document. Never changed once cut.

    Args:
        resolved: names resolved within the piece, for functions: they see nothing from outside. Else empty.
        reach: how many characters after its end decided where it ends; past the end of the text where that did.
        odd: problems with its characters.
    """

    def __init__(
        self,
        text: str,
        sort: Sort,
        statements: Statements,
        resolved: Resolved,
        reach: int,
        odd: tuple[Problem, ...] = (),
    ) -> None:
        self.text = text
        self.sort = sort
        self.statements = statements
        self.resolved = resolved
        self.reach = reach
        self.odd = odd

    @cached_property
    def symbol(self) -> str | None:
        """The symbol of its first op, without `@`."""
        templates = self.statements.templates
        head = templates[0].events[0] if templates else None
        if not isinstance(head, OpShape):
            return None
        starts = self.statements.starts
        end = starts[1] if len(starts) > 1 else len(self.text)
        places = Places(clean(self.text[:end]), starts[0], end, 0)
        if head.symbol is not None:
            return self.text[places.at(head.symbol.start) : places.at(head.symbol.end)].strip('"')
        if not head.generic:
            return None
        attributes = {
            key: self.text[places.at(cut.start) : places.at(cut.end)] for key, cut in head.attributes.items() if cut
        }
        return forms.symbol_of(attributes)

    def same(self, other: Piece) -> bool:
        """Whether both pieces have the same text and say the same."""
        return self.text == other.text and self.sort == other.sort and self.statements.same(other.statements)


class _Cutter:
    def __init__(self, text: str, memo: Memo, scoping: Scoping) -> None:
        self.text = text
        self.scanner = Scanner(text, memo)
        self.scoping = scoping
        self.pieces: list[Piece] = []
        self.looked = 0

    def run(self) -> Iterator[Piece]:
        """The pieces, each as soon as it is cut."""
        scanner = self.scanner
        scanner.blank()
        if scanner.offset:
            self.add(0, Sort.BLANK, NO_STATEMENTS)
            yield self.pieces[-1]
        while scanner.at < scanner.count:
            line = scanner.known(scanner.at)
            start = scanner.offset
            if line.kind == Kind.SEPARATOR:
                scanner.advance(line)
                scanner.blank()
                self.add(start, Sort.SEPARATOR, NO_STATEMENTS)
            elif line.kind == Kind.RESOURCE:
                scanner.resource()
                scanner.blank()
                self.add(start, Sort.BLANK, NO_STATEMENTS)
            else:
                self.statement(start, line)
            yield self.pieces[-1]

    def add(self, start: int, sort: Sort, statements: Statements) -> None:
        text = self.text[start : self.scanner.offset]
        self.pieces.append(Piece(text, sort, statements, NOTHING_RESOLVED, self.reach(), odd_characters(text)))

    def add_function(self, start: int, first: int, statements: Statements) -> None:
        scanner = self.scanner
        resolver = Resolver(self.scoping)
        names = scanner.names[first : scanner.name]
        resolver.run(statements, scanner.cleaned[start : scanner.offset], names, 0)
        text = self.text[start : scanner.offset]
        self.pieces.append(
            Piece(text, Sort.FUNCTION, statements, resolver.finish(), self.reach(), odd_characters(text))
        )

    def reach(self) -> int:
        """How far the cut that is made here looked ahead."""
        scanner = self.scanner
        last, self.looked = max(self.looked, scanner.at), 0
        if last >= scanner.count:
            return len(self.text) - scanner.offset + 1
        return sum(scanner.sizes[scanner.at : last + 1])

    def statement(self, start: int, line: Line) -> None:
        first = self.scanner.name
        statement = self.scanner.statement(line)
        template = statement[2]
        if self.lost_brace(template, line):
            template = _with_brace(template)
            statement = (statement[0], statement[1], template)
        if not self.opens_function(template):
            self.scanner.blank()
            self.add(start, Sort.GLUE, pack([statement], start, first, NO_POPS))
            return
        statements, indents = [statement], [line.indent]
        damaged = template.depth > 0 and self.body(statements, indents, template.depth)
        self.scanner.blank()
        pops = _pops(statements, indents) if damaged else NO_POPS
        self.add_function(start, first, pack(statements, start, first, pops))

    def opens_function(self, template: Template) -> bool:
        events = template.events
        if len(events) < 2 or template.lowest < 0 or not isinstance(events[0], OpShape):
            return False
        return isinstance(events[1], Open) and self.scoping.function(events[0].name)

    def lost_brace(self, template: Template, line: Line) -> bool:
        """Whether a function's head has no brace although a body follows: it is being typed."""
        head = template.events[0] if template.events else None
        if not (line.head and isinstance(head, OpShape) and template.depth == 0 and len(template.events) <= 2):
            return False
        if head.generic or not self.scoping.function(head.name):
            return False
        first = self.peek()
        return first is not None and first.indent > line.indent and not first.head and first.kind != Kind.CONTINUATION

    def peek(self) -> Line | None:
        """The next line that is not blank; None at the end of the text."""
        scanner = self.scanner
        for at in range(scanner.at, scanner.count):
            self.looked = at
            line = scanner.known(at)
            if line.kind != Kind.BLANK:
                return line
        self.looked = scanner.count
        return None

    def body(self, statements: list[Statement], indents: list[int], depth: int) -> bool:
        """Collect a function's statements; whether its braces do not balance."""
        scanner = self.scanner
        indent = indents[0]
        damaged = False
        lines, skeletons = scanner.memo.lines, scanner.lines
        while scanner.at < scanner.count:
            line = lines.get(skeletons[scanner.at]) or scanner.known(scanner.at)
            kind = line.kind
            template = line.template
            inner = line.indent > indent or kind != Kind.CLOSE
            if template is not None and inner and not line.head and not damaged and scanner.at + 1 < scanner.count:
                following = lines.get(skeletons[scanner.at + 1])
                if following is not None and following.sure and depth + template.depth > 0:
                    statements.append((scanner.offset + line.indent, scanner.name, template))
                    indents.append(line.indent)
                    depth += template.depth
                    scanner.name += line.names
                    scanner.offset += scanner.sizes[scanner.at]
                    scanner.at += 1
                    continue
            if kind == Kind.BLANK:
                scanner.advance(line)
                continue
            if kind == Kind.SEPARATOR or (line.head and line.indent <= indent):
                return True
            statement = scanner.statement(line)
            statements.append(statement)
            indents.append(line.indent)
            depth += statement[2].depth
            if depth <= 0 and not damaged:
                if not (line.indent > indent and self.closed_early(indent)):
                    return False
                damaged = True
            if damaged and kind == Kind.CLOSE and line.indent <= indent:
                return True
            if kind == Kind.CLOSE and line.indent == indent and depth > 0 and self.ends_here(indent):
                return True
        return True

    def ends_here(self, indent: int) -> bool:
        """Whether nothing of a function can follow: a brace at its indentation closes it, whatever the count."""
        line = self.peek()
        if line is None or line.kind == Kind.SEPARATOR or (line.head and line.indent <= indent):
            return True
        return line.kind == Kind.CLOSE and line.indent < indent

    def closed_early(self, indent: int) -> bool:
        """Whether a function seems to go on after the brace that closes it: a stray brace stood before."""
        scanner = self.scanner
        first = True
        for at in range(scanner.at, scanner.count):
            self.looked = at
            line = scanner.known(at)
            if line.kind == Kind.BLANK:
                continue
            if line.kind == Kind.SEPARATOR or line.head or (first and line.indent <= indent):
                return line.kind == Kind.CLOSE and line.indent == indent > 0
            if line.indent <= indent:
                return line.kind == Kind.CLOSE and line.indent == indent
            first = False
        self.looked = scanner.count
        return False


def _with_brace(template: Template) -> Template:
    head = template.events[0]
    assert isinstance(head, OpShape)
    fault = Fault("the body of this function has no '{'", head.name_start, head.name_end)
    brace = Open(None, head.end, head.declares)
    return replace(template, events=(head, brace), faults=(*template.faults, fault), single=None, depth=1)


def _pops(statements: list[Statement], indents: list[int]) -> dict[tuple[int, int], int]:
    """By indentation, how many regions each closing brace at the start of a line closes, where it is not one."""
    stack: list[int] = []
    pops: dict[tuple[int, int], int] = {}
    for number, (statement, indent) in enumerate(zip(statements, indents, strict=True)):
        for position, event in enumerate(statement[2].events):
            if isinstance(event, Open):
                stack.append(indent)
            elif isinstance(event, Close):
                count = _closes(stack, indent) if position == 0 else min(1, len(stack))
                if count != 1:
                    pops[number, position] = count
                del stack[len(stack) - count :]
    return pops


def _closes(stack: list[int], indent: int) -> int:
    if indent in stack:
        return len(stack) - (len(stack) - 1 - stack[::-1].index(indent))
    if not stack or stack[-1] < indent:
        return 0
    return max(1, sum(1 for opened in stack if opened > indent))


def cut(text: str, memo: Memo, scoping: Scoping) -> Iterator[Piece]:
    """The pieces of a text, one after the other; their texts joined give it back."""
    return _Cutter(text, memo, scoping).run()


def title_of(piece: Piece) -> str:
    """The line of a separator, without spaces around it."""
    return piece.text.split("\n", 1)[0].strip()
