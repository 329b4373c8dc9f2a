"""All names of one memory: from a value to the buffers it may stand for, their other names, and what frees them."""

from __future__ import annotations

from dataclasses import dataclass

from memlane.dialects import select
from memlane.findings import Span
from memlane.flow import Origin
from memlane.ide.locate import enclosing, name_at
from memlane.snapshot import File
from memlane.syntax.tree import Op, Value


@dataclass(frozen=True, slots=True)
class Memory:
    """What a value may stand for.

    Args:
        origins: the buffers, where each comes from, in text order.
        names: all values that may stand for one of them, in text order.
    """

    origins: tuple[Origin, ...]
    names: tuple[Value, ...]


def memory_of(file: File, value: Value) -> Memory | None:
    """The memory that `value` may stand for; None where it is no buffer that is followed."""
    program = file.program(value.span.start)
    if program is None:
        return None
    around = set(map(id, enclosing(file.tree, value.span.start)))
    flow = next((flow for flow in program.functions.values() if id(flow.op) in around), None)
    cluster = program.aliases(flow).cluster_of(value) if flow else None
    if cluster is None:
        return None
    origins = sorted(cluster.origins, key=lambda origin: origin.value.span)
    return Memory(tuple(origins), tuple(sorted(cluster.root, key=lambda name: name.span)))


def declarations(file: File, offset: int) -> list[Span]:
    """Where the buffers that the name at `offset` may stand for come from."""
    memory = _memory_at(file, offset)
    return [origin.value.span for origin in memory.origins] if memory else []


def deallocations(file: File, offset: int) -> list[Span]:
    """The operations (their names) that free what the name at `offset` may stand for."""
    memory = _memory_at(file, offset)
    uses = [use for name in memory.names for use in name.uses] if memory else []
    return sorted({use.op.name_span for use in uses if _frees(file, use.op, use.span)})


def _memory_at(file: File, offset: int) -> Memory | None:
    name = name_at(file.tree, offset)
    return memory_of(file, name.value) if name is not None and name.value is not None else None


def _frees(file: File, op: Op, place: Span) -> bool:
    model = file.models.of(op.name)
    if model is None:
        return False
    return any(use.span == place for free in model.free for use in select(op, free.operands, model))
