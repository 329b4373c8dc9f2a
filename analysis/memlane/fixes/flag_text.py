"""The text with the flags that distinguish paths (`ownership_flags.py`): columns of results, arguments and forwarded
operands."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field

from memlane.fixes import printer
from memlane.fixes.edit_writer import Writer, apply
from memlane.fixes.generic import FormRefused
from memlane.fixes.ownership_flags import Column, FlagChoice, Term, flags_in
from memlane.fixes.scope import Scope
from memlane.fixes.thread_flags import Threaded
from memlane.fixes.truths import Truths
from memlane.fixes.widen_signature import Widening
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.scc import reachable
from memlane.flow.dataflow.events import Point
from memlane.flow.peak.exploded_liveness import Lives
from memlane.syntax.tree.tree import Block, Op, Value
from memlane.text import Text


def with_columns(lives: Lives, columns: list[Column], text: Text) -> Threaded | None:
    """`text` with the flags; None: it has a form to which they cannot be added."""
    writer = Writer(text)
    written = _Columns(lives, Scope(lives.graph, lives.part.stops), writer, Widening(lives.graph, writer))
    try:
        for column in columns:
            written.name(column)
        for column in columns:
            written.write(column)
        written.lists.finish()
        written.truths.finish()
    except FormRefused:
        return None

    def fewer(names: Container[str]) -> Threaded | None:
        read = written.read(names)
        rest = [column for column in columns if column in read]
        return with_columns(lives, rest, text) if 0 < len(rest) < len(columns) else None

    return Threaded(Text(apply(text.source, writer.edits())), frozenset(written.names.values()), frozenset(), fewer)


@dataclass(slots=True)
class _Columns:
    lives: Lives
    scope: Scope
    writer: Writer
    lists: Widening
    names: dict[tuple[Column, Value | Block], str] = field(default_factory=dict[tuple[Column, "Value | Block"], str])
    used: printer.TakenNames = field(init=False)
    truths: Truths = field(init=False)

    def __post_init__(self) -> None:
        self.used = printer.TakenNames(self.writer.text)
        self.truths = Truths(self.lives.graph, self.writer, self.used)

    def name(self, column: Column) -> None:
        """Names for the flags of a column."""
        for receiver in column.receivers:
            self.names[column, receiver] = printer.fresh(printer.derived(receiver.name, "owned"), self.used)
        if column.block is not None:
            label = (column.block.label or "^here").removeprefix("^")
            first = next((argument.name for argument in column.block.arguments), f"%{label}")
            self.names[column, column.block] = printer.fresh(printer.derived(first, "owned"), self.used)

    def read(self, names: Container[str]) -> set[Column]:
        """The columns that have to be there where some flags are read: theirs, and those that these come from."""
        read = {column for (column, _), name in self.names.items() if name in names}
        return set(
            reachable(read, lambda column: (other for term in column.handed.values() for other in flags_in(term)))
        )

    def write(self, column: Column) -> None:
        """One more of everything along the column."""
        lists = self.lists
        if column.block is not None:
            lists.argument(column.block, self.names[column, column.block])
        for receiver in column.receivers:
            if receiver.op is not None:
                lists.result(receiver.op, self.names[column, receiver])
            elif receiver.block is not None and receiver.block.label is not None:
                lists.argument(receiver.block, self.names[column, receiver])
        done: set[Op] = set()
        for edge in column.edges:
            place = edge.place
            if place.successors:
                lists.to_successor(place, self._position(edge), self._written(column.handed[edge], place))
            elif place not in done:
                done.add(place)
                self._hand(column, edge)

    def _hand(self, column: Column, edge: Edge) -> None:
        flag = self._written(column.handed[edge], edge.place)
        if not edge.place.regions:
            self.lists.handed(edge.place, flag)
            return
        body = next((r for r in column.receivers if r.block is not None and r.block.region.op is edge.place), None)
        if body is None or body.block is None:
            raise FormRefused
        self.lists.carried(body.block, self.names[column, body], flag)

    def _position(self, edge: Edge) -> int:
        assert edge.place.parent is not None
        return self.lives.graph.written_exits(edge.place.parent).index(edge)

    def _written(self, term: Term, before: Op) -> str:
        """The name of what is as `term` says, which is put before an operation if need be."""
        if isinstance(term, bool):
            return self.truths.name(before, term)
        if isinstance(term, Value):
            return term.name
        if isinstance(term, Column):
            return self._seen(term, before)
        then, otherwise = self._written(term.then, before), self._written(term.otherwise, before)
        return self._choice(term, then, otherwise, before)

    def _seen(self, column: Column, before: Op) -> str:
        assert before.parent is not None
        stops = self.lives.part.stops.get(before.parent, [])
        point = Point(before.parent, sum(op.index < before.index for op in stops))
        if column.block is not None:
            return self.names[column, column.block]
        seen = [receiver for receiver in column.receivers if self.scope.sees(point, receiver)]
        if not seen:
            raise FormRefused
        return self.names[column, seen[0]]

    def _choice(self, term: FlagChoice, then: str, otherwise: str, before: Op) -> str:
        name = printer.fresh(printer.derived(term.flag.name, "owned"), self.used)
        self.writer.before(before, [f"{name} = arith.select {term.flag.name}, {then}, {otherwise} : i1"])
        return name
