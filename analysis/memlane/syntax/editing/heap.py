"""Memory that reading needs for a while is given back to the system where the C library keeps it for itself."""

from __future__ import annotations


def give_back() -> None:
    """Have glibc return the free end of its heap; nothing happens with other C libraries.

    It keeps up to twice the largest block that was ever freed: after a file of megabytes was read that is as much as
    the table of names of a function of 100,000 lines.
    """
    import ctypes  # only where a large text is read

    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, TypeError, AttributeError):  # no glibc: Windows, macOS, musl
        return
    trim(0)
