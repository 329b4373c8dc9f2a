"""Statements that are only begun, as while somebody types them: what they say already.

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


def meant(tokens: Sequence[Token]) -> Meant | None:
    """A statement as it is meant, if it is only begun; None: it is not."""
    if not tokens:
        return None
    return _label(tokens) if tokens[0].kind in ("BLOCK", "LABEL") else _results(tokens)


def _label(tokens: Sequence[Token]) -> Meant | None:
    end = _behind_arguments(tokens)
    if end < len(tokens):
        return None
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
    """`%a:2, %b =`, and nothing behind it."""
    last = tokens[-1]
    if last.kind != "EQ":
        return None
    found: list[Token] = []
    at = 0
    while tokens[at].kind in ("VAL", "BIND"):
        many = [token.kind for token in tokens[at + 1 : at + 3]] == ["COLON", "NUM"]
        name, end = tokens[at], tokens[at + 2 * many]
        found.append(Token("DEF", name.start, end.end))
        at += 1 + 2 * many
        if tokens[at] is last:
            return tuple(found), Fault("expected an operation", last.start, last.end)
        if tokens[at].kind != "COMMA":
            return None
        at += 1
    return None
