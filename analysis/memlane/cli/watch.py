"""`--watch`: the same again whenever a file changes, until it is interrupted."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

LOOK_SECONDS = 0.3
"""Seconds between two looks. Looking costs a `stat` a file; editors that save by renaming need nothing special."""

CLEAR = "\x1b[H\x1b[2J\x1b[3J"


def watch(work: Callable[[], object], files: Callable[[], Iterable[Path]]) -> None:
    """Do `work` now and after each change of `files`, which are asked for anew each time. Ends by an interrupt."""
    seen: Mapping[Path, tuple[int, int]] | None = None
    while True:
        now = _states(files())
        if now != seen:
            seen = now
            if sys.stdout.isatty():
                sys.stdout.write(CLEAR)
            work()
            sys.stdout.flush()
            print("memlane: watching for changes, Ctrl-C to stop", file=sys.stderr, flush=True)
        time.sleep(LOOK_SECONDS)


def _states(files: Iterable[Path]) -> Mapping[Path, tuple[int, int]]:
    """When each file was changed and how long it is; (0, 0) for one that is gone."""
    states: dict[Path, tuple[int, int]] = {}
    for path in files:
        try:
            status = os.stat(path)
            states[path] = (status.st_mtime_ns, status.st_size)
        except OSError:  # between two saves, or deleted: a state like any other
            states[path] = (0, 0)
    return states
