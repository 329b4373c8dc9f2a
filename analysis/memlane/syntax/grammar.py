"""lark at work on one shape: the kinds of a statement's tokens in, a tree of token numbers out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Union

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.lexer import Lexer

Node = Union["Tree[Token]", Token]
"""A subtree, or a token whose `start_pos` is its number among the statement's tokens."""


class _Kinds(Lexer):
    """Passes the kinds that tokens.py found on to the parser."""

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, data: Sequence[str]) -> Iterator[Token]:  # pyright: ignore[reportIncompatibleMethodOverride] -- kinds, not text
        for number, kind in enumerate(data):
            yield Token(kind, "", number)


@cache
def _parser() -> Lark:
    grammar = Path(__file__).with_name("mlir.lark").read_text(encoding="utf-8")
    try:
        return Lark(grammar, parser="lalr", lexer=_Kinds, maybe_placeholders=False, cache=True)
    except OSError:  # no folder to keep the tables in: build them
        return Lark(grammar, parser="lalr", lexer=_Kinds, maybe_placeholders=False)


def parse_shape(kinds: Sequence[str]) -> Tree[Token] | int:
    """The tree of a shape; the number of the first token that does not fit where it is none."""
    try:
        return _parser().parse(kinds)  # pyright: ignore -- lark types what it parses as text
    except UnexpectedInput as error:
        token = getattr(error, "token", None)
        position = getattr(token, "start_pos", None)
        return len(kinds) if position is None else position
