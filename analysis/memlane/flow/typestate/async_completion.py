"""Work on buffers that goes on in the background, and ends where its token is waited for."""

from __future__ import annotations

from memlane.flow.dataflow.state import LOST, Pending, State
from memlane.flow.effects.effects import Effects
from memlane.flow.slicing.slice import Slice
from memlane.syntax.tree.tree import Op, used


def completed(op: Op, effects: Effects, part: Slice, state: State) -> State:
    """The state once `op` has waited for the tokens it waits for, or has forwarded some to where they are not
    followed."""
    if not any(held.is_worked_on for held in state.heap):
        return state
    waits, joins = frozenset(part.awaited.get(op, effects.waits)), effects.joins
    named = set(used(op))
    concerned = waits.union(named, (token for token, _ in joins))

    def left(work: Pending) -> Pending | None:
        follower = next((group for token, group in joins if token in work), None)
        if follower is not None:
            return work | {follower}
        if work & waits:
            return work | effects.completion if effects.completion else None
        return work if work & effects.completion or not work & named else LOST

    for held in state.heap:
        others = frozenset(filter(concerned.isdisjoint, held.pending))  # of n pieces most go on as they are
        changed = (left(work) for work in held.pending - others)
        after = others.union(work for work in changed if work is not None)
        freeing = left(held.freeing) if held.freeing is not None else None
        if after != held.pending or freeing != held.freeing:
            state = state.replace(held, held._replace(pending=after, freeing=freeing))
    return state
