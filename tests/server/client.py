"""A client for raw bytes, faults and timing: starts a server as a process and speaks to it over stdio.

It sends anything at any time, and has all that the server says; features are tested through `lsp_client.py`."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from types import TracebackType
from typing import Any

HERE = Path(__file__).parent
REAL = [sys.executable, "-m", "memlane_server"]
FAKE = [sys.executable, str(HERE / "fake_server.py")]
"""A server whose `check` does what the text says; see the file."""

PATIENCE = 600
"""Seconds until a test gives a message up: a bound for servers that hang, which no machine is too slow for."""

Json = dict[str, Any]


class Client:
    """A client and its server. Use it in a `with` statement; it ends by shutdown and exit, and checks the exit code.

    Attributes:
        received: requests and notifications of the server, oldest first. `silent`: methods that are not answered.
        refusals: codes of the errors that belong to no request. `errors`: lines of stderr.
        strays: lines on stdout that are no header of a message.
    """

    def __init__(self, command: Sequence[str] = REAL, **initialize: Any) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.received: list[Json] = []
        self.refusals: list[int] = []
        self.silent: set[str] = set()
        self.errors: list[str] = []
        self.strays: list[bytes] = []
        self._queue: Queue[Json | None] = Queue()
        self._ids = itertools.count(1)
        self._replies: dict[object, Json] = {}
        self.answers: dict[str, Callable[[Json], object]] = {
            "workspace/configuration": lambda p: [None for _ in p["items"]]
        }
        self._threads = [Thread(target=self._read, daemon=True), Thread(target=self._read_errors, daemon=True)]
        for thread in self._threads:
            thread.start()
        self._initialize = initialize

    def __enter__(self) -> Client:
        params: Json = {"processId": None, "rootUri": None, "capabilities": {}, **self._initialize}
        self.capabilities: Json = self.request("initialize", params)["capabilities"]
        self.notify("initialized", {})
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        if kind is not None:
            self.process.kill()
            self.process.wait()
            return
        self.request("shutdown", None)
        self.notify("exit", None)
        assert self.ended() == 0, self.stderr()

    def stderr(self) -> str:
        """What the server wrote to stderr so far; all of it once `ended` was called."""
        return "".join(self.errors)

    def ended(self) -> int:
        """Wait for the server's end and all that it said before: its exit code."""
        code = self.process.wait(PATIENCE)
        for thread in self._threads:
            thread.join(PATIENCE)
        return code

    def await_stderr(self, word: str, times: int = 1) -> None:
        """Wait until the server has said `word` on stderr so many times in all."""
        self.wait(f"{word!r} on stderr", lambda: self.stderr().count(word) >= times)

    def write(self, *messages: Json) -> None:
        """Send messages in one piece."""
        bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
        self.write_bytes(b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies))

    def write_bytes(self, data: bytes) -> None:
        """Send anything."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        self.write({"method": method, "params": params})

    def send(self, method: str, params: object) -> int:
        """Send a request; its number."""
        number = next(self._ids)
        self.write({"id": number, "method": method, "params": params})
        return number

    def reply(self, number: int, timeout: float = PATIENCE) -> Json:
        """The reply to a request: `result` or `error` is in it."""
        self._until(lambda: number in self._replies, timeout, f"no reply to request {number}")
        return self._replies[number]

    def request(self, method: str, params: object, timeout: float = PATIENCE) -> Any:
        """The result of a request; an error fails the test."""
        reply = self.reply(self.send(method, params), timeout)
        assert "error" not in reply, reply
        return reply["result"]

    def open(self, uri: str, text: str, version: int = 1) -> None:
        """textDocument/didOpen"""
        document = {"uri": uri, "languageId": "mlir", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, uri: str, version: int, *changes: Json) -> Json:
        """The message textDocument/didChange, to be written."""
        document = {"uri": uri, "version": version}
        return {
            "method": "textDocument/didChange",
            "params": {"textDocument": document, "contentChanges": list(changes)},
        }

    def published(self, uri: str) -> list[Json]:
        """All publications for a document that were received, oldest first."""
        return [m["params"] for m in self.notifications("textDocument/publishDiagnostics") if m["params"]["uri"] == uri]

    def notifications(self, method: str) -> list[Json]:
        """All notifications of a method received so far."""
        self._drain(0)
        return [message for message in self.received if message["method"] == method]

    def diagnostics(self, uri: str, version: int, timeout: float = PATIENCE) -> list[Json]:
        """The findings of a version, once they are published."""

        def of_version() -> list[Json]:
            return [params for params in self.published(uri) if params.get("version") == version]

        self._until(lambda: bool(of_version()), timeout, f"no findings of version {version} of {uri}")
        return of_version()[-1]["diagnostics"]

    def wait(self, what: str, condition: Callable[[], bool], timeout: float = PATIENCE) -> None:
        """Read messages until `condition`."""
        self._until(condition, timeout, what)

    def settle(self, seconds: float) -> None:
        """Read messages for a while."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._drain(left)

    def _until(self, condition: Callable[[], bool], timeout: float, failure: str) -> None:
        end, runs = time.monotonic() + timeout, True
        while not condition():
            assert runs and time.monotonic() < end, f"{failure}; stderr: {self.stderr()}"
            runs = any(thread.is_alive() for thread in self._threads)  # once none is, the queue has all that was said
            self._drain(0.2)

    def _drain(self, timeout: float) -> None:
        """Handle what was received, waiting for the first message up to `timeout` seconds."""
        try:
            while True:
                message = self._queue.get(timeout=timeout) if timeout else self._queue.get_nowait()
                timeout = 0
                if message is not None:
                    self._handle(message)
        except Empty:
            return

    def _handle(self, message: Json) -> None:
        if message.get("id", 0) is None:
            self.refusals.append(message["error"]["code"])
            return
        if "method" not in message:
            assert message["id"] not in self._replies, f"second reply: {message}"
            self._replies[message["id"]] = message
            return
        self.received.append(message)
        if "id" in message and message["method"] not in self.silent:
            answer = self.answers.get(message["method"], lambda _: None)
            self.write({"id": message["id"], "result": answer(message.get("params") or {})})

    def _read(self) -> None:
        assert self.process.stdout is not None
        length = 0
        while header := self.process.stdout.readline():
            if header.lower().startswith(b"content-length:"):
                length = int(header.split(b":")[1])
            elif not header.strip():
                self._queue.put(json.loads(self.process.stdout.read(length)))
            elif not header.lower().startswith(b"content-type:"):
                self.strays.append(header)
        self._queue.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors.append(line.decode(errors="replace"))
            self._queue.put(None)  # whoever waits for it shall look


def place(text: str, offset: int) -> Json:
    """The UTF-16 position of an offset in `text`, for texts whose lines end at a line feed."""
    before = text[:offset]
    line = before.rpartition("\n")[2]
    return {"line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}


def insertion(text: str, offset: int, inserted: str) -> Json:
    """The change event that inserts `inserted` at an offset of `text`."""
    at = place(text, offset)
    return {"range": {"start": at, "end": at}, "text": inserted}
