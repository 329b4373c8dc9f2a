"""From the ways to follow a cluster, the cheapest first, to the places where its buffers should be freed.

Each gives None where it cannot tell, or where it would not tell what following through all blocks does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from memlane.fixes.placing import Placing
from memlane.fixes.strategies import few_first, followed
from memlane.flow.alias.alias import Cluster
from memlane.flow.dataflow.solver import BudgetExceeded
from memlane.flow.interproc.program import FunctionFlow
from memlane.flow.peak.exploded_liveness import Lives
from memlane.flow.slicing.death_points import Deaths
from memlane.flow.slicing.pruned_slice import MAX_REGION_BLOCKS
from memlane.flow.typestate.hammock import Hammocks
from memlane.flow.typestate.hammock_slice import Narrow


def past(follow: Callable[..., Lives], flow: FunctionFlow, hammocks: Hammocks, counted: bool) -> Placing | None:
    """The places, where they are found past all blocks in which nothing matters, and none of those would be better."""
    if len(flow.op.regions[0].blocks) <= MAX_REGION_BLOCKS:
        return None
    try:
        for lives in followed(partial(follow, roads=hammocks.roads), counted, False):
            if not isinstance(lives.part, Deaths):
                return None
            placing = Placing(lives, None, hammocks)
            if placing.complete and placing.direct() and (placing.settled() or not lives.last):
                return placing
    except BudgetExceeded:
        return None
    return None


def nearby(follow: Callable[..., Lives], cluster: Cluster, hammocks: Hammocks) -> Placing | None:
    """The places, where they are found without following all of the function, and are what they would be then."""
    part = hammocks.narrow((cluster,))
    if part is None or not hammocks.contiguous(part.hammock):
        return None
    try:
        for lives in few_first(partial(follow, hammocks=hammocks)):
            if not isinstance(lives.part, Narrow):
                return None
            placing = Placing(lives, None, hammocks)
            alike = placing.plain() or not lives.part.open
            if placing.complete and alike and (placing.settled() or not lives.last):
                return placing
    except BudgetExceeded:
        return None
    return None


def found(ways: Iterator[Lives], place: Callable[[Lives], Placing]) -> Placing | None:
    """The places on the first paths on which all is freed. Paths that forget a name behind its last use are not the
    last word where buffers could be freed earlier, unless there are too many others."""
    enough: Placing | None = None
    with suppress(BudgetExceeded):
        for lives in ways:
            placing = place(lives)
            if placing.complete and (placing.settled() or not lives.last):
                return placing
            enough = placing if placing.complete and enough is None else enough
    return enough
