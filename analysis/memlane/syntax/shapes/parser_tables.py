"""The grammar's file, and what an LALR parser for it is made of."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

GRAMMAR = Path(__file__).with_name("mlir.lark")


class Rule(NamedTuple):
    """A rule of the grammar.

    Args:
        name: with `_` in front where its parts are parts of what it is in.
        size: of how many symbols it is made.
        alone: one part alone stands for itself.
    """

    name: str
    size: int
    alone: bool


class Tables(NamedTuple):
    """An LALR parser. States are numbers, and so are rules.

    Args:
        states: by kind of the next token: the state that it leads to, or below zero `-1 - rule` that ends before it.
        gotos: by what a rule is called: the state that it leads to.
    """

    start: int
    end: int
    rules: list[Rule]
    states: list[Mapping[str, int]]
    gotos: list[Mapping[str, int]]
