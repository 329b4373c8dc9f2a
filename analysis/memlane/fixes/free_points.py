"""From the ways to follow a cluster, the cheapest first, to the places where its buffers should be freed.

Each gives None where it cannot tell, or where it would not tell what following through all blocks does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain

from memlane.fixes.placing import Placing
from memlane.fixes.strategies import followed
from memlane.flow.dataflow.solver import BudgetExceeded
from memlane.flow.interproc.program import FunctionFlow
from memlane.flow.peak.exploded_liveness import Lives
from memlane.flow.slicing.body_blocks import BodyBlocks
from memlane.flow.slicing.death_points import Deaths
from memlane.flow.slicing.limits import MAX_REGION_BLOCKS


def past(follow: Callable[..., Lives], flow: FunctionFlow, body: BodyBlocks, counted: bool) -> Placing | None:
    """The places, where they are found past all blocks in which nothing matters, and none of those would be better."""
    count = len(flow.op.regions[0].blocks)
    if count == 1:
        return None
    follow = partial(follow, roads=body.roads)
    try:
        for lives in chain(
            [follow(counted=counted, asking=False)],
            followed(follow, counted, False) if count > MAX_REGION_BLOCKS else (),
        ):
            if not isinstance(lives.part, Deaths):
                return None
            placing = Placing(lives, None, body)
            alike = placing.direct() and (not lives.part.open or placing.plain())
            if placing.complete and alike and (placing.settled() or not lives.paths.last):
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
            if placing.complete and (placing.settled() or not lives.paths.last):
                return placing
            enough = placing if placing.complete and enough is None else enough
    return enough
