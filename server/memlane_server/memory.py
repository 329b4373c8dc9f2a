"""The ceiling of memory: beyond it, what is known of documents that nobody has asked about lately is forgotten.

Nothing is lost by that but time: texts stay, and what is asked for again is worked out again.
"""

from __future__ import annotations

import ctypes
import gc
import logging
import sys
from collections.abc import Callable
from pathlib import Path

from memlane_server.session import Session

log = logging.getLogger(__name__)

MEGABYTE = 1_000_000
_STATUS = Path("/proc/self/statm")


def resident() -> int:
    """Bytes of memory that the process has now; where the system does not tell, the most it ever had."""
    if _STATUS.exists():
        import resource

        return int(_STATUS.read_text().split()[1]) * resource.getpagesize()
    if sys.platform == "win32":
        return 0  # not known: no ceiling
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def make_room(session: Session, limit: int, used: Callable[[], int] = resident) -> int:
    """Forget documents, the one asked about longest ago first, until less than `limit` megabytes are used.

    Args:
        limit: 0: there is no ceiling.
        used: bytes used now.

    Returns: of how many documents something was forgotten.
    """
    if not limit or used() <= limit * MEGABYTE:
        return 0
    forgotten = 0
    while used() > limit * MEGABYTE and session.forget_one():
        forgotten += 1
        _give_back()
    log.info("more than %d MB used: forgot what was known of %d documents", limit, forgotten)
    return forgotten


def _give_back() -> None:
    """Free what is no longer reached, and hand it to the system."""
    gc.collect()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # of the GNU C library; others do without
        if trim is not None:
            trim(0)
