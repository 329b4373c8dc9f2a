"""The tokens of a statement, by the nodes of its tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memlane.syntax.shapes.grammar import Branch, Node
from memlane.syntax.shapes.shape import Cut, Definition, TypeText
from memlane.syntax.shapes.tokens import Token


class StatementTokens:
    """Those of one statement.

    Args:
        text: its shape.
        marks: where the names are in that.
    """

    def __init__(self, text: str, tokens: Sequence[Token], marks: tuple[int, ...]) -> None:
        self.text = text
        self.tokens = tokens
        self.slots = {offset: number for number, offset in enumerate(marks)}

    def kind(self, node: Node) -> str:
        return node.data if isinstance(node, Branch) else self.tokens[node].kind

    def token(self, node: Node) -> Token:
        while isinstance(node, Branch):
            node = node.children[0]
        return self.tokens[node]

    def end(self, node: Node) -> int:
        while isinstance(node, Branch):
            node = node.children[-1]
        return self.tokens[node].end

    def text_of(self, node: Node) -> str:
        return self.text[self.token(node).start : self.end(node)]

    def typed(self, children: Sequence[Node], default: TypeText = None) -> Iterator[Definition]:
        """The names of `%a: T, %b: U`, or of `%a, %b`."""
        at = 0
        while at < len(children):
            if self.kind(children[at]) in ("VAL", "BIND"):
                slot = self.slots[self.token(children[at]).start]
                start = stop = at + 1
                while stop < len(children) and self.kind(children[stop]) != "COMMA":
                    stop += 1
                written = default
                start += self.kind(children[start]) == "STR" if start < stop else 0
                if start < stop and self.kind(children[start]) == "COLON":
                    last = start + 1
                    while last < stop and self.kind(children[last]) != "dict":
                        last += 1
                    written = self.cut(children[start + 1 : last])
                yield Definition(slot, written)
                at = stop
            at += 1

    def cut(self, nodes: Sequence[Node]) -> Cut | None:
        return Cut(self.token(nodes[0]).start, self.end(nodes[-1])) if nodes else None
