"""Messages in: stdio, TCP or WebSocket, framed as LSP's base protocol says, handed to the protocol one by one.

pygls has loops of its own; these differ in three ways that matter. All messages that have arrived are handled before
any timer runs, so that a burst of edits is one burst. A request starts before the message after it is handled, so that
it sees exactly the edits before it. And the end of the input ends the server.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import sys
from collections.abc import AsyncIterator, Coroutine, Iterator
from threading import Thread
from typing import TYPE_CHECKING, Any, BinaryIO

from pygls.io_ import StdoutWriter, WebSocketWriter

from memlane_server.protocol import Protocol

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

log = logging.getLogger(__name__)

CHUNK = 1 << 16

LONGEST_LINE = 1 << 16
"""No line of a header is longer: what is, is no header."""

LOCAL_PAGE = re.compile(r"https?://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?")
"""Where a page may be from that connects: browsers let any page try, and a client may ask what stands in files."""

_LENGTH = re.compile(rb"content-length:[ \t]*(\d{1,10})[ \t]*\r?\n", re.IGNORECASE)
"""A number of more digits is no length: nobody sends ten gigabytes, and Python reads only so many digits."""

_FIELD = re.compile(rb"[!-9;-~]+:")


def port(given: str) -> int:
    """The port that an argument of the command names; raises `ValueError` where there is none of that number."""
    number = int(given)
    if not 0 <= number < 1 << 16:
        raise ValueError(given)
    return number


class Frames:
    """Cuts a stream of bytes into message bodies; what is none is skipped, in work that its length bounds."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._need: int | None = None
        """The length of the next body, once all of its header is read."""
        self._said: int | None = None
        """The length that the lines of the header so far say."""
        self._seen = 0
        """In so many bytes there is no end of a line."""
        self._skipped = 0

    def feed(self, data: bytes) -> list[bytes]:
        """The bodies that are complete with `data`."""
        self._data += data
        return list(self._bodies())

    def _bodies(self) -> Iterator[bytes]:
        while self._header():
            need = self._need or 0
            if len(self._data) < need:
                return
            body = bytes(self._data[:need])
            del self._data[:need]
            self._need = None
            yield body

    def _header(self) -> bool:
        """Whether the length of the next body is known."""
        while self._need is None and (end := self._data.find(b"\n", self._seen) + 1):
            self._line(bytes(self._data[:end]))
            self._drop(end)
        if self._need is None:
            self._seen = len(self._data)
            if self._seen > LONGEST_LINE:  # its end may be the beginning of a header
                self._skipped += self._seen - LONGEST_LINE // 2
                self._drop(self._seen - LONGEST_LINE // 2)
                self._seen = len(self._data)
        return self._need is not None

    def _drop(self, count: int) -> None:
        del self._data[:count]
        self._seen = 0

    def _line(self, line: bytes) -> None:
        """Read a line of a header, or of what is none."""
        if length := _LENGTH.search(line):
            self._said = int(length.group(1))
            self._skipped += length.start()
        elif self._said is not None and line in (b"\n", b"\r\n"):
            self._need, self._said = self._said, None
            self._tell_skipped()
        elif not _FIELD.match(line):
            self._skipped += len(line)

    def _tell_skipped(self) -> None:
        if self._skipped:
            log.error("skipped %d bytes that are no message", self._skipped)
        self._skipped = 0


async def serve(protocol: Protocol, batches: AsyncIterator[list[bytes]]) -> None:
    """Handle messages until there are no more."""
    async for batch in batches:
        for body in batch:
            if protocol.receive(body):
                await asyncio.sleep(0)  # the request's handler takes its snapshot now


def claim_stdout() -> BinaryIO:
    """The process's stdout, for messages alone: whatever else is printed from now on goes to stderr."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.stdout = sys.stderr
    return output


async def serve_stdio(protocol: Protocol, output: BinaryIO) -> None:
    """Serve the client at the other end of stdin and `output`."""
    protocol.set_writer(StdoutWriter(output))
    await serve(protocol, _read_descriptor(sys.stdin.fileno()))


async def serve_tcp(protocol: Protocol, host: str, port: int) -> None:
    """Serve the first client that connects, until it leaves."""
    done = asyncio.get_running_loop().create_future()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if protocol.writer is not None:
            writer.close()
            return
        protocol.set_writer(writer)  # pyright: ignore[reportArgumentType] -- pygls does the same
        await _until_done(serve(protocol, _read_stream(reader)), done)

    async with await asyncio.start_server(connected, host, port) as listener:
        _announce(listener.sockets[0].getsockname()[1])
        await done


async def serve_ws(protocol: Protocol, host: str, port: int) -> None:
    """The same over a WebSocket, a message each."""
    from websockets.asyncio.server import serve as listen

    done = asyncio.get_running_loop().create_future()

    async def connected(socket: ServerConnection) -> None:
        if protocol.writer is None:
            protocol.set_writer(WebSocketWriter(socket), include_headers=False)
            await _until_done(serve(protocol, _read_socket(socket)), done)

    origins: list[Any] = [None, LOCAL_PAGE]
    listening: Any = listen(
        connected, host, port, max_size=None, origins=origins
    )  # pyright does not see through websockets' __aenter__
    async with listening as listener:
        _announce(next(iter(listener.sockets)).getsockname()[1])
        await done


def _announce(port: int) -> None:
    """Tell the one who started us where to connect (port 0 asks for any)."""
    sys.stderr.write(f"memlane server: listening on port {port}\n")
    sys.stderr.flush()


async def _until_done(serving: Coroutine[None, None, None], done: asyncio.Future[None]) -> None:
    """Run `serving`; however it ends, so does what waits for `done`."""
    try:
        await serving
    finally:
        if not done.done():
            done.set_result(None)


async def _read_descriptor(descriptor: int) -> AsyncIterator[list[bytes]]:
    """Messages from a file descriptor, read by a thread: works for pipes, files and terminals on every system."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[list[bytes] | None] = asyncio.Queue()

    def read() -> None:
        frames = Frames()
        data = b" "
        while data:
            data = os.read(descriptor, CHUNK)
            bodies = frames.feed(data)
            if bodies or not data:
                try:
                    loop.call_soon_threadsafe(queue.put_nowait, bodies or None)
                except RuntimeError:  # the loop is closed: the server has ended before its input did
                    return

    Thread(target=read, name="reader", daemon=True).start()
    while (bodies := await queue.get()) is not None:
        yield bodies


async def _read_stream(reader: asyncio.StreamReader) -> AsyncIterator[list[bytes]]:
    frames = Frames()
    try:
        while data := await reader.read(CHUNK):
            yield frames.feed(data)
    except ConnectionError:
        log.info("the client broke its connection off")


async def _read_socket(socket: ServerConnection) -> AsyncIterator[list[bytes]]:
    from websockets.exceptions import ConnectionClosed

    try:
        while True:
            yield [await socket.recv(decode=False)]
    except ConnectionClosed:
        log.info("the client closed its connection")
