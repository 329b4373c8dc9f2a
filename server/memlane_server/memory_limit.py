"""The limit of memory: beyond it, the results of the least recently used documents are evicted, and where that is not
enough, the running analysis of the largest document is stopped.

Nothing is lost by forgetting but time: texts stay, and what is asked for again is worked out again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from typing import Protocol

from memlane_server.gc_policy import collect
from memlane_server.limits import MAX_KEPT_TEXT, MIN_LIMIT
from memlane_server.rss import resident
from memlane_server.session import Session
from memlane_server.size_limit import MEGABYTE

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.2
"""Between two looks while work is under way: an analysis makes some 60 MB a second."""
NEAR_SHARE = 0.9
"""This much of the ceiling is near it: then what is known of others is forgotten."""


def make_room(
    session: Session, limit: int, used: Callable[[], int] = resident, besides: Collection[str] = (), most: float = 1
) -> int:
    """Forget documents, the one asked about longest ago first, until less than `limit` megabytes are used.

    Args:
        limit: 0: there is no ceiling.
        used: bytes used now.
        besides: documents that are not forgotten.
        most: so much of the limit may be used.

    Returns: of how many documents something was forgotten.
    """
    if not limit or used() <= most * limit * MEGABYTE:
        return 0
    forgotten = 0
    while used() > most * limit * MEGABYTE and session.forget_one(besides):
        forgotten += 1
        collect()
    if forgotten:
        told = "more than %.0f %% of the %d MB of memoryLimit used: evicted the results of %d documents"
        log.info(told, 100 * most, limit, forgotten)
    return forgotten


def room(limit: int, used: Callable[[], int] = resident) -> int:
    """The bytes that a process beside this one may use, of a limit in megabytes for both; 0: there is no ceiling."""
    return max(limit * MEGABYTE - used(), MIN_LIMIT) if limit else 0


class Work(Protocol):
    """What threads do."""

    @property
    def at_work(self) -> Collection[str]:
        """The documents that they work on."""
        ...

    @property
    def stopping(self) -> Collection[str]:
        """Those on which some work is to stop, and has not yet."""
        ...


class Watch:
    """Looks at memory while work is under way. Lives on the event loop.

    Args:
        work: what is under way.
        give_up: stops the work on a document and sees to it that none is begun.
        used: bytes used now.
    """

    def __init__(
        self, session: Session, work: Work, give_up: Callable[[str], None], used: Callable[[], int] = resident
    ) -> None:
        self._session = session
        self._work = work
        self._give_up = give_up
        self._used = used
        self._timer: asyncio.TimerHandle | None = None
        self._given_up: set[str] = set()
        self._left: int | None = None
        """Bytes that were used when garbage had been collected for the work under way."""

    def begin(self) -> None:
        """Work has begun: look now and then, until no work is left."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(LOOK_SECONDS, self._rung)

    def _rung(self) -> None:
        self._timer = None
        at_work = self._work.at_work
        if self._given_up and not self._awaits():
            self._given_up.clear()
            collect()
        self.look()
        if at_work:
            self.begin()
        else:
            self._left = None

    def look(self, coming: str | None = None) -> None:
        """See to it that there is room for the work under way, and for that on the document that is `coming`."""
        limit = self._session.settings.memory_limit
        if not limit or self._used() <= NEAR_SHARE * limit * MEGABYTE:
            return
        if self._awaits():
            return
        at_work = {*self._work.at_work}
        wanted = at_work if coming is None else {*at_work, coming}
        make_room(self._session, limit, self._used, wanted, NEAR_SHARE)
        if self._fits(limit):
            return
        if coming is not None and coming not in at_work and self._session.forget(coming):
            collect()
            if self._fits(limit):
                return
        largest = max(wanted, key=self._session.size, default=None)
        if largest is not None and self._session.size(largest) > MAX_KEPT_TEXT:
            self._given_up.add(largest)
            self._give_up(largest)

    def _awaits(self) -> bool:
        """Whether work that was given up has not stopped yet: its memory will be free then. A document may have come to
        be analysed again since."""
        under_way = {uri for uri in self._work.at_work if self._session.refused(uri) is not None}
        return not self._given_up.isdisjoint(under_way.union(self._work.stopping))

    def _fits(self, limit: int) -> bool:
        """Whether less than the limit is used, once garbage is freed: collected again when as much has been allocated
        since as would have to be found."""
        most, used = limit * MEGABYTE, self._used()
        if used > most and (self._left is None or used - self._left > (1 - NEAR_SHARE) * most):
            collect()
            used = self._left = self._used()
        return used <= most
