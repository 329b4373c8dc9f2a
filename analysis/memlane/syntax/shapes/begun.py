"""Incomplete statements, as while they are being typed: what they say already.

A block begins behind its name, also where the colon is not written yet: taken for something else, its operations would
go on behind the branch that ends the block before, and each branch to it would lead nowhere. Results are defined where
the operation behind `%a =` is not named yet: others use them already.
"""

from __future__ import annotations

from collections.abc import Sequence

from memlane.syntax.shapes.tokens import Fault, Token

Meant = tuple[tuple[Token, ...], Fault]
"""The tokens of a statement as they are meant, and what is wrong with it."""
_BRACKETS = {"LPAR": 1, "LSQB": 1, "LBRACE": 1, "RPAR": -1, "RSQB": -1, "RBRACE": -1}
_OPENING = frozenset("LPAR LSQB LBRACE LDICT LPROP".split())
_CLOSING = frozenset("RPAR RSQB RBRACE RDICT RPROP".split())


def meant(tokens: Sequence[Token]) -> Meant | None:
    """A statement as it is meant, if it is only begun; None: it is not."""
    if not tokens:
        return None
    return _label(tokens) if tokens[0].kind in ("BLOCK", "LABEL") else _results(tokens)


def _label(tokens: Sequence[Token]) -> Meant | None:
    end = _behind_arguments(tokens)
    if end < len(tokens):
        behind = _results(tokens[end + 1 :]) if tokens[end].kind == "COLON" else None
        return ((*tokens[: end + 1], *behind[0]), behind[1]) if behind is not None else None
    name, last = tokens[0], tokens[-1]
    label = (name._replace(kind="LABEL"), *tokens[1:], Token("COLON", last.end, last.end))
    return label, Fault("expected ':' behind the name of a block", name.start, name.end)


def _behind_arguments(tokens: Sequence[Token]) -> int:
    """The number of the first token behind a name and what stands in parentheses after it."""
    depth = 0
    for number, token in enumerate(tokens[1:], 1):
        depth += _BRACKETS.get(token.kind, 0)
        if not depth:
            return number + (token.kind == "RPAR")
    return len(tokens)


def _results(tokens: Sequence[Token]) -> Meant | None:
    """`%a:2, %b =` and no name of an operation behind it, or such a name and no `=` before it."""
    found: list[Token] = []
    at = 0
    while at < len(tokens) and tokens[at].kind in ("VAL", "BIND"):
        name = tokens[at]
        many = [token.kind for token in tokens[at + 1 : at + 3]] == ["COLON", "NUM"]
        at += 1 + 2 * many
        found.append(Token("DEF", name.start, tokens[at - 1].end))
        at += [token.kind for token in tokens[at : at + 2]] == ["COLON", "EQ"]  # the number is missing
        mark = tokens[at] if at < len(tokens) else None
        if mark is None or mark.kind not in ("COMMA", "EQ", "OPNAME"):
            return None
        if mark.kind == "OPNAME":
            return (*found, *tokens[at:]), Fault("expected '=' before this", mark.start, mark.end)
        at += 1
        if mark.kind == "EQ":
            nameless = () if at == len(tokens) else (Token("OPNAME", mark.end, mark.end), *tokens[at:])
            return (*found, *nameless), Fault("expected an operation", mark.start, mark.end)
    return None


def without_entries(tokens: Sequence[Token], at: int) -> tuple[Token, ...] | None:
    """The tokens without what stands in the attribute dictionary around the one that cannot stand `at` its place: what
    else the statement says is read all the same. None: there is no such dictionary."""
    around: list[int] = []
    for number, token in enumerate(tokens):
        if token.kind in _OPENING:
            around.append(number)
        elif token.kind in _CLOSING:
            first = around.pop()
            if first < at <= number and tokens[first].kind in ("LDICT", "LPROP"):
                return (*tokens[: first + 1], *tokens[number:])
    return None
