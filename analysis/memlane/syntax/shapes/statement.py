"""A statement's shape -> its template. docs/how-it-reads.md describes the memoisation.

`mlir.lark` gives the tree of the shape; this module finds the roles of its parts: which names are operands, which
declare arguments, where the types stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memlane.lazy import regex
from memlane.syntax.shapes import forms
from memlane.syntax.shapes.begun import meant, without_entries
from memlane.syntax.shapes.grammar import Branch, Node, parse_shape
from memlane.syntax.shapes.holes import BLOCK, VALUE
from memlane.syntax.shapes.limits import MAX_FAULTS, MAX_RESULTS
from memlane.syntax.shapes.mistakes import mistakes
from memlane.syntax.shapes.part import Part
from memlane.syntax.shapes.shape import (
    Alias,
    Close,
    Cut,
    Definition,
    Event,
    Label,
    Open,
    OpShape,
    Rest,
    Template,
    template_of,
)
from memlane.syntax.shapes.statement_tokens import StatementTokens
from memlane.syntax.shapes.tokens import BARE_OPS, Fault, Token, Tokens, tokenize
from memlane.syntax.shapes.vocabulary import vocabulary

_MARKS = regex(f"[{VALUE}{BLOCK}]")
_COMMENT = regex(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*')
_NUMBER = regex(r":\s*(\d+)")


def read(text: str, continuation: bool = False) -> Template:
    """The template of a shape. `continuation`: it goes on with an operation of an earlier line."""
    marks = tuple(match.start() for match in _MARKS.finditer(text))  # names in comments are numbered as well
    if "//" in text:
        text = _COMMENT.sub(lambda match: match.group(1) or " " * len(match.group()), text)
    found = tokenize(text, continuation)
    begun = meant(found.tokens) if not continuation else None
    if begun is not None:
        found = Tokens(begun[0], (*found.faults, begun[1]))
    faults = found.faults or tuple(mistakes(text, found.tokens))
    read, closing = _ends(found.tokens)
    tokens: tuple[Token, ...] | None = read if len(found.faults) <= MAX_FAULTS else None
    shape = _shape_of(tokens) if tokens is not None else 0
    if isinstance(shape, int) and tokens is not None and begun is None:
        # Brackets that were closed for the reader's sake are not in the text.
        written = (token for token in reversed(found.tokens[: shape + 1]) if token.end > token.start)
        bad = next(written, Token("", 0, len(text)))
        if not _foreign(text, found):
            faults = (*faults, Fault("this does not read as an operation", bad.start, bad.end))
    while isinstance(shape, int) and tokens is not None:
        tokens = without_entries(tokens, shape)
        shape = _shape_of(tokens) if tokens is not None else shape
    if isinstance(shape, int) or tokens is None:
        events = tuple(_salvage(text, found, marks))
    else:
        events = (*Roles(text, tokens, marks).events(shape), *(Close(token.start) for token in closing))
    return template_of(events, faults)


def _ends(tokens: tuple[Token, ...]) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
    """The tokens of a statement, and the braces behind the first of those at its end: each closes a region and says no
    more, so that they need no tree."""
    last = len(tokens)
    while last > 1 and tokens[last - 1].kind == tokens[last - 2].kind == "RREGION":
        last -= 1
    return tokens[:last], tokens[last:]


def _shape_of(tokens: Sequence[Token]) -> Branch | int:
    """The tree of some tokens, or the number of the first that does not fit."""
    return parse_shape([token.kind for token in tokens])


def _foreign(text: str, found: Tokens) -> bool:
    """Whether this is an operation of an unknown dialect, whose brackets balance: its syntax is not checked."""
    names = [text[token.start : token.end] for token in found.tokens if token.kind == "OPNAME"]
    written = len(names) == 1 and names[0][0] != '"' and "." in names[0]
    return written and not found.faults and names[0].partition(".")[0] not in vocabulary()


def _salvage(text: str, found: Tokens, marks: tuple[int, ...]) -> Iterator[Event]:
    """A statement that does not parse: its results stay defined, its braces count, nothing else is known."""
    slots = {offset: number for number, offset in enumerate(marks)}
    tokens = found.tokens
    results = tuple((slots[t.start], _count(text, t)) for t in tokens if t.kind == "DEF")
    name = next((t for t in tokens if t.kind == "OPNAME"), None)
    first = tokens[0] if tokens else Token("", 0, len(text))
    end = tokens[-1].end if tokens else len(text)
    name = name or first
    types = (None,) * sum(count for _, count in results)
    if first.kind != "RREGION":
        yield OpShape("", first.start, name.start, name.end, end, results, result_types=types, unparsed=True)
    for token in tokens:
        if token.kind == "LREGION":
            yield Open(None, token.start, ())
        elif token.kind == "RREGION":
            yield Close(token.start)


def _count(text: str, token: Token) -> int:
    written = _NUMBER.search(text, token.start, token.end)
    return min(max(1, int(written.group(1)[:9])), MAX_RESULTS) if written is not None else 1


class Roles(StatementTokens):
    """One walk over the tree of a statement."""

    def events(self, tree: Branch) -> Iterator[Event]:
        tail: list[Node] = []
        for node in tree.children:
            if isinstance(node, Branch) and node.data in ("op", "close", "label", "alias"):
                if tail:
                    yield from self.rest(tail)
                    tail = []
                yield from getattr(self, node.data)(node.children)
            else:
                tail.append(node)
        if tail:
            yield from self.rest(tail)

    # ---- pieces ------------------------------------------------------------------------------------------------

    def op(self, children: list[Node]) -> Iterator[Event]:
        results: list[tuple[int, int]] = []
        at = 0
        while self.kind(children[at]) == "DEF":
            token = self.token(children[at])
            results.append((self.slots[token.start], _count(self.text, token)))
            at += 1
        name = self.token(children[at])
        written = self.text[name.start : name.end]
        body = children[at + 1 :]
        generic = written[:1] == '"'
        bare = written.strip('"')
        full = bare if generic else forms.BARE_NAMES.get(bare, bare)
        if not generic and body and self.kind(body[0]) == "SYM":
            full = forms.BARE_WITH_SYMBOL.get(bare, full)
        stop = self.region_at(body, 0)
        head, regions = body[:stop], body[stop:]
        part = Part(self, full, generic)
        part.read(head, bool(regions))
        start = self.token(children[0]).start
        end = self.end(head[-1]) if head else name.end
        declared = forms.may_be_function(full) and not (regions or results or generic) and part.takes_arguments()
        operands = () if declared else tuple(part.operands)
        yield OpShape(
            full, start, name.start, name.end, end, tuple(results), operands, tuple(part.successors),
            tuple(part.keywords), part.symbol, part.attributes, part.literal, tuple(part.types),
            part.results(sum(count for _, count in results)), not written,
            "" if generic or "." in bare else bare, generic,
            not generic and bool(bare) and "." not in bare and bare not in BARE_OPS and bare not in forms.OLD_NAMES,
            (part.symbol or part.attributes.get("callee")) if full in forms.CALLS else None,
            () if regions else tuple(part.defines),
        )  # fmt: skip
        if regions:
            yield self.opening(part, head, regions[0])
            yield from self.rest(regions[1:])

    def close(self, children: list[Node]) -> Iterator[Event]:
        yield Close(self.token(children[0]).start)
        if len(children) > 1:
            yield from self.rest(children[1:])

    def rest(self, children: list[Node]) -> Iterator[Event]:
        """What stands between the regions of an op and behind them, and where these begin."""
        at = 0
        while at < len(children):
            stop = self.region_at(children, at)
            head = children[at:stop]
            part = Part(self, "", False)
            part.read(head, stop < len(children))
            if any(self.kind(node) != "COMMA" for node in head):
                words = {self.text_of(node) for node in head} <= forms.REGION_WORDS
                if not words:
                    start, end = self.token(head[0]).start, self.end(head[-1])
                    operands, types = tuple(part.operands), tuple(part.types)
                    yield Rest(start, end, operands, part.attributes, types, part.result_types())
            if stop < len(children):
                yield self.opening(part, head, children[stop])
            at = stop + 1

    def opening(self, part: Part, head: list[Node], brace: Node) -> Open:
        """A region that begins behind what `part` has read."""
        return Open(self.region_label(head), self.token(brace).start, tuple(part.defines))

    def label(self, children: list[Node]) -> Iterator[Event]:
        token = self.token(children[0])
        arguments: list[Definition] = []
        rest = children[1:]
        if isinstance(rest[0], Branch):
            arguments = list(self.typed(rest[0].children[1:-1]))
            rest = rest[1:]
        yield Label(self.slots[token.start], self.end(rest[0]), tuple(arguments))
        if rest[1:]:
            yield from self.rest(rest[1:])

    def alias(self, children: list[Node]) -> Iterator[Event]:
        token = self.token(children[0])
        yield Alias(token.start, self.end(children[-1]))

    # ---- helpers -----------------------------------------------------------------------------------------------

    def region_at(self, children: list[Node], start: int) -> int:
        """Where a region begins among some tokens, from one of them on; behind all of them where none does."""
        return next((at for at in range(start, len(children)) if self.kind(children[at]) == "LREGION"), len(children))

    def region_label(self, head: list[Node]) -> Cut | None:
        at = len(head)
        while at and self.kind(head[at - 1]) in ("WORD", "NUM", "OTHER"):
            at -= 1
        while at < len(head) and self.text_of(head[at]) not in forms.REGION_WORDS:
            at += 1
        return self.cut(head[at:])
