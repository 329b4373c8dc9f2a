"""One statement's shape -> tokens, with everything an LALR grammar cannot see decided by looking ahead.

The text is a shape (holes.py): names, numbers, symbols, strings and the insides of types are replaced by one
character each. Decided here: where an operation's name stands, whether `{` opens an attribute dictionary, a region or
a group of operands, whether `%x =` binds a name, and which `<...>` belong to a type or an attribute (one token each).
Brackets always balance in what comes out: missing ones are put in, stray ones left out, and both reported.
"""

from __future__ import annotations

from typing import NamedTuple

from memlane.syntax.shapes import forms
from memlane.syntax.shapes import token_patterns as patterns
from memlane.syntax.shapes.braces import DICT, PROPERTIES, brace_kind
from memlane.syntax.shapes.brackets import PARAMETRIC, closing_angles, lone_op, map_end, paren_end, skip
from memlane.syntax.shapes.characters import ARROW
from memlane.syntax.shapes.holes import VALUE
from memlane.syntax.shapes.limits import MAX_FAULTS
from memlane.syntax.shapes.vocabulary import vocabulary

_CONTAINERS = frozenset({"memref", "tensor", "vector", "tuple", "complex", "opaque"})

_OPEN_KIND = {"(": "LPAR", "[": "LSQB"}
_CLOSE_KIND = {"(": "RPAR", "[": "RSQB", "brace": "RBRACE", "dict": "RDICT", "prop": "RPROP"}
_OPENING = frozenset("LPAR LSQB LBRACE LDICT LPROP".split())
_SHOWN = {"(": "(", "[": "[", "brace": "{", "dict": "{", "prop": "<{"}
_UNCLOSED = {kind: (shown, f"'{shown}' is not closed") for kind, shown in _SHOWN.items()}
"""How each is written, and the message if it is not closed: built once, even for a million brackets."""
_DICTS = ("brace", "dict", "prop")
_PLAIN = {",": "COMMA", ":": "COLON", "=": "EQ", "->": "ARROW", ARROW: "ARROW"}


class Token(NamedTuple):
    """A token of a shape: offsets in it. `start == end` for one that was put in."""

    kind: str
    start: int
    end: int


class Fault(NamedTuple):
    """Something wrong with the characters or brackets of a statement: offsets in its shape.

    `lenient`: it may be right in the custom form of an operation that is not described.
    """

    message: str
    start: int
    end: int
    repair: str | None = None
    lenient: bool = False


class Tokens(NamedTuple):
    """The tokens of one statement (or several on one line) and what was wrong with its brackets."""

    tokens: tuple[Token, ...]
    faults: tuple[Fault, ...]


BARE_OPS = frozenset(
    """module func return call call_indirect br cond_br switch constant alloc alloca dealloc load store dma_start
    dma_wait assert yield loop copy assume_alignment atomic_yield generic_atomic_rmw reduce parallel terminator
    unrealized_conversion_cast memref_cast tensor_store tensor_load splat unreachable cast mlfunc cfgfunc extfunc for
    module_terminator prefetch global_memref assign call_opaque verbatim""".split()
)
"""Names without a dot that start an operation at the start of a line (the default dialects and the old `std`)."""


_KEYWORDS = frozenset({"constant"})  # of these, what is also a keyword behind strings and words


class _Lexer:
    """The state of tokenizing one shape: a cursor, the open brackets, whether an op may start here."""

    def __init__(self, text: str, continuation: bool) -> None:
        self.text = text
        self.tokens: list[Token] = []
        self.faults: list[Fault] = []
        self.open: list[tuple[str, int]] = []
        self.fresh = not continuation
        self.after_close = False
        self.function = False
        self.position = 0
        self.angles: dict[int, int] | None = None

    def emit(self, kind: str, start: int, end: int) -> None:
        last = self.position
        self.tokens.append(Token(kind, last if start == last else start, end))  # one number, of many small tokens
        self.position = end
        self.fresh = False
        self.after_close = False

    def run(self) -> Tokens:
        text, match_at, size = self.text, patterns.TOKEN.match, len(self.text)
        while self.position < size:
            match = match_at(text, self.position)
            assert match is not None
            kind = match.lastgroup
            start, end = match.span()
            if kind == "SKIP":
                self.position = end
            elif kind == "VAL":
                self.value(start, end)
            elif kind == "WORD":
                self.word(start, end)
            elif kind == "OP":
                self.punctuation(match.group(), start, end)
            elif kind in ("TYPE", "ATTR"):
                self.prefixed(kind, start, end)
            elif kind == "STR":
                self.string(start, end)
            elif kind == "BLOCK":
                self.block(start, end)
            elif kind == "BAD":
                many = "s" if end - start > 1 else ""
                self.faults.append(Fault(f"unexpected character{many} {text[start:end]!r}", start, end))
                self.position = end
            elif kind is not None:
                self.emit(kind, start, end)
        torn = len(self.open) > MAX_FAULTS
        if torn:  # what is known of them stands in the faults
            self.tokens = [token for token in self.tokens if token.kind not in _OPENING]
        while self.open:
            if torn:
                self.unclosed(*self.open.pop())
            else:
                self.put_in_closer()
        return Tokens(tuple(self.tokens), tuple(self.faults))

    def unclosed(self, bracket: str, start: int) -> None:
        """Report a bracket that nothing closes."""
        shown, message = _UNCLOSED[bracket]
        self.faults.append(Fault(message, start, start + len(shown)))

    def put_in_closer(self) -> None:
        bracket, start = self.open.pop()
        self.unclosed(bracket, start)
        position = self.tokens[-1].end if self.tokens else start  # no blanks behind it, nor the end of a line
        self.emit(_CLOSE_KIND[bracket], position, position)

    def value(self, start: int, end: int) -> None:
        text = self.text
        if not self.open and not (self.tokens and self.tokens[-1].kind in ("COMMA", "EQ")):
            results = patterns.RESULTS.match(text, start) or (
                self.fresh and patterns.PARAMETRIC_RESULT.match(text, start)
            )
            if results:
                stop = text.index("=", start)
                for one in patterns.ONE_RESULT.finditer(text, start, stop):
                    self.emit("DEF", *one.span())
                self.position = stop + 1
                self.name()
                return
        after = skip(text, end)
        location = patterns.LOCATION.match(text, after)  # `affine.for %i loc(...) = 0 to 4`
        if location is not None:
            after = skip(text, max(end, paren_end(text, location.end() - 1)))
        binds = text[after : after + 1] == "=" and text[after + 1 : after + 2] not in ("=", ">")
        self.emit("BIND" if binds else "VAL", start, end)

    def name(self) -> None:
        """The op's name after `=`."""
        start = skip(self.text, self.position)
        match = patterns.TOKEN.match(self.text, start)
        assert match is not None
        self.emit("OPNAME", *match.span())
        self.function = match.group() in forms.FUNCTIONS

    def word(self, start: int, end: int) -> None:
        text = self.text
        word = text[start:end]
        following = text[end : end + 1]
        named = self.fresh and ("." in word or PARAMETRIC.match(text, start))
        angle = following == "<" and text[end + 1 : end + 2] != VALUE and not named
        if not (self.open or angle) and self.op_starts(word, end):
            self.emit("OPNAME", start, end)
            self.function = word in forms.FUNCTIONS
        elif word == "loc" and self.next(end) == "(":
            stop = paren_end(text, end)
            self.position = stop if stop > 0 else end
            if stop < 0:
                self.emit("WORD", start, end)
            elif self.tokens[-1:] and self.tokens[-1].kind == "EQ":
                self.emit("ATTR", start, stop)  # `{from = loc("a")}`
        elif following == "<" and text[end + 1 : end + 2] != "{":
            stop = self.angle_end(end)
            if stop < 0 or (text.find(VALUE, end, stop) >= 0 and text.find('"', end, stop) < 0):
                self.emit("TYPE" if patterns.BUILTIN.match(word) else "WORD", start, end)
                if stop < 0:
                    self.faults.append(Fault("'<' is not closed", end, end + 1))
            else:
                self.emit("TYPE" if patterns.BUILTIN.match(word) else "ATTR", start, stop)
        else:
            clause = following == "(" and word in _CONTAINERS  # `acc.loop vector(%n : i32)`
            self.emit("TYPE" if patterns.BUILTIN.match(word) and not clause else "WORD", start, end)

    def op_starts(self, word: str, end: int) -> bool:
        after = skip(self.text, end)
        if self.text[after : after + 1] == "=" and self.text[after + 1 : after + 2] != "=":
            return False
        if self.fresh:
            return True
        if word == "return" or ("." in word and not word.endswith(".")):
            return self.tokens[-1].kind not in ("EQ", "COLON", "COMMA", "OTHER", "ARROW")
        if self.after_close and word in BARE_OPS:
            return True
        if not patterns.BEHIND.match(self.text, end - len(word)) or not self.complete():
            return False
        return word not in _KEYWORDS or self.tokens[-1].kind in patterns.SURE_ENDS

    def next(self, end: int) -> str:
        """The next character that is neither space nor comment; nothing at the end of the text."""
        at = skip(self.text, end)
        return self.text[at : at + 1]

    def complete(self) -> bool:
        """Whether the current operation may end with the last token."""
        if not self.tokens:
            return False
        kind, start, end = self.tokens[-1]
        if kind == "WORD":
            return self.text[start:end] in patterns.ENDING_WORDS
        return kind in patterns.ENDS or (kind == "OPNAME" and bool(patterns.NULLARY.match(self.text, start, end)))

    def angle_end(self, start: int) -> int:
        """The end of the `<...>` that opens at `start`, exclusive; -1 where it does not close."""
        if self.text.endswith(("affine_map", "affine_set"), 0, start):
            return map_end(self.text, start)
        if self.angles is None:
            self.angles = closing_angles(self.text)
        return self.angles.get(start, -1)

    def prefixed(self, kind: str, start: int, end: int) -> None:
        text = self.text
        after = skip(text, end)
        if not self.open and text[after : after + 1] == "=" and (self.fresh or self.complete()):
            self.emit("ALIAS", start, end)
            return
        if text[end : end + 1] == "<":
            stop = self.angle_end(end)
            if stop > 0:
                end = stop
            else:
                self.faults.append(Fault("'<' is not closed", end, end + 1))
        self.emit(kind, start, end)

    def string(self, start: int, end: int) -> None:
        fresh = (not self.open) and (self.fresh or self.after_close or self.complete())
        if fresh and self.next(end) == "(" and not self.clause(end):
            self.emit("OPNAME", start, end)
        else:
            self.emit("STR", start, end)

    def clause(self, end: int) -> bool:
        """Whether a string that ends there, and what follows in parentheses, say what another operation is to do:
        `x.execute(%d) "y.add"(%a, %b) : 1`. A number is no type."""
        stop = paren_end(self.text, skip(self.text, end))
        counted = stop > 0 and patterns.COUNT.match(self.text, stop) is not None
        return counted and self.foreign() is True and not self.after_close

    def block(self, start: int, end: int) -> None:
        here = not self.open and (self.fresh or self.after_close or (self.complete() and self.colon_after(end)))
        label = patterns.LABEL.match(self.text, start) if here else None
        self.emit("LABEL" if label else "BLOCK", start, end)
        if label and label.group()[-1] == ":":
            self.emit("COLON", label.end() - 1, label.end())
            self.fresh = True

    def colon_after(self, end: int) -> bool:
        """Whether the block name that ends there is followed by a colon, behind its arguments if it has any."""
        at = skip(self.text, end)
        if self.text[at : at + 1] == "(":
            at = paren_end(self.text, at)
            at = skip(self.text, at) if at > 0 else len(self.text)
        return self.text[at : at + 1] == ":"

    def punctuation(self, mark: str, start: int, end: int) -> None:
        if mark in ")]}":
            self.close(mark, start, end)
        elif mark == "{":
            self.brace(start)
        elif mark == "(" or mark == "[":
            worded = [token.kind for token in self.tokens[-1:]] == ["WORD"]  # `num_gangs({%n : i32})`
            region = mark == "(" and not (self.open or worded) and patterns.REGION_HERE.match(self.text, start)
            if region and (not DICT.match(self.text, region.end()) or lone_op(self.text, region.end())):
                self.region(region.end())
                return
            self.open.append((mark, start))
            self.emit(_OPEN_KIND[mark], start, end)
        elif mark == "<":
            self.angle(start)
        elif mark in _PLAIN:
            label = mark == ":" and (not self.open) and self.ends_label()
            self.emit(_PLAIN[mark], start, end)
            self.fresh = label
        else:
            self.emit("OTHER", start, end)

    def ends_label(self) -> bool:
        if not self.tokens or self.tokens[-1].kind != "RPAR":
            return False
        depth = 0
        for index in range(len(self.tokens) - 1, -1, -1):
            kind = self.tokens[index].kind
            depth += (kind == "RPAR") - (kind == "LPAR")
            if not depth:
                return index > 0 and self.tokens[index - 1].kind == "LABEL"
        return False

    def angle(self, start: int) -> None:
        text = self.text
        brace = self.properties(start)
        if text[brace : brace + 1] == "{":
            self.open.append(("prop", start))
            self.emit("LPROP", start, brace + 1)
            return
        stop = self.angle_end(start)
        if stop > 0 and VALUE not in text[start:stop]:
            self.emit("ATTR", start, stop)
        else:
            self.emit("OTHER", start, start + 1)

    def properties(self, start: int) -> int:
        """Where a brace may stand that makes properties of the `<` at `start`: right behind it, or behind space where
        it closes and holds attributes."""
        brace = skip(self.text, start + 1)
        spaced = bool(self.tokens) and self.tokens[-1].kind in ("RPAR", "RSQB") and self.angle_end(start) > 0
        return brace if spaced and PROPERTIES.match(self.text, brace) else start + 1

    def region(self, start: int) -> None:
        self.emit("LREGION", start, start + 1)
        self.fresh = True

    def brace(self, start: int) -> None:
        if self.open and self.begins_region(start):
            worded, known = self.tokens[-1].kind == "WORD", len(self.faults)
            while self.open:
                self.put_in_closer()
            self.excuse(known, worded=worded)
        before = [(token.kind, self.text[token.start : token.end]) for token in self.tokens[-2:]]
        kind = brace_kind(self.text, start, before, bool(self.open), self.function)
        if kind == "region":
            self.region(start)
            return
        self.open.append((kind, start))
        self.emit("LDICT" if kind == "dict" else "LBRACE", start, start + 1)

    def begins_region(self, start: int) -> bool:
        """Whether the brace at `start`, in brackets that are open, opens a region: `cir.ternary(%c, true {`, and lists
        of regions, `x.switch %c [case (0, "a") {`. What follows the brackets goes on behind the region."""
        if any(one in _DICTS for one, _ in self.open):
            return False
        if skip(self.text, start + 1) == len(self.text):
            return True
        return self.foreign() is not False and patterns.OPERATION_HERE.match(self.text, start + 1) is not None

    def excuse(self, known: int, worded: bool) -> None:
        """Have the brackets that are closed for a region count as right where they may be: all faults behind the first
        `known` ones are of such. `worded`: a word stands before the region, as in forms that are known."""
        foreign = self.foreign()
        if worded or foreign:
            del self.faults[known:]
        elif foreign is None:
            self.faults[known:] = [fault._replace(lenient=True) for fault in self.faults[known:]]

    def foreign(self) -> bool | None:
        """Whether the last operation that was named is in the custom form of a dialect that LLVM does not have; None
        where none was: the text goes on with one that stands before it."""
        name = next((token for token in reversed(self.tokens) if token.kind == "OPNAME"), None)
        if name is None:
            return None
        dialect, dot, _ = self.text[name.start : name.end].partition(".")
        return bool(dot) and dialect[0] != '"' and dialect not in vocabulary()

    def close(self, mark: str, start: int, end: int) -> None:
        while self.open and not self.closes(mark, self.open[-1][0]):
            if any(self.closes(mark, bracket) for bracket, _ in self.open) or mark == "}":
                self.put_in_closer()
            else:
                break
        if self.open and self.closes(mark, self.open[-1][0]):
            bracket, _ = self.open.pop()
            angle = skip(self.text, end)
            stop = angle + 1 if bracket == "prop" and self.text[angle : angle + 1] == ">" else end
            self.emit(_CLOSE_KIND[bracket], start, stop)
        elif mark == "}":
            self.emit("RREGION", start, end)
            self.after_close = True
        elif mark == ")" and self.tokens and self.tokens[-1].kind == "RREGION":
            self.position = end
        else:
            listed = mark == "]" and bool(self.tokens) and self.tokens[-1].kind == "RREGION"
            self.faults.append(Fault(f"'{mark}' closes nothing", start, end, lenient=listed))
            self.position = end

    @staticmethod
    def closes(mark: str, bracket: str) -> bool:
        return mark == {"(": ")", "[": "]"}.get(bracket, "}")


def tokenize(text: str, continuation: bool = False) -> Tokens:
    """The tokens of a shape. `continuation`: it goes on with an operation of an earlier line."""
    return _Lexer(text, continuation).run()
