"""Source text -> statements. A statement is a line, or several where brackets stay open or the next line goes on.

Lines are looked up by their skeleton; the loop over a file touches characters only where a line is new. What a line
is (the start of an operation, a closing brace, a label, the continuation of an operation) depends on how it starts.
"""

from __future__ import annotations

from itertools import islice

from memlane.lazy import regex
from memlane.syntax.lines.line import (
    DICT_AHEAD,
    LOCATION,
    LONE_OP,
    NAMED_LOCATION,
    RESULTS_AT_END,
    Kind,
    Line,
    bare,
    feed,
)
from memlane.syntax.lines.memo import Memo
from memlane.syntax.shapes import forms
from memlane.syntax.shapes.holes import BLOCK, NAME, VALUE, clean, count_names, skeleton_of
from memlane.syntax.shapes.shape import Template
from memlane.syntax.shapes.vocabulary import registered, vocabulary

Statement = tuple[int, int, Template]
"""A statement: its offset in the text, the number of its first name in the text, and what it says."""

_WANTS_MORE = regex(
    r"(?:[,:=]|->|\b(?:to|into|in|step|attributes|ins|outs|then|else|do|from|with|iter_args|private|public|nested|"
    r'internal|external|constant)|"(?:private|public|nested)")$'
)
_USED = regex(rf"{NAME.pattern}(?![\w$.-])(?!\s*=(?!=))")
"""A name that is mentioned and not declared: `iter_args(%a = %b)` declares one."""

_RESULTS = regex(rf"(?:{NAME.pattern}(?::\d+)?\s*,\s*)*{NAME.pattern}(?::\d+)?\s*=$")
"""Names that something is given behind the line."""

_COUNTER = regex(rf"(?:^|=)\s*[A-Za-z_][\w.]*\s+\(?\s*{NAME.pattern}(?:\s*,\s*{NAME.pattern})*\s*\)?\s*=$")
"""The head of a loop as far as what it counts with, which is no result: `scf.for %i =`."""

_NAME_ALONE = regex(r'(?:^|=)\s*(?:"[^"]*"|[A-Za-z_][\w.]*)(?:\s+(?:"[^"]*"|\w+))*$')
_OPERAND = regex(rf"\s*[{VALUE}@\"\d#!]")
_BRANCH = regex(r"(?:^|[\s.])br$")
"""The end of a line after which the name of a block is where a branch goes."""
_CONTINUING = regex(
    r"\s*(?:[(\[{:=,<\-)\]]|@\S+\s*->|(?:attributes|attrs|ins|outs|else|do|case|default|to|step|iter_args|into|in|shared_outs|threads|"
    r"blocks|clusters|args|reducer|cond|init|dimensions|permutation|iterator_types|retain|if|reduce|then|workgroup|private|kernel|"
    r"loc|requires|output_shape|low|high|with|at|on|from|upper_bound|sizes|offsets|strides|partition\d+)\b)"
)


_TYPED_OPERANDS = regex(rf"\s*{VALUE}(?:#\d+)?(?:\s*,\s*{VALUE}(?:#\d+)?)*\s*(?::\s*[a-z!(]|\{{\w+ =)")
_WORD_AND_MORE = regex(r"\s*([A-Za-z_]\w*)(?![\w.])\s*\S")
"""Lines that are no statement by themselves: operands with types, and a word that may be a keyword of a custom form."""

_DIALECT = regex(r"\s*(?:[^=\"]*=\s*)?([A-Za-z_]\w*)\.")
_CLAUSE = regex(rf"\s*(?:[A-Za-z_]\w*(?:\(| = )|{VALUE}(?:\[|::)|\"[^\"]*\"\s*\()")
"""The start of an operation's line, with its dialect; and of a line of its custom form that cannot start another."""

_LISTED = regex(r"[(\[]+\{")
"""The brackets that are open in a list of regions: `x.switch %a [case 0 {`."""

_WORD = regex(r'\s*(?:[A-Za-z_]\w*\.?|"[^"]*")\s*')
_BEHIND_ENTRY = regex(r"\s*(?:[,=]|\}(?!\s*(?:$|//|else\b|do\b|,\s*\{)))")
"""A line that is a word, or a dialect with its dot, or a string, and nothing else; and one that goes on with it as with
an entry of a dictionary."""

_DOTTED = regex(r"\s*([A-Za-z_]\w*\.[\w.]*\w)(\s*\(|\s+[\[{])?")
_FIRST_NAME = regex(r"\s*([a-z_][\w.]*)")
_HEAD = regex(r"\s*([a-z_]\w*\.[\w.]*\w)\b.*\{$")


def _is_operation(line: str) -> bool:
    """Whether a line that starts like an operation is no type that is missing before it: types of other dialects have
    such names, too, but none that an operation of MLIR has, and no parenthesis behind them."""
    name = _DOTTED.match(line)
    return name is not None and (bool(name[2]) or registered(name[1]))


def _gives_nothing(line: str) -> bool:
    """Whether a line is of an operation without results, or all of one's head, which would say the types of some."""
    name, head = _FIRST_NAME.match(line), _HEAD.match(bare(line))
    if name is not None and name[1] in forms.WITHOUT_RESULTS:
        return True
    return head is not None and head[1] in forms.ARROWED and "->" not in line


_WINDOW = 16_384
"""So many characters, and the rest of the line, are taken in at a time: what reading keeps for a while stays small."""


class Scanner:
    """One pass over the lines of a text, a statement at a time.

    `lines` are the skeletons of the lines taken in so far, those before the last `drop` left out, `sizes` their
    lengths with what ends them. `at` is the number of the current line among them, `offset` where it starts, `name` the
    number of its first SSA name since the last `drop`. `looked`: the furthest line that `peek` looked at.
    """

    def __init__(self, source: str, memo: Memo) -> None:
        self.memo = memo
        self.lines_known = memo.lines
        self.source = source
        self.lines: list[str] = []
        self.sizes: list[int] = []
        self.taken = 0
        self.whole = False
        self.size = len(source)
        self.offset = self.name = self.at = self.looked = 0
        self._take()

    def _take(self) -> None:
        """Take in some more lines."""
        start = self.taken
        end = self.source.find("\n", start + _WINDOW) + 1
        self.whole = not end
        self.taken = end or self.size
        cleaned = clean(self.source[start : self.taken])
        self.lines += skeleton_of(cleaned).split("\n")
        self.sizes += [len(line) + 1 for line in cleaned.split("\n")]
        if not self.whole:
            self.lines.pop()
            self.sizes.pop()

    def has(self, at: int) -> bool:
        """Whether there is a line number `at`; takes it in."""
        while at >= len(self.lines):
            if self.whole:
                return False
            self._take()
        return True

    def join(self, place: int) -> None:
        """Make one line of those that were made of one at `place`, which is after the current line."""
        number, start = self.at, self.offset
        while start + self.sizes[number] < place:
            start += self.sizes[number]
            number += 1
        if self.source[place - 1] not in "\r\n":
            self.lines[number : number + 2] = ["".join(self.lines[number : number + 2])]
            self.sizes[number : number + 2] = [sum(self.sizes[number : number + 2])]

    def inside(self) -> bool:
        """Whether the current line starts inside a line of the text: it has no indentation to go by."""
        return self.offset > 0 and self.source[self.offset - 1] not in "\r\n"

    def drop(self) -> None:
        """Forget the lines before the current one; names are counted from here on."""
        at = self.at
        del self.lines[:at]
        del self.sizes[:at]
        self.looked = max(0, self.looked - at)
        self.at = self.name = 0

    def reach(self) -> int:
        """How many characters after the start of the current line have been looked at; past the end if that was
        seen."""
        last = max(self.looked, self.at)
        self.looked = 0
        if not self.has(last):
            return self.size - self.offset + 1
        reached = sum(self.sizes[self.at : last + 1])
        if self.has(last + 1) and self.source[self.offset + reached - 1] not in "\r\n":
            reached += self.sizes[last + 1]  # what follows on the line in the text decides where it ends
        return reached

    def known(self, at: int) -> Line:
        """What is known of a line by itself."""
        skeleton = self.lines[at]
        line = self.memo.lines.get(skeleton) or self.memo.line(skeleton)
        if line.cut:
            self.split(at, line.cut, self.width(at, line.cut))
            return self.known(at)
        return line

    def start(self, at: int) -> int:
        """Where line number `at` starts, which is not before the current one."""
        return self.offset + sum(self.sizes[self.at : at])

    def width(self, at: int, column: int) -> int:
        """How many characters of the text the first `column` ones of the skeleton of line `at` stand for."""
        start, names = self.start(at), count_names(self.lines[at][:column])
        taken = column
        while True:
            taken += 16 * names + 16
            text = clean(self.source[start : start + min(taken, self.sizes[at])])
            sizes = [len(match.group()) for match in islice(NAME.finditer(text), names + 1)]
            if len(sizes) > names or taken >= self.sizes[at]:
                return column + sum(sizes[:names]) - names

    def split(self, at: int, column: int, width: int) -> None:
        """Make two lines of line `at`: the first has `column` characters of its skeleton and `width` of the text."""
        skeleton, size = self.lines[at], self.sizes[at]
        self.lines[at : at + 1] = [skeleton[:column], skeleton[column:]]
        self.sizes[at : at + 1] = [width, size - width]
        if self.looked > at:
            self.looked += 1

    def back(self, mark: tuple[int, int, int], place: int) -> None:
        """Go back to where `at`, `offset` and `name` were `mark`, and have a line begin at `place` of the text."""
        self.looked = max(self.looked, self.at)
        self.at, self.offset, self.name = mark
        number, start = self.at, self.offset
        while start + self.sizes[number] <= place:
            start += self.sizes[number]
            number += 1
        if place > start:
            self.split(number, len(skeleton_of(clean(self.source[start:place]))), place - start)

    def peek(self, at: int) -> Line | None:
        """What is known of line number `at`, which then counts as looked at; None past the end of the text."""
        self.looked = max(self.looked, at)
        return self.known(at) if self.has(at) else None

    def advance(self, line: Line) -> None:
        """Go past the current line, which is `line`."""
        self.name += line.names
        self.offset = min(self.offset + self.sizes[self.at], self.size)
        self.at += 1

    def blank(self) -> None:
        """Go past lines that hold nothing but space and comments."""
        while self.has(self.at):
            line = self.known(self.at)
            if line.kind != Kind.BLANK:
                return
            self.advance(line)

    def resource(self) -> None:
        """Go past a `{-# ... #-}` section, or to the next separator."""
        while self.has(self.at):
            line = self.known(self.at)
            if line.kind == Kind.SEPARATOR:
                return
            done = "#-}" in self.lines[self.at]
            self.advance(line)
            if done:
                return

    def statement(self, line: Line) -> Statement:
        """The statement that starts with the current line; goes past it."""
        offset, name, first = self.offset + line.indent, self.name, self.at
        self.advance(line)
        template = line.template
        if template is not None and self.has(self.at):
            following = self.lines_known.get(self.lines[self.at])
            if following is not None and following.sure:
                return offset, name, template
        stack, undecided = line.open, line.undecided
        last = self.at
        while self.has(self.at):
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
                if following.sure and not self.goes_on_inside(stack, kind):
                    break
                if _LISTED.fullmatch(stack) and self.region_follows(last, following):
                    break
            elif not (self.goes_on(last, following, line.indent) or self.clause_follows(first, last, following)):
                break
            stack, undecided = feed(stack, self.lines[self.at])
            self.advance(following)
            last = self.at
        if last == first + 1 and line.template is not None:
            template = line.template
        else:
            template = self.memo.statement(self.written(first, last, offset - line.indent).lstrip())
        return offset, name, template

    def written(self, first: int, last: int, start: int) -> str:
        """The skeleton of lines `first` to before `last`, of which the first starts at `start` of the text.

        Where one line of the text was made two, nothing stands between them.
        """
        parts: list[str] = []
        for number in range(first, last):
            start += self.sizes[number]
            parts.append(self.lines[number])
            if number + 1 < last and self.source[start - 1] in "\r\n":
                parts.append("\n")
        return "".join(parts)

    def goes_on_inside(self, stack: str, kind: Kind) -> bool:
        """Whether the current line, which starts like a statement, continues one whose brackets `stack` are open."""
        if kind == Kind.CLOSE:
            return "{" in stack
        return LOCATION in stack and NAMED_LOCATION.match(self.lines[self.at]) is not None

    def region_follows(self, last: int, following: Line) -> bool:
        """Whether a brace at the end of the line before `last` opens a region in a list, by the current line."""
        if following.kind not in (Kind.START, Kind.LABEL) or not bare(self.lines[last - 1]).endswith("{"):
            return False
        text = self.lines[self.at]
        return not DICT_AHEAD.match(text) or LONE_OP.match(text) is not None

    def starts_with_name(self) -> bool:
        """Whether the current line starts with a name."""
        return self.lines[self.at].lstrip().startswith(VALUE)

    def begins_another(self, number: int, line: Line) -> bool:
        """Whether the current line, the start of an operation, is not the operation whose results line `number`, before
        it, names by the `=` at its end: it has results of its own, uses those names, or they are not result names."""
        if self.starts_with_name():
            return True
        middle = self.offset
        start = middle - sum(self.sizes[number : self.at])
        before = bare(clean(self.source[start : start + self.sizes[number]]))
        if line.sure and before[:1] in ("#", "!"):
            return True  # an alias is not an operation
        if line.sure and (_COUNTER.search(before) or _gives_nothing(self.lines[self.at])):
            return True
        results = _RESULTS.fullmatch(before.strip())
        used = _USED.findall(clean(self.source[middle : middle + self.sizes[self.at]]))
        below = line.indent <= len(before) - len(before.lstrip())
        return results is not None and below and not set(NAME.findall(before)).isdisjoint(used)

    def dictionary_follows(self, following: Line) -> bool:
        """Whether a brace at the end of a line opens a dictionary, by the line after it."""
        text = self.lines[self.at]
        if text.lstrip().startswith("@"):
            return True  # no operation starts like that: `alternatives @A {`, and `@B -> @C` below
        if not DICT_AHEAD.match(text) or LONE_OP.match(text) or following.kind == Kind.CLOSE:
            return False
        return not _WORD.fullmatch(bare(text)) or self.goes_on_as_entry(self.at + 1)

    def goes_on_as_entry(self, number: int) -> bool:
        """Whether line `number` goes on with a dictionary of which all that is there so far is a word on a line of its
        own: else that is the beginning of an operation, as while the first one of a region is being typed."""
        return self.peek(number) is not None and _BEHIND_ENTRY.match(self.lines[number]) is not None

    def clause_follows(self, first: int, last: int, following: Line) -> bool:
        """Whether the current line, which does not start a known operation, continues one of an unknown dialect: lines
        `first` to before `last` are that so far."""
        if following.kind != Kind.CONTINUATION or bare(self.lines[last - 1]).endswith("{"):
            return False
        named = _DIALECT.match(self.lines[first])
        return named is not None and named[1] not in vocabulary() and _CLAUSE.match(self.lines[self.at]) is not None

    def goes_on(self, last: int, following: Line, indent: int) -> bool:
        """Whether the current line continues the statement that so far ends before line `last`."""
        kind = following.kind
        if following.head:
            return False
        before = bare(self.lines[last - 1])
        if before.endswith("=") and kind != Kind.CLOSE:
            return kind != Kind.LABEL and not (kind == Kind.START and self.begins_another(last - 1, following))
        if kind == Kind.START and following.sure:
            return before.endswith(",") and bool(RESULTS_AT_END.search(before)) and self.starts_with_name()
        if kind != Kind.CONTINUATION:
            if kind == Kind.START:
                typed = before.endswith("->") or (before.endswith(":") and BLOCK not in before)
                return before.endswith(",") or (typed and not _is_operation(self.lines[self.at]))
            named = before.endswith((",", "[")) or _BRANCH.search(before) is not None
            return kind == Kind.LABEL and named and not following.sure
        if before.endswith("{"):
            return False
        if following.indent > indent or _WANTS_MORE.search(before):
            return True
        line = self.lines[self.at]
        if _CONTINUING.match(line) or _TYPED_OPERANDS.match(line):
            return True
        if _OPERAND.match(line) and _NAME_ALONE.search(before):
            return True
        word = _WORD_AND_MORE.match(line)
        return word is not None and word.group(1) in vocabulary()["keywords"] and word.group(1) not in vocabulary()
