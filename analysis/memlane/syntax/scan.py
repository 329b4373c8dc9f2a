"""Source text -> statements. A statement is a line, or several where brackets stay open or the next line goes on.

Lines are looked up by their skeleton; the loop over a file touches characters only where a line is new. What a line
is (the start of an operation, a closing brace, a label, the continuation of an operation) is told by how it starts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import IntEnum

from memlane.syntax.holes import BLOCK, HOLE, NAME, VALUE, abstract, clean, count_names, skeleton_of
from memlane.syntax.mistakes import inside
from memlane.syntax.shape import Template
from memlane.syntax.statement import read
from memlane.syntax.tokens import BARE_OPS, Fault


class Kind(IntEnum):
    """How a line starts."""

    BLANK = 0
    START = 1
    CLOSE = 2
    LABEL = 3
    CONTINUATION = 4
    SEPARATOR = 5
    RESOURCE = 6


Statement = tuple[int, int, Template]
"""A statement: its offset in the text, the number of its first name in the text, and what it says."""


@dataclass(frozen=True, slots=True)
class Line:
    """What is known of a physical line by itself.

    Args:
        open: the brackets that are open at its end, outermost first; region braces do not count.
        undecided: it ends with a brace of which only what follows tells what it opens.
        sure: it starts an operation, whatever stands before it.
        head: it starts a function.
        template: None where the line is no complete statement.
    """

    kind: Kind
    indent: int
    open: str
    undecided: bool
    names: int
    sure: bool
    head: bool
    template: Template | None


_ID = rf"(?:{HOLE}|[A-Za-z0-9$._-]+)"
_KIND = re.compile(
    rf"""\s*(?:
    (?P<BLANK>$|//)
    |(?P<START>{VALUE}(?::\d+)?(?:\s*,\s*{VALUE}(?::\d+)?)*\s*=\s*(?:"|$|(?!max\b|min\b|loc\b)[A-Za-z_][\w$.]*(?!\w|\s*<))
       |"(?:[^"\\]|\\.)*"\s*\(
       |[A-Za-z_]\w*\.[\w$.]*\w(?!\w|\s*=[^=]|\s*,)
       |(?:{"|".join(sorted(BARE_OPS))})\b(?!\s*[=(<,])
       |[\#!](?:{_ID}|"[^"]*")\s*=)
    |(?P<CLOSE>\}})
    |(?P<LABEL>{BLOCK}\s*(?::|\((?!.*\)\s*[^\s:])))
    |(?P<RESOURCE>\{{-\#)
    )""",
    re.VERBOSE,
)
_SURE = re.compile(
    rf"""\s*(?:{VALUE}(?::\d+)?(?:\s*,\s*{VALUE}(?::\d+)?)*\s*=\s*(?:"[\w.]+"\s*\(|[A-Za-z_]\w*\.\w[\w.]*(?!\w|\s*<))
    |[A-Za-z_]\w*\.[\w.]*\w\s+[{VALUE}@]
    |func(?:\.func)?\s+(?:private\s+|public\s+)?@
    |return(?:\s*$|\s+{VALUE})
    |{BLOCK}\s*(?:\(.*\))?\s*:)""",
    re.VERBOSE,
)
_HEAD = re.compile(r'\s*(?:(?:[\w.]+\.)?func\s+(?:[\w"]+\s+)*@|"[\w.]*\bfunc"\s*\(|transform\.named_sequence\s+@)')
_SEPARATOR = re.compile(r"\s*// -----(?:\s*$|//)")
_MARKS = re.compile(r'"(?:[^"\\\n]|\\.)*"?|//[^\n]*|->|[<>]=|[()\[\]{}<>]')
_DICT_AHEAD = re.compile(r'\s*(?:(?:[A-Za-z_][\w$.]*|"[^"]*")\s*(?:=(?!=)|,|\}|$)|\}\s*[:,)(])')
_REGION_AHEAD = re.compile(
    rf'\s*(?:[A-Za-z_{BLOCK}}}]|"(?:[^"\\]|\\.)*"\s*\(|{VALUE}(?::\d+)?(?:\s*,\s*{VALUE}(?::\d+)?)*\s*=)'
)
_WANTS_MORE = re.compile(r"(?:[,:=]|->|\b(?:to|into|in|step|attributes|ins|outs|then|else|do|from|with|iter_args))$")
_LONE_OP = re.compile(
    r"\s*(?:[A-Za-z_]\w*\.[\w.$]+\s*(?://.*)?$|(?:\w+\.(?:\w+[._])*)?(?:return|yield|terminator|unreachable)\s*\})"
)
_CONTINUING = re.compile(
    r"\s*(?:[(\[{:=,<\-]|(?:attributes|attrs|ins|outs|else|do|case|default|to|step|iter_args|into|in|shared_outs|threads|"
    r"blocks|clusters|args|init|dimensions|permutation|iterator_types|retain|if|reduce|then|workgroup|private|kernel|"
    r"loc|requires|output_shape|low|high|with|at|on|from|upper_bound|sizes|offsets|strides)\b)"
)


def _bare(line: str) -> str:
    return line.split("//", 1)[0].rstrip()


class Memo:
    """What has been learned, by skeleton and by shape. Bounded: a table that is full starts afresh."""

    __slots__ = ("insides", "limit", "lines", "shapes", "statements", "templates")

    def __init__(self, limit: int = 200_000) -> None:
        self.lines: dict[str, Line] = {}
        self.shapes: dict[str, Line] = {}
        self.statements: dict[str, Template] = {}
        self.templates: dict[str, Template] = {}
        self.insides: dict[tuple[str, str], str | None] = {}
        self.limit = limit

    def line(self, skeleton: str) -> Line:
        """What is known of a line that was not in `lines`."""
        if len(self.lines) > self.limit:
            self.lines.clear()
        if _SEPARATOR.match(skeleton):
            found = Line(Kind.SEPARATOR, 0, "", False, count_names(skeleton), True, False, None)
        else:
            shape, insides = abstract(skeleton)
            found = self.shapes.get(shape)
            if found is None:
                if len(self.shapes) > self.limit:
                    self.shapes.clear()
                found = self.shapes[shape] = self.learn(shape)
            if found.template is not None:
                faults = self.wrong(insides, found.indent)
                if faults:
                    found = replace(found, template=_with_faults(found.template, faults))
        self.lines[skeleton] = found
        return found

    def statement(self, skeleton: str) -> Template:
        """The template of a statement of several lines, without the space before it."""
        found = self.statements.get(skeleton)
        if found is None:
            if len(self.statements) > self.limit:
                self.statements.clear()
            shape, insides = abstract(skeleton)
            found = self.template(shape)
            faults = self.wrong(insides, 0)
            if faults:
                found = _with_faults(found, faults)
            self.statements[skeleton] = found
        return found

    def wrong(self, insides: list[tuple[str, str, int]], indent: int) -> list[Fault]:
        """Faults in the insides of types, which stand in a shape that is indented."""
        found: list[Fault] = []
        for word, text, offset in insides:
            key = (word, text)
            if key not in self.insides:
                if len(self.insides) > self.limit:
                    self.insides.clear()
                self.insides[key] = inside(word, text)
            message = self.insides[key]
            if message is not None:
                found.append(Fault(message, offset - indent, offset - indent + 1))
        return found

    def template(self, shape: str) -> Template:
        """The template of a shape."""
        found = self.templates.get(shape)
        if found is None:
            if len(self.templates) > self.limit:
                self.templates.clear()
            found = self.templates[shape] = read(shape)
        return found

    def learn(self, shape: str) -> Line:
        """What a line is, by its shape."""
        names = count_names(shape)
        indent = len(shape) - len(shape.lstrip())
        match = _KIND.match(shape)
        kind = Kind[match.lastgroup] if match and match.lastgroup else Kind.CONTINUATION
        if kind == Kind.BLANK or kind == Kind.RESOURCE:
            return Line(kind, indent, "", False, names, False, False, None)
        stack, undecided = feed("", shape)
        sure = kind == Kind.CLOSE or bool(_SURE.match(shape))
        complete = not stack and not undecided and kind != Kind.CONTINUATION and not _bare(shape).endswith("=")
        template = self.template(shape.lstrip()) if complete else None
        return Line(kind, indent, stack, undecided, names, sure, bool(_HEAD.match(shape)), template)


def _with_faults(template: Template, faults: list[Fault]) -> Template:
    return replace(template, faults=(*template.faults, *faults), single=None)


def feed(stack: str, text: str) -> tuple[str, bool]:
    """The brackets open after `text`, given those open before it; whether a brace at its end is undecided."""
    undecided = False
    for match in _MARKS.finditer(text):
        mark = match.group()
        if mark in "([":
            rest = text[match.end() :].lstrip()
            if mark == "(" and not stack and rest[:1] == "{" and not (_bare(rest[1:]) and _DICT_AHEAD.match(rest[1:])):
                continue
            stack += mark
        elif mark == "{":
            rest = _bare(text[match.end() :]) if '"' not in text[match.end() :] else text[match.end() :]
            if stack or text[match.start() - 1 : match.start()] == "<":
                stack += mark
            elif not rest.strip():
                before = text[: match.start()].rstrip()
                if before.endswith(("=", "attributes")):
                    stack += mark
                else:
                    undecided = not before.endswith("(")
            elif (_DICT_AHEAD.match(rest) and not _LONE_OP.match(rest)) or not _REGION_AHEAD.match(rest):
                stack += mark
        elif mark == "<":
            before = text[match.start() - 1 : match.start()]
            inside = "<" in stack or before.isalnum() or before in ("_", "$", ".", HOLE)
            if inside or text[match.end() : match.end() + 1] in ("{", "\n", ""):
                stack += mark
        elif mark in ")]}>":
            stack = _pop(stack, mark)
    return stack, undecided


def _pop(stack: str, mark: str) -> str:
    opener = {")": "(", "]": "[", "}": "{", ">": "<"}[mark]
    if mark == ">":
        return stack[:-1] if stack.endswith("<") else stack
    bare = stack.rstrip("<")
    if bare.endswith(opener):
        return bare[:-1]
    if opener in bare:
        return bare[: bare.rindex(opener)]
    return stack


class Scanner:
    """One pass over the lines of a text, a statement at a time.

    `at` is the number of the line at hand, `offset` where it starts, `name` the number of its first SSA name.
    """

    def __init__(self, source: str, memo: Memo) -> None:
        self.memo = memo
        self.lines_known = memo.lines
        self.cleaned = clean(source)
        self.lines = skeleton_of(self.cleaned).split("\n")
        self.sizes = [len(line) + 1 for line in self.cleaned.split("\n")]
        self.count = len(self.lines)
        self.names: list[str] = NAME.findall(self.cleaned)
        self.size = len(source)
        self.offset = 0
        self.name = 0
        self.at = 0

    def known(self, at: int) -> Line:
        """What is known of a line by itself."""
        skeleton = self.lines[at]
        return self.memo.lines.get(skeleton) or self.memo.line(skeleton)

    def advance(self, line: Line) -> None:
        """Go past the line at hand, which is `line`."""
        self.name += line.names
        self.offset = min(self.offset + self.sizes[self.at], self.size)
        self.at += 1

    def blank(self) -> None:
        """Go past lines that hold nothing but space and comments."""
        while self.at < self.count:
            line = self.known(self.at)
            if line.kind != Kind.BLANK:
                return
            self.advance(line)

    def resource(self) -> None:
        """Go past a `{-# ... #-}` section, or to the next separator."""
        while self.at < self.count:
            line = self.known(self.at)
            if line.kind == Kind.SEPARATOR:
                return
            done = "#-}" in self.lines[self.at]
            self.advance(line)
            if done:
                return

    def statement(self, line: Line) -> Statement:
        """The statement that starts with the line at hand; goes past it."""
        offset, name, first = self.offset + line.indent, self.name, self.at
        self.advance(line)
        template = line.template
        if template is not None and self.at < self.count:
            following = self.lines_known.get(self.lines[self.at])
            if following is not None and following.sure:
                return offset, name, template
        stack, undecided = line.open, line.undecided
        last = self.at
        while self.at < self.count:
            following = self.known(self.at)
            kind = following.kind
            if kind == Kind.SEPARATOR:
                break
            if kind == Kind.BLANK:
                self.advance(following)
                continue
            if undecided and not stack:
                if not self.dictionary_follows(following):
                    break
                stack = "{"
            undecided = False
            if stack:
                if following.sure and not (kind == Kind.CLOSE and "{" in stack):
                    break
            elif not self.goes_on(last, following, line.indent):
                break
            stack, undecided = feed(stack, self.lines[self.at])
            self.advance(following)
            last = self.at
        if last == first + 1 and line.template is not None:
            template = line.template
        else:
            template = self.memo.statement("\n".join(self.lines[first:last]).lstrip())
        return offset, name, template

    def dictionary_follows(self, following: Line) -> bool:
        """Whether a brace at the end of a line opens a dictionary, by the line after it."""
        text = self.lines[self.at]
        return bool(_DICT_AHEAD.match(text)) and not _LONE_OP.match(text) and following.kind != Kind.CLOSE

    def goes_on(self, last: int, following: Line, indent: int) -> bool:
        """Whether the line at hand continues the statement that so far ends before line `last`."""
        kind = following.kind
        if following.head:
            return False
        before = _bare(self.lines[last - 1])
        if before.endswith("=") and kind != Kind.CLOSE:
            return not self.lines[self.at].lstrip().startswith(VALUE)
        if kind == Kind.START and following.sure:
            return False
        if kind != Kind.CONTINUATION:
            if kind == Kind.START:
                return before.endswith((",", "->")) or (before.endswith(":") and "^" not in before)
            return kind == Kind.LABEL and before.endswith((",", "["))
        if before.endswith("{"):
            return False
        if following.indent > indent or _WANTS_MORE.search(before):
            return True
        return bool(_CONTINUING.match(self.lines[self.at]))
