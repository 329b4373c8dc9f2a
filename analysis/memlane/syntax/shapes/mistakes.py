"""Mistakes in a statement that parses: a shape -> what cannot be right about it.

Checked are the operations of LLVM's own dialects and what all operations share; the syntax of an unknown operation is
not checked. A misspelling is distinguished from an unknown name by its distance from a known one, so that names of
other versions of MLIR are not reported. Types are judged by their text, once for each text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memlane.lazy import regex
from memlane.syntax.shapes import forms
from memlane.syntax.shapes.brackets import skip
from memlane.syntax.shapes.holes import HOLE
from memlane.syntax.shapes.insides import CONTAINERS, inside
from memlane.syntax.shapes.spelling import meant, near
from memlane.syntax.shapes.tokens import Fault, Token
from memlane.syntax.shapes.vocabulary import vocabulary

_JUDGED = frozenset(
    "affine arith async bufferization builtin cf complex func gpu index linalg math memref scf tensor vector".split()
)
"""Dialects whose custom forms are known so well that two tokens never seen side by side are a mistake."""

_BARE = frozenset("module func return call".split())

_FOLLOWERS = {
    kind: frozenset(followers.split())
    for kind, followers in {
        "ARROW": "END LPAR TYPE VAL",
        "BIND": "EQ",
        "BLOCK": "COMMA END LDICT LPAR RSQB COLON",
        "COLON": "BLOCK END LPAR LSQB TYPE",
        "COMMA": "ATTR BIND BLOCK END LPAR LSQB NUM OTHER STR TYPE VAL WORD SYM LDICT",
        "EQ": "ATTR LDICT LPAR LSQB NUM OTHER STR SYM TYPE VAL WORD",
        "LPAR": "BIND LPAR LSQB NUM OTHER RPAR STR SYM TYPE VAL WORD",
        "LSQB": "ATTR LPAR LSQB NUM OTHER RSQB STR SYM TYPE VAL WORD BLOCK LDICT",
        "NUM": "COLON COMMA END LDICT LREGION OTHER RDICT RPAR RSQB WORD LPAR",
        "OPNAME": "ARROW ATTR BIND BLOCK COLON END LDICT LPAR LREGION LSQB NUM OTHER STR SYM VAL WORD TYPE",
        "RPAR": "ARROW COLON COMMA END EQ LDICT LPAR LREGION LSQB OTHER RPAR RSQB STR VAL WORD LPROP RDICT",
        "RSQB": "ARROW COLON COMMA END LDICT LPAR LREGION LSQB RBRACE RDICT RPAR RSQB SYM VAL WORD ATTR OTHER LPROP EQ",
        "TYPE": "ARROW COMMA END EQ LDICT LREGION OTHER RDICT RPAR RSQB WORD",
        "VAL": "ARROW ATTR COLON COMMA END LDICT LPAR LREGION LSQB OTHER RPAR RSQB WORD RBRACE",
    }.items()
}
"""Which tokens may stand after which in the custom forms of `_JUDGED`."""

_ATTRIBUTES = frozenset("indexing_maps iterator_types function_type sym_name callee".split())
_SHORT = frozenset("x y z to in at of by eq ne lt le gt ge or as on if do".split())
_REGION_WORDS = frozenset({"else", "do"})
_TYPE_WORDS = frozenset("index memref tensor vector tuple complex f32 f64 f16 bf16 i1 i8 i16 i32 i64 none".split())
_SCALE = regex(r"[a-z]{1,2}\d+\w*")


def mistakes(text: str, tokens: Sequence[Token]) -> Iterator[Fault]:
    """What cannot be right about the statement of shape `text`."""
    reading = _Reading(text)
    for token in tokens:
        yield from reading.token(token)
    yield from _function(text, tokens)
    yield from reading.end()


class _Reading:
    """A statement that is read token by token; what is asked of each rests on its op and on the two before."""

    __slots__ = (
        *("_angles", "_bare", "_before", "_bound", "_dictionaries", "_foreign", "_judged", "_label", "_previous"),
        *("_short", "_text", "_trailing"),
    )

    def __init__(self, text: str) -> None:
        self._text = text
        self._before: Token | None = None
        self._previous: Token | None = None
        self._bound: Token | None = None
        """The first name that a region has to begin behind."""
        self._angles = self._dictionaries = 0
        """How many are open."""
        self._judged = self._foreign = self._label = False
        self._trailing = self._short = self._bare = False
        """What is known of the operation: see `forms`; whether it is one of `_BARE`, or LLVM lacks its dialect."""

    def token(self, token: Token) -> Iterator[Fault]:
        """What is wrong with the next one."""
        outside = not self._dictionaries
        if token.kind == "OTHER" and self._judged and outside:
            yield from self._angle(token)
        self._count(token)
        if token.kind in ("RREGION", "OPNAME", "DEF", "LABEL"):
            yield from self._ended()
        yield from self._placed(token, outside)
        self._before, self._previous = self._previous, token

    def end(self) -> Iterator[Fault]:
        """What is wrong where no more follows."""
        yield from self._ended()
        if self._angles and self._judged and self._previous is not None:
            yield Fault("'<' is not closed", self._previous.start, self._previous.end)

    def _angle(self, token: Token) -> Iterator[Fault]:
        mark = self._text[token.start]
        self._angles += (mark == "<") - (mark == ">")
        if self._angles < 0:
            yield Fault("'>' closes nothing", token.start, token.end)
            self._angles = 0

    def _count(self, token: Token) -> None:
        kind = token.kind
        if kind in ("LDICT", "LPROP"):
            self._dictionaries += 1
        elif kind in ("RDICT", "RPROP"):
            self._dictionaries -= 1
        elif kind == "LREGION":
            self._bound = None
        elif kind == "BIND" and self._judged:
            self._bound = self._bound or token

    def _ended(self) -> Iterator[Fault]:
        """An operation ends, or a label."""
        if self._judged and self._previous is not None:
            yield from _ending(self._previous, self._label)
            self._label = False
        if self._bound is not None:
            yield Fault("no name can be defined here", self._bound.start, self._bound.end)
            self._bound = None

    def _placed(self, token: Token, outside: bool) -> Iterator[Fault]:
        """What is wrong with a token where it stands. `outside`: of all dictionaries, or it begins one."""
        kind, text, previous = token.kind, self._text, self._previous
        if kind == "OPNAME":
            yield from self._begun(token)
        elif kind == "LABEL":
            self._judged = self._label = True
        elif kind in ("DEF", "ALIAS"):
            self._judged = False
        elif kind == "ATTR" and not self._judged and not self._foreign and self._dictionaries == 0:
            yield from _type(text, token)
        elif kind == "WORD" and previous is not None and previous.kind == "RREGION":
            for fault in _keyword(text, token, _REGION_WORDS, frozenset()):
                yield fault._replace(lenient=True)  # before regions other dialects have others
        elif kind != "RREGION" and self._judged and previous is not None:
            yield from self._inside(token, previous, outside)

    def _begun(self, token: Token) -> Iterator[Fault]:
        name = self._text[token.start : token.end]
        dialect = name.partition(".")[0]
        self._bare = name in _BARE
        self._judged = (name[0] == '"' and name != '""') or self._bare or dialect in _JUDGED
        self._foreign = "." in name and name[0] != '"' and dialect not in vocabulary()
        self._trailing = name in forms.TRAILING_COMMA
        self._short = dialect in forms.SHORT_TYPES
        close = meant(name) if "." in name and name[0] != '"' else None
        if close:
            yield Fault(f"unknown operation '{name}'", token.start, token.end, close)

    def _inside(self, token: Token, previous: Token, outside: bool) -> Iterator[Fault]:
        kind, text = token.kind, self._text
        if outside and not self._may_follow(token, previous):
            yield from _pair(text, previous, token, self._bare)
        if kind in ("TYPE", "ATTR"):
            yield from _type(text, token)
        if kind == "WORD" and self._dictionaries and previous.kind in ("LDICT", "LPROP", "COMMA"):
            yield from _misspelled(text, token, _ATTRIBUTES, "attribute")
        if kind == "WORD" and not self._dictionaries:
            yield from _keyword(text, token, _TYPE_WORDS)

    def _may_follow(self, token: Token, previous: Token) -> bool:
        """Whether a token may stand there, whatever `_FOLLOWERS` says."""
        before = self._before.kind if self._before is not None else ""
        if previous.kind == "COMMA":
            return self._trailing or before == "RREGION"
        arrow = token.kind == "COLON" and before == "ARROW"  # `-> f32 : i32 {`
        return arrow or (self._short and self._text[token.start] == "<" and previous.kind in ("COLON", "ARROW"))


def _function(text: str, tokens: Sequence[Token]) -> Iterator[Fault]:
    """A function that lacks its name, and arguments of one that lack their types."""
    depth = 0
    name = ""
    named = True
    for before, token, following in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if before.kind == "OPNAME":
            name = text[before.start : before.end]
            named = name not in forms.HEADS
        if not named and token.kind == "LPAR":
            yield Fault("expected a name behind this", before.start, before.end)
        named = named or token.kind not in ("OPNAME", "WORD")
        if not depth and token.kind == "LPAR" and before.kind == "SYM":
            depth = name in forms.FUNCTIONS
        elif depth:
            depth += (token.kind == "LPAR") - (token.kind == "RPAR")
            if depth == 1 and token.kind == "VAL" and following.kind in ("COMMA", "RPAR"):
                yield Fault("expected ':' and a type behind this", token.start, token.end)


def _ending(last: Token, label: bool) -> Iterator[Fault]:
    if last.kind == "COLON" and not label:
        yield Fault("expected a type after this", last.start, last.end)
    elif "END" not in _FOLLOWERS.get(last.kind, ("END",)):
        yield Fault("something is missing at the end of this", last.start, last.end)


def _type(text: str, token: Token) -> Iterator[Fault]:
    """A type whose inside was left in the shape, because it holds what no type holds."""
    written = text[token.start : token.end]
    word, angle, rest = written.partition("<")
    if angle and word and token.kind == "ATTR" and word not in CONTAINERS and word[0] != "#":
        yield from _misspelled(text, token._replace(end=token.start + len(word)), CONTAINERS, "type or attribute")
        return
    if written in CONTAINERS and not text.startswith(("<", "="), skip(text, token.end)):
        yield Fault(f"'{written}' lacks its '<...>'; web pages swallow it as a tag", token.start, token.end)
    elif angle and HOLE not in rest and word and word[0] not in "!#":
        message = inside(word, rest[:-1])
        if message:
            yield Fault(message, token.start, token.end)


def _may_be_type(written: str) -> bool:
    """Whether this may be a type of a dialect, which leaves its name out where it is the default one: `tile<i32>`."""
    word = written.partition("<")[0]
    long = len(word) > 2 or word != written
    return word.isidentifier() and long and near(word, _TYPE_WORDS) is None and not _SCALE.fullmatch(word)


def _pair(text: str, first: Token, second: Token, bare: bool) -> Iterator[Fault]:
    """What is wrong with two tokens side by side. `bare`: the name of their op has no dialect."""
    allowed = _FOLLOWERS.get(first.kind)
    written = text[second.start : second.end]
    between = text[first.end : second.start]
    if (first.kind == "COMMA" and "\n" in between) or (
        first.kind == "TYPE" and second.kind == "ATTR" and written[0] == "<"
    ):
        return
    if allowed is not None and second.kind not in allowed:
        if bare and first.kind == "COLON" and _may_be_type(written):
            return
        if first.kind == "COLON" or first.kind == "ARROW":
            yield Fault("expected a type", second.start, max(second.end, second.start + 1))
        elif second.kind == "TYPE":
            yield Fault("expected ':' before this type", second.start, second.end)
        else:
            yield Fault("this cannot stand here", second.start, max(second.end, second.start + 1))
    elif second.kind in ("VAL", "COLON", "TYPE") and first.kind == "WORD" and _stray(text, first):
        yield Fault("this cannot stand here", first.start, first.end)
    elif second.kind == "OTHER" and written in ".;&/|":
        yield Fault("this cannot stand here", second.start, second.end)
    elif second.kind == "COLON" and first.kind == "OTHER" and text[first.start] in "+-":
        yield Fault("this cannot stand here", first.start, first.end)


def _misspelled(text: str, token: Token, names: frozenset[str], what: str) -> Iterator[Fault]:
    word = text[token.start : token.end]
    close = None if word in names else near(word, names)
    if close:
        yield Fault(f"unknown {what} '{word}'", token.start, token.end, close)


def _stray(text: str, token: Token) -> bool:
    word = text[token.start : token.end]
    return len(word) < 3 and word not in _SHORT and word not in vocabulary()["keywords"]


def _keyword(text: str, token: Token, more: frozenset[str], others: frozenset[str] | None = None) -> Iterator[Fault]:
    """A word that is nearly one of `more`, or of `others`: of all keywords, where nothing is said."""
    word = text[token.start : token.end]
    known = vocabulary()["keywords"]
    if word in known or "." in word or len(word) < 3 or text.startswith("=", skip(text, token.end)):
        return  # `reduction_dim = 0`: names of properties change from version to version
    close = near(word, more) or near(word, known if others is None else others)
    if close and len(close) > 2:
        yield Fault(f"unknown keyword '{word}'", token.start, token.end, close)
