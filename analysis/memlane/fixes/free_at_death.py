"""Edits that free buffers where they die (placement/): one deallocation where one is enough, in the branch where it
belongs, on an edge between blocks where nothing else will do.

Deallocations that stand right there already stay; the others are taken out, and an operation with them that holds
nothing else. What is put in is the text of one that is taken out, where its name is seen there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from memlane.findings import Edit
from memlane.fixes import printer
from memlane.fixes.custom_free import fits, kinds
from memlane.fixes.edges import EdgeWriter
from memlane.fixes.edit_writer import Writer
from memlane.fixes.removing import Heir, Removal
from memlane.fixes.returned_buffers import of_allocators
from memlane.fixes.truths import Truths
from memlane.flow import FunctionFlow, Origin, Program
from memlane.flow.cfg.edge import Edge
from memlane.flow.memory.effects_at import effects_at
from memlane.placement.late import Buffers, Placement
from memlane.placement.places import Place
from memlane.syntax.tree.tree import Block, Op, Value
from memlane.text import Text


@dataclass(frozen=True, slots=True)
class MovedFrees:
    """Deallocations that are moved to where their buffers die.

    Args:
        edits: on the text.
        removed, placed: how many are taken out, and put in.
        sure: all operations that use the buffers are described.
        besides: see `Removal`.
    """

    edits: tuple[Edit, ...]
    removed: int
    placed: int
    sure: bool
    besides: str


def moved(
    program: Program, flow: FunctionFlow, placement: Placement, buffers: Buffers, text: Text
) -> MovedFrees | None:
    """The edits that free buffers where they die; None: there is a place that has no text, or where no name is seen."""
    return _Moving(program, flow, placement, buffers, Writer(text)).moved()


@dataclass(slots=True)
class _Moving:
    program: Program
    flow: FunctionFlow
    placement: Placement
    buffers: Buffers
    writer: Writer
    kept: set[Op] = field(default_factory=set[Op])
    names: printer.TakenNames = field(init=False)
    reused: set[Op] = field(default_factory=set[Op])

    def __post_init__(self) -> None:
        self.names = printer.TakenNames(self.writer.text)

    def moved(self) -> MovedFrees | None:
        new = [
            (value, place) for value, places in self.buffers.places for place in places if not self._keep(value, place)
        ]
        removed = [op for op in self.buffers.frees if op not in self.kept]
        edges: dict[Edge, list[str]] = {}
        written: list[tuple[Place, list[str]]] = []
        heirs: list[Heir] = []
        for value, place in new:
            found = self._lines(value, place, removed)
            if found is None:
                return None
            lines, like = found
            written.append((place, lines))
            alike = [op for op in removed if self._frees(op, value)]
            heirs.append(Heir(lines, like, alike))
        taken = {self.placement.segments.every[place.segment].block for _, place in new if place.way is None}
        orphans = self._orphans(removed, [line for _, lines in written for line in lines])
        removal = Removal(self.flow.graph, [*removed, *orphans], taken)
        gone = removal.gone
        truths = Truths(self.flow.graph, self.writer, self.names)
        taken_along = removal.take_along(self.writer, heirs)
        for place, lines in written:
            if place.way is not None:
                edges.setdefault(place.way.edge, []).extend(lines)
            elif not self._put(place, lines, gone):
                return None
        on_edges = EdgeWriter(self.flow.graph, self.writer, self.names)
        if not all(self._is_splittable(edge) and on_edges.write(edge, lines) for edge, lines in edges.items()):
            return None
        removal.remove(self.writer, truths, taken_along)
        truths.finish()
        return MovedFrees(self.writer.edits(), len(removed), len(new), self.buffers.sure, removal.besides())

    def _orphans(self, removed: list[Op], lines: list[str]) -> list[Op]:
        """The operations that named buffers for deallocations that are taken out, and for nothing else."""
        gone, found = set(removed), list[Op]()
        pending = list(removed)
        while pending:
            for use in pending.pop().operands:
                op = use.value.op if use.value is not None else None
                if op is None or op in gone or op not in self.placement.feeding:
                    continue
                unused = all(other.op in gone for result in op.results for other in result.uses)
                if unused and not any(_names(line, result) for result in op.results for line in lines):
                    gone.add(op)
                    found.append(op)
                    pending.append(op)
        return found

    def _keep(self, value: Value, place: Place) -> bool:
        """Whether a deallocation of the buffer stands at a place already; it stays."""
        if place.way is not None:
            return False
        family, block = self.buffers.family, self.placement.segments.every[place.segment].block
        bit = family.ranges.bit_of(value)
        for op in self.buffers.frees:
            if op in self.kept or op.parent is not block or op.index < place.at or family.freed_by(op) != bit:
                continue
            near = self.placement.segments.of(op) == (place.segment, op.index)
            if near and not self.placement.weights.between(place.segment, place.at, op.index):
                self.kept.add(op)
                return True
        return False

    # ---- what is written ---------------------------------------------------------------------------------------------

    def _frees(self, op: Op, value: Value) -> bool:
        family = self.buffers.family
        return family.freed_by(op) == family.ranges.bit_of(value)

    def _lines(self, value: Value, place: Place, removed: list[Op]) -> tuple[list[str], Op | None] | None:
        """The text that frees a buffer at a place, and the deallocation it is the text of, with the comment there."""
        family = self.buffers.family
        names = [one for one in family.names_of(value, place) if self._sees(place, one)]
        for op in removed:
            name = self._named(op)
            like = [one for one in names if one is name] or [one for one in names if one.type == name.type is not None]
            if like and all(self._sees(place, other) for other in _others(op, name)):
                bare = op in self.reused
                self.reused.add(op)
                return [self.writer.statement(op, {name: like[0].name}, bare)], None if bare else op
        if any(_others(op, self._named(op)) for op in removed if self._frees(op, value)):
            return None  # what it takes besides the buffer is not there yet
        origins = self._origins(value)
        fitting = kinds(origin.value for origin in origins)
        for name in names:
            lines = printer.free(name, origins, self.flow.graph.models, self._fresh) if fits(name, fitting) else None
            if lines is not None and printer.called(lines) is None:
                return lines, None
        return None

    def _named(self, op: Op) -> Value:
        """The name by which a deallocation frees."""
        return effects_at(self.flow.graph, op).frees[0].value

    def _origins(self, value: Value) -> set[Origin]:
        found: set[Origin] = set()
        for origin in self.buffers.family.origins_of(value):
            cluster = self.program.aliases(self.flow).cluster_of(origin.value)
            if cluster is not None:
                found |= of_allocators(self.program, self.flow, cluster, origin)
        return found

    def _fresh(self, value: Value) -> str:
        return printer.fresh(printer.derived(value.name, "address"), self.names)

    def _sees(self, place: Place, value: Value) -> bool:
        number, at = place.segment, place.at
        if place.way is not None:
            number = place.way.source
            at = self.placement.segments.every[number].stop
        return self.placement.sees(number, at, value)

    # ---- where it is written -----------------------------------------------------------------------------------------

    def _put(self, place: Place, lines: list[str], gone: set[Op]) -> bool:
        block = self.placement.segments.every[place.segment].block
        before = block.ops[place.at - 1] if place.at else None
        if before is None and block.ops and self._leads(block.ops[0]):
            before = block.ops[0]
        if before is not None and before is block.ops[-1] and self._ends(before):
            self.writer.before(before, lines)
        elif before is not None:
            self.writer.after(self._past(before, gone), lines)
        elif block.ops:
            self.writer.at_start(block, lines)
        else:
            return self._fill(block, lines)
        return True

    def _past(self, op: Op, gone: set[Op]) -> Op:
        """The last of the deallocations that follow an operation and stay: new ones stand behind them."""
        ops = op.parent.ops if op.parent is not None else []
        for other in ops[op.index + 1 :]:
            model = self.flow.graph.model(other)
            if other not in self.kept or model is None or other in gone:
                break
            op = other
        return op

    def _fill(self, block: Block, lines: list[str]) -> bool:
        """Put statements into a block that has none."""
        if self.writer.text.source[block.region.op.name_span.start] == '"':
            return False
        self.writer.at_start(block, lines)
        return True

    def _leads(self, op: Op) -> bool:
        model = self.flow.graph.model(op)
        return model is not None and model.leads

    def _ends(self, op: Op) -> bool:
        model = self.flow.graph.model(op)
        return bool(op.successors) or (model is not None and (model.terminator or model.exits))

    def _is_splittable(self, edge: Edge) -> bool:
        """Whether an edge can have a block of its own, or an `else`."""
        op = edge.place
        if op.successors:
            return edge.block is not None and not (edge.block.ops and self._leads(edge.block.ops[0]))
        return edge.leaves is op and len(op.regions) == 1 and not self.placement.segments.is_loop(op)


def _others(op: Op, freed: Value) -> list[Value]:
    """What a deallocation takes besides the buffer."""
    return [use.value for use in op.operands if use.value is not None and use.value is not freed]


def _names(line: str, value: Value) -> bool:
    """Whether a statement names a value."""
    return re.search(rf"{re.escape(value.name)}(?![\w$.#-])", line) is not None
