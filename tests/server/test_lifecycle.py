"""The server as a process: crashes, messages that make no sense, clients that are gone, its channels and transports.

Through the client of raw bytes: the protocol's types have no words for these."""

from __future__ import annotations

import json
import socket
import struct
import subprocess
from collections.abc import Iterator
from typing import Any, cast

import pytest
from client import FAKE, PATIENCE, Client

URI = "file:///w/a.mlir"


@pytest.mark.slow
def test_a_crash_is_logged_and_survived() -> None:
    with Client(FAKE) as client:
        client.open(URI, "CRASH")
        client.wait("logged", lambda: bool(client.notifications("window/logMessage")))
        assert "the text says so" in client.notifications("window/logMessage")[0]["params"]["message"]
        client.write(client.change(URI, 2, {"text": "LEAK"}))
        assert len(client.diagnostics(URI, 2)) == 1
        assert client.notifications("window/showMessage") == []


@pytest.mark.slow
def test_messages_that_make_no_sense_are_answered_or_logged() -> None:
    with Client(FAKE) as client:
        client.write_bytes(b"Content-Length: 5\r\n\r\n{nope")
        client.write_bytes(b"X-Unknown: 1\r\ncontent-length: 2\r\n\r\n[]")
        client.write({"method": "textDocument/didOpen", "params": {"textDocument": 3}})
        client.write(client.change("file:///w/never-opened.mlir", 2, {"text": ""}))
        client.notify("textDocument/didClose", {"textDocument": {"uri": "file:///w/never-opened.mlir"}})
        client.notify("memlane/noSuchNotification", {})
        assert client.reply(client.send("memlane/noSuchRequest", {}))["error"]["code"] == -32601
        assert client.refusals == [-32700, -32600]
        assert client.reply(client.send("textDocument/didOpen", {"textDocument": 3}))["error"]["code"] == -32602
        far = {"line": 900, "character": 900}
        client.open(URI, "a\n")
        client.write(client.change(URI, 2, {"range": {"start": far, "end": far}, "text": "LEAK"}))
        [found] = client.diagnostics(URI, 2)
        assert found["range"]["start"] == {"line": 1, "character": 0}
    for complaint in ("not JSON", "malformed message", "without being open", "beyond its end"):
        assert complaint in client.stderr()


@pytest.mark.slow
def test_nothing_is_sent_to_a_client_that_is_gone() -> None:
    with Client(FAKE) as client:
        client.open(URI, "HOLD")
        client.await_stderr("began")
        for _ in range(3):
            client.send("textDocument/diagnostic", {"textDocument": {"uri": URI}})
    assert "internal error" not in client.stderr()


@pytest.mark.slow
@pytest.mark.parametrize("initialized", [True, False])
def test_the_server_ends_when_its_client_is_gone(initialized: bool) -> None:
    client = Client(FAKE)
    if initialized:
        client.__enter__()
        client.open(URI, "HOLD")
        client.await_stderr("began")
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert client.ended() == 1


@pytest.mark.slow
def test_what_is_printed_does_not_reach_the_client() -> None:
    script = """
import os, sys, memlane_server.server as server
from memlane_server.session import Session
opened = Session.open
def noisy(*arguments):
    print("noise of Python", flush=True)
    os.write(1, b"noise of the process\\n")
    sys.__stdout__.write("noise of who kept stdout\\n")
    sys.__stdout__.flush()
    return opened(*arguments)
Session.open = noisy
server.main([])
"""
    with Client([FAKE[0], "-c", script]) as client:
        client.open(URI, "")
        client.diagnostics(URI, 1)
        client.await_stderr("noise of", 3)
        assert client.strays == []


@pytest.mark.slow
def test_stdio_flag_is_accepted() -> None:
    message = json.dumps({"jsonrpc": "2.0", "method": "exit"}).encode()
    data = b"Content-Length: %d\r\n\r\n%s" % (len(message), message)
    done = subprocess.run([*FAKE, "--stdio"], input=data, capture_output=True, timeout=600, check=False)
    assert done.returncode == 1, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["tcp", "ws"])
def test_other_transports(transport: str) -> None:
    server, port = _listening(transport)
    assert server.stderr is not None
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in SESSION]
    received = b"".join(_tcp(port, bodies) if transport == "tcp" else _ws(port, bodies))
    assert b'"serverInfo"' in received
    assert b'"code":"leak"' in received
    assert server.wait(PATIENCE) == 0, server.stderr.read()


def _listening(transport: str) -> tuple[subprocess.Popen[str], int]:
    """A server on a socket or a WebSocket, and its port."""
    if transport == "ws":
        pytest.importorskip("websockets", reason="websockets is not installed")
    server = subprocess.Popen([*FAKE, f"--{transport}", "--port", "0"], stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    return server, int(server.stderr.readline().rsplit(" ", 1)[1])


@pytest.mark.slow
def test_a_socket_that_is_reset() -> None:
    server, port = _listening("tcp")
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        body = json.dumps({"jsonrpc": "2.0", **SESSION[0]}).encode()
        connection.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        assert connection.recv(1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    assert server.wait(PATIENCE) == 1
    assert server.stderr is not None
    assert "Traceback" not in server.stderr.read()


@pytest.mark.slow
def test_a_web_socket_takes_large_documents() -> None:
    server, port = _listening("ws")
    text = "LEAK" + " " * 3_000_000
    opened = {"textDocument": {"uri": URI, "languageId": "mlir", "version": 1, "text": text}}
    session = [*SESSION[:2], {"method": "textDocument/didOpen", "params": opened}]
    received = b"".join(_ws(port, [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in session]))
    assert b"publishDiagnostics" in received
    assert server.wait(PATIENCE) == 0


@pytest.mark.slow
def test_pages_of_others_do_not_reach_a_web_socket() -> None:
    server, port = _listening("ws")
    from websockets.exceptions import InvalidStatus
    from websockets.sync.client import connect

    for origin in ("https://example.com", "http://localhost.example.com", "null"):
        with pytest.raises(InvalidStatus, match="403"):
            connect(f"ws://127.0.0.1:{port}", origin=cast("Any", origin), open_timeout=PATIENCE)
    with connect(f"ws://127.0.0.1:{port}", origin=cast("Any", "http://localhost:3000"), open_timeout=PATIENCE):
        pass
    assert server.wait(PATIENCE) == 1


SESSION: list[dict[str, Any]] = [
    {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
    {"method": "initialized", "params": {}},
    {
        "method": "textDocument/didOpen",
        "params": {"textDocument": {"uri": URI, "languageId": "mlir", "version": 1, "text": "LEAK"}},
    },
]
ENDING: list[dict[str, Any]] = [{"id": 2, "method": "shutdown"}, {"method": "exit"}]


def _tcp(port: int, bodies: list[bytes]) -> Iterator[bytes]:
    """What a server on a socket says to a session."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        for body in bodies:
            connection.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        received = b""
        while b"publishDiagnostics" not in received:
            data = connection.recv(1 << 16)
            assert data, "the server went away"
            received += data
        yield received
        for message in ENDING:
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            connection.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        while data := connection.recv(1 << 16):
            yield data


def _ws(port: int, bodies: list[bytes]) -> Iterator[bytes]:
    """The same over a WebSocket."""
    from websockets.sync.client import connect

    with connect(f"ws://127.0.0.1:{port}", open_timeout=PATIENCE, ping_interval=None) as connection:
        for body in bodies:
            connection.send(body.decode())
        received = b""
        while b"publishDiagnostics" not in received:
            received += connection.recv(PATIENCE, decode=False)
            yield received
        for message in ENDING:
            connection.send(json.dumps({"jsonrpc": "2.0", **message}))
