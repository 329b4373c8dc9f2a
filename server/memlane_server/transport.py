"""Messages in: stdio, TCP or WebSocket, framed as LSP's base protocol says, handed to the protocol one by one.

pygls has loops of its own; these differ in four ways that matter. All messages that have arrived are handled before
any timer runs, so that a burst of edits is one burst. A request starts before the message after it is handled, so that
it sees exactly the edits before it. The end of the input ends the server. And no more is read of a client that does
not read what it is sent, so that what waits for it is bounded.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import sys
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Coroutine, Iterator, Sequence
from ipaddress import ip_address
from threading import Semaphore, Thread
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar, cast

from pygls.io_ import StdoutWriter

from memlane.lazy import regex
from memlane.limits import MAX_BYTES_READ
from memlane_server.limits import MAX_HEADER_BYTES, MAX_LINE_BYTES
from memlane_server.protocol import Protocol

if TYPE_CHECKING:
    from socket import socket as Socket

    from websockets.asyncio.server import ServerConnection

log = logging.getLogger(__name__)

CHUNK = 1 << 16
READ_AHEAD = 1024
"""Chunks of input that wait to be handled; what follows stays in the pipe, and its writer waits."""
Listener = TypeVar("Listener")


LOCAL_PAGE = re.compile(r"https?://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?")
"""Where a page may be from that connects: browsers let any page try, and a client may ask what stands in files."""

_LENGTH = regex(rb"content-length:[ \t]*(\d{1,10})[ \t]*\r?\n", re.IGNORECASE)
"""A number of more digits, or more than `MAX_BYTES_READ`, is no length: Python reads only so many digits, and who
waited for so many bytes would wait for ever."""

_FIELD = regex(rb"[!-9;-~]+:")

FIELDS = (b"content-length", b"content-type")
_LINE = regex(rb"(?:content-length:[ \t]*\d{1,10}|content-type:[^\r\n]*)[ \t]*\r?")
_TYPE = rb"(?:content-type:[^\r\n]*\r?\n)?"
_HEADER = regex(_TYPE + rb"content-length:[ \t]*\d{1,10}[ \t]*\r?\n" + _TYPE + rb"\r?\n", re.IGNORECASE)
"""A whole header of a message."""


class Frames:
    """Cuts a stream of bytes into message bodies; other bytes are skipped, in work linear in their length."""

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
            if self._seen > MAX_LINE_BYTES:  # its end may be the beginning of a header
                self._skipped += self._seen - MAX_LINE_BYTES // 2
                self._drop(self._seen - MAX_LINE_BYTES // 2)
                self._seen = len(self._data)
        return self._need is not None

    def _drop(self, count: int) -> None:
        del self._data[:count]
        self._seen = 0

    def _line(self, line: bytes) -> None:
        """Read a line of a header, or of bytes that are not one."""
        if (length := _LENGTH.search(line)) and int(length.group(1)) <= MAX_BYTES_READ:
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


class NoMessage(Exception):
    """What arrives on a socket is no message of the protocol."""


class StrictFrames:
    """As `Frames`, for sockets, to which any program and any web page can connect: what is no message ends it.

    A header has a `Content-Length` and perhaps a `Content-Type`, as LSP's base protocol says, and nothing else; a
    request line of HTTP and its other fields are none.
    """

    def __init__(self) -> None:
        self._data = bytearray()
        self._need: int | None = None

    @property
    def begun(self) -> bool:
        """Whether the header of a message has been read whose body is not there yet."""
        return self._need is not None

    def feed(self, data: bytes) -> list[bytes]:
        """The bodies that are complete with `data`. Raises `NoMessage`."""
        self._data += data
        bodies: list[bytes] = []
        while self._header() and len(self._data) >= (need := self._need or 0):
            bodies.append(bytes(self._data[:need]))
            del self._data[:need]
            self._need = None
        return bodies

    def _header(self) -> bool:
        """Whether the length of the next body is known."""
        if self._need is not None:
            return True
        head = bytes(self._data[:MAX_HEADER_BYTES])
        found = _HEADER.match(head)
        if found is not None:
            [length] = _LENGTH.findall(found.group())
            if int(length) > MAX_BYTES_READ:
                raise NoMessage(f"a message of {length.decode()} bytes")
            self._need = int(length)
            del self._data[: found.end()]
            return True
        if len(head) == MAX_HEADER_BYTES or not _begins_header(head):
            raise NoMessage(f"{head[:40]!r} is no header of a message")
        return False


def _begins_header(head: bytes) -> bool:
    """Whether the header of a message may begin so."""
    *lines, last = head.lower().split(b"\n")
    if any(_LINE.fullmatch(line) is None for line in lines) or len(lines) > len(FIELDS):
        return False
    name = last.partition(b":")[0]
    return last == b"\r" or any(field == name if b":" in last else field.startswith(name) for field in FIELDS)


async def serve(protocol: Protocol, batches: AsyncIterator[list[bytes]]) -> None:
    """Handle messages until there are no more."""
    async for batch in batches:
        for body in batch:
            await protocol.room()
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
    """Serve the first client that begins to send a message, until it leaves.

    A connection on which anything else arrives, or nothing, is closed, or ends: it does not come from a client.
    """
    done = asyncio.get_running_loop().create_future()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        frames = StrictFrames()
        first = await _first_of(reader, frames)
        if first is None or protocol.writer is not None:
            writer.close()
            return
        protocol.set_writer(writer)  # pyright: ignore[reportArgumentType] -- pygls does the same
        protocol.unsent = writer.transport.get_write_buffer_size
        await _until_done(serve(protocol, _read_stream(reader, frames, first)), done)
        writer.close()

    async with await _listening(asyncio.start_server(connected, host, port), host, port) as listener:
        _announce(listener.sockets)
        await done


async def serve_ws(protocol: Protocol, host: str, port: int) -> None:
    """The same over a WebSocket, a message each."""
    try:
        from websockets.asyncio.server import serve as listen
    except ImportError:
        raise CannotListen("--ws needs the package websockets: pip install 'memlane[ws]'") from None

    done = asyncio.get_running_loop().create_future()

    async def connected(socket: ServerConnection) -> None:
        if protocol.writer is None:
            writer = SocketWriter(socket)
            protocol.set_writer(writer, include_headers=False)  # pyright: ignore[reportArgumentType] -- has what is called
            protocol.unsent = lambda: writer.unsent
            await _until_done(serve(protocol, _read_socket(socket)), done)

    origins: list[Any] = [None, LOCAL_PAGE]
    # A client that does not read for a while is slow, and not gone: none is asked whether it is there.
    started = listen(connected, host, port, max_size=None, origins=origins, ping_interval=None)
    listening = cast("Any", await _listening(started, host, port))  # pyright does not see through websockets' types
    async with listening as listener:
        _announce([*listener.sockets])
        await done


class SocketWriter:
    """Sends messages over a WebSocket, one after the other.

    Attributes:
        unsent: bytes of those that the client has not taken yet.
    """

    def __init__(self, socket: ServerConnection) -> None:
        self._socket = socket
        self._waiting: deque[bytes] = deque()
        self._task: asyncio.Task[None] | None = None
        self.unsent = 0

    def write(self, data: bytes) -> None:
        """Send a message after those before it."""
        self._waiting.append(data)
        self.unsent += len(data)
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._send())

    def close(self) -> Awaitable[None]:
        """Close the connection."""
        return self._socket.close()

    async def _send(self) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            while self._waiting:
                data = self._waiting.popleft()
                await self._socket.send(data)
                self.unsent -= len(data)
        except ConnectionClosed:
            self._waiting.clear()
            self.unsent = 0
        finally:
            self._task = None


class CannotListen(Exception):
    """The address cannot be listened at; the message says why."""


async def _listening(started: Awaitable[Listener], host: str, port: int) -> Listener:
    try:
        return await started
    except OSError as error:
        raise CannotListen(f"cannot listen at {host}, port {port}: {error.strerror or error}") from None


def _announce(sockets: Sequence[Socket]) -> None:
    """Tell the one who started us where to connect (port 0 asks for any), and who else can."""
    names = [socket.getsockname() for socket in sockets]
    sys.stderr.write(f"memlane server: listening on port {names[0][1]}\n")
    open_ = sorted({str(name[0]) for name in names if not _is_local(str(name[0]))})
    if open_:
        sys.stderr.write(
            f"memlane server: warning: the address {' and '.join(open_)} is open to the network: any other machine "
            "that reaches this one can connect, without a password, and read what is opened\n"
        )
    sys.stderr.flush()


def _is_local(address: str) -> bool:
    """Whether only programs on this machine can connect to an address."""
    return ip_address(address.partition("%")[0]).is_loopback


async def _until_done(serving: Coroutine[None, None, None], done: asyncio.Future[None]) -> None:
    """Run `serving`; however it ends, so does what waits for `done`."""
    try:
        await serving
    finally:
        if not done.done():
            done.set_result(None)


async def _read_descriptor(descriptor: int) -> AsyncIterator[list[bytes]]:
    """Messages from a file descriptor, read by a thread: works for pipes, files and terminals on every system.

    The thread reads no further while what it has read is not handled.
    """
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[list[bytes] | None] = asyncio.Queue()
    ahead = Semaphore(READ_AHEAD)

    def read() -> None:
        frames = Frames()
        data = b" "
        while data:
            data = os.read(descriptor, CHUNK)
            bodies = frames.feed(data)
            if bodies or not data:
                ahead.acquire()
                try:
                    loop.call_soon_threadsafe(queue.put_nowait, bodies or None)
                except RuntimeError:  # the loop is closed: the server has ended before its input did
                    return

    Thread(target=read, name="reader", daemon=True).start()
    while (bodies := await queue.get()) is not None:
        yield bodies
        ahead.release()


async def _first_of(reader: asyncio.StreamReader, frames: StrictFrames) -> list[bytes] | None:
    """What has arrived when a message has begun; None where none does."""
    try:
        while data := await reader.read(CHUNK):
            bodies = frames.feed(data)
            if bodies or frames.begun:
                return bodies
    except NoMessage as error:
        log.error("a connection was closed: %s", error)
    except ConnectionError:
        log.info("a connection was broken off")
    return None


async def _read_stream(
    reader: asyncio.StreamReader, frames: StrictFrames, first: list[bytes]
) -> AsyncIterator[list[bytes]]:
    yield first
    try:
        while data := await reader.read(CHUNK):
            yield frames.feed(data)
    except NoMessage as error:
        log.error("the connection was closed: %s", error)
    except ConnectionError:
        log.info("the client broke its connection off")


async def _read_socket(socket: ServerConnection) -> AsyncIterator[list[bytes]]:
    from websockets.exceptions import ConnectionClosed

    try:
        while True:
            yield [await socket.recv(decode=False)]
    except ConnectionClosed:
        log.info("the client closed its connection")
