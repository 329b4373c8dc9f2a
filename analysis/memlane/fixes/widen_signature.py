"""One more `i1` in the lists of the text: results, block arguments, what loops carry, what terminators hand on."""

from __future__ import annotations

from memlane.dialects import successor_uses
from memlane.dialects.model import Guard
from memlane.fixes.custom_free import in_text
from memlane.fixes.edit_writer import Writer
from memlane.fixes.generic import FormRefused, Operands, closing, is_generic, last_arrow, result_types
from memlane.flow.cfg.graph import Graph
from memlane.lazy import regex
from memlane.syntax.tree.tree import Block, Op, Use

_COMMA = regex(r"\s*,\s*")
_LABEL = regex(r"\^[\w$.-]+")


class Widening:
    """Adds to the lists of one function. All its methods raise `FormRefused` where the text has another form.

    Args:
        graph: the function's control flow.
        writer: takes the insertions.
    """

    def __init__(self, graph: Graph, writer: Writer) -> None:
        self._writer = writer
        self._graph = graph
        self._operands = Operands(writer)
        self._results: dict[Op, int] = {}
        self._source = writer.text.source

    def finish(self) -> None:
        """Write what is counted: types of results, and how many operands each segment has."""
        for op, count in self._results.items():
            self._result_type(op, ", i1" * count)
        self._operands.finish()

    def result(self, op: Op, name: str) -> None:
        """One more result of an operation with regions."""
        if not op.results or not op.regions or not op.regions[0].blocks:
            raise FormRefused
        start = self._source.find("=", op.results[-1].span.end)
        while self._source[start - 1] in " \t":
            start -= 1
        self._writer.insert(start, f", {name}")
        self._results[op] = self._results.get(op, 0) + 1

    def argument(self, block: Block, name: str) -> None:
        """One more argument of a block that has a label."""
        label = _LABEL.match(self._source, block.span.start, block.span.end)
        if label is not None and not block.arguments and "(" not in self._source[label.end() : block.span.end]:
            self._writer.insert(label.end(), f"({name}: i1)")
            return
        end = self._source.rfind(")", block.span.start, block.span.end)
        if end < 0:
            raise FormRefused
        self._writer.insert(end, f", {name}: i1")

    def carried(self, block: Block, name: str, flag: str) -> None:
        """One more argument of a loop's body, `name`, that the head names and gives `flag` to: `%m = %init`."""
        op = block.region.op
        if is_generic(self._source, op):
            self._operands.add(op, len(op.operands), flag, "i1")
            return
        inits = [use for use in op.operands if use.group] or list(op.operands)
        if block.label is not None or not inits or not op.results:
            raise FormRefused
        self._writer.insert(inits[-1].span.end, f", {name} = {flag}")
        before = last_arrow(self._source, op.name_span.end, op.regions[0].blocks[0].span.start)
        while self._source[before - 1] in " \t\r\n":
            before -= 1
        if self._source[before - 1] != ")":
            raise FormRefused
        if before - 1 != closing(self._source, inits[-1].span.end, 1):  # a type of the arguments, too
            self._writer.insert(before - 1, ", i1")

    def handed(self, last: Op, flag: str) -> None:
        """One more operand of what ends a block, of type `i1`."""
        if not last.operands:
            raise FormRefused
        if is_generic(self._source, last):
            self._operands.add(last, len(last.operands), flag, "i1")
        else:
            self._writer.insert(last.operands[-1].span.end, f", {flag}")
            self._writer.insert(last.span.end, ", i1")

    def to_successor(self, last: Op, position: int, flag: str) -> None:
        """One more operand for the successor at `position`."""
        successor = last.successors[position]
        if is_generic(self._source, last):
            model = self._graph.model(last)
            uses: tuple[Use, ...] = successor_uses(last, model)[position] if model is not None else ()
            if not uses:
                raise FormRefused
            self._operands.add(last, uses[0].index + len(uses), flag, "i1")
        elif successor.operands:
            end = closing(self._source, successor.operands[-1].span.end, 1)
            self._writer.insert(successor.operands[-1].span.end, f", {flag}")
            self._writer.insert(end, ", i1")
        else:
            self._writer.insert(successor.span.end, f"({flag} : i1)")

    def _result_type(self, op: Op, types: str) -> None:
        source = self._source
        if is_generic(source, op):
            one_more(self._writer, result_types(source, op), in_text(op.results[0].type), types)
            return
        start, end = op.name_span.end, op.regions[0].blocks[0].span.start
        first = last_arrow(source, start, end) + 2
        while source[first] in " \t":
            first += 1
        if any(edge.guard is Guard.CASE for edge in self._graph.entries(op)):
            # Operations with cases list their types as they are; the others put several in parentheses.
            self._writer.insert(listed(source, first, [in_text(result.type) for result in op.results]), types)
        else:
            one_more(self._writer, first, in_text(op.results[0].type), types)


def one_more(writer: Writer, first: int, written: str, types: str = ", i1") -> None:
    """More types behind those that start at `first`: several in parentheses, or the one that is `written`."""
    source = writer.text.source
    if source[first] == "(":
        writer.insert(closing(source, first, 0), types)
    elif written and source.startswith(written, first):
        writer.insert(first, "(")
        writer.insert(first + len(written), f"{types})")
    else:
        raise FormRefused


def listed(source: str, start: int, types: list[str]) -> int:
    """Where the list of `types` ends that begins at `start`, with commas between them."""
    for position, written in enumerate(types):
        comma = _COMMA.match(source, start) if position else None
        start = comma.end() if comma is not None else start
        if not written or not source.startswith(written, start):
            raise FormRefused
        start += len(written)
    return start
