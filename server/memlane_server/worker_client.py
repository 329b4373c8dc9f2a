"""Heavy work, measuring and drawing, in a process of its own: started when first needed, again should it die.

What it was doing when it died is given to the next one; work that has cost `MAX_TRIES` processes fails.
One job runs at a time. Requests for the same function share a job. A job that no request waits for goes on as long as
no other is wanted: the next keystroke may request it again.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from memlane.config import Config
from memlane.ide.profile_cache import Order, keep, known
from memlane.ide.snapshot import File
from memlane_server.limits import MAX_FAILURES, MAX_TRIES
from memlane_server.process import WorkerProcess
from memlane_server.worker import Job, Reply, Stop, Work

log = logging.getLogger(__name__)

_SITE = ("-S",) if sys.flags.no_site else ()
_START = f"import sys; sys.path[:] = {sys.path!r}; from memlane_server.worker import main; main()"

COMMAND = (sys.executable, "-I", *_SITE, "-c", _START)
"""With the packages of this process and no others: without `-I`, modules of the user's folder would be imported first.
Not `-m`: classes of a module that is `__main__` are others than those that pickles name."""


RETRY_FACTOR = 1.1
"""What took more memory than there was is tried again where there is this many times as much."""
_SAID = "that takes more memory than `memoryLimit` leaves for it"


_Key = tuple[bytes, int]
"""What is asked for, and the identity of the configuration under which it is: folders may have different ones."""


class WorkerFailed(Exception):
    """The work could not be done; the text says why."""


class TooLarge(WorkerFailed):
    """It takes more memory than there is for it."""


@dataclass(slots=True, eq=False)
class _Running:
    """A job that was not answered yet. `keep` takes its result, whether or not a request still waits for it. `room`:
    see `Job`."""

    number: int
    work: Work
    config: Config
    keep: Callable[[Any], None]
    room: int
    result: asyncio.Future[Any]
    waiting: int = 0
    tries: int = 0


@dataclass(slots=True)
class Heavy:
    """The process and what it was asked. Lives on the event loop.

    Args:
        finished: called when something became known.
        command: what starts the process.
        room: how many bytes the process may have now; 0: there is no ceiling.
    """

    finished: Callable[[], None] = lambda: None
    command: tuple[str, ...] = COMMAND
    room: Callable[[], int] = lambda: 0
    _too_large: dict[bytes, int] = field(default_factory=dict[bytes, int])
    """What took more memory than there was, and that."""
    _process: WorkerProcess | None = None
    _numbers: itertools.count[int] = field(default_factory=itertools.count)
    _jobs: dict[_Key, _Running] = field(default_factory=dict[_Key, _Running])
    _config: Config | None = None

    async def measure(self, file: File, order: Order) -> None:
        """See to it that what `order` asks for is known to `file.portraits`. Raises `WorkerFailed`."""
        if known(file, order) is not None:
            return
        remember = partial(keep, file, order)
        found = await self._result(order.key, order.task, file.config, remember)
        if known(file, order) is None:  # the job was another document's, with the same function
            remember(found)

    async def try_to_measure(self, file: File, order: Order) -> None:
        """As `measure`; what takes too much memory stays unknown."""
        with suppress(TooLarge):
            await self.measure(file, order)

    async def run(self, work: Work, config: Config) -> Any:
        """The result of other work. Raises `WorkerFailed`."""
        return await self._result(f"run {next(self._numbers)}".encode(), work, config, lambda _: None)

    async def _result(self, key: bytes, work: Work, config: Config, keep: Callable[[Any], None]) -> Any:
        room = self.room()
        if 0 < room <= RETRY_FACTOR * self._too_large.get(key, 0):
            raise TooLarge(_SAID)
        job = self._jobs.get((key, id(config)))
        if job is None:
            job = self._start((key, id(config)), work, config, keep, room)
        job.waiting += 1
        self._stop_unwanted()
        try:
            return await asyncio.shield(job.result)
        finally:
            job.waiting -= 1
            self._stop_unwanted()

    def _start(self, key: _Key, work: Work, config: Config, keep: Callable[[Any], None], room: int) -> _Running:
        process = self._alive()
        result: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        job = self._jobs[key] = _Running(next(self._numbers), work, config, keep, room, result)
        self._give(process, job)
        job.result.add_done_callback(lambda _: self._forget(key, job))
        return job

    def _give(self, process: WorkerProcess, job: _Running) -> None:
        job.tries += 1
        sent = None if job.config is self._config else plain(job.config)
        self._config = job.config
        process.send(Job(job.number, job.work, sent, job.room))

    def _stop_unwanted(self) -> None:
        """Stop jobs that no request waits for where they delay one that a request waits for."""
        if any(job.waiting for job in self._jobs.values()) and self._process is not None:
            for key in [key for key, job in self._jobs.items() if not job.waiting]:
                self._process.send(Stop(self._jobs.pop(key).number))

    def _forget(self, key: _Key, job: _Running) -> None:
        if self._jobs.get(key) is job:
            del self._jobs[key]
        if not job.result.cancelled():
            job.result.exception()  # retrieved, even if no request waits any more

    def _alive(self) -> WorkerProcess:
        if self._process is None:
            try:
                self._process = WorkerProcess(self.command, self._receive, self._ended)
            except OSError as error:
                raise WorkerFailed(f"the worker cannot be started: {error}") from error
            self._config = None
        return self._process

    def _receive(self, message: object) -> None:
        if isinstance(message, Reply):
            self._answer(message)

    def _ended(self, code: int) -> None:
        """Give what was not answered to another process. The first job is the one that was under way."""
        log.error("the worker ended with %s", code)
        self._process = None
        left = [job for job in self._jobs.values() if not job.result.done()]
        if left and left[0].tries >= MAX_TRIES:
            left.pop(0).result.set_exception(WorkerFailed(f"the worker ended with {code}"))
        for job in left[1:]:
            job.tries -= 1  # it had not begun
        try:
            for job in left:
                self._give(self._alive(), job)
        except WorkerFailed as error:
            for job in left:
                job.result.set_exception(error)

    def _answer(self, reply: Reply) -> None:
        key, job = next(((key, job) for (key, _), job in self._jobs.items() if job.number == reply.number), (b"", None))
        if job is None or job.result.done():
            return
        if reply.too_large:
            log.warning("given up: %s", _SAID)
            self._too_large[key] = job.room
            while len(self._too_large) > MAX_FAILURES:
                del self._too_large[next(iter(self._too_large))]
            job.result.set_exception(TooLarge(_SAID))
            return
        if reply.stopped:
            job.result.cancel()
            return
        if reply.failure is not None:
            log.debug("the worker failed:\n%s", reply.trace)
            job.result.set_exception(WorkerFailed(reply.failure))
            return
        job.keep(reply.found)
        job.result.set_result(reply.found)
        self.finished()

    def close(self) -> None:
        """End the process and wait for that. Without this it ends with the server, when its input does."""
        process, self._process = self._process, None
        if process is not None:
            process.close()

    def kill(self) -> None:
        """End the process as the system may: what it was doing is repeated."""
        if self._process is not None:
            self._process.kill()


def plain(config: Config) -> Config:
    """A configuration that can be sent: views of dictionaries cannot."""
    return replace(config, values=dict(config.values), origins={})
