"""A physical line by itself: from its shape, how it starts and which brackets it leaves open."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from memlane.lazy import regex
from memlane.syntax.shapes import forms
from memlane.syntax.shapes.braces import MODES
from memlane.syntax.shapes.brackets import ENTRIES, OPERANDS, paren_end, skip, skip_space
from memlane.syntax.shapes.holes import BLOCK, HOLE, VALUE, count_names
from memlane.syntax.shapes.shape import Template
from memlane.syntax.shapes.tokens import BARE_OPS
from memlane.syntax.shapes.vocabulary import registered


class Kind(IntEnum):
    """How a line starts."""

    BLANK = 0
    START = 1
    CLOSE = 2
    LABEL = 3
    CONTINUATION = 4
    SEPARATOR = 5
    RESOURCE = 6


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """What is known of a physical line by itself.

    Args:
        open: the brackets that are open at its end, outermost first; region braces do not count.
        undecided: it ends with a brace of which only what follows tells what it opens.
        sure: it starts an operation, whatever stands before it.
        head: it starts a function.
        template: None where the line is no complete statement.
        cut: where in the line, as it was looked up, a function begins behind something else: two lines are to be made
            of it, and nothing else is known. Else 0.
    """

    kind: Kind
    indent: int
    open: str
    undecided: bool
    names: int
    sure: bool
    head: bool
    template: Template | None
    cut: int = 0


_ID = rf"(?:{HOLE}|[A-Za-z0-9$._-]+)"
_KIND = regex(
    rf"""\s*(?:
    (?P<BLANK>$|//)
    |(?P<START>{VALUE}(?::\d+)?(?:\s*,\s*{VALUE}(?::\d+)?)*\s*=\s*(?:"|$|(?!max\b|min\b|loc\b)[A-Za-z_][\w$.]*(?!\w|<))
       |"(?:[^"\\]|\\.)*"\s*\(
       |[A-Za-z_]\w*\.[\w$.]*\w(?!\w|\s*=[^=]|\s*,)
       |(?:{"|".join(sorted(BARE_OPS))})\b(?!\s*[=(<,])
       |[\#!](?:{_ID}|"[^"]*")\s*=)
    |(?P<CLOSE>\}})
    |(?P<LABEL>{BLOCK})
    |(?P<RESOURCE>\{{-\#)
    )""",
    re.VERBOSE,
)
_SURE = regex(
    rf"""\s*(?:{VALUE}(?::\d+)?(?:\s*,\s*{VALUE}(?::\d+)?)*\s*=\s*
        (?:"[\w.]+"\s*\(|[A-Za-z_]\w*\.\w[\w.]*(?!\w|\s*<)|call\s+@|call_indirect\s+{VALUE})
    |[A-Za-z_]\w*\.[\w.]*\w\s+[{VALUE}@]
    |"[\w.]+"\s*\(
    |func(?:\.func)?\s+(?:private\s+|public\s+)?@
    |call\s+@|(?:call_indirect|cond_br)\s+{VALUE}|br\s+{BLOCK}|module\s*(?:@|\{{\s*$|attributes\b)
    |return(?:\s*$|\s+{VALUE}))""",
    re.VERBOSE,
)
_NAMED = regex(rf"\s*([a-z_]\w*\.[\w.]*\w)(?:\s*[({{]|\s+(?:[{BLOCK}\"#\[]|\w+\s*\())")
"""The name of an operation with what may follow it, and does not follow that of an attribute."""
_HEAD = regex(r'\s*(?:(?:[\w.]+\.)?func\s+(?:[\w"]+\s+)*@|"[\w.]*\bfunc"\s*\(|transform\.named_sequence\s+@)')
SEPARATOR = regex(r"\s*// -----(?:\s*$|//)")
_MARKS = regex(r'"(?:[^"\\\n]|\\.)*"?|//[^\n]*|->|[<>]=|(?<![\w.$@#!])loc\s*\(|[()\[\]{}<>]')
LOCATION = "@"
"""Among brackets: the parenthesis of a location, in which a name may stand like that of an operation."""

NAMED_LOCATION = regex(rf'\s*"(?:[^"\\]|\\.)*"\s*\((?!\s*[){VALUE}])')
"""A line of a location that starts like an operation in generic form: `"name"("file":1:2)`."""
DICT_AHEAD = regex(
    rf"""\s*(?:(?:[A-Za-z_][\w$.]*|"[^"]*")\s*(?:=(?!=)|,|\}}|$)|\}}\s*[:,)(]|{MODES}\s+{VALUE}|{ENTRIES})"""
)
_OPERANDS = regex(OPERANDS)
_REGION_AHEAD = regex(
    rf'\s*(?:[A-Za-z_{BLOCK}}}]|"(?:[^"\\]|\\.)*"\s*\(|{VALUE}(?::\d+)?(?:\s*,\s*{VALUE}(?::\d+)?)*\s*(?:=|,\s*$))'
)
RESULTS_AT_END = regex(
    rf"(?:^|[>)\]{{}}]\s|\b(?:[su]?i\d+|index|none|bf16|f\d+)\s)\s*{VALUE}(?::\d+)?(?:\s*,\s*{VALUE}(?::\d+)?)*\s*,$"
)
"""Names alone or behind a type: results of an operation whose others are on the next line."""

_COUNTED = regex(rf'"(?:[^"\\]|\\.)*"\s*\(.*:\s*(?:{HOLE}|\d+)$')
"""What looks like an operation in generic form, and has a number for its type: a clause of another one."""

_GROUP = regex(r"(?:^|\s)[a-z]\w*\(\{$")
"""A word of a custom form at the end of a line, with what it says in braces: `slices({`."""

LONE_OP = regex(
    r"\s*(?:[A-Za-z_]\w*\.[\w.$]+\s*(?://.*)?$|(?:\w+\.(?:\w+[._])*)?(?:return|yield|terminator|unreachable)\s*\})"
)


def learn(shape: str, template: Callable[[str], Template]) -> Line:
    """What a line is, by its shape without the space before it; `template` tells what a statement of a shape says."""
    names = count_names(shape)
    match = _KIND.match(shape)
    kind = Kind[match.lastgroup] if match and match.lastgroup else Kind.CONTINUATION
    if kind == Kind.BLANK or kind == Kind.RESOURCE:
        return Line(kind, 0, "", False, names, False, False, None)
    stack, undecided = feed("", shape)
    sure = kind == Kind.CLOSE or bool(_SURE.match(shape)) or _is_named(shape)
    if kind == Kind.LABEL:
        after = after_label(shape)
        kind = Kind.LABEL if after in (":", "") else Kind.CONTINUATION
        sure = after == ":"
    text = bare(shape)
    if kind == Kind.START and _COUNTED.match(text):
        kind, sure = Kind.CONTINUATION, False
    complete = not stack and not undecided and kind != Kind.CONTINUATION and not text.endswith("=")
    if text.endswith(",") and RESULTS_AT_END.search(text):
        complete = False
    says = template(shape) if complete else None
    return Line(kind, 0, stack, undecided, names, sure, bool(_HEAD.match(shape)), says)


def _is_named(shape: str) -> bool:
    """Whether a line starts with the name of an operation that MLIR has, as one that gives nothing does, or is one."""
    if bare(shape).strip() in forms.ENDING:
        return True
    name = _NAMED.match(shape)
    return name is not None and registered(name[1])


def after_label(shape: str) -> str:
    """The next character after the block name at the start of a shape and its parenthesis; "" without one."""
    at = skip(shape, 1)
    if shape.startswith("(", at):
        at = paren_end(shape, at)
    if at < 0:
        return ""
    at = skip(shape, at)
    return shape[at : at + 1]


def bare(line: str) -> str:
    """The line without a comment at its end."""
    return line.split("//", 1)[0].rstrip()


def feed(stack: str, text: str) -> tuple[str, bool]:
    """The brackets open after `text`, a line, given those open before it; whether a brace at its end is undecided."""
    undecided = False
    quote, last = text.rfind('"'), -1
    for match in _MARKS.finditer(text):
        mark, end = match.group(), match.end()
        if mark[0] == "l":
            stack += LOCATION
        elif mark == "(" or mark == "[":
            if mark == "(" and not stack:
                after = skip_space(text, end)
                brace = text.startswith("{", after) and not _OPERANDS.match(text, after + 1)
                brace = brace and not _GROUP.search(text, 0, after + 1)
                if brace and not DICT_AHEAD.match(text, after + 1):
                    continue
            stack += mark
        elif mark == "{":
            if stack or text[match.start() - 1 : match.start()] == "<":
                stack += mark
                continue
            if last < end:
                last = _bare_end(text, end)
            stop = len(text) if quote >= end else last
            if skip_space(text, end) >= stop:
                before = text[max(0, match.start() - 80) : match.start()].rstrip()
                if before.endswith("attributes"):
                    stack += mark
                else:
                    undecided = not before.endswith("(")
            elif _holds_attributes(text, end, stop):
                stack += mark
        elif mark == "<":
            before = text[match.start() - 1 : match.start()]
            inside = "<" in stack or before.isalnum() or before in ("_", "$", ".", HOLE)
            after = skip(text, end)
            if inside or text[after : after + 1] in ("{", ""):
                stack += mark
        elif mark in ")]}>":
            stack = _pop(stack, mark)
    return stack, undecided


def _holds_attributes(text: str, start: int, stop: int) -> bool:
    """Whether a brace before `start` opens no region, by what follows it up to `stop`."""
    if DICT_AHEAD.match(text, start, stop):
        return not LONE_OP.match(text, start, stop)
    return not _REGION_AHEAD.match(text, start, stop)


def _bare_end(text: str, start: int) -> int:
    """Where a line ends without a comment behind `start` and the space before that."""
    comment = text.find("//", start)
    return len(text[: comment if comment >= 0 else len(text)].rstrip())


def _pop(stack: str, mark: str) -> str:
    openers = {")": "(" + LOCATION, "]": "[", "}": "{", ">": "<"}[mark]
    if mark == ">":
        return stack[:-1] if stack.endswith("<") else stack
    bare = stack.rstrip("<")
    place = max(bare.rfind(opener) for opener in openers)
    return bare[:place] if place >= 0 else stack
