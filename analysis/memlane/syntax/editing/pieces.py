"""Text -> pieces: a function each, or one statement outside functions.

How a piece is cut depends on its own text and on the first line after it, on nothing else: no state crosses from one
piece to the next. So an edit cuts the pieces it touches anew and goes on until a piece begins where an old one did.
Brackets that do not balance spoil one piece: a function ends at the latest before the next function head at its
indentation, and inside it the indentation of closing braces tells which region was left open.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from memlane.cancellation import poll
from memlane.syntax.editing.piece import Piece, Sort
from memlane.syntax.lines.balance import popped
from memlane.syntax.lines.line import Kind, Line
from memlane.syntax.lines.memo import Memo
from memlane.syntax.lines.opened import ends_body, names_types, with_brace
from memlane.syntax.lines.scan import Scanner
from memlane.syntax.lines.statements import NO_POPS, NO_STATEMENTS, Leaf, Statements, no_links, small
from memlane.syntax.names.frames import NOTHING_RESOLVED
from memlane.syntax.names.resolve import Resolver
from memlane.syntax.names.scoping import Scoping
from memlane.syntax.shapes import forms
from memlane.syntax.shapes.characters import odd_characters
from memlane.syntax.shapes.holes import Places, clean
from memlane.syntax.shapes.shape import Alias, Close, Open, OpShape, Rest, Template

LEAF_LINES = 192
"""A leaf ends with the first statement that ends after so many lines."""


class _Open:
    """The leaf that is being cut: its statements so far, relative to its start."""

    __slots__ = ("names", "start", "starts", "templates")

    def __init__(self, start: int) -> None:
        self.start = start
        self.templates: list[Template] = []
        self.starts: list[int] = []
        self.names: list[int] = []

    def add(self, offset: int, name: int, template: Template) -> None:
        """One more statement: where it starts in the text, its first name in the leaf."""
        self.templates.append(template)
        self.starts.append(offset - self.start)
        self.names.append(name)

    def statements(self) -> Statements:
        """What the leaf holds."""
        return Statements(tuple(self.templates), small(self.starts), small(self.names), NO_POPS)


class _Cutter:
    def __init__(self, text: str, memo: Memo, scoping: Scoping) -> None:
        self.text = text
        self.scanner = Scanner(text, memo)
        self.scoping = scoping

    def run(self) -> Iterator[CutPiece]:
        """The pieces, each as soon as it is cut."""
        for piece in self.pieces():
            yield CutPiece(piece, self.scanner.reach())

    def pieces(self) -> Iterator[Piece]:
        scanner = self.scanner
        scanner.blank()
        if scanner.offset:
            yield self.plain(0, Sort.BLANK)
        while scanner.has(scanner.at):
            scanner.drop()
            line = scanner.known(0)
            start = scanner.offset
            if line.kind == Kind.SEPARATOR:
                scanner.advance(line)
                scanner.blank()
                yield self.plain(start, Sort.SEPARATOR)
            elif line.kind == Kind.RESOURCE:
                scanner.resource()
                scanner.blank()
                yield self.plain(start, Sort.BLANK)
            else:
                yield self.statement(start, line)

    def plain(self, start: int, sort: Sort, statements: Statements = NO_STATEMENTS) -> Piece:
        """A piece of a single leaf, outside functions."""
        scanner = self.scanner
        leaf = Leaf(self.text, start, scanner.offset, statements, scanner.name, array("i"))
        return Piece((leaf,), sort, NOTHING_RESOLVED, odd_characters(leaf.text))

    def statement(self, start: int, line: Line) -> Piece:
        """The piece that starts with the current line: a function, or a statement outside functions."""
        alone = not self.scanner.inside()
        offset, name, template = self.scanner.statement(line)
        if len(template.events) > 2 and self.head(template):
            offset, name, template = self.ended((0, start, 0), offset, name, template, 0)
        if alone and self.lost_brace(template, line, start):
            head = replace(template, events=template.events[:1])
            template = with_brace(head, "the body of this function has no '{'")
        leaf = _Open(start)
        leaf.add(offset, name, template)
        if not self.opens_function(template):
            self.scanner.blank()
            return self.plain(start, Sort.GLUE, leaf.statements())
        leaves: list[Leaf] = []
        damaged = False
        if template.depth > 0:
            leaf, damaged = self.body(leaves, leaf, line.indent, template.depth, alone)
        self.scanner.blank()
        leaves.append(self.leaf(leaf))
        return self.function(leaves, damaged)

    def ended(
        self, mark: tuple[int, int, int], offset: int, name: int, template: Template, depth: int
    ) -> tuple[int, int, Template]:
        """The statement as far as the brace that closes the last of the `depth` open regions of a function.

        It began at `mark` of the scanner. What follows that brace becomes a line of its own.
        """
        end = _behind(template, depth)
        if end is None:
            return offset, name, template
        scanner = self.scanner
        text = clean(self.text[offset : scanner.offset])
        place = Places(text, 0, len(text), offset).at(end)
        scanner.back(mark, place)
        found = scanner.statement(scanner.known(scanner.at))
        if scanner.offset < place:
            scanner.join(place)
        return found

    def leaf(self, leaf: _Open) -> Leaf:
        """What has been cut since `leaf` began."""
        poll()
        scanner = self.scanner
        statements = leaf.statements()
        found = Leaf(self.text, leaf.start, scanner.offset, statements, scanner.name, no_links(statements))
        scanner.drop()
        return found

    def function(self, leaves: list[Leaf], damaged: bool) -> Piece:
        """The piece of a function that was cut into `leaves`."""
        start, end = leaves[0].start, leaves[-1].end
        if damaged:
            leaves = popped(leaves, function=True)
        resolver = Resolver(self.scoping)
        for leaf in leaves:
            poll()
            resolver.run(leaf, leaf.start - start, leaf.links)
        resolved = resolver.finish()
        odd = odd_characters(self.text[start:end])
        return Piece(tuple(leaves), Sort.FUNCTION, resolved, odd, damaged)

    def head(self, template: Template) -> bool:
        """Whether a function and its region open the statement."""
        events = template.events
        if len(events) < 2 or not isinstance(events[0], OpShape):
            return False
        return isinstance(events[1], Open) and self.scoping.function(events[0].name)

    def opens_function(self, template: Template) -> bool:
        return template.lowest >= 0 and self.head(template)

    def lost_brace(self, template: Template, line: Line, start: int) -> bool:
        """Whether a function's head has no brace although a body follows: it is being typed."""
        head = template.events[0] if template.events else None
        if not (line.head and isinstance(head, OpShape) and template.depth == 0 and len(template.events) <= 2):
            return False
        if head.generic or not self.scoping.function(head.name):
            return False
        first = self.peek()
        if first is None or first.indent <= line.indent or first.head or first.kind == Kind.CONTINUATION:
            return False
        if head.declares or forms.must_have_body(head.name, head.keywords):
            return True
        return not names_types(self.text[start : self.scanner.offset]) and self.body_follows(line.indent)

    def body_follows(self, indent: int) -> bool:
        """Whether the lines that are indented deeper end as a body does."""
        at, last = self.scanner.at, None
        while True:
            line = self.scanner.peek(at)
            if line is None or (line.kind not in (Kind.BLANK, Kind.LABEL) and line.indent <= indent):
                return last is not None and ends_body(last)
            last = line.template or last
            at += 1

    def peek(self) -> Line | None:
        """The next line that is not blank; None at the end of the text."""
        at = self.scanner.at
        while True:
            line = self.scanner.peek(at)
            if line is None or line.kind != Kind.BLANK:
                return line
            at += 1

    def body(self, leaves: list[Leaf], leaf: _Open, indent: int, depth: int, alone: bool) -> tuple[_Open, bool]:
        """Slice the rest of a function whose head is in `leaf`; all leaves but the last go into `leaves`.

        Its indentation says something where nothing stands before it on its line: where it is `alone`.
        The last leaf, and whether the function's braces do not balance.
        """
        scanner = self.scanner
        damaged = False
        lines, skeletons = scanner.memo.lines, scanner.lines
        add = leaf.add
        while scanner.has(scanner.at):
            if scanner.at >= LEAF_LINES:
                leaves.append(self.leaf(leaf))
                leaf = _Open(scanner.offset)
                add = leaf.add
            line = lines.get(skeletons[scanner.at]) or scanner.known(scanner.at)
            kind = line.kind
            template = line.template
            inner = line.indent > indent or kind != Kind.CLOSE
            if template is not None and inner and not line.head and not damaged and scanner.at + 1 < len(skeletons):
                following = lines.get(skeletons[scanner.at + 1])
                if following is not None and following.sure and depth + template.lowest > 0:
                    add(scanner.offset + line.indent, scanner.name, template)
                    depth += template.depth
                    scanner.name += line.names
                    scanner.offset += scanner.sizes[scanner.at]
                    scanner.at += 1
                    continue
            if kind == Kind.BLANK:
                scanner.advance(line)
                continue
            if kind == Kind.SEPARATOR or (line.head and line.indent <= indent and not scanner.inside()):
                return leaf, True
            mark = scanner.at, scanner.offset, scanner.name
            offset, name, template = scanner.statement(line)
            if depth + template.lowest <= 0 and not damaged and len(template.events) > 1:
                offset, name, template = self.ended(mark, offset, name, template, depth)
            add(offset, name, template)
            depth += template.depth
            if depth <= 0 and not damaged:
                if not (alone and line.indent > indent and self.closed_early(indent)):
                    return leaf, False
                damaged = True
            if damaged and kind == Kind.CLOSE and line.indent <= indent:
                return leaf, True
            if alone and kind == Kind.CLOSE and line.indent == indent and depth > 0 and self.ends_here(indent):
                return leaf, True
        return leaf, True

    def ends_here(self, indent: int) -> bool:
        """Whether nothing of a function can follow: a brace at its indentation closes it, whatever the count."""
        line = self.peek()
        if line is None or line.kind == Kind.SEPARATOR or (line.head and line.indent <= indent):
            return True
        return line.kind == Kind.CLOSE and line.indent < indent

    def closed_early(self, indent: int) -> bool:
        """Whether a function seems to go on after the brace that closes it: a stray brace stood before."""
        at = self.scanner.at
        first = True
        while True:
            line = self.scanner.peek(at)
            if line is None:
                return False
            at += 1
            if line.kind == Kind.BLANK:
                continue
            if line.kind == Kind.LABEL:  # printed as far left as the function
                first = False
                continue
            if line.kind == Kind.SEPARATOR or line.head or (first and line.indent <= indent):
                return line.kind == Kind.CLOSE and line.indent == indent > 0
            if line.indent <= indent:
                return line.kind == Kind.CLOSE and line.indent == indent
            first = False


def _behind(template: Template, depth: int) -> int | None:
    """Where, in the shape, something begins behind the brace that closes the last of `depth` open regions."""
    for event, following in pairwise(template.events):
        depth += isinstance(event, Open)
        depth -= isinstance(event, Close)
        if isinstance(event, (Close, Rest)) and depth <= 0 and isinstance(following, (OpShape, Close, Alias)):
            return following.start
    return None


class CutPiece(NamedTuple):
    """A piece as it was cut.

    Args:
        reach: how many characters after its end decided where it ends; past the end of the text where that did.
    """

    piece: Piece
    reach: int


def cut(text: str, memo: Memo, scoping: Scoping) -> Iterator[CutPiece]:
    """The pieces of a text, one after the other; their texts joined give it back."""
    return _Cutter(text, memo, scoping).run()
