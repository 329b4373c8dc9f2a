"""The worker: a process that measures functions and draws them, so that the server's threads stay free.

It reads messages from stdin and writes replies to stdout, both as pickles after their length; the other end is
`worker_client.py` of the same installation. It ends when stdin does. A job that takes more memory than it may is
stopped.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import sys
import traceback
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any, BinaryIO, Protocol

from memlane.cancellation import Cancelled, Flag, cancellable, poll
from memlane.config import Config
from memlane.ide import profile_cache
from memlane_server import gc_policy
from memlane_server.gc_policy import collect
from memlane_server.rss import resident

LENGTH = struct.Struct("!Q")
LOOK_SECONDS = 0.2
"""Between two looks at the memory of a job that is under way."""


class Work(Protocol):
    """What the worker can do: the same result for the same configuration. Can be pickled, as its result can."""

    def run(self, config: Config, /) -> object:
        """Do it."""
        ...


@dataclass(frozen=True, slots=True)
class Job:
    """Something to be done.

    Args:
        config: None is that of the job before.
        room: bytes that the process may have meanwhile; 0: there is no ceiling.
    """

    number: int
    work: Work
    config: Config | None
    room: int = 0


@dataclass(frozen=True, slots=True)
class Stop:
    """The result of a job is not needed any more."""

    number: int


@dataclass(frozen=True, slots=True)
class Reply:
    """The end of a job.

    Args:
        failure: what went wrong, None where nothing did; `trace`: the calls that led there.
        stopped: on request. `too_large`: as it took more memory than it may.
    """

    number: int
    found: Any = None
    failure: str | None = None
    trace: str = ""
    stopped: bool = False
    too_large: bool = False


def packed(message: object) -> bytes:
    """A message as it is sent."""
    body = pickle.dumps(message)
    return LENGTH.pack(len(body)) + body


def main() -> None:
    """Do jobs, one after the other, until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server; with it end the jobs
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what is printed is no reply
    jobs: SimpleQueue[tuple[Job, Flag]] = SimpleQueue()
    Thread(target=_listen, args=(sys.stdin.buffer, jobs), name="listener", daemon=True).start()
    gc_policy.tune()
    config = Config()
    while True:
        job, flag = jobs.get()
        config = job.config or config
        output.write(packed(_done(job, config, flag)))
        output.flush()


def _listen(source: BinaryIO, jobs: SimpleQueue[tuple[Job, Flag]]) -> None:
    flags: dict[int, Flag] = {}
    while len(head := source.read(LENGTH.size)) == LENGTH.size:
        message: object = pickle.loads(source.read(LENGTH.unpack(head)[0]))
        if isinstance(message, Job):
            flags = {number: flag for number, flag in flags.items() if number > message.number - 100}
            flags[message.number] = Flag()
            jobs.put((message, flags[message.number]))
        elif isinstance(message, Stop) and message.number in flags:
            flags[message.number].set()
    os._exit(0)  # the server is gone: running work is not needed


def _done(job: Job, config: Config, flag: Flag) -> Reply:
    with _below(job.room, flag) as above:
        try:
            with cancellable(flag):
                poll()
                return Reply(job.number, job.work.run(config))
        except Cancelled:
            return Reply(job.number, stopped=not above, too_large=bool(above))
        except Exception as error:
            # A bug of ours fails this job, which the server tells its client; the worker goes on with the next.
            return Reply(job.number, failure=f"{type(error).__name__}: {error}", trace=traceback.format_exc())


@contextmanager
def _below(room: int, flag: Flag) -> Generator[list[int], None, None]:
    """Within this context `flag` is set once more than `room` bytes are used, garbage apart. What it gives is empty as
    long as that has not happened. Afterwards what the job used is free."""
    above: list[int] = []
    done = Event()

    def watch() -> None:
        while not done.wait(LOOK_SECONDS):
            if resident() > room:
                _make_room()
                if (used := resident()) > room and not done.is_set():
                    above.append(used)
                    flag.set()
                    return

    if room:
        Thread(target=watch, name="memory", daemon=True).start()
    try:
        yield above
    finally:
        done.set()
        if room and resident() > room / 2:
            _make_room()


def _make_room() -> None:
    """Free memory that is not needed."""
    profile_cache.forget()
    collect()
