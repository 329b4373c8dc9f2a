"""What LLVM's own tools say of a program: op names and places from `mlir-opt`, definitions from `mlir-lsp-server`."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

MLIR_OPT = shutil.which("mlir-opt-22")
MLIR_LSP_SERVER = shutil.which("mlir-lsp-server-22")
SHARED = Path(__file__).resolve().parents[2].parent / "shared"
CORPUS = SHARED / "corpus"

_FLAGS = ["--mlir-print-op-generic", "--mlir-print-debuginfo", "--mlir-print-local-scope"]
_OP = re.compile(r'\s*(?:%[\w:, %]+ = )?"([\w.$-]+)"\(')
_PLACE = re.compile(r'loc\("<stdin>":(\d+):(\d+)\)$')
_SPLIT = re.compile(r"^[ \t]*// -----.*$", re.MULTILINE)


class Place(NamedTuple):
    """An op where a parser finds it: 1-based line and column of its name or of its first result."""

    line: int
    column: int
    name: str


def chunks(source: str) -> Iterator[tuple[int, str]]:
    """Line number (0-based) and text of each chunk between separators."""
    start = 0
    for match in _SPLIT.finditer(source):
        yield source.count("\n", 0, start), source[start : match.start()]
        start = match.end()
    yield source.count("\n", 0, start), source[start:]


def run(text: str) -> str | None:
    """The generic form with locations that `mlir-opt` prints, None where it rejects the text. Remembered on disk."""
    key = hashlib.sha256(text.encode()).hexdigest()
    folder = Path(tempfile.gettempdir()) / "memlane-oracle"
    folder.mkdir(exist_ok=True)
    remembered = folder / key
    if remembered.exists():
        found = remembered.read_text()
    else:
        command = [str(MLIR_OPT), "--allow-unregistered-dialect", *_FLAGS]
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=600, check=False)
        found = done.stdout.decode(errors="replace") if done.returncode == 0 else ""
        remembered.write_text(found)
    return found or None


def places(printed: str) -> list[Place]:
    """The ops of a printed module whose location is a place in the text."""
    found: list[Place] = []
    stack: list[str] = []
    for line in printed.splitlines():
        match = _OP.match(line)
        if match:
            if line.endswith("({"):
                stack.append(match.group(1))
                continue
            name = match.group(1)
        elif line.lstrip().startswith("})"):
            name = stack.pop()
        else:
            continue
        place = _PLACE.search(line)
        if place:
            found.append(Place(int(place.group(1)), int(place.group(2)), name))
    return found


class LanguageServer:
    """A running `mlir-lsp-server` that is asked for definitions."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [str(MLIR_LSP_SERVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.number = 0
        self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})

    def send(self, message: dict[str, Any]) -> None:
        """Write one message."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        """Read one message."""
        stream = self.process.stdout
        assert stream is not None
        size = 0
        while True:
            line = stream.readline().strip()
            if not line:
                break
            key, _, value = line.partition(b":")
            if key.lower() == b"content-length":
                size = int(value)
        return json.loads(stream.read(size))

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """The result of a request."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                return answer.get("result")

    def definitions(self, uri: str, text: str, uses: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
        """For each use (0-based line and column): the places of its definition."""
        document = {"uri": uri, "languageId": "mlir", "version": 1, "text": text}
        self.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
        found: list[list[tuple[int, int]]] = []
        for line, column in uses:
            params = {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}
            answer: list[dict[str, Any]] = self.ask("textDocument/definition", params) or []
            starts: list[dict[str, int]] = [one["range"]["start"] for one in answer]
            found.append([(start["line"], start["character"]) for start in starts])
        self.send({"method": "textDocument/didClose", "params": {"textDocument": {"uri": uri}}})
        return found

    def stop(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()
