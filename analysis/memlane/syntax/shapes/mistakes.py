"""Mistakes in a statement that parses: a shape -> what cannot be right about it.

Judged are the operations of LLVM's own dialects and what all operations share; an operation nobody described may
look as it likes. A misspelling is told from a name nobody knows by its distance from a known one, so that names of
other versions of MLIR stay without a complaint. Types are judged by their text, once for each text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from memlane.syntax.shapes import forms
from memlane.syntax.shapes.brackets import skip
from memlane.syntax.shapes.holes import HOLE
from memlane.syntax.shapes.tokens import BARE_OPS, Fault, Token
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

_OTHERS = frozenset({"emit", "om"})
"""Dialects of CIRCT whose names are those of LLVM's `emitc` and `omp` but for the last letter."""

_ATTRIBUTES = frozenset("indexing_maps iterator_types function_type sym_name callee".split())
_SHORT = frozenset("x y z to in at of by eq ne lt le gt ge or as on if do".split())
_REGION_WORDS = frozenset({"else", "do"})
_TYPE_WORDS = frozenset("index memref tensor vector tuple complex f32 f64 f16 bf16 i1 i8 i16 i32 i64 none".split())
_CONTAINERS = frozenset("memref tensor vector tuple complex affine_map affine_set dense array strided".split())
_SCALAR = r"(?:[su]?i\d+|index|none|bf16|tf32|f(?:16|32|64|80|128|\d+E\d+M\d+\w*))"
_PLAIN_TYPE = rf"(?:{_SCALAR}|(?:memref|tensor|vector|tuple|complex|opaque)<|!)"
_INSIDES = {
    "memref": re.compile(rf"\s*(?:\*\s*x|(?:\s*(?:\d+|\?)\s*x)*)\s*{_PLAIN_TYPE}"),
    "tensor": re.compile(rf"\s*(?:\*\s*x|(?:\s*(?:\d+|\?)\s*x)*)\s*{_PLAIN_TYPE}"),
    "vector": re.compile(rf"\s*(?:(?:\d+|\[\s*\d+(?:\s*x\s*\d+)*\s*\])\s*x)*\s*{_PLAIN_TYPE}"),
    "complex": re.compile(rf"\s*{_PLAIN_TYPE}"),
    "strided": re.compile(
        r"\s*\[(?:0x[\da-fA-F]+|[-\d?,\s])*\](?:\s*,\s*offset\s*:\s*(?:-?(?:0x[\da-fA-F]+|\d+)|\?))?\s*$"
    ),
}
_LAYOUT = re.compile(r"\s*(?:$|,\s*(?:([a-z_]+)<|[#!@\d\"\-(\[{]|[a-z_]+\b))")
_NESTED = re.compile(r"(memref|tensor|vector|complex|strided)<([^<>]*)>")
_MAP = re.compile(r"\s*\(([^()]*)\)\s*(?:\[([^\[\]]*)\]\s*)?->\s*\((.*)\)\s*$", re.DOTALL)
_MAP_WORDS = frozenset({"floordiv", "ceildiv", "mod", "symbol"})
_WORD = re.compile(r"[A-Za-z_][\w.$]*")
_SCALE = re.compile(r"[a-z]{1,2}\d+\w*")
_GETTER = re.compile(r"(?<![a-z])get(?![a-z])")
_GAPS = str.maketrans("", "", "_.")
_LIBRARY = re.compile(r"[A-Z]{2}\.")
"""The start of operations that are functions of a library, of which each version has more: `spirv.CL.erfc`."""
_MARK = re.compile(r"[^\s\w()+*,.$-]|\+\s*[+*]|\*\s*[*+]")


def mistakes(text: str, tokens: Sequence[Token]) -> Iterator[Fault]:
    """What cannot be right about the statement of shape `text`."""
    judged = False
    before: Token | None = None
    previous: Token | None = None
    dictionaries = 0
    bound: Token | None = None
    angles = 0
    label = trailing = short = bare = False
    for token in tokens:
        kind = token.kind
        if kind == "OTHER" and judged and not dictionaries:
            mark = text[token.start]
            angles += (mark == "<") - (mark == ">")
            if angles < 0:
                yield Fault("'>' closes nothing", token.start, token.end)
                angles = 0
        outside = not dictionaries
        if kind in ("LDICT", "LPROP"):
            dictionaries += 1
        elif kind in ("RDICT", "RPROP"):
            dictionaries -= 1
        elif kind == "LREGION":
            bound = None
        elif kind == "BIND" and judged:
            bound = bound or token
        if kind in ("RREGION", "OPNAME", "DEF", "LABEL"):
            if judged and previous is not None:
                yield from _ending(previous, label)
                label = False
            if bound is not None:
                yield Fault("no name can be defined here", bound.start, bound.end)
                bound = None
        if kind == "OPNAME":
            name = text[token.start : token.end]
            judged = (name[0] == '"' and name != '""') or name in _BARE or name.partition(".")[0] in _JUDGED
            trailing = name in forms.TRAILING_COMMA
            short = name.partition(".")[0] in forms.SHORT_TYPES
            bare = name in _BARE
            yield from _op_name(name, token)
        elif kind == "LABEL":
            judged = label = True
        elif kind in ("DEF", "ALIAS"):
            judged = False
        elif kind == "ATTR" and not judged and dictionaries == 0:
            yield from _type(text, token)
        elif kind == "WORD" and previous is not None and previous.kind == "RREGION":
            yield from _keyword(text, token, _REGION_WORDS, frozenset())  # before regions other dialects have others
        elif kind == "RREGION":
            pass
        elif judged and previous is not None:
            free = previous.kind == "COMMA" and (trailing or (before is not None and before.kind == "RREGION"))
            free = free or (kind == "COLON" and before is not None and before.kind == "ARROW")  # `-> f32 : i32 {`
            free = free or (short and text[token.start] == "<" and previous.kind in ("COLON", "ARROW"))
            if outside and not free:
                yield from _pair(text, previous, token, bare)
            if kind in ("TYPE", "ATTR"):
                yield from _type(text, token)
            if kind == "WORD" and dictionaries and previous.kind in ("LDICT", "LPROP", "COMMA"):
                yield from _misspelled(text, token, _ATTRIBUTES, "attribute")
            if kind == "WORD" and not dictionaries:
                yield from _keyword(text, token, _TYPE_WORDS)
        before, previous = previous, token
    yield from _function(text, tokens)
    if judged and previous is not None:
        yield from _ending(previous, label)
    if bound is not None:
        yield Fault("no name can be defined here", bound.start, bound.end)
    if angles and judged and previous is not None:
        yield Fault("'<' is not closed", previous.start, previous.end)


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
    if angle and word and token.kind == "ATTR" and word not in _CONTAINERS and word[0] != "#":
        yield from _misspelled(text, token._replace(end=token.start + len(word)), _CONTAINERS, "type or attribute")
        return
    if written in _CONTAINERS and not text.startswith(("<", "="), skip(text, token.end)):
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


def _op_name(name: str, token: Token) -> Iterator[Fault]:
    if name[0] == '"':
        return
    dialect, dot, rest = name.partition(".")
    dialects = vocabulary()
    close = None
    if not dot:
        return
    if dialect in dialects:
        if rest not in dialects[dialect] and not _LIBRARY.match(rest):
            close = near(rest, dialects[dialect])
            close = f"{dialect}.{close}" if close and _words(close) != _words(rest) else None
    else:
        other = near(dialect, dialects)
        if other and rest in dialects[other] and _slip(dialect, other):
            close = f"{other}.{rest}"
    if close:
        yield Fault(f"unknown operation '{name}'", token.start, token.end, close)


def _slip(word: str, meant: str) -> bool:
    """Whether a dialect's name is a misspelt one and not that of another: `linalgx`, `npu` and `ntensor` are."""
    if word in _OTHERS:
        return False
    if len(word) == len(meant):
        return len(word) > 3 or sorted(word) == sorted(meant)
    put = (word[0], word[1]) if word[1:] == meant else (word[-1], word[-2]) if word[:-1] == meant else None
    return put is None or put[0] == put[1]


def _words(name: str) -> str:
    """A name whatever its numbers are: newer operations have others (`f6x2` beside `f8x2`, `exp2` beside `exp`). What
    stands between its words was another character once, and what is got may be set."""
    return _GETTER.sub("set", re.sub(r"\d+", "0", name.rstrip("0123456789"))).translate(_GAPS)


def inside(word: str, text: str) -> str | None:
    """What is wrong with `text` between the angle brackets of `word<...>`; None where nothing is."""
    if word == "affine_map":
        return _map(text)
    pattern = _INSIDES.get(word)
    if pattern is None:
        return None
    while True:
        nested = _NESTED.search(text)
        if nested is None:
            break
        wrong = inside(nested.group(1), nested.group(2))
        if wrong:
            return wrong
        text = text[: nested.start()] + ("!" if nested.group(1) != "strided" else "#") + text[nested.end() :]
    match = pattern.match(text)
    if match is None:
        return f"this is no {word} type" if word != "strided" else "this is no strided layout"
    if word in ("memref", "tensor", "vector"):
        element = text[match.end() - 1 :] if text[match.end() - 1] in "<!" else None
        rest = _LAYOUT.match(text, match.end()) if element is None else None
        if element is None and rest is None:
            return f"this is no {word} type"
        if rest is not None and rest.group(1) and near(rest.group(1), _CONTAINERS):
            return f"unknown layout '{rest.group(1)}'"
    return None


def _map(text: str) -> str | None:
    match = _MAP.match(text)
    if match is None:
        return "this is no affine map"
    dimensions, symbols, results = match.groups()
    known = {*_WORD.findall(dimensions), *_WORD.findall(symbols or ""), *_MAP_WORDS}
    for word in _WORD.findall(results):
        if word not in known:
            return f"'{word}' is no dimension or symbol of this map"
    mark = _MARK.search(results)
    return f"'{mark.group()}' cannot stand in an affine map" if mark else None


def near(word: str, names: Iterable[str]) -> str | None:
    """The one of `names` that one character replaced, swapped, inserted or removed makes of `word`.

    Of several, one as long as `word` and then the longest.
    """
    size = len(word)
    found = [name for name in names if abs(len(name) - size) < 2 and name != word and _one_apart(word, name)]
    return min(found, key=lambda name: (len(name) != size, -len(name), name), default=None)


def _one_apart(first: str, second: str) -> bool:
    at = 0
    shorter = min(len(first), len(second))
    while at < shorter and first[at] == second[at]:
        at += 1
    if len(first) > len(second):
        return first[at + 1 :] == second[at:]
    if len(first) < len(second):
        return first[at:] == second[at + 1 :]
    swapped = first[at : at + 2] == second[at : at + 2][::-1] and first[at + 2 :] == second[at + 2 :]
    return swapped or first[at + 1 :] == second[at + 1 :]


def similar_op(name: str) -> str | None:
    """The op of a dialect that a name without one was probably meant to be: `memref2dealloc`, `arithaddf`."""
    for dialect, names in vocabulary().items():
        if name.startswith(dialect[:3]) and dialect != "keywords":
            close = near(name, (f"{dialect}.{one}" for one in names))
            if close:
                return close
    return near(name, BARE_OPS)


def may_be_bare(name: str) -> bool:
    """Whether a name without a dialect may stand inside an op that gives it one (`shape.function_library`)."""
    return any(name in vocabulary().get(dialect, ()) for dialect in forms.DEFAULT_DIALECTS.values())
