"""Which name a misspelt one was meant to be: one that is a character away."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memlane.lazy import regex
from memlane.syntax.shapes import forms
from memlane.syntax.shapes.tokens import BARE_OPS
from memlane.syntax.shapes.vocabulary import vocabulary

_OTHERS = frozenset({"emit", "om"})
"""Dialects of CIRCT whose names are those of LLVM's `emitc` and `omp` but for the last letter."""

_GETTER = regex(r"(?<![a-z])get(?![a-z])")
_GAPS = str.maketrans("", "", "_.")
_LIBRARY = regex(r"[A-Z]{2}\.")
"""The start of operations that are functions of a library, of which each version has more: `spirv.CL.erfc`."""


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


def meant(name: str) -> str | None:
    """The op that a name with a dialect was probably meant to be; None where it may be an op that is not known."""
    dialect, _, rest = name.partition(".")
    dialects = vocabulary()
    if dialect in dialects:
        close = near(rest, dialects[dialect]) if rest not in dialects[dialect] and not _LIBRARY.match(rest) else None
        return f"{dialect}.{close}" if close and _words(close) != _words(rest) else None
    other = near(dialect, dialects)
    return f"{other}.{rest}" if other and rest in dialects[other] and _slip(dialect, other) else None


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
