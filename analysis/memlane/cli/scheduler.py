"""Checking many files: in the order given, in several processes where that is faster.

Starting a process (`cli/pool.py`) costs about as much as checking a small file, so a few small files are checked
right here.
"""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from memlane.cli import files
from memlane.cli.check_result import CheckedFile, Failure
from memlane.cli.limits import MIN_PARALLEL_BYTES
from memlane.cli.settings import Settings
from memlane.cli.single_file import check_file
from memlane.text import Text


def check_files(
    paths: Sequence[Path], options: Namespace, settings: Settings
) -> Iterator[tuple[Path, CheckedFile | Failure]]:
    """What came of each file, in order. `options.jobs`: how many processes; 0: as many as seem good."""
    known = {path: result for path in paths if (result := _known(path, settings)) is not None} if settings.cache else {}
    rest = iter(_check_files([path for path in paths if path not in known], options, settings))
    for path in paths:
        yield path, known.pop(path) if path in known else next(rest)


def _check_files(paths: Sequence[Path], options: Namespace, settings: Settings) -> Iterator[CheckedFile | Failure]:
    jobs = min(options.jobs or _jobs(paths), len(paths))
    if jobs <= 1:
        yield from (check_file(path, settings) for path in paths)
        return
    from memlane.cli.pool import Workers  # 15 ms, for those who need it

    for path in paths:  # the processes read configurations, too, but only this one reports their mistakes, once
        settings.for_file(path)
    yield from Workers(jobs, options).check(paths)


def _known(path: Path, settings: Settings) -> CheckedFile | None:
    """What is known of a file from an earlier run; None: it has to be checked, or to be tried for changes."""
    source = files.read(path)
    if settings.cache is None or isinstance(source, Failure):
        return None
    found = settings.cache.get(settings.cache_key(source, path))
    if found is None or (found[0] and settings.repair.changes):
        return None
    return CheckedFile(str(path), Text(source), found[0], None, found[1], savings=found[2])


def _jobs(paths: Sequence[Path]) -> int:
    total = 0
    for path in paths:
        total += path.stat().st_size if path.is_file() else 0
        if total > MIN_PARALLEL_BYTES:
            return os.cpu_count() or 1
    return 1
