"""The grammar of one shape at work: the kinds of a statement's tokens in, a tree of token numbers out.

lark makes the tables of an LALR parser from `mlir.lark`. They ship as `mlir.tables.json`, and what runs them is here:
importing lark takes longer than reading most files, and its loop several times as long as this one. Where the tables
are not those of the grammar, lark is asked for others.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, cast

from memlane.digest import blake2b
from memlane.syntax.shapes.parser_tables import GRAMMAR, Rule, Tables

FILE = Path(__file__).with_name("mlir.tables.json")
"""Written by `python tests/syntax/make_tables.py`."""

END = "$END"
"""The kind that follows the last token."""


class Branch:
    """A subtree: what the grammar calls it, and its parts in text order."""

    __slots__ = ("children", "data")

    def __init__(self, data: str, children: list[Node]) -> None:
        self.data = data
        self.children = children


Node = Branch | int
"""A subtree, or the number of a token among those of the statement."""


def parse_shape(kinds: Sequence[str]) -> Branch | int:
    """The tree of a shape. Where the shape is invalid, the number of the first token that does not fit; 0: it ends too
    early."""
    start, end, rules, states, gotos = tables()
    path = [start]
    found: list[list[Node] | int] = []  # for each symbol that was read, what stands for it in what it is a part of
    for number, kind in enumerate(chain(kinds, (END,))):
        while (action := states[path[-1]].get(kind)) is not None and action < 0:
            name, size, alone = rules[~action]
            if size == 1:  # most are: what stands for the one symbol stays where nothing is distinguished
                last = found[-1]
                stays = (
                    alone or name[0] == "_" if isinstance(last, int) else name[0] == "_" or (alone and len(last) == 1)
                )
                if not stays:
                    found[-1] = [Branch(name, [last] if isinstance(last, int) else last)]
                path[-1] = gotos[path[-2]][name]
            else:
                parts = _last(found, size)
                found.append(parts if name[0] == "_" or (alone and len(parts) == 1) else [Branch(name, parts)])
                if size:
                    del path[-size:]
                path.append(gotos[path[-1]][name])
            if path[-1] == end:
                return cast("list[Branch]", found[-1])[0]
        if action is None:
            return number if number < len(kinds) else 0
        path.append(action)
        found.append(number)
    raise AssertionError("a shape that ends is either whole or none")


def _last(found: list[list[Node] | int], size: int) -> list[Node]:
    """What stands for the last `size` symbols, taken away, as one list."""
    if not size:
        return []
    first = found[-size]
    parts: list[Node] = [first] if isinstance(first, int) else first
    for more in found[1 - size :]:
        if isinstance(more, int):
            parts.append(more)
        else:
            parts += more
    del found[-size:]
    return parts


def fingerprint() -> str:
    """Of the grammar that the tables are of."""
    return blake2b(GRAMMAR.read_bytes(), digest_size=16).hexdigest()


@cache
def tables() -> Tables:
    """Those of the file, or made anew where they are of another grammar or not there."""
    try:
        kept: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    except OSError:  # without the file: all is made anew
        kept = {}
    if kept.get("grammar") != fingerprint():
        from memlane.syntax.shapes.tables import made

        return made()
    rules = [Rule(*rule) for rule in kept["rules"]]
    return Tables(kept["start"], kept["end"], rules, kept["states"], kept["gotos"])
