"""The state of a cluster on one path: its buffers, who holds each, and what the path knows of its flags.

Each buffer has its own state, as in typestate analysis with exact aliases (Fink et al., "Effective typestate
verification in the presence of aliasing", 2008): SSA values do not change, so on one path a root either holds a
buffer or does not.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import filterfalse
from typing import NamedTuple

from memlane.flow.alias.origin import Origin
from memlane.flow.dataflow.call_outcomes import OpPlace
from memlane.flow.effects.aggregate_buffers import Field
from memlane.flow.symbolic.range import Range
from memlane.flow.symbolic.scalar import Expr
from memlane.syntax.tree.tree import Op, Value

Pending = frozenset[Value]
"""Tokens or tags any of which completes one piece of work."""


LOST: Pending = frozenset()
"""Work whose token went where it is not followed: it may be waited for there."""


def begun(pending: frozenset[Pending], work: Pending) -> frozenset[Pending]:
    """The pending work after another piece starts: a wait for a piece with fewer values implies one for pieces with
    more. Of n operations of which each waits for the one before it, the last one suffices."""
    return frozenset((work, *(filterfalse(work.issubset, pending) if work else pending)))


class Instance(NamedTuple):
    """One buffer.

    Args:
        origin: where it came from.
        holders: the roots that denote it and are in scope.
        freed: the op that freed it, None while it lives.
        escaped: it is kept where the analysis does not follow.
        unsure: an op without a model took it, or may have made the alias; nothing about it is certain.
        written: something may have written to it.
        empty: it is known to have no elements (empty_buffers.py).
        first: the first op that touched its memory, followed for arguments of summarised functions only.
        owners: how many frees are due besides the first (reference counts), up to a limit.
        shifted: the holders whose pointer is not that of the buffer's first element.
        pending: work on it that has been started and not waited for; `LOST` where other code may wait for it.
        made: the resource that it is of, where a call gave it; None: not known.
        into: the resource that it went back to, followed as `first` is; None: not known.
        again, used: the op that freed it again, and the one that used it after it was freed; followed as `first` is,
            where several arguments are one buffer.
        freeing: the asynchronous work that frees it, until it is waited for; `LOST` as above.
        by_each: each thread that comes here has freed it, where it is freed; followed as `first` is.
        saved: points of the stack that were saved while it was there: going back to one does not release it.
        reused: another may have been made in its memory since it was freed (address_reuse.py).
        tag: an identifier for the client of the exploration; kept unchanged.
    """

    origin: Origin
    holders: frozenset[Value]
    freed: Op | None = None
    escaped: bool = False
    unsure: bool = False
    written: bool = False
    first: Op | OpPlace | None = None
    owners: int = 0
    shifted: frozenset[Value] = frozenset()
    pending: frozenset[Pending] = frozenset()
    made: str | None = None
    into: str | None = None
    again: Op | None = None
    used: Op | None = None
    freeing: Pending | None = None
    by_each: bool = False
    saved: frozenset[Value] = frozenset()
    reused: bool = False
    empty: bool = False
    tag: Hashable = None

    @property
    def new(self) -> bool:
        """Whether it was made here, or in a call that keeps it nowhere: no address from elsewhere is its own."""
        return self.origin.made_here or (self.made is not None and not self.escaped)

    @property
    def is_worked_on(self) -> bool:
        """Whether something that goes on in the background uses or frees it."""
        return bool(self.pending) or self.freeing is not None

    @property
    def lost(self) -> bool:
        """It has no name any more, and its further events are irrelevant."""
        return not self.holders and (self.freed is not None or self.escaped or not self.origin.owned)

    @property
    def first_name(self) -> Value:
        """The first in the text of its names, of which it must have one."""
        return min(self.holders, key=_place)

    def held_by(self, holders: frozenset[Value]) -> Instance:
        """The buffer under other names. One without names can only be lost: its other facts are dropped."""
        if holders or not self.holders:
            return self._replace(holders=holders, shifted=self.shifted & holders)
        return Instance(self.origin, holders, self.freed, self.escaped, self.unsure, saved=self.saved, tag=self.tag)


Heap = frozenset[Instance]
"""The buffers of a cluster on one path."""


def ordered(heap: Iterable[Instance]) -> list[Instance]:
    """Buffers in the order of their origins in the text, then of their names, then of tags that are numbers: sets have
    theirs by addresses, which differ from run to run."""
    found = [*heap]
    origins = {held.origin for held in found}
    return sorted(found, key=_origin if len(origins) == len(found) else _order) if len(found) > 1 else found


def _origin(held: Instance) -> tuple[object, ...]:
    return _place(held.origin.value)


def _order(held: Instance) -> tuple[object, ...]:
    names = sorted(map(_place, held.holders))
    return _origin(held), names, held.freed is not None, held.tag if isinstance(held.tag, int) else -1


def _place(value: Value) -> tuple[object, ...]:
    # Of an aggregate each place may be one.
    return value.span, value.index, value.place if isinstance(value, Field) else ()


class State(NamedTuple):
    """See the module. In the middle of a step, where events are graded: `made`: the names of the origins of
    buffers made in it; `bad`: the events of it."""

    facts: frozenset[tuple[Expr, Expr | Range]]
    heap: Heap
    made: frozenset[Value] = frozenset()
    bad: frozenset[Hashable] = frozenset()

    def taken(self) -> State:
        """The state as a step leaves it."""
        return State(self.facts, self.heap) if self.made or self.bad else self

    def holding(self, root: Value) -> Instance | None:
        """The buffer that `root` denotes; None where it is not one of this cluster."""
        for instance in self.heap:
            if root in instance.holders:
                return instance
        return None

    def replace(self, old: Instance, new: Instance) -> State:
        """The state with one buffer changed."""
        return self if old == new else self._replace(heap=(self.heap - {old}) | {new})

    def without(self, unmade: frozenset[Value]) -> State:
        """The state where ops have not given what they would have given under these names."""
        found = [one for one in self.heap if not unmade.isdisjoint(one.holders)] if unmade else ()
        if not found:
            return self
        others = (one.held_by(one.holders - unmade) for one in found if one.origin.value not in unmade)
        return self._replace(heap=self.heap.difference(found).union(others))

    def kept(self) -> State:
        """The state with all owned buffers that have a name as escaped, for the code that continues with them."""
        kept = (i._replace(escaped=True) if i.origin.owned and i.holders else i for i in self.heap)
        return self._replace(heap=frozenset(kept))

    def doubt_freed(self) -> State:
        """Whether control reaches this point depends on an op without a model: perhaps never with these buffers
        freed."""
        heap = frozenset(i if i.freed is None or i.unsure else i._replace(unsure=True) for i in self.heap)
        return self._replace(heap=heap)

    def bind(self, root: Value, instance: Instance | None, unsure: bool = False, shifted: bool = False) -> State:
        """The state in which `root` denotes `instance`, and nothing else."""
        before = self.holding(root)
        state = self
        if before is not None:
            dropped = before.held_by(before.holders - {root})
            if instance == before:
                instance = dropped
            state = state.replace(before, dropped)
        if instance is None:
            return state
        moved = instance.shifted | {root} if shifted else instance.shifted
        held = instance._replace(holders=instance.holders | {root}, unsure=instance.unsure or unsure, shifted=moved)
        return state.replace(instance, held)
