"""Flags that nothing reads any more are taken out of a repaired text, with what only they took.

A repair that follows another may free by a flag of its own what that one freed by another, whose flag then goes along
and decides nothing. Of what the program had before nothing is touched: what repairs put in has names that were not
there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import dataclass
from typing import NamedTuple

from memlane.dialects.model import Models
from memlane.findings import Edit
from memlane.fixes.edit_writer import Writer, apply
from memlane.fixes.functions_naming import functions_naming
from memlane.fixes.generic import FormRefused, is_generic
from memlane.fixes.narrow_signature import Narrowing
from memlane.fixes.printer import names_in
from memlane.fixes.with_flags import values_of
from memlane.flow import FunctionFlow
from memlane.flow.cfg.edge import Edge
from memlane.syntax.tree.tree import Op, Value
from memlane.text import Text


class _Place(NamedTuple):
    """A list of operands that are forwarded: those for the successor at a position, else for regions and results."""

    op: Op
    successor: int | None


class _ForwardedOperand(NamedTuple):
    """One operand of such a list, with all that receive it."""

    place: _Place
    source: Value | None
    receivers: frozenset[Value]


def without_unread(before: str, after: str, models: Models) -> str:
    """`after` without the flags that are not in `before` and that nothing reads, and without what only these took."""
    text = Text(after)
    names = names_in(text) - names_in(Text(before))
    while names:
        edits: list[Edit] = []
        for flow in functions_naming(names, text, models):
            edits += _edits(flow, names, text)
        if not edits:
            break
        text = Text(apply(text.source, tuple(edits)))
    return text.source


def _edits(flow: FunctionFlow, names: Collection[str], text: Text) -> tuple[Edit, ...]:
    """The edits that take out of a function what nothing reads, among what has one of the names."""
    truths = (value for op in flow.op.walk() for value in values_of(op) if value.type == "i1")
    new = [value for value in truths if value.name in names]
    flags = frozenset(value for value in new if _is_handed(value, flow.op))
    writer = Writer(text)
    for op in (value.op for value in new if value not in flags and not value.uses):
        model = flow.graph.model(op) if op is not None and len(op.results) == 1 and not op.regions else None
        if op is not None and model is not None and model.compute is not None:
            writer.remove(op)
    try:
        if flags:
            _Removal(flow, flags, Narrowing(flow.graph, writer)).run()
    except FormRefused:
        return ()
    return writer.edits()


def _is_handed(value: Value, function: Op) -> bool:
    """Whether edges bind a value: it is what an operation with regions gives, or what a block is handed."""
    if value.op is not None:
        return bool(value.op.regions)
    return value.block is not None and (value.block.index > 0 or value.block.region.op is not function)


@dataclass(slots=True)
class _Removal:
    """Takes out those among the `flags` of one function that nothing reads. Raises `FormRefused`."""

    flow: FunctionFlow
    flags: frozenset[Value]
    lists: Narrowing

    def run(self) -> None:
        rows = list(self._rows())
        gone = self.flags - self._needed(rows)
        handed: dict[_Place, Counter[str]] = {}
        for row in rows:
            if row.receivers & gone:
                if row.source is None:
                    raise FormRefused
                handed.setdefault(row.place, Counter())[row.source.name] += 1
        for op in dict.fromkeys(value.op for value in gone):
            if op is not None:
                self.lists.results(op, gone)
        for block in dict.fromkeys(value.block for value in gone):
            if block is not None and block.label is not None:
                self.lists.arguments(block, gone)
        for place, sources in handed.items():
            self._take(place, sources, gone)
        self.lists.finish()

    def _take(self, place: _Place, sources: Counter[str], gone: Set[Value]) -> None:
        """Remove the forwarded operands of one list."""
        op, successor = place
        if successor is not None:
            self.lists.to_successor(op, successor, sources)
        elif not op.regions or is_generic(self.lists.source, op):
            self.lists.handed(op, sources)
        else:
            entered = {edge.block for edge in self.flow.graph.entries(op)}
            heads = [block for block in entered if block is not None and not gone.isdisjoint(block.arguments)]
            if len(heads) != 1 or heads[0].label is not None:
                raise FormRefused
            self.lists.carried(heads[0], gone)

    def _needed(self, rows: Iterable[_ForwardedOperand]) -> set[Value]:
        """The flags that something reads, and those that these come from or that are forwarded with them."""
        whole = [row for row in rows if row.receivers <= self.flags]
        handed = Counter(row.source for row in whole)
        needed = {flag for flag in self.flags if len(flag.uses) > handed[flag]}
        needed.update(flag for row in rows if not row.receivers <= self.flags for flag in row.receivers & self.flags)
        before = -1
        while before < len(needed):
            before = len(needed)
            for row in whole:
                if row.receivers & needed:
                    needed |= row.receivers
                    needed |= self.flags & {row.source}
        return needed

    def _rows(self) -> Iterator[_ForwardedOperand]:
        """All operands that are forwarded where flags are received."""
        found: dict[tuple[_Place, int], tuple[Value | None, set[Value]]] = {}
        for place, edge in self._edges():
            for position, (source, receiver) in enumerate(edge.bindings):
                first, receivers = found.setdefault((place, position), (source, set()))
                if first is not source:
                    raise FormRefused
                receivers.add(receiver)
        for (place, _), (source, receivers) in found.items():
            if not receivers.isdisjoint(self.flags):
                yield _ForwardedOperand(place, source, frozenset(receivers))

    def _edges(self) -> Iterator[tuple[_Place, Edge]]:
        """The edges that hand something on, each with the list that it takes it from."""
        graph = self.flow.graph
        for op in self.flow.op.walk():
            for edge in graph.entries(op) if op.regions and op is not self.flow.op else ():
                yield _Place(op, None), edge
            for block in (block for region in op.regions for block in region.blocks):
                exits = [edge for edge in graph.written_exits(block) if edge.bindings]
                if exits and exits[0].place.successors:
                    yield from self._to_successors(exits)
                else:
                    # The end of a block may not be written: what is last there has a list of its own.
                    yield from ((_Place(edge.place, None), edge) for edge in exits if self._forwards_flag(edge))

    def _forwards_flag(self, edge: Edge) -> bool:
        return any(receiver in self.flags for _, receiver in edge.bindings)

    def _to_successors(self, exits: list[Edge]) -> Iterator[tuple[_Place, Edge]]:
        """The edges of what ends a block, each with the successor that it leads to."""
        blocks = [successor.block for successor in exits[0].place.successors]
        given = [position for position, block in enumerate(blocks) if block is not None and block.arguments]
        if [blocks[position] for position in given] != [edge.block for edge in exits]:
            raise FormRefused
        for position, edge in zip(given, exits, strict=True):
            yield _Place(edge.place, position), edge
