"""Text edits that put statements in and take them out, and touch nothing else.

Lines end as their neighbours do, indentation is that of the surrounding statements, and one level of it what it is
around them.
A statement that has its lines to itself is taken out with them; one that shares a line leaves its neighbours alone. No
comment is lost: those behind a statement and on the lines above it move with it, those of one that goes stay.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from types import MappingProxyType

from memlane.findings import Edit, Span
from memlane.lazy import regex
from memlane.syntax.tree.tree import Block, Op, Value, starts_at
from memlane.text import Text

_REST = regex(r"[ \t]*(?:loc\([^\r\n]*\))?[ \t]*(?://[^\r\n]*)?")
_SPACE = regex(r"[ \t]*")
_COMMENT = regex(r'"(?:[^"\\\r\n]|\\.)*"|(?P<comment>//[^\r\n]*)')
STEP = "  "
"""One level of nesting in lines that are handed to a `Writer`; it writes what the text has instead."""


@dataclass(slots=True)
class Writer:
    """Collects insertions and removals on one text, and gives them as edits that do not overlap."""

    text: Text
    _put: dict[int, list[str]] = field(default_factory=dict[int, list[str]])
    _cut: list[tuple[Span, str]] = field(default_factory=list[tuple[Span, str]])

    def after(self, op: Op, lines: list[str]) -> None:
        """Put statements after `op`. Lines are indented relative to each other, by `STEP`s."""
        self._behind(op.span.end, self._indent(op), self._nested(lines, op), op)

    def before(self, op: Op, lines: list[str], first: bool = False) -> None:
        """Put statements before `op`; `first`: before all else that is put there."""
        indent, eol, lines = self._indent(op), self.eol(op.span.start), self._nested(lines, op)
        if self._leads(op):
            column = self.text.position(op.span.start).column
            self.insert(op.span.start - column, "".join(indent + part + eol for part in lines), first)
        elif any("//" in part for part in lines):
            self.insert(op.span.start, eol + "".join(indent + part + eol for part in lines) + indent, first)
        else:
            self.insert(op.span.start, "".join(part.strip() + " " for part in lines), first)

    def at_start(self, block: Block, lines: list[str]) -> None:
        """Put statements at the start of `block`."""
        first = block.ops[0] if block.ops else None
        line = self.text.position(block.span.start).line
        indent = _SPACE.match(self.text.line(line))
        assert indent is not None
        around = first if first is not None else block.region.op
        further = indent[0] + self.step(around)
        indentation = self._indent(first) if first is not None and self._leads(first) else further
        self._behind(block.span.end, indentation, self._nested(lines, around), around)

    def insert(self, offset: int, content: str, first: bool = False) -> None:
        """Put text in, behind what is put in at the same place, or before that."""
        put = self._put.setdefault(offset, [])
        put.insert(0 if first else len(put), content)

    def replace(self, span: Span, content: str) -> None:
        """Put `content` where `span` is."""
        self._cut.append((span, content))

    def remove(self, op: Op) -> None:
        """Take a statement out; its comments stay."""
        span = self.extent(op)
        indent, eol = self._indent(op), self.eol(op.span.start)
        lines = [comment + eol for comment in self.comments(span)]
        whole = self._alone(op)
        self._cut.append((span, "".join(indent + line if whole else line + indent for line in lines)))

    def take(self, op: Op, left: Iterable[Op] = ()) -> list[str]:
        """Take a statement out with the comments on the lines above it; gives all comments, but those behind the
        statements `left` in it, which go with these."""
        span = self.around(op)
        self._cut.append((span, ""))
        behind = [Span(one.span.end, self.extent(one).end) for one in left]
        return self.comments(span, behind)

    def around(self, op: Op) -> Span:
        """What is taken out with a statement that moves: its lines, and those of the comments above."""
        span = self.extent(op)
        return Span(self._above(op), span.end) if self._alone(op) else span

    def comments(self, span: Span, left: Iterable[Span] = ()) -> list[str]:
        """The comments at a place, in order, but for those in the places `left`."""
        found = (one for one in _COMMENT.finditer(self.text.source, *span) if one["comment"] is not None)
        return [one[0].rstrip() for one in found if not any(a <= one.start() < b for a, b in left)]

    def move(self, op: Op, renamed: Mapping[Value, str], *, before: Op | None = None, after: Op | None = None) -> None:
        """Take a statement out, and put it `before` or `after` another, with its comments and other names in it."""
        lines = [*self.take(op, [op] if self._alone(op) else []), self.statement(op, renamed)]
        if before is not None:
            self.before(before, lines)
        if after is not None:
            self.after(after, lines)

    def instead(self, op: Op, lines: list[str]) -> None:
        """Put statements in the place of `op`, which takes its lines along if there are none."""
        if not lines:
            self.remove(op)
            return
        inner = self.comments(op.span)
        between = self.eol(op.span.start) + self._indent(op) if self._leads(op) or inner else " "
        self.replace(op.span, between.join((*inner, *lines)))

    def rename(self, value: Value, name: str, but: Iterable[Op] = ()) -> None:
        """Write `name` wherever `value` is used, except in the statements `but`."""
        left = frozenset(but)
        for use in value.uses:
            if use.op not in left:
                self.replace(use.span, name)

    def extent(self, op: Op) -> Span:
        """What goes when `op` goes: its lines with their ends, or itself with the space on one side."""
        source = self.text.source
        first, last = self.text.position(op.span.start), self.text.position(op.span.end)
        start = op.span.start - first.column
        if self._alone(op):
            following = self.text.offset(last.line + 1, 0) if last.line + 1 < self.text.line_count else len(source)
            return Span(start, following)
        start, end = op.span
        if self._leads(op):  # what follows takes its place
            space = _SPACE.match(source, end)
            return Span(start, space.end() if space is not None else end)
        while start > 0 and source[start - 1] in " \t":
            start -= 1
        return Span(start, end)

    def statement(self, op: Op, renamed: Mapping[Value, str] = MappingProxyType({}), bare: bool = False) -> str:
        """The text of a statement, with the comment behind it where it has a line to itself, and other names in it.

        Args:
            bare: without the comment.
        """
        spans = [(value.span, renamed[value]) for value in op.results if value in renamed]
        spans += [(u.span, renamed[u.value]) for u in op.operands if u.value is not None and u.value in renamed]
        written = apply(
            self.text.source[op.span.start : op.span.end],
            tuple(Edit(Span(span.start - op.span.start, span.end - op.span.start), name) for span, name in spans),
        )
        extent = self.extent(op)
        behind = self.text.source[op.span.end : extent.end].rstrip(" \t\r\n") if self._leads(op) else ""
        return written if bare else written + behind

    def _alone(self, op: Op) -> bool:
        """Whether a statement has its lines to itself, but for a comment."""
        rest = _REST.match(self.text.source, op.span.end)
        end = self.text.line_end(self.text.position(op.span.end).line)
        return self._leads(op) and rest is not None and rest.end() == end

    def _above(self, op: Op) -> int:
        """Where the lines of comments start that stand directly above a statement."""
        line = self.text.position(op.span.start).line
        while line and self.text.line(line - 1).lstrip(" \t").startswith("//"):
            line -= 1
        return self.text.offset(line, 0)

    def eol(self, offset: int) -> str:
        """How lines end around `offset`."""
        line = self.text.position(offset).line
        end = self.text.line_end(line)
        if line + 1 < self.text.line_count:
            return self.text.source[end : self.text.offset(line + 1, 0)]
        return self.eol(self.text.offset(line - 1, 0)) if line else "\n"

    def edits(self) -> tuple[Edit, ...]:
        """All of it, in order; what touches is one edit."""
        put = {offset: "".join(parts) for offset, parts in self._put.items()}
        found: list[Edit] = []
        for span, content in sorted(set(self._cut)):
            if found and span.start < found[-1].span.end:
                continue
            inside = sorted(offset for offset in put if span.start <= offset <= span.end)
            before = "".join(put.pop(offset) for offset in inside if offset < span.end or span.start == span.end)
            after = "".join(put.pop(offset) for offset in inside if offset in put)
            found.append(Edit(span, before + content + after))
        found += [Edit(Span(offset, offset), content) for offset, content in put.items()]
        return tuple(sorted((e for e in found if not self._idle(e)), key=lambda edit: edit.span))

    def indent(self, op: Op) -> str:
        """The indentation of the line `op` starts on."""
        return self._indent(op)

    def step(self, op: Op) -> str:
        """One level of indentation, as it is around `op`."""
        block = op.parent
        while block is not None:
            leader = self._leader(block)
            outer, inner = self._margin(block.region.op), self._margin(leader) if leader is not None else ""
            if inner.startswith(outer) and inner != outer:
                return inner[len(outer) :]
            block = block.region.op.parent
        return STEP

    def _margin(self, op: Op) -> str:
        """The space at the start of the line that `op` starts on."""
        return self._space(self.text.position(op.span.start).line)

    def _nested(self, lines: list[str], op: Op) -> list[str]:
        step = self.step(op) if any(line.startswith(STEP) for line in lines) else STEP
        bare = [line.lstrip(" ") for line in lines]
        return [step * ((len(a) - len(b)) // len(STEP)) + b for a, b in zip(lines, bare, strict=True)]

    def _idle(self, edit: Edit) -> bool:
        return self.text.source[edit.span.start : edit.span.end] == edit.content

    def _behind(self, offset: int, indent: str, lines: list[str], op: Op) -> None:
        line = self.text.position(offset).line
        rest = _REST.match(self.text.source, offset)
        eol = self.eol(offset)
        if rest is None or rest.end() != self.text.line_end(line):
            plain = [part.strip() for part in lines]
            if all("//" not in part for part in plain):
                self.insert(offset, "".join(f" {part}" for part in plain))
                return
            self.insert(offset, eol + eol.join(indent + part for part in lines) + eol + indent.rstrip("\r\n"))
        elif line + 1 < self.text.line_count:
            self.insert(self.text.offset(line + 1, 0), "".join(self._laid(indent, part, op) + eol for part in lines))
        else:
            self.insert(rest.end(), "".join(eol + self._laid(indent, part, op) for part in lines))

    def _laid(self, indent: str, line: str, op: Op) -> str:
        """A line with the space before it: the name of a block stands one step before the operations."""
        return (indent.removesuffix(self.step(op)) if line.startswith("^") else indent) + line

    def _indent(self, op: Op) -> str:
        found = self._space(self.text.position(op.span.start).line)
        if self._leads(op):
            return found
        first = self._leader(op.parent) if op.parent is not None else None
        return self._indent(first) if first is not None else found + self.step(op)

    def _space(self, line: int) -> str:
        found = _SPACE.match(self.text.source, self.text.offset(line, 0))
        return found[0] if found is not None else ""

    def _leader(self, block: Block) -> Op | None:
        """The first operation of a block that has nothing before it in its line: looked for line by line."""
        start = 0
        while start < len(block.ops):
            line = self.text.position(block.ops[start].span.start).line
            if self._leads(block.ops[start]):
                return block.ops[start]
            following = self.text.offset(line + 1, 0) if line + 1 < self.text.line_count else len(self.text.source)
            start = bisect_left(block.ops, following, start + 1, key=starts_at)
        return None

    def _leads(self, op: Op) -> bool:
        column = self.text.position(op.span.start).column
        return not self.text.source[op.span.start - column : op.span.start].strip(" \t")


def difference(before: str, after: str) -> tuple[Edit, ...]:
    """Edits of whole lines that make `after` of `before`."""
    from memlane.line_diff import CommonLines  # `difflib` costs milliseconds, for those who ask

    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0, *accumulate(len(line) for line in old)]
    return tuple(
        Edit(Span(starts[first], starts[last]), "".join(new[start:stop]))
        for kind, first, last, start, stop in CommonLines(old, new).get_opcodes()
        if kind != "equal"
    )


def apply(source: str, edits: tuple[Edit, ...]) -> str:
    """The source after the edits, which do not overlap."""
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        pieces += [source[at : edit.span.start], edit.content]
        at = edit.span.end
    return "".join((*pieces, source[at:]))
