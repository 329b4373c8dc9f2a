"""Statements on an edge between blocks or regions: in a block of its own, or in an `else` that is not there yet."""

from __future__ import annotations

from memlane.findings import Span
from memlane.fixes import printer
from memlane.fixes.custom_free import in_text
from memlane.fixes.edit_writer import Writer
from memlane.fixes.generic import FormRefused, closing, is_generic
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.syntax.tree.tree import Op, Successor


class EdgeWriter:
    """Writes on the edges of one function.

    Args:
        graph: its control flow.
        writer: takes what is written.
        names: those of values that are taken; those of new ones are added.
    """

    def __init__(self, graph: Graph, writer: Writer, names: printer.TakenNames) -> None:
        self._graph, self._writer, self._names = graph, writer, names
        self._labels = 0

    def label(self) -> str:
        """A name for a block that the text does not have."""
        while True:
            self._labels += 1
            label = f"^free{self._labels}"
            if label not in self._writer.text.source:
                return label

    def write(self, edge: Edge, statements: list[str]) -> bool:
        """Put statements on an edge; whether that can be done."""
        op = edge.place
        source, eol = self._writer.text.source, self._writer.eol(op.span.end)
        if op.successors:
            return self._split(edge, op, statements, eol)
        if source[op.span.end - 1] != "}" or op.attributes or source[op.name_span.start] == '"':
            return False
        indent = self._writer.indent(op)
        body = "".join(f"{indent}{self._writer.step(op)}{statement}{eol}" for statement in statements)
        self._writer.insert(op.span.end, f" else {{{eol}{body}{indent}}}")
        return True

    def _split(self, edge: Edge, op: Op, statements: list[str], eol: str) -> bool:
        assert op.parent is not None
        source = self._writer.text.source
        position = self._graph.written_exits(op.parent).index(edge)
        successor = op.successors[position]
        end = successor.span.end
        if not is_generic(source, op) and successor.operands:
            try:
                end = closing(source, successor.operands[-1].span.end, 1) + 1
            except FormRefused:
                return False
        arguments, target = "", source[successor.span.start : end]
        if is_generic(source, op):  # what it receives goes through
            if any(value.type is None for value in (successor.block.arguments if successor.block is not None else ())):
                return False
            arguments, target = self._through(successor)
        label = self.label()
        indent = self._writer.indent(op)
        step = self._writer.step(op)
        outer = indent.removesuffix(step)
        self._writer.replace(Span(successor.span.start, end), label)
        inner = [*statements, printer.branch(target, op, self._graph.models)]
        lines = [f"{label}{arguments}:", *(f"{step}{line}" for line in inner)]
        self._writer.insert(_line_after(self._writer, op), "".join(f"{outer}{line}{eol}" for line in lines))
        return True

    def _through(self, successor: Successor) -> tuple[str, str]:
        """The arguments of a block on the way to a successor, and the successor with what it gets of them."""
        received = successor.block.arguments if successor.block is not None else ()
        if not received:
            return "", successor.name
        names = [printer.fresh(printer.derived(value.name, "on"), self._names) for value in received]
        pairs = [(name, in_text(value.type)) for name, value in zip(names, received, strict=True)]
        types = ", ".join(type_ for _, type_ in pairs)
        arguments = ", ".join(f"{name}: {type_}" for name, type_ in pairs)
        return f"({arguments})", f"{successor.name}({', '.join(names)} : {types})"


def _line_after(writer: Writer, op: Op) -> int:
    line = writer.text.position(op.span.end).line
    return writer.text.offset(line + 1, 0) if line + 1 < writer.text.line_count else op.span.end
