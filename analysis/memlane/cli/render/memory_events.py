"""What functions do to memory, as lines for people: their buffers, then by block each operation that touches memory.

```
@f(%c: i1)
  buffer %a: allocated on line 2, 16 bytes
    also named %s
  entry:
    line 2: memref.alloc: alloc %a on the heap
    line 3: memref.subview: %s is part of %a
    line 4: cf.cond_br: to ^bb1 if true; to ^bb2 if false
  ^bb1:
    line 6: memref.dealloc: free %a
```

An operation that does nothing to memory is left out. A block that stands in an operation is indented further.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from memlane.dialects.model import Guard, Models, ViewKind
from memlane.flow import FunctionFlow, Origin, OriginKind, Program
from memlane.flow.alias.alias import Cluster
from memlane.flow.cfg.edge import Edge
from memlane.flow.effects.aggregate_buffers import is_written
from memlane.flow.effects.effects import Effects, FreeOf, ViewOf
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.symbolic.types import may_hold_buffer
from memlane.format import exactly, on
from memlane.syntax.tree.tree import Block, Op, Tree, Value
from memlane.text import Text

_GUARDS = {
    Guard.TRUE: "true",
    Guard.FALSE: "false",
    Guard.TRIPS: "it goes on",
    Guard.DONE: "it ends",
    Guard.HOLDS: "its condition holds",
    Guard.FAILS: "its condition fails",
}


def memory_events(tree: Tree, models: Models, text: Text, function: str | None = None) -> Iterator[list[str]]:
    """The lines of each function of a document, in text order. `function`: only those of this name."""
    for chunk in tree.chunks:
        program = Program(chunk.ops, models, text.source)
        for flow in program.functions.values():
            if function is None or flow.name == function:
                yield [*_Events(program, flow, text).lines()]


class _Events:
    """See the module."""

    def __init__(self, program: Program, flow: FunctionFlow, text: Text) -> None:
        self._program, self._flow, self._text = program, flow, text
        self._graph = flow.graph

    def lines(self) -> Iterator[str]:
        """All of them."""
        entry = self._graph.entry
        yield f"@{self._flow.name}({_declared(entry.arguments if entry is not None else ())})"
        for cluster in self._program.aliases(self._flow).clusters.values():
            yield from (f"  {line}" for line in self._buffers(cluster))
        for region in self._flow.op.regions:
            for block in region.blocks:
                yield from self._block(block, "  ")

    def _buffers(self, cluster: Cluster) -> Iterator[str]:
        """The buffers of a cluster, and its other names."""
        for origin in cluster.origins:
            yield f"buffer {self._origin(origin)}"
        first = {origin.value for origin in cluster.origins}
        others = sorted((name.span, name.name) for name, _ in cluster.names if name not in first)
        if others:
            yield f"  also named {', '.join(dict.fromkeys(name for _, name in others))}"

    def _origin(self, origin: Origin) -> str:
        known = origin.told
        size = f", {exactly(known)}" if known is not None else ""
        if origin.kind is OriginKind.ARGUMENT:
            return f"{origin.value.name}: of the caller{size}"
        how = "given by a call" if origin.kind is OriginKind.CALL else "allocated"
        where = f"on line {self._line(origin.value.op)}" if origin.value.op is not None else "outside"
        return f"{origin.value.name}: {how} {where}{size}"

    def _block(self, block: Block, indent: str) -> Iterator[str]:
        lines = [*self._inside(block, f"{indent}  ")]
        named = [value for value in block.arguments if may_hold_buffer(value.type)]
        if lines or named:
            arguments = f"({_declared(named)})" if named and block is not self._graph.entry else ""
            yield f"{indent}{'entry' if block is self._graph.entry else _label(block)}{arguments}:"
            yield from lines

    def _inside(self, block: Block, indent: str) -> Iterator[str]:
        for op in block.ops:
            inner = [line for region in op.regions for one in region.blocks for line in self._block(one, f"{indent}  ")]
            said = [*self._said(op)]
            if op.regions and (inner or said):
                said += self._ways(op, self._graph.entries(op))
            if op is block.ops[-1] and (op.successors or block.region.op is not self._flow.op):
                said += self._ways(op, self._graph.exits(block))
            if said or inner:
                yield f"{indent}line {self._line(op)}: {op.name}{':' if said else ''} {'; '.join(said)}".rstrip()
                yield from inner

    def _said(self, op: Op) -> Iterator[str]:
        """What an operation itself does to memory."""
        effects = effects_at(self._graph, op)
        if effects.unknown:
            yield "unknown operation"
        if self._graph.call(op) is not None:
            yield f"call {f'@{op.symbol}' if op.symbol else 'of a value'}"
        yield from (f"alloc {value.name} {on(alloc.resource)}" for value, alloc in effects.allocs)
        yield from map(_view, effects.views)
        for word, values in _touched(effects):
            names = [value.name for value in dict.fromkeys(values) if is_written(value)]
            if names:
                yield f"{word} {', '.join(names)}"
        yield from map(_free, effects.frees)
        if effects.completion:
            yield f"goes on until {_or(effects.completion)} is waited for"
        if effects.stops:
            yield "stops the program"

    def _ways(self, op: Op, edges: Sequence[Edge]) -> Iterator[str]:
        """Where control goes from an operation, with the buffers that are handed over."""
        for edge in edges:
            target = _label(edge.block) if edge.block is not None else self._behind(edge, op)
            guard = f" if {_guard(edge)}" if edge.guard is not Guard.ALWAYS else ""
            yield f"to {target}{_handed(edge)}{guard}"

    def _behind(self, edge: Edge, op: Op) -> str:
        if edge.leaves is None or edge.leaves is op:
            return "what follows"
        return f"what follows line {self._line(edge.leaves)}"

    def _line(self, op: Op) -> int:
        return self._text.position(op.name_span.start).line + 1


def _touched(effects: Effects) -> Iterable[tuple[str, Iterable[Value]]]:
    yield "read", effects.reads
    yield "write", effects.writes
    yield "load", effects.loaded
    yield "keep", filter(_is_buffer, effects.escapes)
    yield "retain", effects.acquires
    yield "wait for", effects.waits
    yield "return", filter(_is_buffer, effects.returned)


def _is_buffer(value: Value) -> bool:
    return may_hold_buffer(value.type)


def _view(view: ViewOf) -> str:
    verb = "may be" if view.unsure else "is"
    part = "" if view.kind is ViewKind.WHOLE else "part of "
    return f"{view.result.name} {verb} {part}{_or(view.sources)}"


def _free(free: FreeOf) -> str:
    condition = f" if {free.condition.name}" if free.condition is not None else ""
    retained = f" unless it is {_or(free.retained)}" if free.retained else ""
    return f"free {free.value.name}{condition}{retained}"


def _handed(edge: Edge) -> str:
    """The buffers that are handed over on an edge."""
    pairs = [(source, receiver) for source, receiver in edge.bindings if may_hold_buffer(receiver.type)]
    names = [f"{receiver.name} = {source.name if source is not None else 'unknown'}" for source, receiver in pairs]
    return f" with {', '.join(names)}" if names else ""


def _guard(edge: Edge) -> str:
    if edge.guard is Guard.CASE:
        return f"case {edge.case}" if edge.case is not None else "no case"
    return _GUARDS[edge.guard]


def _label(block: Block) -> str:
    if block.label:
        return block.label
    number = f" {block.index}" if block.index else ""
    return f"region {block.region.index}{number}"


def _or(values: Iterable[Value]) -> str:
    return " or ".join(value.name for value in values)


def _declared(values: Iterable[Value]) -> str:
    return ", ".join(f"{value.name}: {value.type}" if value.type else value.name for value in values)
