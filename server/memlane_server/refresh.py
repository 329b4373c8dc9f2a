"""Reliable refreshes: the request is repeated until the client asks again.

VS Code hears no `workspace/inlayHint/refresh` from when it asks for hints until it has drawn those that it got, and a
refresh often comes in that moment: what an answer left out is mostly known a few milliseconds later.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import monotonic

from memlane_server.limits import MAX_REQUESTS

DRAWN_SECONDS = 5.0
"""By then a client has drawn an answer, and listens again."""
FIRST_SECONDS = 0.3
"""The delay before a refresh is repeated to a client that did not ask; doubled each time."""


class Reminder:
    """Lives on the event loop.

    Args:
        tell: sends the refresh.
    """

    def __init__(self, tell: Callable[[], object]) -> None:
        self._tell = tell
        self._under_way: Counter[str] = Counter()
        self._answered: dict[str, float] = {}
        self._unheard: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None

    @contextmanager
    def answering(self, uri: str) -> Generator[None, None, None]:
        """A client asks about a document, and will get the newest."""
        self._unheard.discard(uri)
        self._under_way[uri] += 1
        try:
            yield
        finally:
            self._under_way[uri] -= 1
            self._answered[uri] = monotonic()

    def remind(self) -> None:
        """Tell the client, again and again where it may not have heard: until it has asked about those documents."""
        now = monotonic()
        self._under_way = +self._under_way
        self._answered = {uri: at for uri, at in self._answered.items() if now - at < DRAWN_SECONDS}
        self._unheard = {*self._under_way, *self._answered}
        self.close()
        self._remind(0)

    def _remind(self, before: int) -> None:
        self._timer = None
        if before and not self._unheard:
            return
        self._tell()
        if self._unheard and before < MAX_REQUESTS:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(FIRST_SECONDS * 2**before, self._remind, before + 1)

    def close(self) -> None:
        """Send no more refreshes."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
