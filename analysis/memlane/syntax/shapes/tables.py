"""The tables of the grammar, as lark makes them: needed when the grammar changes, not to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lark import Lark, Token
from lark.lexer import Lexer
from lark.parsers.lalr_analysis import Shift

from memlane.syntax.shapes.parser_tables import GRAMMAR, Rule, Tables

Actions = Mapping[str, "tuple[object, Any]"]
"""Of one state of lark's, by symbol: to shift to a state, or to reduce by a rule."""


class _Kinds(Lexer):
    """Passes the kinds that tokens.py found on to the parser."""

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, data: Sequence[str]) -> Iterator[Token]:  # pyright: ignore[reportIncompatibleMethodOverride] -- kinds, not text
        for number, kind in enumerate(data):
            yield Token(kind, "", number)


def parser() -> Lark:
    """lark's own parser for the grammar: `parse` takes kinds; the `start_pos` of a token is its number."""
    return Lark(GRAMMAR.read_text(encoding="utf-8"), parser="lalr", lexer=_Kinds, maybe_placeholders=False)


def made() -> Tables:
    """The tables, the same whenever they are made: states and rules are numbered as one comes across them."""
    frontend: Any = parser().parser
    table: Any = frontend.parser.parser.parse_table
    states: Mapping[int, Actions] = table.states
    (start,), (end,) = table.start_states.values(), table.end_states.values()
    numbers = {start: 0}
    rules: dict[Rule, int] = {}
    actions: list[dict[str, int]] = []
    gotos: list[dict[str, int]] = []
    pending = [start]
    for state in pending:
        actions.append({})
        gotos.append({})
        for symbol, (action, target) in sorted(states[state].items()):
            if action is not Shift:
                rule = Rule(str(target.origin.name), len(target.expansion), bool(target.options.expand1))
                actions[-1][symbol] = -1 - rules.setdefault(rule, len(rules))
                continue
            if target not in numbers:
                numbers[target] = len(numbers)
                pending.append(target)
            (actions if symbol.isupper() or symbol == "$END" else gotos)[-1][symbol] = numbers[target]
    return Tables(numbers[start], numbers[end], list(rules), list(actions), list(gotos))
