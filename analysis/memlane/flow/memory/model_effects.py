"""What one operation does to memory as its model says, without what is known of the places that it loads from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memlane.dialects import is_token, read_uses, select
from memlane.dialects.model import Alloc, OpModel, ViewKind
from memlane.flow.cfg.graph import Graph
from memlane.flow.effects.aggregate_pointers import fields, uncovered
from memlane.flow.effects.effects import NO_EFFECTS, Effects, FreeOf, ViewOf, given
from memlane.flow.effects.pointer_difference import takes_offsets
from memlane.flow.effects.tasks import tasks_of
from memlane.flow.effects.written_effects import frees_of, gives, selected, views_of
from memlane.flow.scalars.expressions import constant_value, scalar_of
from memlane.flow.scalars.pointer_alignment import moved_by
from memlane.flow.symbolic.scalar import constant
from memlane.flow.symbolic.types import may_hold_buffer
from memlane.syntax.tree.tree import Op, Value


def silent(model: OpModel) -> bool:
    """Whether no op of that model does anything to memory, and none ends a function."""
    speaks = (
        *(model.alloc, model.free, model.read, model.write, model.view, model.escape, model.acquire, model.loaded),
        *(model.read_if_used, model.wait, model.joins),
    )
    ends = model.terminator or model.exits or model.stops or _scope(model) or model.detached
    return not any(speaks) and not ends and model.token is None and model.tag is None and model.tasks is None


def by_itself(model: OpModel | None) -> bool:
    """Whether the effects of an op of that model rest on nothing but the op, and the values it uses and their types."""
    return model is None or not (model.read_if_used or _looks_beyond(model))


def looks_far(model: OpModel | None) -> bool:
    """Whether they rest on ops that are neither this one nor in its regions; or it matters, too, how numbers are made
    that the op uses."""
    return model is not None and (_looks_beyond(model) or takes_offsets(model))


def _looks_beyond(model: OpModel) -> bool:
    if model.call is not None or model.exits or model.aggregate is not None or model.global_mark is not None:
        return True
    if model.tasks is not None or model.inside:
        return True
    return any(view.shifts or (view.may and model.compute is not None) for view in model.view)


def effects_of(graph: Graph, op: Op, model: OpModel) -> Effects:
    """The effects of `op`, which `model` describes."""
    if model.global_mark is not None and stands_for_global(graph, op, model):
        return Effects(allocs=tuple([(result, Alloc(resource="global")) for result in op.results[:1]]))
    completion = NO_EFFECTS.completion
    if model.tag is not None:
        completion = frozenset(given(select(op, model.tag, model))[:1])
    if model.token is not None and gives(op, model.token):
        completion = frozenset(
            (op.results[model.token], *(r for r in op.results if r.type is None or is_token(r.type)))
        )
    elif model.call is not None and model.token is None:  # what is called may have begun work with what it was given
        completion = frozenset([r for r in op.results if r.type is not None and is_token(r.type)])
    waits = selected(op, model, model.wait) if model.wait else ()
    if model.tasks is not None:
        tasks = tasks_of(graph)
        waits = (*waits, *tasks.waits.get(op, ()))
        completion |= {tasks.tokens[op]} if op in tasks.tokens else frozenset[Value]()
    reads = given(read_uses(op, model)) if model.read or model.read_if_used else ()
    returned = given(op.operands) if model.exits and graph.is_outermost(op) else ()
    found = Effects(
        allocs=tuple([(op.results[a.result], a) for a in model.alloc if gives(op, a.result)]),
        frees=tuple(_decided(graph, frees_of(op, model))) if model.free else (),
        reads=reads,
        writes=_written(op, model) if model.write or model.tag is not None else (),
        filled=bool(reads) or bool(model.free) or any(alloc.filled for alloc in model.alloc),
        views=_views(graph, op, model) if model.view else (),
        escapes=selected(op, model, model.escape) if model.escape else uncovered(graph, op, model.aggregate),
        acquires=selected(op, model, model.acquire) if model.acquire else (),
        loaded=tuple([op.results[i] for i in model.loaded if gives(op, i) and may_hold_buffer(op.results[i].type)]),
        returned=returned,
        packed=tuple(dict.fromkeys(part for value in returned for part in fields(graph, value))) if returned else (),
        stops=model.stops or (model.terminator and graph.ends_execution(op)),
        unwinds=model.unwinds,
        completion=completion,
        waits=waits,
        joins=_joins(op, model) if model.joins else (),
        scope=_scope(model),
        detached=model.detached,
        may_read=model.may_read,
    )
    begun = graph.unsettled(op)
    return found.without(begun) if begun is not None else found


def _decided(graph: Graph, frees: Iterable[FreeOf]) -> Iterator[FreeOf]:
    """Deallocations: under no condition where that is a constant that is true, and none where it is one that is
    false."""
    for free in frees:
        truth = constant_value(graph, free.condition) if free.condition is not None else None
        if truth is None:
            yield free
        elif truth:
            yield free._replace(condition=None)


def stands_for_global(graph: Graph, op: Op, model: OpModel) -> bool:
    """Whether the first operand of an op that `model` describes is the number that stands for a global."""
    if model.global_mark is None:
        return False
    value = op.operands[0].value if op.operands else None
    return value is not None and scalar_of(graph, value) == constant(model.global_mark)


def _written(op: Op, model: OpModel) -> tuple[Value, ...]:
    """What an op writes: its tag, too, at the latest once its work is done."""
    written = selected(op, model, model.write) if model.write else ()
    tags = given(select(op, model.tag, model))[:1] if model.tag is not None else ()
    return (*written, *tags) if tags else written


def _scope(model: OpModel) -> bool:
    """Whether automatic allocations end with the op. Loops do not count: lowered to branches, they give none back."""
    return model.allocation_scope and model.trip is None and not model.parallel


def _joins(op: Op, model: OpModel) -> tuple[tuple[Value, Value], ...]:
    return tuple(
        (one, group)
        for tokens, groups in model.joins
        for one in given(select(op, tokens, model))
        for group in given(select(op, groups, model))
    )


def _views(graph: Graph, op: Op, model: OpModel) -> tuple[ViewOf, ...]:
    return tuple([_settled(graph, op, model, view) for view in views_of(graph, op, model)])


def _settled(graph: Graph, op: Op, model: OpModel, view: ViewOf) -> ViewOf:
    """A view, with what constants say of the address."""
    moved = moved_by(graph, op, model) if view.unsure and model.compute is not None else None
    if moved is not None:
        kind = ViewKind.PART if moved.same is None else ViewKind.WHOLE
        return ViewOf(view.result, (moved.value,), kind, shifted=moved.same is None, same=moved.same)
    return view._replace(shifted=False) if view.shifted and _is_zero(graph, op) else view


def _is_zero(graph: Graph, op: Op) -> bool:
    shift = op.operands[1].value if len(op.operands) > 1 else None
    return shift is not None and scalar_of(graph, shift) == constant(0)
