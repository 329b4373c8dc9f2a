"""Sockets: what is no client is sent away before anything of it is handled, whoever can connect is said, and the server
does not outlive the process that its client names."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from threading import Thread
from typing import Any

import pytest
from client import FAKE, PATIENCE, REAL, Client
from tests.effort import FULL

from memlane_server.transport import NoMessage, StrictFrames
from memlane_server.watching import is_alive

INITIALIZE: dict[str, Any] = {
    "id": 1,
    "method": "initialize",
    "params": {"processId": None, "rootUri": None, "capabilities": {}},
}
BODY = json.dumps({"jsonrpc": "2.0", **INITIALIZE}).encode()
LENGTH = b"Content-Length: %d\r\n" % len(BODY)
STRANGE = {
    "post": b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + LENGTH + b"\r\n" + BODY,
    "smuggled": b"POST / HTTP/1.1\r\nX: \nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY),
    "in a field": b"GET /Content-Length:%d HTTP/1.1\r\n\r\n%s" % (len(BODY), BODY),
    "no request line": b"Host: 127.0.0.1\r\n" + LENGTH + b"\r\n" + BODY,
    "another field": LENGTH + b"Origin: https://example.com\r\n\r\n" + BODY,
    "two lengths": LENGTH + LENGTH + b"\r\n" + BODY,
    "no length": b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n" + BODY,
    "no number": b"Content-Length: ten\r\n\r\n" + BODY,
    "too long": b"Content-Length: 9999999999\r\n\r\n" + BODY,
    "no header": BODY,
    "an empty line first": b"\r\n" + LENGTH + b"\r\n" + BODY,
    "TLS": bytes.fromhex("160301010001000001fc0303"),
    "a line without end": b"Content-Type: " + b"x" * 2000,
}


@pytest.fixture
def server() -> Iterator[tuple[subprocess.Popen[str], int]]:
    process = subprocess.Popen([*FAKE, "--tcp", "--port", "0"], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    with process:
        yield process, int(process.stderr.readline().rsplit(" ", 1)[1])
        process.kill()


@pytest.mark.parametrize("name", STRANGE)
def test_what_is_no_message_is_none_however_it_is_cut(name: str) -> None:
    data = STRANGE[name]
    with pytest.raises(NoMessage):
        StrictFrames().feed(data)
    frames = StrictFrames()
    with pytest.raises(NoMessage):
        for at in range(len(data)):
            assert frames.feed(data[at : at + 1]) == []


def test_messages_are_read_however_they_are_cut() -> None:
    kind = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
    for header in (LENGTH, kind + LENGTH, LENGTH + kind, LENGTH.lower(), b"CONTENT-LENGTH:%d \r\n" % len(BODY)):
        data = (header + b"\r\n" + BODY) * 2
        assert StrictFrames().feed(data) == [BODY, BODY]
        frames = StrictFrames()
        assert [body for at in range(len(data)) for body in frames.feed(data[at : at + 1])] == [BODY, BODY]


@pytest.mark.slow
def test_a_web_page_gets_no_answer_and_keeps_nobody_away(server: tuple[subprocess.Popen[str], int]) -> None:
    _, port = server
    for data in STRANGE.values():
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
            connection.sendall(data)
            with suppress(ConnectionError):  # closed with something unread
                assert connection.recv(1) == b""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE):
        pass  # looks whether there is somebody
    with (
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE),  # says nothing
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection,
    ):
        connection.sendall(LENGTH + b"\r\n" + BODY)
        assert connection.recv(15) == b"Content-Length:"


@pytest.mark.slow
def test_a_page_after_the_client_ends_nothing(server: tuple[subprocess.Popen[str], int]) -> None:
    process, port = server
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(LENGTH + b"\r\n" + BODY)
        assert connection.recv(15) == b"Content-Length:"
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as other:
            other.sendall(STRANGE["post"])
            with suppress(ConnectionError):
                assert other.recv(1) == b""
        connection.sendall(STRANGE["post"])  # what follows is no message: the connection ends, and the server
        while connection.recv(1 << 16):
            pass
        assert process.wait(PATIENCE) == 1


@pytest.mark.slow
@pytest.mark.parametrize("host", ["", " "])
def test_no_address_is_no_address(host: str) -> None:
    done = subprocess.run([*FAKE, "--tcp", "--port", "0", "--host", host], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "argument --host: expected an address" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("host", ["0.0.0.0", "::", "0"])
def test_an_address_that_is_open_to_the_network_is_said_to_be(host: str) -> None:
    if host == "::" and not socket.has_ipv6:
        pytest.skip("needs IPv6")
    command = [*FAKE, "--tcp", "--port", "0", "--host", host]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "listening on port" in process.stderr.readline()
        warning = process.stderr.readline()
        process.kill()
    assert "warning: the address" in warning and "any other machine" in warning and warning.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["tcp", "ws"])
def test_no_warning_of_this_machine_alone(transport: str) -> None:
    command = [*FAKE, f"--{transport}", "--port", "0", "--host", "localhost"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "listening on port" in process.stderr.readline()
        process.kill()
        assert "warning" not in process.stderr.read()


@pytest.mark.slow
def test_a_web_socket_without_its_package_is_an_error_of_one_line() -> None:
    script = (
        "import sys; sys.modules['websockets'] = None; import memlane_server.server as s; sys.exit(s.main(['--ws']))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "memlane server: --ws needs the package websockets: pip install 'memlane[ws]'\n"


@pytest.mark.slow
def test_the_server_ends_with_the_process_that_its_client_names() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as editor:
        client = Client(FAKE, processId=editor.pid)
        client.__enter__()
        client.settle(0.5)
        assert client.process.poll() is None
        editor.kill()  # and nobody asks how it ended: it is a zombie
        assert client.ended() == 1
    assert "is gone" in client.stderr() and "Traceback" not in client.stderr()


@pytest.mark.slow
def test_a_process_that_is_gone_already() -> None:
    editor = subprocess.Popen([sys.executable, "-c", ""])
    editor.wait()
    client = Client(FAKE)
    client.send("initialize", {"processId": editor.pid, "rootUri": None, "capabilities": {}})
    assert client.ended() == 1


@pytest.mark.slow
@pytest.mark.parametrize("number", [None, 0, -1, pytest.param(os.getpid(), id="own"), 1])
def test_the_server_goes_on_with_no_process_or_a_living_one(number: int | None) -> None:
    with Client(FAKE, processId=number) as client:
        client.settle(0.3)
        assert client.process.poll() is None


def test_whose_process_is_alive() -> None:
    assert is_alive(os.getpid()) and is_alive(1)
    assert not is_alive(2**31 - 1) and not is_alive(2**70)
    if sys.platform != "win32" and os.getuid() == 0:
        script = (
            f"import os; from memlane_server.watching import is_alive; os.setuid(65534); assert is_alive({os.getpid()})"
        )
        assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0, "another user's"


FLOOD = 4_000 if FULL else 1_500


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["stdio", "tcp", "ws"])
def test_many_requests_of_a_client_that_does_not_read(transport: str) -> None:
    """They are answered when it reads again, and the server takes little memory meanwhile."""
    uri = "file:///w/a.mlir"
    text = "".join(f"func.func @f{number}() {{\n  return\n}}\n" for number in range(300))
    opened = {"textDocument": {"uri": uri, "languageId": "mlir", "version": 1, "text": text}}
    asked = {"textDocument": {"uri": uri}}
    messages: list[dict[str, Any]] = [
        INITIALIZE,
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": opened},
        *({"id": number, "method": "textDocument/foldingRange", "params": asked} for number in range(2, FLOOD + 2)),
    ]
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    with _connected(transport) as (process, send, receive):
        for body in bodies:
            send(body)
        time.sleep(3)
        assert process.poll() is None
        answered: set[int] = set()
        while len(answered) < FLOOD + 1:
            message = json.loads(receive())
            if "method" not in message:
                assert "result" in message, message
                answered.add(message["id"])
        assert process.poll() is None
        assert _peak(process.pid) < 400 << 20


@contextmanager
def _connected(
    transport: str,
) -> Generator[tuple[subprocess.Popen[bytes], Callable[[bytes], object], Callable[[], bytes]], None, None]:
    """A server, what sends it a message, and what receives one."""
    flags = [] if transport == "stdio" else [f"--{transport}", "--port", "0"]
    process = subprocess.Popen([*REAL, *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    port = int(process.stderr.readline().rsplit(b" ", 1)[1]) if flags else 0
    Thread(target=process.stderr.read, daemon=True).start()
    with process, ExitStack() as stack:
        if transport == "ws":
            pytest.importorskip("websockets", reason="websockets is not installed")
            from websockets.sync.client import connect

            web = stack.enter_context(connect(f"ws://127.0.0.1:{port}", open_timeout=PATIENCE, ping_interval=None))
            yield process, lambda body: web.send(body.decode()), lambda: web.recv(PATIENCE, decode=False)
        else:
            output: Any = process.stdin
            source: Any = process.stdout
            if transport == "tcp":
                connection = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
                output, source = connection.makefile("wb", buffering=0), connection.makefile("rb")

            def send(body: bytes) -> None:
                output.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
                output.flush()

            def receive() -> bytes:
                length = 0
                while line := source.readline().strip():
                    if line.lower().startswith(b"content-length:"):
                        length = int(line.split(b":")[1])
                return source.read(length)

            yield process, send, receive
        process.kill()


def _peak(number: int) -> int:
    """The most memory a process had, as far as the system tells."""
    if not sys.platform.startswith("linux"):
        return 0
    with open(f"/proc/{number}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))
