"""Where buffers come from: what an op allocates, and how large that is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum

from memlane.flow.cfg.graph import Graph
from memlane.flow.effects.aggregate_buffers import Content
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.enclosing_loops import is_taken_once
from memlane.flow.memory.malloc_size import requested
from memlane.flow.scalars.spmd_regions import is_of_gpu
from memlane.flow.symbolic.amounts import Amount
from memlane.flow.symbolic.memory_space import ThreadMemory, memory_of_threads
from memlane.flow.symbolic.sizes import Size, dynamic_dimensions, size_of
from memlane.syntax.tree.tree import Op, Value


class OriginKind(Enum):
    """Where a buffer comes from."""

    ALLOCATION = "allocation"
    ARGUMENT = "argument"
    CALL = "call"
    VALUE = "value"
    """Not followed: nothing is known of it but that it is freed (freed_values.py)."""


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """A buffer's source in this function: a site, an argument, or a call that may hand one out.

    Args:
        value: its first name here.
        resource: of the allocation; "heap" for arguments and calls.
        symbol: of the one buffer that all ops naming it give (`memref.get_global`).
        sized, graph: operands of its op say how large it is; where that is made.
    """

    kind: OriginKind
    value: Value
    resource: str = "heap"
    symbol: str | None = None
    sized: bool = True
    graph: Graph | None = field(default=None, repr=False)
    _static: Origin | None = field(default=None, init=False, repr=False)

    @property
    def of_global(self) -> Origin:
        """The same call, where it returns memory of a global. Always the same object, as origins are compared by
        identity."""
        if self._static is None:
            object.__setattr__(self, "_static", replace(self, resource="global"))
        assert self._static is not None
        return self._static

    @property
    def owned(self) -> bool:
        """Whether this function has to free it: memory of a group of threads, or of one, is there as long as these."""
        if self.kind is OriginKind.ARGUMENT or self.resource in ("stack", "global"):
            return False
        return memory_of_threads(self.value.type, self._is_in_kernel) is None  # asked in each state of an exploration

    @property
    def of_threads(self) -> ThreadMemory | None:
        """The memory of threads of a GPU that it is."""
        return memory_of_threads(self.value.type, self._is_in_kernel)

    def _is_in_kernel(self) -> bool:
        op = self.value.op
        return self.graph is not None and op is not None and is_of_gpu(self.graph, op)

    @property
    def lent(self) -> bool:
        """Whether it stays the caller's: an argument; what is in a container may be given away, or freed."""
        return self.kind is OriginKind.ARGUMENT and not isinstance(self.value, Content)

    @property
    def made_anew(self) -> bool:
        """Whether memory is asked for where it comes from."""
        return self.kind is not OriginKind.ARGUMENT and self.resource != "global"

    @property
    def made_here(self) -> bool:
        """Whether it is new memory, without contents."""
        return self.kind is OriginKind.ALLOCATION and self.resource != "global"

    @property
    def ends_early(self) -> bool:
        """Whether it is stack memory that is released where the stack goes back to a point that was saved before."""
        op, graph = self.value.op, self.graph
        return self.resource == "stack" and op is not None and graph is not None and not is_taken_once(graph, op)

    @property
    def size(self) -> Size | None:
        """How large it is; None where its type does not tell."""
        return size_of(self.value, self.kind is OriginKind.ALLOCATION and self.sized)

    @property
    def dimensions(self) -> list[Value]:
        """The values that give its dynamic dimensions, as far as its op says them."""
        return dynamic_dimensions(self.value) if self.kind is OriginKind.ALLOCATION and self.sized else []

    @property
    def told(self) -> Size | Amount | None:
        """How large it is, in numbers and names of this function; None if unknown."""
        size = self.size
        return self.asked if size is None else None if "?" in size.dimensions else size

    @property
    def asked(self) -> Amount | None:
        """How large it is where its op is asked for so many bytes, as `malloc` is; None of others."""
        return requested(self.graph, self.value) if self.graph is not None else None


def allocated(graph: Graph, op: Op) -> Iterator[Origin]:
    """The buffers that an op allocates."""
    for value, alloc in effects_at(graph, op).allocs:
        symbol = op.symbol if alloc.per_symbol else None
        yield Origin(OriginKind.ALLOCATION, value, alloc.resource, symbol, alloc.sized, graph)
