"""What cannot be, said once and loudly: a log entry where the product is used, an exception where it is tested."""

from __future__ import annotations

import logging
import os
import traceback

log = logging.getLogger(__name__)

RAISING = "MEMLANE_RAISE_BUGS"
"""The environment variable with which tests have bugs raised, in the processes that they start as well."""
_said: set[tuple[str, ...]] = set()


def bug(what: str, error: BaseException) -> None:
    """Say that something went wrong that cannot: once for each place. Raises `error` in tests.

    Args:
        what: what was being done, and what is done instead.
    """
    if os.environ.get(RAISING):
        raise error
    frames = traceback.extract_tb(error.__traceback__)[-2:]
    place = (what, type(error).__name__, *(f"{frame.filename}:{frame.lineno}" for frame in frames))
    if place not in _said:
        _said.add(place)
        log.error("this is a bug of Memlane: %s", what, exc_info=error)
