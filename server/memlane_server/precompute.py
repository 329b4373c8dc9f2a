"""Ahead of requests: while the client is quiet, what was found is kept for the next time, and what hints will say of
functions is found out, one after the other.

Requests get the same answers without it, only later. Texts are kept, no ops. A message stops it within one function,
and it goes on when the client is quiet again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from memlane.ide.hints import prepare, unprepared
from memlane.ide.snapshot import File
from memlane_server.background import Background, Outdated

QUIET_SECONDS = 0.2
"""Typing and moving the cursor are not delayed by it."""


class _Wanted(NamedTuple):
    """What is to be done for a version."""

    file: File
    keep: bool
    hints: bool


class Ahead:
    """Lives on the event loop.

    Args:
        background: whose threads do the work.
        keep: keeps what was found in a version.
        fail: receives errors.
    """

    def __init__(
        self, background: Background, keep: Callable[[File], None], fail: Callable[[str, BaseException], None]
    ) -> None:
        self._background = background
        self._keep = keep
        self._fail = fail
        self._files: dict[str, _Wanted] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    def add(self, file: File, keep: bool, hints: bool) -> None:
        """A version was checked.

        Args:
            keep: what was found in it is to be kept.
            hints: its hints may be asked for.
        """
        if keep or hints:
            self._files[file.uri] = _Wanted(file, keep, hints)
            self.busy()

    def forget(self, uri: str) -> None:
        """A document was edited or closed: its last version is of no interest any more."""
        self._files.pop(uri, None)

    def busy(self) -> None:
        """Something happened: stop, and wait again."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._files:
            self._timer = asyncio.get_running_loop().call_later(QUIET_SECONDS, self._begin)

    def idle(self) -> bool:
        """Whether there is nothing to be done."""
        return not self._files

    def _begin(self) -> None:
        self._timer = None
        if self._background.answering:  # perhaps what is to be found out here
            self.busy()
            return
        self._task = asyncio.get_running_loop().create_task(self._run())
        self._task.add_done_callback(self._done)

    async def _run(self) -> None:
        while self._files:
            uri, wanted = next(iter(self._files.items()))
            try:
                if wanted.keep:
                    await self._background.idle(uri, partial(self._keep, wanted.file))
                if wanted.hints:
                    await self._prepare(wanted.file.apart())
            except Outdated:
                pass  # the next version is added when it has been checked
            if self._files.get(uri) is wanted:
                del self._files[uri]

    async def _prepare(self, apart: File) -> None:
        await self._background.idle(apart.uri, apart.settle)
        for number in await self._background.idle(apart.uri, partial(unprepared, apart)):
            await self._background.idle(apart.uri, partial(prepare, apart, number))

    def _done(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._files.clear()
            self._fail("looking ahead", error)
