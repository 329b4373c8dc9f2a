"""Processes that check files. One is sent some paths and sends back what was found.

A process may be lost: killed by a user, or by a system that is out of memory. Then what it and the others had left is
done again, one file at a time, so that only a file that cannot be checked at all goes without findings.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
from argparse import Namespace
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from threading import Thread

from memlane.cli import COLLECT
from memlane.cli.check_result import CheckedFile, Failure
from memlane.cli.limits import MAX_FILES_SENT
from memlane.cli.rlimit import limited
from memlane.cli.settings import Settings
from memlane.cli.single_file import check_file
from memlane.rules import modules
from memlane.signals import admit, let_be, postponed
from memlane.syntax.shapes.grammar import tables

LOST = "the process that checked it was killed; is there enough memory?"


Result = CheckedFile | Failure


class Workers:
    """Processes for one run. `options`: the command line, from which each makes its settings."""

    def __init__(self, jobs: int, options: Namespace) -> None:
        self._jobs = jobs
        self._options = options

    def check(self, paths: Sequence[Path]) -> Iterator[Result]:
        """What came of each file, in order."""
        done = 0
        try:
            for result in self._together(paths):
                yield result
                done += 1
        except BrokenProcessPool:
            yield from self._one_by_one(paths[done:])

    def _together(self, paths: Sequence[Path]) -> Iterator[Result]:
        with self._pool(self._jobs) as pool:
            size = max(1, min(MAX_FILES_SENT, len(paths) // (8 * self._jobs)))
            for future in _submitted(pool, [paths[at : at + size] for at in range(0, len(paths), size)]):
                yield from future.result()

    def _one_by_one(self, paths: Sequence[Path]) -> Iterator[Result]:
        waiting = list(reversed(paths))
        lost: set[Path] = set()
        while waiting:
            with self._pool(1) as pool:
                try:
                    while waiting:
                        yield from _submitted(pool, [waiting[-1:]])[0].result()
                        waiting.pop()
                except BrokenProcessPool:
                    if waiting[-1] in lost:
                        yield Failure(str(waiting.pop()), LOST)
                    else:
                        lost.add(waiting[-1])

    @contextmanager
    def _pool(self, jobs: int) -> Generator[ProcessPoolExecutor, None, None]:
        if multiprocessing.get_start_method() == "fork":
            _load()
        with ProcessPoolExecutor(jobs, initializer=_start, initargs=(self._options,)) as pool:
            try:
                yield pool
            except BaseException:  # running work is not needed any more
                for process in multiprocessing.active_children():
                    process.terminate()
                pool.shutdown(wait=True, cancel_futures=True)
                raise


def _load() -> None:
    """Load here what each of the processes needs: they begin as copies of this one."""
    for module in ("memlane.checking", "memlane.syntax.shapes.statement"):
        import_module(module)
    modules()
    tables()


def _submitted(pool: ProcessPoolExecutor, parts: Sequence[Sequence[Path]]) -> list[Future[list[Result]]]:
    """The results to come. The processes that this starts never see Ctrl-C: they end with this one."""
    with postponed():
        return [pool.submit(_work, part) for part in parts]


_settings: Settings
"""Of this process, if it is one of those that check."""


def _start(options: Namespace) -> None:
    global _settings
    with postponed():  # signals go to the thread that works
        Thread(target=_follow_parent, daemon=True).start()
    let_be()  # a handler in Python may come too late: a process that waits for a lock of a dead one waits for ever
    admit()
    gc.set_threshold(COLLECT, 10, 10)  # a process that is no copy has Python's own
    _settings = Settings(options)


def _follow_parent() -> None:
    """End with the process that started this one, however that ended; what is being written is written first."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def _work(paths: Sequence[Path]) -> list[Result]:
    with limited():
        return [check_file(path, _settings) for path in paths]
