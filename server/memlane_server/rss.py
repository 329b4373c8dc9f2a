"""How much memory the process has now, asked of the system: some ten microseconds. Nothing but Python is needed."""

from __future__ import annotations

import os
import struct
import sys
from typing import Any

_TASK_INFO = 4
"""PROC_PIDTASKINFO of macOS' sys/proc_info.h."""
_TASK = struct.Struct("=QQ4Q12i")
"""proc_taskinfo there: virtual size, resident size, four times, twelve counts."""
_COUNTERS = struct.Struct("@II8N")
"""PROCESS_MEMORY_COUNTERS of Windows' psapi.h: its size, page faults, the largest working set, the working set, ..."""


def resident() -> int:
    """Bytes of memory that the process has now; 0 where the system does not tell."""
    if sys.platform == "win32":
        return of_windows(_library("kernel32"))
    if sys.platform == "darwin":
        return of_macos(_library(None))
    return of_linux()


def of_linux() -> int:
    """By the file that Linux keeps of each process."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # no Linux, or no such file: then there is no ceiling
        return 0


def of_macos(library: Any) -> int:
    """By libproc, which is part of `library`, the libraries that every program has."""
    from ctypes import c_uint64, create_string_buffer

    info = create_string_buffer(_TASK.size)
    told = library.proc_pidinfo(os.getpid(), _TASK_INFO, c_uint64(0), info, _TASK.size)
    return _TASK.unpack_from(info)[1] if told == _TASK.size else 0


def of_windows(library: Any) -> int:
    """By `library`, kernel32."""
    from ctypes import c_uint32, c_void_p, create_string_buffer

    info = create_string_buffer(_COUNTERS.size)
    library.GetCurrentProcess.restype = c_void_p
    library.K32GetProcessMemoryInfo.argtypes = (c_void_p, c_void_p, c_uint32)
    told = library.K32GetProcessMemoryInfo(library.GetCurrentProcess(), info, _COUNTERS.size)
    return _COUNTERS.unpack_from(info)[3] if told else 0


def _library(name: str | None) -> Any:
    from ctypes import CDLL

    return CDLL(name)
