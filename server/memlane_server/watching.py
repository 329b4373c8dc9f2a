"""Watches the process that started the server, as the client names it: the server does not outlive it.

The end of the input tells the same of most clients, but not where another process holds the pipe or the socket.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from typing import Any

log = logging.getLogger(__name__)

LOOK_SECONDS = 2.0
"""Between two looks at whether the process is there."""


class ClientProcess:
    """The process that the client names. Lives on the event loop.

    Attributes:
        ends_server: this process is there for the server alone, and ends with the client's.
    """

    def __init__(self) -> None:
        self.ends_server = False
        self._task: asyncio.Task[None] | None = None

    def watch(self, number: int | None) -> None:
        """Watch the process of that number; none where it is no number of a process."""
        if self.ends_server and number is not None and number > 0:
            self._task = asyncio.get_running_loop().create_task(_end_with(number))


async def _end_with(number: int) -> None:
    """End the server once there is no process of that number any more: by `SystemExit`, as pygls does at `exit`."""
    while is_alive(number):
        await asyncio.sleep(LOOK_SECONDS)
    log.error("the client's process %d is gone", number)
    raise SystemExit(1)


def is_alive(number: int) -> bool:
    """Whether a process of that number exists that has not ended, of whichever user."""
    if sys.platform == "win32":
        return _is_alive_on_windows(number)
    try:
        os.kill(number, 0)
    except PermissionError:
        return True
    except (ProcessLookupError, OverflowError):
        return False
    return not _is_ended(number)


def _is_ended(number: int) -> bool:
    """Whether a process has ended, and its parent has not asked how; as far as the system tells."""
    try:
        with open(f"/proc/{number}/stat", "rb") as file:
            state = file.read().rpartition(b")")[2].split()[:1]
    except OSError:
        return False
    return state in ([b"Z"], [b"X"])


def _is_alive_on_windows(number: int) -> bool:
    """There, `os.kill` would end it."""
    import ctypes

    kernel: Any = vars(ctypes)["windll"].kernel32  # is there on Windows alone
    synchronize, timed_out, denied = 0x00100000, 0x102, 5
    handle = kernel.OpenProcess(synchronize, False, number)
    if not handle:
        return bool(kernel.GetLastError() == denied)
    try:
        return bool(kernel.WaitForSingleObject(handle, 0) == timed_out)
    finally:
        kernel.CloseHandle(handle)
