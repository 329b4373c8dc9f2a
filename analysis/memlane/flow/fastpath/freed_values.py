"""Values that are freed twice, or used after they are freed, though nothing is known of where they come from: tensors,
and what other dialects allocate.

Such a value is no buffer that paths are followed for. But a value is one thing from where it is defined: what frees it
on each way to a place has freed it there. Which of two values are one is asked of whole views alone, and no name is
followed through calls or memory, so that nothing is said of values that may be one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from memlane.findings import Certainty
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.cfg.dominators import trees_of
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.ops_by_name import described
from memlane.flow.cfg.region_edges import defining_block, places_around
from memlane.flow.dataflow.events import EventKind
from memlane.flow.effects.effects import FreeOf
from memlane.flow.interproc.program import FunctionFlow, Program
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.value_sources import first_name
from memlane.flow.typestate.cluster_result import Incident
from memlane.syntax.tree.tree import Block, Op, Region, Value


def freed_values(program: Program, flow: FunctionFlow) -> Iterator[Incident]:
    """The double frees of such values, and the uses after they are freed."""
    graph, aliases = flow.graph, program.aliases(flow)
    frees: dict[Value, dict[Op, Value]] = {}
    for op in described(graph, lambda model: model.free):
        for free in _sure(graph, op):
            if aliases.cluster_of(free.value) is None:
                frees.setdefault(first_name(graph, free.value), {}).setdefault(op, free.value)
    for first, names in frees.items():
        if aliases.cluster_of(first) is None:
            yield from _freed_again(graph, first, names)
            yield from _used(graph, first, names)


def _sure(graph: Graph, op: Op) -> Iterator[FreeOf]:
    """What an op frees in any case, at once, and for all who have it."""
    effects = effects_at(graph, op)
    if effects.allocs or effects.completion:
        return
    for free in effects.frees:
        resource = graph.models.resources.get(free.resource)
        if free.condition is None and not free.retained and not (resource is not None and resource.counted):
            yield free


class _Frees:
    """The ops that free one value, by where they are."""

    def __init__(self, graph: Graph, ops: Iterable[Op]) -> None:
        self._graph = graph
        self._at: dict[Block, list[Op]] = {}
        self._known: dict[tuple[Region, bool], dict[int, Op | None]] = {}
        for op in sorted(ops, key=lambda op: op.index):
            if op.parent is not None:
                self._at.setdefault(op.parent, []).append(op)

    def before(self, op: Op) -> Op | None:
        """One that control goes through on each way to an op."""
        for inner, block in places_around(self._graph, op):
            found = next((free for free in self._at.get(block, ()) if free.index < inner.index), None)
            found = found or self._nearest(block, behind=False)
            if found is not None:
                return found
        return None

    def ahead(self, op: Op) -> Op | None:
        """The first to which control comes from behind an op in any case, unless it stays in a region around that, or
        comes from the end of a loop to its start."""
        for inner, block in places_around(self._graph, op):
            if block in self._graph.stopping:
                return None
            found = next((free for free in self._at.get(block, ()) if free.index > inner.index), None)
            found = found or self._nearest(block, behind=True)
            home = found.parent if found is not None else None
            if home is block or (home is not None and not self._dominates(home, block)):
                return found
        return None

    def _nearest(self, block: Block, behind: bool) -> Op | None:
        """The first one in the nearest other block that control goes through on each way to the end of the region, or
        to a block."""
        trees, blocks = trees_of(self._graph, block.region), block.region.blocks
        parents, shift = (trees.back.parents, 1) if behind else (trees.forth.parents, 0)
        known, passed, number = self._known.setdefault((block.region, behind), {}), list[int](), block.index + shift
        while number not in known:
            passed.append(number)
            parent = parents.get(number, number)
            frees = self._at.get(blocks[parent - shift]) if parent >= shift and parent != number else None
            if frees or parent == number:
                known[number] = frees[0] if frees else None
            number = parent if number not in known else number
        known.update(dict.fromkeys(passed, known[number]))
        return known[number]

    def _dominates(self, block: Block, other: Block) -> bool:
        return trees_of(self._graph, block.region).forth.dominates(block.index, other.index)


def _freed_again(graph: Graph, first: Value, names: Mapping[Op, Value]) -> Iterator[Incident]:
    """Each deallocation that comes behind another one: in any case, or where control goes through the other."""
    frees = _Frees(graph, names)
    some: dict[Op, Op] = {}
    for op in names:
        if (later := frees.ahead(op)) is not None:
            some.setdefault(later, op)
    for op, name in names.items():
        cause = frees.before(op)
        if cause is not None:
            grade = _grade(name, names[cause])
            yield _incident(graph, EventKind.DOUBLE_FREE, op, name, first, cause, grade)
        elif op in some:
            yield _incident(graph, EventKind.DOUBLE_FREE, op, name, first, some[op], Certainty.SOME)
        elif _is_repeated(graph, op, first):
            yield _incident(graph, EventKind.DOUBLE_FREE, op, name, first, op, Certainty.SOME)


def _used(graph: Graph, first: Value, names: Mapping[Op, Value]) -> Iterator[Incident]:
    """Each op that uses the value behind one that frees it in any case; calls and ops without a model may."""
    frees, reported = _Frees(graph, names), set(names)
    for name in _names(graph, first):
        for op in dict.fromkeys(use.op for use in name.uses):
            effects = effects_at(graph, op)
            touched = name in effects.reads or name in effects.writes or name in effects.returned
            passed = graph.call(op) is not None and any(use.value is name for use in op.operands)
            if op in reported or not (touched or passed):
                continue
            if (cause := frees.before(op)) is not None:
                reported.add(op)
                grade = Certainty.SOME if effects.unknown or passed else _grade(name, names[cause])
                yield _incident(graph, EventKind.USE_AFTER_FREE, op, name, first, cause, grade)


def _grade(name: Value, freed: Value) -> Certainty:
    """How certain it is that what two names denote is one thing: bufferization may give a tensor and what stands for
    its buffer one each."""
    tensors = [(value.type or "").startswith("tensor<") for value in (name, freed)]
    return Certainty.ALWAYS if tensors[0] is tensors[1] else Certainty.SOME


def _names(graph: Graph, first: Value) -> Iterable[Value]:
    """A value and its other names."""
    names: dict[Value, None] = {first: None}
    pending = [first]
    while pending:
        for op in {use.op: None for use in pending.pop().uses}:
            results = [one.result for one in effects_at(graph, op).views if one.result not in names]
            fresh = [result for result in results if first_name(graph, result) is first]
            names.update(dict.fromkeys(fresh))
            pending += fresh
    return names


def _is_repeated(graph: Graph, op: Op, first: Value) -> bool:
    """Whether an op stands in the body of a loop, executed in each round, and the value comes from before that."""
    region = op.parent.region if op.parent is not None else None
    if region is None or len(region.blocks) > 1 or graph.model(region.op) is None or not graph.may_repeat(region):
        return False
    return region not in _around(defining_block(first))


def _incident(
    graph: Graph, kind: EventKind, op: Op, name: Value, first: Value, cause: Op, certainty: Certainty = Certainty.ALWAYS
) -> Incident:
    """What goes wrong with a value; it is in doubt where the value goes into a region that no description explains."""
    home = _around(defining_block(first))
    entered = [region.op for place in (op, cause) for region in _around(place.parent) if region not in home]
    doubt = next((holder.name for holder in entered if graph.model(holder) is None), "")
    certainty = Certainty.SOME if doubt else certainty
    return Incident(kind, certainty, op, name, Origin(OriginKind.VALUE, first), cause, None, (), False, doubt=doubt)


def _around(block: Block | None) -> list[Region]:
    """The regions that a block is in, from the inside."""
    found: list[Region] = []
    while block is not None:
        found.append(block.region)
        block = block.region.op.parent
    return found
