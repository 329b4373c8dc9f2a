"""What one operation does to memory, in values: its model applied to its operands and results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memlane.dialects import is_token, read_uses, select
from memlane.dialects.model import Alloc, OpModel, Selector, ViewKind
from memlane.flow.control.aggregate_pointers import fields, parts, uncovered
from memlane.flow.control.incomplete_names import unsettled, without
from memlane.flow.control.pointer_alignment import moved_by
from memlane.flow.control.pointer_difference import leading_to, takes_offsets
from memlane.flow.control.tasks import tasks_of
from memlane.flow.symbolic.scalar import constant
from memlane.flow.symbolic.types import is_done, is_pointer, may_hold_buffer
from memlane.syntax.tree.tree import Op, Use, Value

if TYPE_CHECKING:
    from memlane.flow.control.graph import Graph


class FreeOf(NamedTuple):
    """A deallocation of one value; `condition` is the flag under which it happens (None: always)."""

    value: Value
    resource: str
    condition: Value | None
    retained: tuple[Value, ...]


class ViewOf(NamedTuple):
    """A result that denotes the memory of one of `sources`; `unsure`: or other memory."""

    result: Value
    sources: tuple[Value, ...]
    kind: ViewKind
    unsure: bool = False
    shifted: bool = False
    """Its pointer differs from its source's."""
    through: Value | None = None
    """The aggregate it is taken out of, where that is what the op names in place of the sources."""
    moves: bool = False
    """What either of both denotes may change: one is a place of a slot (pointer_memory.py)."""
    same: Value | None = None
    """What it has the pointer of, where that is not its source (pointer_alignment.py)."""

    @property
    def pointing(self) -> Value:
        """What its pointer comes from; the first of several."""
        return self.same or self.sources[0]

    @property
    def may_shift(self) -> bool:
        """Whether its pointer is not that of its source, or, of a bare one, need not be."""
        return self.shifted or (self.kind is ViewKind.PART and is_pointer(self.result.type))


class Effects(NamedTuple):
    """What one op does to memory, in values.

    Args:
        reads, writes: values whose memory is read or written.
        filled: what the op allocates has contents.
        loaded: results that come back from memory.
        returned: values handed to the caller.
        packed: values handed out inside those: a function lowered to LLVM packs its results into one aggregate.
        stops: execution ends here without returning; `unwinds`: the function does, with an exception.
        completion: values any of which stands for the completion of the op's work; none: it is complete at once.
        waits: tokens that are waited for; with a `completion`, that implies theirs.
        joins: pairs (token, group): waiting for the group waits for the token.
        acquires: values whose buffer gets one more owner.
        scope: automatic allocations made inside end with the op.
        detached: work of its regions may go on behind it, with nothing that stands for its completion.
        unknown: the op has no model.
    """

    allocs: tuple[tuple[Value, Alloc], ...] = ()
    frees: tuple[FreeOf, ...] = ()
    reads: tuple[Value, ...] = ()
    writes: tuple[Value, ...] = ()
    filled: bool = False
    views: tuple[ViewOf, ...] = ()
    escapes: tuple[Value, ...] = ()
    loaded: tuple[Value, ...] = ()
    returned: tuple[Value, ...] = ()
    packed: tuple[Value, ...] = ()
    stops: bool = False
    unwinds: bool = False
    completion: frozenset[Value] = frozenset()
    waits: tuple[Value, ...] = ()
    joins: tuple[tuple[Value, Value], ...] = ()
    acquires: tuple[Value, ...] = ()
    scope: bool = False
    detached: bool = False
    unknown: bool = False

    def looks_into(self, value: Value) -> bool:
        """Whether it matters what is in the memory of a value: an op that frees what it reads moves it elsewhere."""
        return value in self.reads and not any(free.value is value for free in self.frees)


def undescribed(op: Op) -> Effects:
    """The effects of an op without a model: it may read its buffers, and its results may be views of them."""
    operands = _values(op.operands)
    if op.successors:
        return Effects(reads=operands, unknown=True)
    sources = tuple(value for value in operands if may_hold_buffer(value.type))
    views = tuple(
        ViewOf(result, sources, ViewKind.PART, True)
        for result in op.results
        if sources and may_hold_buffer(result.type)
    )
    completion = frozenset([result for result in op.results if is_done(result.type)]) if sources else frozenset[Value]()
    return Effects(reads=sources, views=views, completion=completion, unknown=True)


NO_EFFECTS = Effects()
"""Of most ops: they compute. One value, as there are many."""


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
    if model.global_mark is not None and _is_marked(graph, op, model.global_mark):
        return Effects(allocs=tuple([(result, Alloc(resource="global")) for result in op.results[:1]]))
    completion = NO_EFFECTS.completion
    if model.tag is not None:
        completion = frozenset(_values(select(op, model.tag, model))[:1])
    if model.token is not None and _has(op, model.token):
        completion = frozenset(
            (op.results[model.token], *(r for r in op.results if r.type is None or is_token(r.type)))
        )
    elif model.call is not None and model.token is None:  # what is called may have begun work with what it was given
        completion = frozenset([r for r in op.results if r.type is not None and is_token(r.type)])
    waits = _selected(op, model, model.wait) if model.wait else ()
    if model.tasks is not None:
        tasks = tasks_of(graph)
        waits = (*waits, *tasks.waits.get(op, ()))
        completion |= {tasks.tokens[op]} if op in tasks.tokens else frozenset[Value]()
    reads = _values(read_uses(op, model)) if model.read or model.read_if_used else ()
    returned = _values(op.operands) if model.exits and _ends_function(graph, op) else ()
    found = Effects(
        allocs=tuple([(op.results[a.result], a) for a in model.alloc if _has(op, a.result)]),
        frees=tuple(_frees(op, model)) if model.free else (),
        reads=reads,
        writes=_written(op, model) if model.write or model.tag is not None else (),
        filled=bool(reads) or bool(model.free) or any(alloc.filled for alloc in model.alloc),
        views=_views(graph, op, model) if model.view else (),
        escapes=_selected(op, model, model.escape) if model.escape else uncovered(graph, op, model.aggregate),
        acquires=_selected(op, model, model.acquire) if model.acquire else (),
        loaded=tuple([op.results[i] for i in model.loaded if _has(op, i) and may_hold_buffer(op.results[i].type)]),
        returned=returned,
        packed=tuple(dict.fromkeys(part for value in returned for part in fields(graph, value))) if returned else (),
        stops=model.stops or _stops_at_the_end(graph, op, model),
        unwinds=model.unwinds,
        completion=completion,
        waits=waits,
        joins=_joins(op, model) if model.joins else (),
        scope=_scope(model),
        detached=model.detached,
    )
    begun = unsettled(graph, op)
    return without(begun, found) if begun is not None else found


def _written(op: Op, model: OpModel) -> tuple[Value, ...]:
    """What an op writes: its tag, too, at the latest once its work is done."""
    written = _selected(op, model, model.write) if model.write else ()
    tags = _values(select(op, model.tag, model))[:1] if model.tag is not None else ()
    return (*written, *tags) if tags else written


def _is_marked(graph: Graph, op: Op, mark: int) -> bool:
    """Whether the first operand is the number that stands for a global."""
    value = op.operands[0].value if op.operands else None
    return value is not None and graph.expression(value) == constant(mark)


def _scope(model: OpModel) -> bool:
    """Whether automatic allocations end with the op. Loops do not count: lowered to branches, they give none back."""
    return model.allocation_scope and model.trip is None and not model.parallel


def _joins(op: Op, model: OpModel) -> tuple[tuple[Value, Value], ...]:
    return tuple(
        (one, group)
        for tokens, groups in model.joins
        for one in _values(select(op, tokens, model))
        for group in _values(select(op, groups, model))
    )


def _stops_at_the_end(graph: Graph, op: Op, model: OpModel) -> bool:
    """Whether an op ends the function, and hands nothing to the caller."""
    return model.terminator and not (model.exits or model.unwinds or op.successors) and _ends_function(graph, op)


def _ends_function(graph: Graph, op: Op) -> bool:
    return op.parent is not None and op.parent.region.op is graph.function


def _frees(op: Op, model: OpModel) -> Iterator[FreeOf]:
    for free in model.free:
        conditions = select(op, free.conditions, model) if free.conditions else ()
        retained = _values(select(op, free.retained, model)) if free.retained else ()
        for position, use in enumerate(select(op, free.operands, model)):
            if use.value is not None:
                condition = conditions[position].value if position < len(conditions) else None
                yield FreeOf(use.value, free.resource, condition, retained)


def _views(graph: Graph, op: Op, model: OpModel) -> tuple[ViewOf, ...]:
    """One for each result: several entries of a result mean one of them."""
    found: dict[int, ViewOf] = {}
    for view in model.view:
        sources = _selected(op, model, (view.of,))
        told = parts(graph, op, model.aggregate) if model.aggregate is not None else None
        through = sources[0] if told is not None and sources and sources[0] not in told else None
        sources = sources if told is None else told
        if not sources or not _has(op, view.result):
            continue
        if view.may and not _may_be(model, op.results[view.result]):
            continue
        known = found.get(view.result)
        if view.may and model.compute is None:
            sources = leading_to(graph, known.sources if known is not None else (), sources)
            if not sources:
                continue
        moved = moved_by(graph, op, model) if view.may and model.compute is not None else None
        if moved is not None:
            kind = ViewKind.PART if moved.same is None else ViewKind.WHOLE
            made = ViewOf(op.results[view.result], (moved.value,), kind, shifted=moved.same is None, same=moved.same)
            found[view.result] = made
            continue
        sources = (*(known.sources if known else ()), *sources)
        kind = known.kind if known is not None and known.kind is ViewKind.PART else view.kind
        unsure = view.may or (known is not None and known.unsure)
        shifted = view.shifts and not _is_zero(graph, op)
        distinct = tuple(dict.fromkeys(sources))
        found[view.result] = ViewOf(op.results[view.result], distinct, kind, unsure, shifted, through)
    return tuple(found.values())


def _may_be(model: OpModel, result: Value) -> bool:
    """Whether `result` may be what the op is given: of an op that computes numbers, one that is made of an address."""
    return may_hold_buffer(result.type) is (model.compute is None)


def _is_zero(graph: Graph, op: Op) -> bool:
    shift = op.operands[1].value if len(op.operands) > 1 else None
    return shift is not None and graph.expression(shift) == constant(0)


def _selected(op: Op, model: OpModel, selectors: tuple[Selector, ...]) -> tuple[Value, ...]:
    if len(selectors) == 1:
        return _values(select(op, selectors[0], model))
    return tuple(value for selector in selectors for value in _values(select(op, selector, model)))


def _has(op: Op, result: int) -> bool:
    return -len(op.results) <= result < len(op.results)


def _values(uses: Sequence[Use]) -> tuple[Value, ...]:
    return tuple([use.value for use in uses if use.value is not None])
