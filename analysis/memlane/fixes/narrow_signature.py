"""One `i1` less in the lists of the text: what `Widening` adds to results, arguments and operands is taken out again.

A list loses what stands at some of its positions, with the comma; one that has nothing left goes with its brackets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from memlane.dialects import successor_uses
from memlane.findings import Span
from memlane.fixes.custom_free import in_text
from memlane.fixes.edit_writer import Writer
from memlane.fixes.generic import (
    FormRefused,
    Operands,
    closing,
    colon,
    is_generic,
    last_arrow,
    operand_types,
    result_types,
    split,
)
from memlane.fixes.widen_signature import listed
from memlane.flow.cfg.graph import Graph
from memlane.lazy import regex
from memlane.syntax.tree.tree import Block, Op, Use, Value

_SPACES = regex(r"\s*")


class Narrowing:
    """Takes out of the lists of one function. All its methods raise `FormRefused` where the text has another form.

    Args:
        graph: the function's control flow.
        writer: takes the removals.

    Attributes:
        source: the text.
    """

    def __init__(self, graph: Graph, writer: Writer) -> None:
        self._graph, self._writer = graph, writer
        self.source = writer.text.source
        self._counts = Operands(writer)
        self._generic: dict[Op, set[int]] = {}

    def finish(self) -> None:
        """Write what is counted: operands in generic form, and how many each segment has."""
        for op, places in self._generic.items():
            self._cut([use.span for use in op.operands], places)
            self._cut(operand_types(self.source, op), places)
            for place in places:
                self._counts.count(op, place, -1)
        self._counts.finish()

    def results(self, op: Op, gone: Collection[Value]) -> None:
        """Some of the results of an operation with regions, not the first."""
        for value in op.results:
            if value in gone:
                comma = self.source.rfind(",", op.span.start, value.span.start)
                if comma < 0 or self.source[comma + 1 : value.span.start].strip():
                    raise FormRefused
                self._writer.replace(Span(comma, value.span.end), "")
        first = result_types(self.source, op) if is_generic(self.source, op) else self._behind_arrow(op)
        self._cut(self._types(first, op.results), {value.index for value in op.results if value in gone})

    def arguments(self, block: Block, gone: Collection[Value]) -> None:
        """Some of the arguments of a block that has a label."""
        opening = self.source.index("(", block.span.start)
        end = closing(self.source, opening, 0)
        items = split(self.source, opening + 1, end)
        places = {value.index for value in block.arguments if value in gone}
        if len(items) != len(block.arguments):
            raise FormRefused
        if len(places) == len(items):
            self._writer.replace(Span(opening, end + 1), "")
        else:
            self._cut(items, places)

    def carried(self, block: Block, gone: Collection[Value]) -> None:
        """Some of the arguments that the head of a loop names, with what it gives to them: `%m = %init`."""
        op, source = block.region.op, self.source
        inits = [use for use in op.operands if use.group] or list(op.operands)
        named = block.arguments[-len(inits) :]
        pairs = [Span(value.span.start, use.span.end) for value, use in zip(named, inits, strict=False)]
        places = {place for place, value in enumerate(named) if value in gone}
        if len(pairs) != len(inits) or any(one.start >= one.end for one in pairs):
            raise FormRefused
        self._cut(pairs, places)
        behind = _behind_spaces(source, closing(source, inits[-1].span.end, 1) + 1)
        if source.startswith(":", behind):  # types of the arguments, too
            self._cut(self._types(_behind_spaces(source, behind + 1), named), places)

    def handed(self, op: Op, names: Counter[str]) -> None:
        """Some operands of what ends a region: so many of each name, the last ones."""
        places = {use.index for use in _last(op.operands, names)}
        if is_generic(self.source, op):
            self._generic.setdefault(op, set()).update(places)
        else:
            types = split(self.source, colon(self.source, op) + 1, op.span.end)
            self._with_types([use.span for use in op.operands], types, places)

    def to_successor(self, op: Op, position: int, names: Counter[str]) -> None:
        """Some operands that are handed to the successor at a position: so many of each name, the last ones."""
        successor = op.successors[position]
        if is_generic(self.source, op):
            model = self._graph.model(op)
            uses = _last(successor_uses(op, model)[position] if model is not None else (), names)
            self._generic.setdefault(op, set()).update(use.index for use in uses)
            return
        uses = _last(successor.operands, names)
        opening = self.source.index("(", successor.span.start)
        end = closing(self.source, opening, 0)
        if len(uses) == len(successor.operands):
            self._writer.replace(Span(opening, end + 1), "")
            return
        written = [use.span for use in successor.operands]
        types = split(self.source, self.source.index(":", written[-1].end) + 1, end)
        self._with_types(written, types, {use.index for use in uses})

    def _with_types(self, names: Sequence[Span], types: Sequence[Span], places: set[int]) -> None:
        """The names at some places of a list, and their types; the first ones may have none."""
        more = len(names) - len(types)
        if not 0 <= more <= min(places):
            raise FormRefused
        self._cut(names, places)
        self._cut(types, {place - more for place in places})

    def _cut(self, items: Sequence[Span], places: Collection[int]) -> None:
        """What stands at some places of a list, but not at all of them."""
        kept = next((place for place in range(len(items)) if place not in places), None)
        if kept is None or max(places, default=0) >= len(items):
            raise FormRefused
        for place in places:
            left, right = (items[place - 1], items[place]) if place > kept else (items[place], items[place + 1])
            if self.source[left.end : right.start].strip() != ",":
                raise FormRefused
            cut = Span(left.end, right.end) if place > kept else Span(left.start, right.start)
            self._writer.replace(cut, "")

    def _types(self, first: int, values: Sequence[Value]) -> list[Span]:
        """Where the types of values stand that begin at an offset, in parentheses or not."""
        source = self.source
        if source[first] == "(":
            found = split(source, first + 1, closing(source, first, 0))
        else:
            found = split(source, first, listed(source, first, [in_text(value.type) for value in values]))
        if len(found) != len(values):
            raise FormRefused
        return found

    def _behind_arrow(self, op: Op) -> int:
        arrow = last_arrow(self.source, op.name_span.end, op.regions[0].blocks[0].span.start)
        return _behind_spaces(self.source, arrow + 2)


def _last(uses: Sequence[Use], names: Counter[str]) -> list[Use]:
    """The last uses of some names, so many of each."""
    left, found = Counter(names), list[Use]()
    for use in reversed(uses):
        if left[use.name] > 0:
            left[use.name] -= 1
            found.append(use)
    if left.total():
        raise FormRefused
    return found


def _behind_spaces(source: str, start: int) -> int:
    """Where the next word begins."""
    found = _SPACES.match(source, start)
    return found.end() if found is not None else start
