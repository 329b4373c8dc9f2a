"""Work off the event loop: one flag a task, set when its result is not needed any more; and when to start it.

Work is awaited on the event loop and done in a thread. Cancelling the await (a `$/cancelRequest`, a newer version, the
end of the session) sets the flag that the work polls. Checks and requests have threads of their own, so that a check
that is slow to stop keeps no request waiting.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, TypeVar

from memlane.cancellation import Cancelled, Flag, Gate, cancellable, poll

T = TypeVar("T")

REQUESTS = 2
"""Threads that answer requests."""
WAITING = 4
"""Threads for requests that need findings: most wait for the one that works them out."""


class Outdated(Exception):
    """The document changed before its request was answered."""


class Background:
    """Threads that work on snapshots. Checks rest while requests are answered.

    Args:
        begun: called on the event loop when work on a document begins.
    """

    def __init__(self, begun: Callable[[], None] = lambda: None) -> None:
        self._begun = begun
        self._checks = ThreadPoolExecutor(1, "check")
        self._findings = ThreadPoolExecutor(WAITING, "findings")
        self._requests = ThreadPoolExecutor(REQUESTS, "request")
        self._gate = Gate()
        self._flags: dict[str, set[Flag]] = {}
        self._tasks: dict[str, set[asyncio.Task[Any]]] = {}
        self._outdated: set[asyncio.Task[Any]] = set()
        self._at_work: dict[Flag, str] = {}
        self._working = 0

    async def check(self, document: str, work: Callable[[], T]) -> T:
        """The result of `work`, done after the checks before it; cancelling this await stops it at its next poll."""
        return await self._behind(self._checks, work, Flag(), document)

    async def find(self, document: str, work: Callable[[], T]) -> T:
        """As `answer`, for what needs a check: requests that need none are answered meanwhile."""
        with self._listening(document) as flag:
            return await self._behind(self._findings, work, flag, document)

    async def answer(self, document: str, work: Callable[[], T], brief: bool = False) -> T:
        """The result of a request about `document`. Raises `Outdated` when `outdate` stopped it.

        Args:
            brief: the work takes about as long as to hand it over: it is done here and now where no thread works.
        """
        if brief and not self._at_work:
            return work()
        with self._listening(document, self._gate) as flag, self._gate.urgent():
            return await self._run(self._requests, work, flag, document)

    async def idle(self, document: str, work: Callable[[], T]) -> T:
        """The result of work that no request waits for, between checks: short, as it does not rest. Raises
        `Outdated`."""
        with self._listening(document) as flag:
            return await self._run(self._checks, work, flag, document)

    async def look(self, work: Callable[[], T]) -> T:
        """The result of a request that is about no document in particular."""
        with self._gate.urgent():
            return await self._run(self._requests, work, Flag(self._gate))

    async def attend(self, document: str, work: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine that answers a request about `document`. Raises `Outdated` as `answer` does."""
        task = asyncio.ensure_future(work)
        tasks = self._tasks.setdefault(document, set())
        tasks.add(task)
        try:
            return await task
        except asyncio.CancelledError:
            if task in self._outdated:
                raise Outdated(document) from None
            raise
        finally:
            tasks.discard(task)
            if not tasks and self._tasks.get(document) is tasks:
                del self._tasks[document]
            self._outdated.discard(task)

    @property
    def answering(self) -> bool:
        """Whether requests are under way."""
        return any(self._flags.values())

    @property
    def working(self) -> bool:
        """Whether a request waits for work of any kind."""
        return self._working > 0

    @property
    def at_work(self) -> set[str]:
        """The documents that threads work on, or will: including work that has not ended although no request waits for
        it any more."""
        return set(self._at_work.copy().values())

    @property
    def stopping(self) -> set[str]:
        """Those of them on which some work is to stop at its next poll."""
        return {document for flag, document in self._at_work.copy().items() if flag.is_set}

    def outdate(self, document: str) -> None:
        """`document` changed: stop the requests about it that are still under way."""
        for flag in self._flags.get(document, ()):
            flag.set()
        for task in self._tasks.get(document, ()):
            self._outdated.add(task)
            task.cancel()

    def close(self) -> None:
        """No new work; what has not started is dropped, what runs stops at its next poll."""
        for document in [*self._flags]:
            self.outdate(document)
        for threads in (self._checks, self._findings, self._requests):
            threads.shutdown(wait=False, cancel_futures=True)

    @contextmanager
    def _listening(self, document: str, first: Gate | None = None) -> Generator[Flag, None, None]:
        """A flag that `outdate` sets. `first`: the work is urgent there."""
        flag = Flag(first)
        flags = self._flags.setdefault(document, set())
        flags.add(flag)
        try:
            yield flag
        except Cancelled:
            raise Outdated(document) from None
        finally:
            flags.discard(flag)
            if not flags and self._flags.get(document) is flags:
                del self._flags[document]

    async def _behind(self, threads: ThreadPoolExecutor, work: Callable[[], T], flag: Flag, document: str) -> T:
        """Work that requests go before."""

        def resting() -> T:
            with self._gate.behind(flag):
                return work()

        return await self._run(threads, resting, flag, document)

    async def _run(
        self, threads: ThreadPoolExecutor, work: Callable[[], T], flag: Flag, document: str | None = None
    ) -> T:
        self._working += 1
        try:
            done = threads.submit(_guarded, work, flag)
            if document is not None:
                self._at_work[flag] = document
                done.add_done_callback(lambda _: self._at_work.pop(flag, None))
                self._begun()
            return await asyncio.wrap_future(done)
        except asyncio.CancelledError:
            flag.set()
            raise
        finally:
            self._working -= 1


def _guarded(work: Callable[[], T], flag: Flag) -> T:
    with cancellable(flag):
        poll()
        return work()


@dataclass(slots=True)
class Pace:
    """How long to wait for a further edit before checking a document, in seconds.

    An edit after a pause is checked at once. An edit that comes while the one before it is still being checked belongs
    to a burst, and findings in the middle of a burst would only flicker: then wait for its end, the longer the more
    a check costs.

    Args:
        ratio: of the wait to the time that checks take.
        pause: the shortest wait for the end of a burst.
        longest: no wait is longer.
    """

    ratio: float = 0.5
    pause: float = 0.05
    longest: float = 0.5
    cost: float = 0.0

    def wait(self, burst: bool) -> float:
        """Seconds to wait after an edit; `burst`: the edit before it has not been answered yet."""
        return min(max(self.ratio * self.cost, self.pause), self.longest) if burst else 0.0

    def took(self, seconds: float) -> None:
        """A check took this long. Half of it counts, so that one slow check does not slow the next ten."""
        self.cost = (self.cost + seconds) / 2 if self.cost else seconds


@dataclass(slots=True)
class Latest:
    """Runs one job per key, the newest: a newer one cancels the one under way and takes its place."""

    fail: Callable[[str, BaseException], None]
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict[str, "asyncio.Task[None]"])
    _paces: dict[str, Pace] = field(default_factory=dict[str, Pace])

    def start(self, key: str, job: Callable[[], Coroutine[Any, Any, None]], pause: float) -> None:
        """Run `job` once no newer one has come for a while; `pause` is the shortest wait in a burst, in seconds."""
        burst = self.cancel(key)
        pace = self._paces.setdefault(key, Pace())
        pace.pause = pause
        task = asyncio.get_running_loop().create_task(self._run(job, pace, pace.wait(burst)))
        self._tasks[key] = task
        task.add_done_callback(lambda done: self._done(key, done))

    def cancel(self, key: str) -> bool:
        """Stop the job of `key`; whether there was one."""
        task = self._tasks.pop(key, None)
        return task is not None and task.cancel()

    def forget(self, key: str) -> None:
        """The document was closed."""
        self.cancel(key)
        self._paces.pop(key, None)

    def idle(self) -> bool:
        """Whether nothing waits or runs."""
        return not self._tasks

    async def _run(self, job: Callable[[], Coroutine[Any, Any, None]], pace: Pace, wait: float) -> None:
        if wait:
            await asyncio.sleep(wait)
        start = perf_counter()
        await job()
        pace.took(perf_counter() - start)

    def _done(self, key: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]
        if not task.cancelled() and (error := task.exception()) is not None:
            self.fail(key, error)
