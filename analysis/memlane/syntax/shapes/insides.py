"""The text that may be between the angle brackets of a builtin type or attribute."""

from __future__ import annotations

import re

from memlane.lazy import regex
from memlane.syntax.shapes import forms
from memlane.syntax.shapes.spelling import near
from memlane.syntax.shapes.vocabulary import vocabulary

CONTAINERS = frozenset("memref tensor vector tuple complex affine_map affine_set dense array strided".split())
"""Words that are followed by such brackets."""
_SCALAR = r"(?:[su]?i\d+|index|none|bf16|tf32|f(?:16|32|64|80|128|\d+E\d+M\d+\w*))"
_PLAIN_TYPE = rf"(?:{_SCALAR}|(?:memref|tensor|vector|tuple|complex|opaque)<|!)"
_INSIDES = {
    "memref": regex(rf"\s*(?:\*\s*x|(?:\s*(?:\d+|\?)\s*x)*)\s*{_PLAIN_TYPE}"),
    "tensor": regex(rf"\s*(?:\*\s*x|(?:\s*(?:\d+|\?)\s*x)*)\s*{_PLAIN_TYPE}"),
    "vector": regex(rf"\s*(?:(?:\d+|\[\s*\d+(?:\s*x\s*\d+)*\s*\])\s*x)*\s*{_PLAIN_TYPE}"),
    "complex": regex(rf"\s*{_PLAIN_TYPE}"),
    "strided": regex(r"\s*\[(?:0x[\da-fA-F]+|[-\d?,\s])*\](?:\s*,\s*offset\s*:\s*(?:-?(?:0x[\da-fA-F]+|\d+)|\?))?\s*$"),
}
_LAYOUT = regex(r"\s*(?:$|,\s*(?:([a-z_]+)<|[#!@\d\"\-(\[{]|[a-z_]+\b))")
_NESTED = regex(r"(memref|tensor|vector|complex|strided)<([^<>]*)>")
_MAP = regex(r"\s*\(([^()]*)\)\s*(?:\[([^\[\]]*)\]\s*)?->\s*\((.*)\)\s*$", re.DOTALL)
_MAP_WORDS = frozenset({"floordiv", "ceildiv", "mod", "symbol"})
_WORD = regex(r"[A-Za-z_][\w.$]*")
_MARK = regex(r"[^\s\w()+*,.$-]|\+\s*[+*]|\*\s*[*+]")


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
        if rest is not None and rest.group(1) and near(rest.group(1), CONTAINERS):
            return f"unknown layout '{rest.group(1)}'"
    return None


_OPENING = regex(r'"(?:[^"\\\n]|\\.)*"|->|([\w.$!#]*)<|>')
_NAMED = regex(r'(?:^|=)\s*(?!")([A-Za-z_]\w*)(\.[\w.]*)')


def foreign(shape: str, place: int) -> bool:
    """Whether what is written at a place of a statement may be of another dialect, whatever its name: inside a type or
    attribute of one, or in the custom form of an operation that LLVM does not have."""
    around: list[str] = []
    for match in _OPENING.finditer(shape, 0, place):
        if match[1] is not None:
            around.append(match[1])
        elif match.group() == ">" and around:
            around.pop()
    if any(word and word not in CONTAINERS for word in around):
        return True
    op = _NAMED.search(shape, 0, place)
    return op is not None and op[1] not in vocabulary() and op[1] + op[2] not in forms.FUNCTIONS


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
