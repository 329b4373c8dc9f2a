"""A server under measurement: a process that speaks LSP over stdio, driven by one thread, its clock stopped in time.

Nothing of the client is on the clock: messages are encoded before it starts, and read bytes are not parsed before it
stops. CPU time and memory are those of the server and of the processes it started.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

Json = dict[str, Any]
_METHOD = re.compile(rb'"method"\s*:\s*"([^"]+)"')
_ID = re.compile(rb'"id"\s*:\s*(\d+|"[^"]*")')
_VERSION = re.compile(rb'"version"\s*:\s*(\d+)')

_PUBLISHED: Json = {"relatedInformation": True, "versionSupport": True}
_OFFERED: Json = {
    "inlayHint": {},
    "semanticTokens": {
        "requests": {"range": True, "full": {"delta": True}},
        "tokenTypes": ["variable", "type", "keyword", "number", "string", "comment", "operator", "function"],
        "tokenModifiers": [],
        "formats": ["relative"],
    },
}


@dataclass(frozen=True, slots=True)
class Taken:
    """Seconds from writing a message to having read what it was waited for: `wall`, and `cpu` of the server."""

    wall: float
    cpu: float


class Server:
    """A server that has been initialized. Full synchronization is spoken with one that asks for it.

    Args:
        cache: where it finds and keeps results; None: nowhere.
    """

    def __init__(self, command: Sequence[str], folder: Path, cache: Path | None = None) -> None:
        kept = {"MEMLANE_NO_CACHE": "1"} if cache is None else {"MEMLANE_NO_CACHE": "", "MEMLANE_CACHE_DIR": str(cache)}
        start = perf_counter()
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env={**os.environ, **kept},
        )
        self._ids = itertools.count(1)
        self._version = 0
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._input, self._output = self.process.stdin, self.process.stdout
        offered = {"textDocument": {**_OFFERED, "publishDiagnostics": _PUBLISHED}}
        result, _ = self.request("initialize", {"processId": None, "rootUri": None, "capabilities": offered})
        self.started = perf_counter() - start
        self._send(self._message("initialized", {}))
        sync = result["capabilities"]["textDocumentSync"]
        self.incremental = (sync if isinstance(sync, int) else sync.get("change")) == 2

    def open(self, uri: str, text: str, lines: int = 0) -> Taken:
        """Open a document; taken until its findings came.

        Args:
            lines: the client shows so many and asks for their hints at once, as editors do; then taken until the first
                findings came, which may be those of the lines that are seen. 0: it asks for nothing.
        """
        self._version = 1
        document = {"uri": uri, "languageId": "mlir", "version": 1, "text": text}
        message = self._message("textDocument/didOpen", {"textDocument": document})
        if lines:
            seen = {"start": {"line": 0, "character": 0}, "end": {"line": lines, "character": 0}}
            params = {"textDocument": {"uri": uri}, "range": seen}
            message += self._message("textDocument/inlayHint", params, next(self._ids))
        return self._until_findings(message, 1)

    def change(self, uri: str, before: str, at: int, removed: int, inserted: str) -> Taken:
        """Replace `removed` code points at `at` of `before`; taken until the findings of the new text came."""
        self._version += 1
        change: Json = {"text": before[:at] + inserted + before[at + removed :]}
        if self.incremental:
            span = {"start": place(before, at), "end": place(before, at + removed)}
            change = {"range": span, "text": inserted}
        document = {"uri": uri, "version": self._version}
        message = self._message("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        return self._until_findings(message, self._version)

    def rest(self, quiet: float = 0.5) -> None:
        """Wait until the server has done nothing for so many seconds."""
        before = -1.0
        while (spent := self._cpu()) - before > quiet / 50:
            before = spent
            time.sleep(quiet)

    def request(self, method: str, params: object) -> tuple[Any, Taken]:
        """The result of a request, and what it took."""
        number = next(self._ids)
        message = self._message(method, params, number)

        def answers(body: bytes) -> bool:
            found = _ID.search(body)
            return _METHOD.search(body) is None and found is not None and found[1] == str(number).encode()

        body, taken = self._exchange(message, answers)
        reply = json.loads(body)
        assert "error" not in reply, reply
        return reply["result"], taken

    def close(self) -> None:
        """End the server."""
        self.request("shutdown", None)
        self._send(self._message("exit", None))
        self.process.wait(60)

    def end(self) -> None:
        """End it at once, whatever it is doing."""
        self.process.kill()
        self.process.wait(60)

    def memory(self) -> int:
        """Resident bytes now."""
        return sum(_resident(pid) for pid in _family(self.process.pid))

    def _until_findings(self, message: bytes, version: int) -> Taken:
        def publishes(body: bytes) -> bool:
            method = _METHOD.search(body)
            if method is None or method[1] != b"textDocument/publishDiagnostics":
                return False
            # What says its version may say it before or after many findings.
            found = _VERSION.search(body[:400]) or _VERSION.search(body[-400:])
            return found is not None and int(found[1]) == version

        return self._exchange(message, publishes)[1]

    def _exchange(self, message: bytes, wanted: Callable[[bytes], bool]) -> tuple[bytes, Taken]:
        cpu = self._cpu()
        start = perf_counter()
        self._send(message)
        while not wanted(body := self._receive()):
            self._answer(body)
        wall = perf_counter() - start
        return body, Taken(wall, self._cpu() - cpu)

    def _answer(self, body: bytes) -> None:
        """What the server asks is answered with nothing."""
        if _METHOD.search(body) is not None and _ID.search(body[:200] + body[-200:]) is not None:
            asked = json.loads(body)
            if "id" in asked:
                items = asked.get("params", {}).get("items") if isinstance(asked.get("params"), dict) else None
                self._send(_framed({"id": asked["id"], "result": None if items is None else [None for _ in items]}))

    def _message(self, method: str, params: object, number: int | None = None) -> bytes:
        return _framed({"method": method, "params": params, **({} if number is None else {"id": number})})

    def _send(self, message: bytes) -> None:
        self._input.write(message)
        self._input.flush()

    def _receive(self) -> bytes:
        length = 0
        while (header := self._output.readline()).strip():
            if header.lower().startswith(b"content-length:"):
                length = int(header.split(b":")[1])
        assert length, "the server is gone"
        return self._output.read(length)

    def _cpu(self) -> float:
        return sum(_spent(pid) for pid in _family(self.process.pid))


def place(text: str, offset: int) -> Json:
    """The position of an offset of a text of ASCII characters whose lines end at line feeds."""
    return {"line": text.count("\n", 0, offset), "character": offset - (text.rfind("\n", 0, offset) + 1)}


def _framed(message: Json) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def _family(pid: int) -> list[int]:
    """A process and its descendants."""
    found, pending = list[int](), [pid]
    while pending:
        found.append(pending.pop())
        for children in Path(f"/proc/{found[-1]}/task").glob("*/children"):
            try:
                pending += map(int, children.read_text().split())
            except OSError:  # a thread that has just ended
                continue
    return found


def _spent(pid: int) -> float:
    """CPU seconds of a process and its threads: its own clock, as the scheduler's ticks are longer than a keystroke."""
    try:
        return time.clock_gettime((~pid << 3) | 2)  # what `clock_getcpuclockid` of C computes
    except OSError:
        return 0.0


def _resident(pid: int) -> int:
    try:
        found = re.search(r"VmRSS:\s*(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return int(found[1]) * 1024 if found else 0
