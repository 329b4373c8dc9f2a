"""A client at its worst: the server answers what can be answered, says what cannot, and goes on."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from memlane.checking import check
from memlane_server import memory_limit
from memlane_server.buffer import Buffer
from memlane_server.session import Session
from memlane_server.size_limit import MEGABYTE
from tests.effort import FULL
from tests.server.client import REAL, Client, insertion

URI = "file:///w/a.mlir"
SOURCE = "func.func @f(%n: index) {\n  %a = memref.alloc(%n) : memref<?xf32>\n  return\n}\n"
ASKS = {"workspace": {"configuration": True, "didChangeWatchedFiles": {"dynamicRegistration": True}}}


_probes = count(1)


@pytest.fixture(name="server", scope="module")
def fixture_server() -> Iterator[Client]:
    """One for all that it goes on after: it starts in as much time as a hundred of these tests take."""
    with Client(REAL) as client:
        yield client


def works(client: Client) -> str:
    """The server does its work as if nothing had happened; the document in which that was seen."""
    uri = f"file:///w/probe{next(_probes)}.mlir"
    client.open(uri, SOURCE)
    assert [one["code"] for one in client.diagnostics(uri, 1)] == ["leak"]
    asked = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 3}}
    assert "memref<?xf32>" in json.dumps(client.request("textDocument/hover", asked))
    return uri


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "refusals"),
    [
        (b"Content-Length: 5\r\n\r\n{nope", [-32700]),
        (b"Content-Length: 4\r\n\r\n\xff\xfe\x00\x01", [-32700]),
        (b"Content-Length: 2\r\n\r\n[]", [-32600]),
        (b'Content-Length: 39\r\n\r\n{"jsonrpc":"2.0","id":1,"method":[1,2]}', [-32600]),
        (b'Content-Length: 41\r\n\r\n{"jsonrpc":"2.0","id":{},"method":"hover"}', [-32700]),
        (b"Content-Length: 0\r\n\r\n", [-32700]),
        (b"Content-Length: 3\r\n\r\nnull", [-32700]),
        (b"Content-Length: 400000\r\n\r\n" + b"[" * 400_000, [-32700]),
        (b"Content-Length: 9000\r\n\r\n" + b"9" * 9_000, [-32700]),
        (b"no header at all\r\n\r\n", []),
        (b"Content-Length: -5\r\n\r\n", []),
        (b"Content-Length: many\r\n\r\n{}", []),
        (b"\0\0\0\0\r\n\r\n", []),
        (b"Content-Length: " + b"9" * 5_000 + b"\r\n\r\n{}", []),
        (b"Content-Length: 9999999999\r\n\r\n{}", []),
        (b"x" * 1_000_000, []),
        (b"x" * 1_000_000 + b"\r\n", []),
        (b"content-length:" * 100_000, []),
        (b"Content-Type: a\n" * 100_000 + b"\n", []),
        (b"Content-Length: 10\r\n\r\n" + b"[" * 1_000_000, [-32700]),
    ],
)
def test_malformed_messages(server: Client, data: bytes, refusals: list[int]) -> None:
    before = len(server.refusals)
    server.write_bytes(data)
    works(server)
    server.wait("refused", lambda: len(server.refusals) >= before + len(refusals))
    assert server.refusals[before:] == refusals


@pytest.mark.slow
@pytest.mark.parametrize("length", [-20, -1, 1, 7])
def test_wrong_content_length(server: Client, length: int) -> None:
    """Of one message: it is lost, and with it at most the one after it."""
    body = b'{"jsonrpc":"2.0","method":"$/setTrace","params":{"value":"off"}}'
    server.write_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body) + length, body))
    server.notify("memlane/lost", {"padding": "x" * 40})
    works(server)


@pytest.mark.slow
def test_unknown_methods(server: Client) -> None:
    server.notify("memlane/unknown", {"a": 1})
    server.notify("$/mayBeIgnored", None)
    reply = server.reply(server.send("memlane/unknown", {}))
    assert reply["error"]["code"] == -32601
    refused = server.reply(server.send("workspace/executeCommand", {"command": "rm"}))
    assert refused["error"]["code"] in (-32601, -32602)
    works(server)


@pytest.mark.slow
@pytest.mark.parametrize("number", [[1], {}, None, 1.5, "none", 10**6])
def test_cancelling_what_is_no_request(server: Client, number: object) -> None:
    server.notify("$/cancelRequest", {"id": number})
    works(server)


ODD_URIS = [
    *("", "file://", "file:///%00a.mlir", "file:///w/\0.mlir", "untitled:Untitled-1", "git:/w/a.mlir?x", "http://[::1"),
    *("file:///w/\ud800.mlir", "file:///w/%ED%A0%80.mlir", f"file:///{'a' * 5000}.mlir", "file://host/share/a.mlir"),
    *("file:///w/..%2f..%2fetc.mlir", "vscode-notebook-cell:/a#1", "file:///w/%zz.mlir", "C:\\a.mlir"),
    "file://[::1/a.mlir",
]


@pytest.mark.slow
def test_odd_names_of_documents(server: Client) -> None:
    """Each is checked like any other."""
    for uri in ODD_URIS:
        server.open(uri, SOURCE)
        assert [one["code"] for one in server.diagnostics(uri, 1)] == ["leak"], uri
    works(server)


@pytest.mark.slow
def test_lone_surrogates_in_a_document() -> None:
    """Halves of characters, in names and comments, opened and typed one after the other."""
    with Client(REAL) as client:
        client.open(URI, SOURCE.replace("%a", "%a\ud800").replace("  return", "  // \udfff\n  return"))
        client.diagnostics(URI, 1)
        for version, half in ((2, "\ud83d"), (3, "\ude00")):
            at = {"line": 2, "character": version}
            client.write(client.change(URI, version, {"range": {"start": at, "end": at}, "text": half}))
            client.diagnostics(URI, version)
        place = {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 3}}
        for method in ("hover", "documentSymbol", "references", "foldingRange", "semanticTokens/full"):
            client.request(f"textDocument/{method}", {**place, "context": {"includeDeclaration": True}})
        works(client)


@pytest.mark.slow
@pytest.mark.parametrize("path", ["a\0b", "/w/\ud800.toml", "/" + "a" * 6000, "/", "/dev/zero"])
def test_a_setting_that_is_no_path(path: str) -> None:
    with Client(REAL, initializationOptions={"memlane": {"config": path}}) as client:
        works(client)


DEEP = "".join(f"module @m{number} {{\n" for number in range(1500)) + SOURCE + "}\n" * 1500


@pytest.mark.slow
def test_answers_are_no_deeper_than_clients_read() -> None:
    """Outlines and selections of what is nested a thousandfold."""
    with Client(REAL) as client:
        client.open(URI, DEEP)
        document, place = {"uri": URI}, {"line": 1501, "character": 4}
        symbols = client.request("textDocument/documentSymbol", {"textDocument": document}, timeout=600)
        count, pending = 0, list(symbols)
        while pending:
            count += 1
            pending += pending.pop().get("children") or []
        assert count == 1500 + 2
        (chain,) = client.request("textDocument/selectionRange", {"textDocument": document, "positions": [place]})
        steps = [chain]
        while "parent" in steps[-1]:
            steps.append(steps[-1]["parent"])
        assert 10 < len(steps) < 200
        assert steps[-1]["range"]["start"] == {"line": 0, "character": 0}
        works(client)


@pytest.mark.slow
def test_edits_out_of_order() -> None:
    """Versions that jump, fall and repeat: the text is what the edits make of it in the order in which they came."""
    with Client(REAL) as client:
        client.open(URI, SOURCE, version=5)
        text = SOURCE
        for version in (900, 3, 3, -1, 2**31 - 1, 4):
            line = f"  // {version}\n"
            at = text.index("  return")
            client.write(client.change(URI, version, insertion(text, at, line)))
            text = text[:at] + line + text[at:]
            wanted = [one.rule.name for one in check(text).findings]
            assert [one["code"] for one in client.diagnostics(URI, version)] == wanted
        client.write(client.change(URI, 6, {"text": SOURCE.replace("%a", "%b")}))
        assert "%b" in client.diagnostics(URI, 6)[0]["message"]


@pytest.mark.slow
def test_edits_that_make_no_sense() -> None:
    """Beyond the text, before it, end before start: taken as near as may be, logged, and survived."""
    with Client(REAL) as client:
        client.open(URI, SOURCE)
        places = [(0, 0), (900, 900), (1, 10_000), (2**31 - 1, 2**31 - 1)]
        version = 1
        for start in places:
            for end in places:
                version += 1
                at = [{"line": line, "character": character} for line, character in (start, end)]
                client.write(client.change(URI, version, {"range": {"start": at[0], "end": at[1]}, "text": "\n"}))
        client.write(client.change(URI, version + 1, {"text": SOURCE}))
        assert [one["code"] for one in client.diagnostics(URI, version + 1)] == ["leak"]
        works(client)


@pytest.mark.slow
def test_documents_opened_twice_and_closed_twice() -> None:
    with Client(REAL) as client:
        client.open(URI, "func.func @g() { return }\n")
        client.open(URI, SOURCE, version=2)
        assert [one["code"] for one in client.diagnostics(URI, 2)] == ["leak"]
        for _ in range(2):
            client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
        client.wait("cleared", lambda: client.published(URI)[-1]["diagnostics"] == [])
        client.write(client.change(URI, 3, {"text": SOURCE}))
        works(client)


@pytest.mark.slow
def test_a_client_that_never_answers() -> None:
    """Settings are asked for, and work does not wait for the answer."""
    with Client(REAL, capabilities=ASKS) as client:
        client.silent |= {"workspace/configuration", "client/registerCapability"}
        works(client)
        client.wait("asked", lambda: bool(client.notifications("workspace/configuration")))


@pytest.mark.slow
@pytest.mark.parametrize("answer", [None, 3, "no", [], [1, 2], {"memlane": {}}, [{"debounce": "often"}]])
def test_a_client_that_answers_nonsense(answer: object) -> None:
    with Client(REAL, capabilities=ASKS) as client:
        client.answers["workspace/configuration"] = lambda _: answer
        works(client)
        client.wait("asked", lambda: bool(client.notifications("workspace/configuration")))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are Unix'")
def test_a_client_that_dies() -> None:
    """Its ends of the pipes are closed in the middle of a message: the server and its worker end."""
    client = Client(REAL)
    client.__enter__()
    works(client)
    client.write_bytes(b"Content-Length: 1000\r\n\r\n{")
    assert client.process.stdin is not None and client.process.stdout is not None
    client.process.stdin.close()
    assert client.ended() == 1
    assert "Traceback" not in client.stderr()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are Unix'")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_the_server_without_a_traceback(number: int) -> None:
    client = Client(REAL)
    client.__enter__()
    works(client)
    os.kill(client.process.pid, number)
    client.ended()
    assert "Traceback" not in client.stderr()


@pytest.mark.slow
def test_a_client_that_does_not_read(tmp_path: Path) -> None:
    """Its pipe is full: the server goes on taking what comes in, and what it said is there once somebody reads."""
    client = Client(REAL)
    client.__enter__()
    for number in range(40):
        client.open(f"file:///w/{number}.mlir", SOURCE * 30)
    works(client)
    client.__exit__(None, None, None)


def numbered(number: int) -> str:
    return SOURCE.replace("@f", f"@f{number}")


@pytest.mark.slow
def test_a_thousand_documents() -> None:
    with Client(REAL) as client:
        for number in range(1000):
            client.open(f"file:///w/{number}.mlir", numbered(number))
        for number in (0, 500, 999):
            assert len(client.diagnostics(f"file:///w/{number}.mlir", 1, timeout=600)) == 1
        works(client)
        uri = "file:///w/1.mlir"
        client.write(client.change(uri, 2, insertion(numbered(1), 0, "// more\n")))
        assert len(client.diagnostics(uri, 2)) == 1


def session_of(count: int) -> Session:
    session = Session()
    for number in range(count):
        session.open(f"file:///w/{number}.mlir", 1, numbered(number))
    return session


@pytest.mark.slow
def test_documents_are_forgotten_beyond_the_ceiling() -> None:
    """The one asked about longest ago first, until there is room; the findings of all stay what they are."""
    session = session_of(5)
    before = [len(file.checked.findings) for file in session.files()]
    session.file("file:///w/0.mlir")
    identities = {file.uri: file.identity for file in session.files()}
    left = iter([500, 400, 300, 90])
    assert memory_limit.make_room(session, 100, lambda: next(left) * MEGABYTE) == 2
    blank = {file.uri[-6]: file.blank for file in session.files()}
    assert blank == {"1": True, "2": True, "3": False, "4": False, "0": False}
    assert [len(file.checked.findings) for file in session.files()] == before
    assert {file.uri: file.identity for file in session.files()} == identities


@pytest.mark.slow
def test_a_ceiling_that_is_too_low_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    session = session_of(3)
    for file in session.files():
        _ = file.checked
    assert memory_limit.make_room(session, 1, lambda: 10**12) == 3
    assert memory_limit.make_room(session, 1, lambda: 10**12) == 0
    assert memory_limit.make_room(session, 0, lambda: 10**12) == 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs the memory that a process has now")
def test_the_setting_reaches_the_server() -> None:
    options = {"memlane": {"memoryLimit": 1}}
    with Client([*REAL, "--log-level", "info"], initializationOptions=options) as client:
        uri = works(client)
        said = "of the 1 MB of memoryLimit used: evicted the results of 1 documents"
        client.wait("room made", lambda: said in client.stderr())
        asked: dict[str, Any] = {"textDocument": {"uri": uri}}
        assert client.request("textDocument/documentSymbol", asked)


QUIET = [
    sys.executable,
    "-c",
    "import sys\n"
    "from memlane_server import gc_policy as garbage, server\n"
    "quiet = garbage.Collector._quiet\n"
    "def told(self):\n"
    "    quiet(self)\n"
    "    print('quiet', file=sys.stderr, flush=True)\n"
    "garbage.Collector._quiet = told\n"
    "sys.exit(server.main([]))\n",
]
"""The server; it says on stderr when it has cleaned up, as it does when the client is quiet for a while."""

EIGHT_HOURS = 8 * 3600 // 2
"""Edits: one every two seconds."""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs the memory that a process has now")
def test_hours_of_editing_with_flat_memory() -> None:
    """A working day of edits, without the pauses; `MEMLANE_FULL` takes all of them, otherwise a fortieth."""
    edits = EIGHT_HOURS if FULL else EIGHT_HOURS // 40
    source = "".join(map(numbered, range(60)))
    buffer, choose, sizes = Buffer(source), random.Random(8), list[int]()
    with Client(QUIET) as client:
        client.open(URI, source)
        for number in range(1, edits + 1):
            line = 4 * choose.randrange(60) + 2
            old = buffer.line(line)
            new = choose.choice(["  // thinking\n", "  %x = arith.constant 1 : index\n", ""]) + "  return"
            start, end = (line, 0), (line, len(old))
            if old == "  return" and new != old and len(buffer.leaves()[0]) < 2 * len(source):
                _edit(client, buffer, number + 1, start, end, new)
            else:
                _edit(client, buffer, number + 1, (0, 0), (buffer.line_count, 0), source)
            if number % 20 == 0 or number % (edits // 8) == 0:
                client.diagnostics(URI, number + 1)
                del client.received[:-1]  # publications, of which the last may be the one that counts
            if number % (edits // 8) == 0:
                told = client.stderr().count("quiet")
                client.request("textDocument/foldingRange", {"textDocument": {"uri": URI}})  # quiet comes after it
                client.await_stderr("quiet", told + 1)
                sizes.append(_megabytes(client.process.pid))
        wanted = len(check(buffer.source).findings)
        client.wait("all findings", lambda: len(client.published(URI)[-1]["diagnostics"]) == wanted)
    print(f"{edits} edits, megabytes: {sizes}")
    assert max(sizes[4:]) <= 1.15 * max(sizes[:4]) + 5, sizes


def _edit(
    client: Client, buffer: Buffer, version: int, start: tuple[int, int], end: tuple[int, int], text: str
) -> None:
    """The same edit here and there."""
    buffer.replace(start, end, text)
    places = {name: dict(zip(("line", "character"), at, strict=True)) for name, at in (("start", start), ("end", end))}
    client.write(client.change(URI, version, {"range": places, "text": text}))


def _megabytes(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) // 1000
