"""When garbage is collected: while no request waits.

The trees of old versions are cycles, so only the collector frees them, and it stops everything while it works: half a
second after a dozen edits of a file of 10,000 lines. So it runs in full when the client is quiet. A client that never
is pays when `MAX_NEW_OBJECTS` is reached, as memory is not endless either.
"""

from __future__ import annotations

import asyncio
import gc
import linecache
from collections.abc import Callable, Generator
from contextlib import contextmanager

from memlane.syntax.editing.heap import give_back
from memlane_server.limits import MAX_NEW_OBJECTS, MIN_NEW_OBJECTS

QUIET_SECONDS = 1.0
LOOK_SECONDS = 10.0
"""Between two looks at the memory of a server that is never quiet."""
YOUNG = 50_000
"""New objects that are not dropped, after which those are looked at that are young; more where more stays. An edit of
a large function puts tens of thousands in place of others, and none of them is garbage."""
SHARE = 8
"""What stays is so many times as much at most."""
OFTEN = 5
"""Looks at those that are young, to one at those that were left by these."""
FIRST_CHECK_OBJECTS = 1_000_000
"""New objects after which garbage is looked for while a document is checked for the first time: some 65 MB. Little of
what such a check makes becomes garbage, as it takes apart what it needs no longer."""
LEFT = 50_000
"""New objects, left by such a check, that are not looked at before the client is quiet."""
GROWTH = 1.5
"""By how much what stays may grow before all of it is looked at again."""


def tune() -> None:
    """What exists now stays: spare the collector from walking it."""
    linecache.clearcache()  # 2 MB of what attrs and cattrs made classes of; files are read again when needed
    gc.collect()
    gc.freeze()
    _set_thresholds()


def _set_thresholds() -> None:
    """Have those looked at that are young after a share of what stays."""
    young = max(YOUNG, gc.get_freeze_count() // SHARE)
    gc.set_threshold(young, OFTEN, max(1, MAX_NEW_OBJECTS // (OFTEN * young)))


def collect() -> None:
    """Free what is no longer reached, and hand it to the system."""
    gc.unfreeze()  # what is forgotten had been there for long
    gc.collect()
    give_back()


class Collector:
    """Collects when the server has been quiet for a while. Lives on the event loop.

    `look` is called then, too, and now and then while the server is busy: is there too much?

    Args:
        working: whether threads are at work. A client that waits for a long check is quiet, too, but what the check
            has made so far is no garbage, and all of it would be walked.
    """

    def __init__(self, look: Callable[[], None] = lambda: None, working: Callable[[], bool] = lambda: False) -> None:
        self._timer: asyncio.TimerHandle | None = None
        self._look = look
        self._working = working
        self._looked = 0.0
        self._settled = 0
        self._due = False
        self._closed = False

    def closed(self) -> None:
        """A document was closed: what was made for it is garbage. Who only types makes none that is worth a wait."""
        self._closed = True

    def busy(self) -> None:
        """Something happened: wait again."""
        if self._timer is not None:
            self._timer.cancel()
        loop = asyncio.get_running_loop()
        if loop.time() - self._looked > LOOK_SECONDS:
            self._looked = loop.time()
            most = self._settled * GROWTH + (MAX_NEW_OBJECTS if self._working() else FIRST_CHECK_OBJECTS)
            if self._closed and self._due and gc.get_freeze_count() > most:
                self._collect()  # the remains of closed documents are frozen, and would stay while clients are busy
            self._look()
        self._timer = loop.call_later(QUIET_SECONDS, self._rung)

    @contextmanager
    def patient(self, new: bool) -> Generator[None, None, None]:
        """Within this context a document is checked, by one thread at a time.

        Args:
            new: for the first time. Objects made then are not scanned repeatedly: a large remainder waits until the
                client is quiet, when all is scanned.
        """
        usual = gc.get_threshold()
        if new:
            gc.set_threshold(FIRST_CHECK_OBJECTS, *usual[1:])
        try:
            yield
        finally:
            if new and gc.get_count()[0] > LEFT:
                gc.freeze()
                self._due = True
            gc.set_threshold(*usual)

    def _rung(self) -> None:
        self._timer = None
        if self._working():
            self.busy()
        else:
            self._quiet()

    def _quiet(self) -> None:
        if self._due or gc.get_count()[2] * OFTEN * gc.get_threshold()[0] >= MIN_NEW_OBJECTS:
            self._collect()
        self._look()

    def _collect(self) -> None:
        """What is left stays for long: the next time, look at what is new since. At times, look at all."""
        all_ = self._due or gc.get_freeze_count() > self._settled * GROWTH
        self._due = self._closed = False
        if all_:
            gc.unfreeze()
        gc.collect()
        give_back()
        gc.freeze()
        if all_:
            self._settled = gc.get_freeze_count()
        _set_thresholds()
