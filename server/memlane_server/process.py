"""A worker's process and its two pipes, each served by a thread.

Not asyncio's: there, starting a process is a wait that a keystroke may cancel, and one that was cancelled halfway never
ends (seen in CPython 3.11). Here starting takes no wait at all.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from subprocess import PIPE, Popen
from threading import Thread
from typing import BinaryIO

from memlane_server.worker import LENGTH, packed


class WorkerProcess:
    """A running process. Create it on the event loop, where its callbacks are called.

    Args:
        command: what starts it. Raises `OSError` when that is impossible.
        received: called with each message it sends.
        ended: called once with its exit code, after its last message.
    """

    def __init__(
        self, command: Sequence[str], received: Callable[[object], None], ended: Callable[[int], None]
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._received = received
        self._ended = ended
        self._closed = False
        self._unsent: SimpleQueue[bytes | None] = SimpleQueue()
        self._process = Popen(command, stdin=PIPE, stdout=PIPE)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        Thread(target=self._write, args=(self._process.stdin,), name="worker's input", daemon=True).start()
        Thread(target=self._read, args=(self._process.stdout,), name="worker's output", daemon=True).start()

    def send(self, message: object) -> None:
        """Send a message; one that a dead process does not read is lost."""
        self._unsent.put(packed(message))

    def kill(self) -> None:
        """End it as the system may."""
        self._process.kill()

    def close(self) -> None:
        """End it and wait for that. No callback is called any more."""
        self._closed = True
        self._process.kill()
        self._process.wait()

    def _write(self, pipe: BinaryIO) -> None:
        try:
            with pipe:
                while (data := self._unsent.get()) is not None:
                    pipe.write(data)
                    pipe.flush()
        except OSError:
            return  # it died: `_read` sees that too, and tells

    def _read(self, pipe: BinaryIO) -> None:
        try:
            with pipe:
                while len(head := pipe.read(LENGTH.size)) == LENGTH.size:
                    size: int = LENGTH.unpack(head)[0]
                    if len(body := pipe.read(size)) < size:
                        break
                    self._tell(self._received, pickle.loads(body))
        finally:  # also where a message cannot be had, for want of memory for example: others wait for the end
            self._process.kill()
            self._unsent.put(None)
            self._tell(self._ended, self._process.wait())

    def _tell(self, callback: Callable[..., None], what: object) -> None:
        try:
            self._loop.call_soon_threadsafe(self._call, callback, what)
        except RuntimeError:
            return  # the loop is closed, that is, the server has ended: no receiver is left

    def _call(self, callback: Callable[..., None], what: object) -> None:
        if not self._closed:
            callback(what)
