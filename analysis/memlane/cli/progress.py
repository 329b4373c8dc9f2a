"""How far the work is, for those who wait: a line that changes on a terminal, a line now and then in a log."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TextIO, TypeVar

T = TypeVar("T")

SILENT_SECONDS = 1.0
"""Seconds before anything is shown."""
TERMINAL, LOG = 0.1, 10.0
"""Seconds between two signs."""
BAR_COLUMNS = 24


def progress(items: Iterable[T], total: int, stream: TextIO, quiet: bool, what: str = "files") -> Iterator[T]:
    """The items; `stream` shows how many of `total` there have been. `quiet`: nothing is shown. `what`: they are."""
    if quiet or total < 2:
        yield from items
        return
    terminal = stream.isatty()
    following, shown = time.monotonic() + (SILENT_SECONDS if terminal else LOG), False
    try:
        for count, item in enumerate(items, 1):
            yield item
            if time.monotonic() >= following:
                stream.write(_bar(count, total, what) if terminal else f"memlane: {count} of {total} {what}\n")
                stream.flush()
                following, shown = time.monotonic() + (TERMINAL if terminal else LOG), terminal
    finally:
        if shown:
            stream.write("\r\x1b[K")
            stream.flush()


def _bar(count: int, total: int, what: str) -> str:
    full = BAR_COLUMNS * count // total
    return f"\r\x1b[K[{'#' * full}{' ' * (BAR_COLUMNS - full)}] {count} of {total} {what}"
