"""Which pointer an op extracts from an aggregate: field-sensitive where the construction of the aggregate is visible.

A memref lowered to LLVM is a struct that names its buffer twice (allocated and aligned pointer) and is built by a
chain of `llvm.insertvalue` on `llvm.mlir.poison`. Taken as one of its parts, each `llvm.extractvalue` would be a
buffer or none. An aligned pointer that is computed points into the buffer of the allocated one (MLIR, "LLVM IR Target",
"Ranked MemRef Types").
"""

from __future__ import annotations

from memlane.dialects.model import Aggregate
from memlane.flow.cfg.graph import Graph
from memlane.flow.derived import query
from memlane.flow.effects.limits import MAX_NUMBER_OPS
from memlane.flow.symbolic.type_layout import Place, holds_only, replaces
from memlane.flow.symbolic.types import is_descriptor, may_hold_buffer
from memlane.integers import numeral
from memlane.lazy import regex
from memlane.syntax.tree.tree import Op, Value

Found = tuple[tuple[Value, ...], Place]
"""What stands at a place, if anything does, and the place in it that is meant: none of a value that was put there."""

_PRETTY = regex(r"\s*\[\s*(\d+(?:\s*,\s*\d+)*)\s*\]")
ALLOCATED, ALIGNED = (0,), (1,)
"""The places of the pointers in the descriptor of a memref."""
_DESCRIBED = (1,)
"""The address of the descriptor of a memref without a rank."""
_NUMBER = regex(r"\d+")


def parts(graph: Graph, op: Op, role: Aggregate) -> tuple[Value, ...] | None:
    """The values one of which the op's result is or holds; none: it holds no memory; None: the op does not tell."""
    place = place_of(graph, op)
    if place is None:
        return None
    if role is Aggregate.EXTRACT:
        whole = op.operands[0].value
        if whole is None:
            return None
        found = tuple(value for value in _field(graph, whole, place) if holds(graph, value))
        memory = not op.results or may_hold_buffer(op.results[0].type)
        return found if memory else tuple(value for value in found if not may_hold_buffer(value.type))
    whole, part = inserted(op)
    if whole is None or part is None:
        return None
    kept = () if _empty(graph, whole) or _covers(graph, whole, place) else (whole,)
    if kept and place == ALIGNED and is_aligned(graph, op, part):
        return kept
    return (*kept, part) if holds(graph, part) else kept


def _covers(graph: Graph, whole: Value, place: Place) -> bool:
    """Whether what is put at a place of an aggregate is all the memory it has then. A number may be an address: those
    that were put there before are looked at."""
    if replaces(whole.type or "", place):
        return True
    for _ in range(MAX_NUMBER_OPS if holds_only(whole.type or "", place) else 0):
        op = whole.op
        model = graph.model(op) if op is not None else None
        if _empty(graph, whole):
            return True
        base, part = inserted(op) if op is not None and model and model.aggregate is Aggregate.INSERT else (None, None)
        before = place_of(graph, op) if op is not None and base is not None else None
        if base is None or part is None or before is None:
            return False
        if before[: len(place)] != place and holds(graph, part):
            return False
        whole = base
    return False


def uncovered(graph: Graph, op: Op, role: Aggregate | None) -> tuple[Value, ...]:
    """The values reachable through the pointer that an op extracts from an aggregate: an unranked memref is lowered to
    its rank and the address of its descriptor, not of its buffer, and a copy of that descriptor contains the buffer."""
    whole = op.operands[0].value if role is Aggregate.EXTRACT and op.operands else None
    if whole is None or whole.op is None or place_of(graph, op) != _DESCRIBED:
        return ()
    unranked = any((use.value.type or "").startswith("memref<*") for use in whole.op.operands if use.value is not None)
    return (whole,) if unranked else ()


def fields(graph: Graph, whole: Value) -> tuple[Value, ...]:
    """The values put into `whole` where it is built in sight, also into its aggregates; none for other values."""
    found: dict[Value, None] = {}
    pending = [whole]
    while pending:
        op = pending.pop().op
        model = graph.model(op) if op is not None else None
        if op is None or model is None or model.aggregate is not Aggregate.INSERT:
            continue
        base, part = inserted(op)
        place = place_of(graph, op)
        over = place is not None and base is not None and _covers(graph, base, place)
        for value in (part,) if over else (base, part):
            if value is not None and value not in found:
                found[value] = None
                pending.append(value)
    return tuple(found)


def _field(graph: Graph, whole: Value, place: Place) -> tuple[Value, ...]:
    """What stands at `place` of `whole`: the value put there, or the aggregate it comes with."""
    return found_at(graph, whole, place)[0]


def found_at(graph: Graph, whole: Value, place: Place) -> Found:
    """The same, with what is left of the place inside of it. Each op of a chain is visited once for each place."""
    known = query(graph, _standing)
    passed: dict[tuple[Value, Place], None] = {}
    while (found := known.get((whole, place))) is None:
        following = None if (whole, place) in passed else _before(graph, whole, place)
        passed[whole, place] = None  # where control never comes an aggregate may be made of itself
        if following is None:
            found = () if place and _empty(graph, whole) else (whole,), place
            break
        whole, place = following
    known.update(dict.fromkeys(passed, found))
    return found


def _standing(_: Graph) -> dict[tuple[Value, Place], Found]:
    """What has been found so far."""
    return {}


def reached(graph: Graph, op: Op) -> bool:
    """Whether it is in sight what value an op takes out of an aggregate: one that was put there, as it is."""
    whole, place = op.operands[0].value if op.operands else None, place_of(graph, op)
    return whole is not None and place is not None and not found_at(graph, whole, place)[1]


def put_in_descriptor(graph: Graph, op: Op) -> Value | None:
    """The value that an op takes out of the descriptor of a memref; None where it is not in sight, or no descriptor."""
    whole, place = op.operands[0].value if op.operands else None, place_of(graph, op)
    if whole is None or place is None or not is_descriptor(whole.type):
        return None
    found, inner = found_at(graph, whole, place)
    return found[0] if len(found) == 1 and not inner else None


def _before(graph: Graph, whole: Value, place: Place) -> tuple[Value, Place] | None:
    """Where what stands at `place` of `whole` comes from, one op before; None: from no other aggregate in sight."""
    op = whole.op
    model = graph.model(op) if op is not None and place else None
    if op is None or model is None or model.aggregate is not Aggregate.INSERT:
        return None
    base, part = inserted(op)
    put = place_of(graph, op)
    if base is None or part is None or put is None:
        return None
    if place == put == ALIGNED and is_aligned(graph, op, part):
        return base, ALLOCATED
    if place[: len(put)] == put:
        return part, place[len(put) :]
    return None if put[: len(place)] == place else (base, place)


def empty_at(graph: Graph, whole: Value | None, place: Place) -> bool:
    """Whether nothing has been put at a place of `whole`, which is built in sight."""
    return whole is not None and not _field(graph, whole, place)


def is_aligned(graph: Graph, op: Op, part: Value) -> bool:
    """Whether `part`, which `op` puts into the descriptor of a memref, is the aligned pointer to the buffer that is
    there: made of a number, or passed behind the allocated one, as functions take memrefs."""
    if not is_descriptor(op.results[0].type if op.results else None):
        return False
    if part.block is not None:
        before, _ = inserted(op)
        allocated = _field(graph, before, ALLOCATED) if before is not None else ()
        before_it = part.block.arguments[part.index - 1 : part.index] if part.index else ()
        return part.block is graph.entry and allocated == before_it != ()
    maker = part.op
    model = graph.model(maker) if maker is not None else None
    if maker is None or model is None or not model.view:
        return False
    return all(use.value is not None and not may_hold_buffer(use.value.type) for use in maker.operands)


def inserted(op: Op) -> tuple[Value | None, Value | None]:
    """The aggregate and the value that is put into it; the generic form names the aggregate first."""
    if len(op.operands) != 2:
        return None, None
    first, second = (use.value for use in op.operands)
    return (first, second) if "position" in op.attributes else (second, first)


def place_of(graph: Graph, op: Op) -> Place | None:
    """The place that an op names; None if unknown."""
    written = op.attributes.get("position")
    if written is not None:
        text = written.partition(":")[2] if ":" in written else written
    else:
        found = _PRETTY.match(graph.source, op.operands[-1].span.end) if op.operands else None
        text = found.group(1) if found is not None else ""
    numbers = [numeral(number) for number in _NUMBER.findall(text)]
    known = tuple(number for number in numbers if number is not None)
    return known if known and len(known) == len(numbers) else None


def holds(graph: Graph, value: Value) -> bool:
    """Whether `value` may stand for memory: numbers do only where they are made of a pointer."""
    pending = [value]
    for _ in range(MAX_NUMBER_OPS):
        if not pending:
            return False
        one = pending.pop()
        if may_hold_buffer(one.type):
            return True
        model = graph.model(one.op) if one.op is not None else None
        if one.op is not None and model is not None and model.view and model.aggregate is not Aggregate.EXTRACT:
            pending += [use.value for use in one.op.operands if use.value is not None]
    return True


def _empty(graph: Graph, value: Value) -> bool:
    """Whether `value` is the result of a described op that takes nothing in: a constant, `poison`."""
    op = value.op
    model = graph.model(op) if op is not None else None
    if op is None or model is None or op.operands or op.regions:
        return False
    return not model.alloc and model.call is None and not model.loaded
