"""All names of one memory: from a value to the buffers it may stand for, their other names, and what frees them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memlane.dialects import select
from memlane.findings import Span
from memlane.flow import FunctionFlow, Origin, OriginKind, allocated
from memlane.flow.alias.alias import Cluster
from memlane.flow.memory.effects_at import effects_at
from memlane.ide.locate import at, enclosing, name_at
from memlane.ide.partial_trees import Linked
from memlane.ide.references import pack
from memlane.ide.snapshot import File
from memlane.syntax.tree.tree import Op, Use, Value


@dataclass(frozen=True, slots=True)
class BufferNames:
    """What a value may stand for.

    Args:
        value: in the tree of the others, which may be another one than it was asked for in.
        origins: the buffers, where each comes from, in text order.
        names: all values that may stand for one of them, in text order.
    """

    value: Value
    origins: tuple[Origin, ...]
    names: tuple[Value, ...]


def memory_of(file: File, value: Value, linked: Linked | None = None) -> BufferNames | None:
    """The memory that `value` may stand for; None where it is no buffer that is followed.

    Args:
        linked: the ops that name its memory, with the function it is in, where the caller has them.
    """
    offset = value.span.start
    linked = linked or file.linked(at(offset))
    program, around = linked.program(offset), enclosing(linked.tree, offset)
    flow = linked.flow(around, offset)
    name = name_at(linked.tree, offset)
    if program is None or flow is None or name is None or name.value is None:
        return None
    found = next((one for one in pack(name.value) if one.name == value.name), name.value)
    cluster = program.aliases(flow).cluster_of(found)
    if cluster is None:
        return None
    origins = _origins(cluster, cluster.root[found])
    others = {origin.value for origin in cluster.origins if origin not in origins}
    names = [name for name, root in cluster.names if root not in others]
    return BufferNames(found, origins, tuple(sorted(names, key=lambda name: name.span)))


def sites(file: File, op: Op, flow: FunctionFlow | None) -> Iterator[Origin]:
    """The buffers that an op allocates. `flow`: the function that it is in; None: it is in none."""
    if flow is not None:
        yield from allocated(flow.graph, op)
        return
    model = file.models.of(op.name)
    for alloc in model.alloc if model is not None else ():
        if alloc.result < len(op.results):
            yield Origin(OriginKind.ALLOCATION, op.results[alloc.result], alloc.resource, sized=alloc.sized)


def _origins(cluster: Cluster, root: Value) -> tuple[Origin, ...]:
    """The buffers that a root may be: the one that it comes with, or any of its cluster where others flow into it."""
    own = next((origin for origin in cluster.origins if origin.value is root), None)
    found = [one for one in cluster.origins if own is None or one is own or (one.symbol and one.symbol == own.symbol)]
    return tuple(sorted(found, key=lambda origin: origin.value.span))


def declarations(file: File, offset: int) -> list[Span]:
    """Where the buffers that the name at `offset` may stand for come from."""
    memory = memory_at(file, offset)
    return [origin.value.span for origin in memory.origins] if memory else []


def deallocations(file: File, offset: int) -> list[Span]:
    """The operations (their names) that free what the name at `offset` may stand for."""
    memory, linked = memory_at(file, offset), file.linked(at(offset))
    flow = linked.flow(enclosing(linked.tree, offset), offset)
    uses = [use for name in memory.names for use in name.uses] if memory else []
    return sorted({use.op.name_span for use in uses if frees(file, use, flow)})


def memory_at(file: File, offset: int) -> BufferNames | None:
    """What the name that `offset` touches may stand for."""
    name = name_at(file.near(at(offset)), offset)
    return memory_of(file, name.value) if name is not None and name.value is not None else None


def frees(file: File, use: Use, flow: FunctionFlow | None) -> bool:
    """Whether an op frees what it uses. `flow`: the function that it is in; None: it is in none."""
    if flow is not None:
        return any(free.value is use.value for free in effects_at(flow.graph, use.op).frees)
    model = file.models.of(use.op.name)
    return model is not None and any(use in select(use.op, free.operands, model) for free in model.free)
