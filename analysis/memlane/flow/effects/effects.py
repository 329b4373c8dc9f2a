"""What one operation does to memory, in values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memlane.dialects.model import Alloc, ViewKind
from memlane.flow.symbolic.types import is_done, is_pointer, may_hold_buffer
from memlane.syntax.tree.tree import Op, Use, Value


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
        reads, writes: values whose memory is read or written; `may_read`: whether those are read is not known.
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
    may_read: bool = False

    def looks_into(self, value: Value) -> bool:
        """Whether it matters what is in the memory of a value: an op that frees what it reads moves it elsewhere."""
        return value in self.reads and not self.may_read and not any(free.value is value for free in self.frees)

    def without(self, value: Value) -> Effects:
        """What the op does to others than `value`: its results may be views of that one, or of any."""
        views = [view._replace(unsure=True) if value in view.sources else view for view in self.views]
        return self._replace(
            frees=tuple([free for free in self.frees if free.value is not value]),
            reads=tuple([one for one in self.reads if one is not value]),
            writes=tuple([one for one in self.writes if one is not value]),
            escapes=tuple([one for one in self.escapes if one is not value]),
            acquires=tuple([one for one in self.acquires if one is not value]),
            views=tuple(views),
        )


def undescribed(op: Op) -> Effects:
    """The effects of an op without a model: it may read its buffers, and its results may be views of them."""
    operands = given(op.operands)
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


def given(uses: Sequence[Use]) -> tuple[Value, ...]:
    """The values that some uses are of, as far as they are known."""
    return tuple([use.value for use in uses if use.value is not None])
