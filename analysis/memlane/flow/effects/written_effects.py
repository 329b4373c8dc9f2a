"""What one operation frees, and which results denote the memory of its operands, as its model says: no number is looked
at for that.

What is known of addresses that are computed as numbers is added in model_effects.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.dialects import select
from memlane.dialects.model import OpModel, Selector, ViewKind
from memlane.flow.cfg.graph import Graph
from memlane.flow.effects.aggregate_pointers import parts
from memlane.flow.effects.effects import FreeOf, ViewOf, given, undescribed
from memlane.flow.effects.pointer_difference import leading_to
from memlane.flow.symbolic.types import may_hold_buffer
from memlane.syntax.tree.tree import Op, Value


def written_views(graph: Graph, op: Op) -> tuple[ViewOf, ...]:
    """The views that an op makes."""
    model = graph.model(op)
    return views_of(graph, op, model) if model is not None else undescribed(op).views


def views_of(graph: Graph, op: Op, model: OpModel) -> tuple[ViewOf, ...]:
    """One for each result: several entries of a result mean one of them."""
    found: dict[int, ViewOf] = {}
    for view in model.view:
        sources = selected(op, model, (view.of,))
        told = parts(graph, op, model.aggregate) if model.aggregate is not None else None
        through = sources[0] if told is not None and sources and sources[0] not in told else None
        sources = sources if told is None else told
        if not sources or not gives(op, view.result):
            continue
        if view.may and not _may_be(model, op.results[view.result]):
            continue
        known = found.get(view.result)
        if view.may and model.compute is None:
            sources = leading_to(graph, known.sources if known is not None else (), sources)
            if not sources:
                continue
        sources = (*(known.sources if known else ()), *sources)
        kind = known.kind if known is not None and known.kind is ViewKind.PART else view.kind
        unsure = view.may or (known is not None and known.unsure)
        distinct = tuple(dict.fromkeys(sources))
        found[view.result] = ViewOf(op.results[view.result], distinct, kind, unsure, view.shifts, through)
    return tuple(found.values())


def _may_be(model: OpModel, result: Value) -> bool:
    """Whether `result` may be what the op is given: of an op that computes numbers, one that is made of an address."""
    return may_hold_buffer(result.type) is (model.compute is None)


def frees_of(op: Op, model: OpModel) -> Iterator[FreeOf]:
    """The deallocations of an op, each under the flag that is written."""
    for free in model.free:
        conditions = select(op, free.conditions, model) if free.conditions else ()
        retained = given(select(op, free.retained, model)) if free.retained else ()
        for position, use in enumerate(select(op, free.operands, model)):
            if use.value is not None:
                condition = conditions[position].value if position < len(conditions) else None
                yield FreeOf(use.value, free.resource, condition, retained)


def written_frees(graph: Graph, op: Op) -> tuple[FreeOf, ...]:
    """The deallocations of an op under the flags that are written, constants as well; of a buffer whose name is only
    begun none."""
    model, begun = graph.model(op), graph.unsettled(op)
    return tuple([free for free in frees_of(op, model) if free.value is not begun]) if model is not None else ()


def selected(op: Op, model: OpModel, selectors: tuple[Selector, ...]) -> tuple[Value, ...]:
    """The operands that some selectors name."""
    if len(selectors) == 1:
        return given(select(op, selectors[0], model))
    return tuple(value for selector in selectors for value in given(select(op, selector, model)))


def gives(op: Op, result: int) -> bool:
    """Whether an op has a result of that number."""
    return -len(op.results) <= result < len(op.results)
