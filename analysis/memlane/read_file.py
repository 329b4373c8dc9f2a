"""What files hold, up to a size: a device need not end, and a sparse file may say it is larger than all memory."""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from memlane.limits import MAX_BYTES_READ, MAX_SETTINGS_BYTES

_CHUNK = 1 << 20


def read_bytes(path: Path, most: int = MAX_BYTES_READ) -> bytes:
    """The bytes of a file.

    Raises:
        OSError: it cannot be read, or has more than `most` bytes; then `strerror` says so.
    """
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size  # 0 of a pipe or a device
        if size > most:
            raise too_large(most)
        return rest(file, most, size)


def rest(file: BinaryIO, most: int = MAX_BYTES_READ, size: int = 0) -> bytes:
    """What there is left to read of a file, of which so many bytes are expected. Raises: as `read_bytes`."""
    parts = [file.read(size)] if size else []
    read = size
    while part := file.read(_CHUNK):
        parts.append(part)
        read += len(part)
        if read > most:
            raise too_large(most)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def read_text(path: Path, most: int = MAX_SETTINGS_BYTES) -> str:
    """The text of a file in UTF-8, each end of a line as a newline.

    Raises:
        OSError: as `read_bytes`.
        UnicodeDecodeError: it is no UTF-8.
    """
    return io.TextIOWrapper(io.BytesIO(read_bytes(path, most)), encoding="utf-8").read()


def lines(file: BinaryIO, most: int = MAX_BYTES_READ) -> Iterator[bytes]:
    """The lines of an open file, with their ends. Raises: as `read_bytes`, where one has more than `most` bytes."""
    while line := file.readline(most + 1):
        if len(line) > most:
            raise too_large(most)
        yield line


def too_large(most: int) -> OSError:
    """What is raised where something has more than so many bytes."""
    return OSError(errno.EFBIG, f"larger than {most >> 20:,} MB")
