"""Buffers and their views as a hierarchy: above a name what it is a view of, below it the views of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memlane.dialects import select
from memlane.findings import Span
from memlane.flow import FunctionFlow, Program
from memlane.ide.locate import at, enclosing, name_at
from memlane.ide.snapshot import File
from memlane.ide.value_ownership import received
from memlane.syntax.tree.tree import Op, Value, ancestors


@dataclass(frozen=True, slots=True)
class NamedView:
    """A name of memory. `by`: the operation that defines it, or that its block belongs to."""

    name: str
    type: str | None
    by: str
    span: Span


def view_here(file: File, offset: int) -> NamedView | None:
    """The name of memory at `offset`."""
    found = _find(file, offset)
    return _view(found[2]) if found is not None else None


def above(file: File, offset: int) -> list[NamedView]:
    """What the name at `offset` is a view of."""
    found = _find(file, offset)
    return [_view(value) for value in _sorted(sources(*found))] if found is not None else []


def below(file: File, offset: int) -> list[NamedView]:
    """The views of the name at `offset`."""
    found = _find(file, offset)
    if found is None:
        return []
    program, flow, value = found
    return [_view(view) for view in _sorted(_views(program, flow, value))]


def _find(file: File, offset: int) -> tuple[Program, FunctionFlow, Value] | None:
    linked = file.linked(at(offset))
    program, flow = linked.program(offset), linked.flow(enclosing(linked.tree, offset), offset)
    name = name_at(linked.tree, offset)
    if program is None or flow is None or name is None or name.value is None:
        return None
    return (program, flow, name.value) if program.aliases(flow).cluster_of(name.value) is not None else None


def sources(program: Program, flow: FunctionFlow, value: Value) -> Iterator[Value]:
    """The values whose memory `value` may be, one step back."""
    holder = value.op or (value.block.region.op if value.block is not None else None)
    if holder is None:
        return
    model = flow.graph.model(holder)
    if model is not None and value.op is holder:
        for view in (view for view in model.view if view.result == value.index):
            yield from (use.value for use in select(holder, view.of, model) if use.value is not None)
    for one in received(program, flow, holder):
        if one.value is value:
            yield from one.sources


def _views(program: Program, flow: FunctionFlow, value: Value) -> Iterator[Value]:
    for use in value.uses:
        model = flow.graph.model(use.op)
        if model is not None:
            for view in (view for view in model.view if view.result < len(use.op.results)):
                if use in select(use.op, view.of, model):
                    yield use.op.results[view.result]
        for op in _receivers(use.op):
            yield from (one.value for one in received(program, flow, op) if value in one.sources)


def _receivers(op: Op) -> Iterator[Op]:
    """Ops that may define a name which receives an operand of `op`: itself, or, for terminators, the one around."""
    yield op
    if op.parent is not None and op is op.parent.ops[-1]:
        yield next(ancestors(op))


def _sorted(values: Iterator[Value]) -> list[Value]:
    return sorted(dict.fromkeys(values), key=lambda value: value.span)


def _view(value: Value) -> NamedView:
    holder = value.op or (value.block.region.op if value.block is not None else None)
    return NamedView(value.name, value.type, holder.name if holder is not None else "", value.span)
