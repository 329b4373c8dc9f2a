"""Server messages: sessions whose messages are damaged, as values and as bytes. The server answers, and goes on.

The server runs in this process, on an event loop of its own, with a writer that only collects. Every session ends with
a document and a question about it, which must be answered as if nothing had happened.
"""

from __future__ import annotations

import asyncio
import copy
import json
import random
from collections.abc import Sequence
from typing import Any, cast

from memlane_server.server import MemlaneServer
from memlane_server.transport import Frames
from tests.fuzz.mutate import STRANGE, mutated_bytes

Json = dict[str, Any]
URI = "file:///w/fuzz.mlir"
PROBE = "file:///w/probe.mlir"
PROBE_ID = "probe"
TEXT = "func.func @f(%n: index) {\n  %a = memref.alloc(%n) : memref<?xf32>\n  return\n}\n"
ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 2**31, 2**63, -0.5, 1e308, "", "x", list[Any](), dict[str, Any](), [[1]], {"a": {"b": 1}}),
    *STRANGE,
)
PLAIN = (
    "hover definition declaration implementation references documentHighlight completion prepareRename selectionRange "
    "documentSymbol foldingRange inlayHint codeAction diagnostic rename"
).split()
SECONDS = 300
"""Of waiting for answers before one counts as missing."""


def place(line: int, character: int) -> Json:
    """A position."""
    return {"line": line, "character": character}


def session(choose: random.Random) -> list[Json]:
    """What a client says from the start to some requests: all of it makes sense."""
    document: Json = {"uri": URI, "languageId": "mlir", "version": 1, "text": TEXT}
    start: list[Json] = [
        {
            "id": "init",
            "method": "initialize",
            "params": {
                "processId": None,
                "rootUri": None,
                "capabilities": {"general": {"positionEncodings": ["utf-16"]}},
                "workspaceFolders": [{"uri": "file:///w", "name": "w"}],
                "initializationOptions": {"memlane": {"debounce": 10, "features": "all"}},
            },
        },
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
    ]
    for number in range(choose.randint(2, 12)):
        start.append(_edit(choose, number + 2) if choose.random() < 0.4 else _request(choose, number))
    start.append({"method": "workspace/didChangeConfiguration", "params": {"settings": {"memlane": {"debounce": 1}}}})
    return start


def _edit(choose: random.Random, version: int) -> Json:
    at, end = place(choose.randrange(6), choose.randrange(40)), place(choose.randrange(6), choose.randrange(40))
    change = {"range": {"start": at, "end": end}, "text": choose.choice(STRANGE)}
    params = {"textDocument": {"uri": URI, "version": version}, "contentChanges": [change]}
    return {"method": "textDocument/didChange", "params": params}


def _request(choose: random.Random, number: int) -> Json:
    at = place(choose.randrange(5), choose.randrange(40))
    params: Json = {
        "textDocument": {"uri": URI},
        "position": at,
        "positions": [at],
        "range": {"start": at, "end": at},
        "context": {"includeDeclaration": True, "diagnostics": [], "triggerKind": 1},
        "newName": "%new",
    }
    return {"id": number, "method": f"textDocument/{choose.choice(PLAIN)}", "params": params}


def damaged(choose: random.Random, message: Json) -> Json:
    """The message with one value, at any depth, replaced, removed or doubled."""
    message = copy.deepcopy(message)
    places: list[tuple[Any, Any]] = []
    pending: list[Any] = [message]
    while pending:
        holder = pending.pop()
        entries = cast("Json", holder).items() if isinstance(holder, dict) else enumerate(cast("list[Any]", holder))
        for key, value in list[tuple[Any, Any]](entries):
            places.append((cast("object", holder), key))
            if isinstance(value, (dict, list)):
                pending.append(cast("object", value))
    holder, key = choose.choice(places)
    if choose.random() < 0.25:
        del holder[key]
    else:
        holder[key] = choose.choice(ODD)
    return message


def framed(message: Json) -> bytes:
    """The message as it goes over the wire."""
    body = json.dumps({"jsonrpc": "2.0", **message}).encode("utf-8", "surrogatepass")
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


class Collected:
    """A writer that keeps what the server says."""

    def __init__(self) -> None:
        self.frames = Frames()
        self.messages: list[Json] = []

    def write(self, data: bytes) -> None:
        """Take a message, or a part of one."""
        self.messages += map(json.loads, self.frames.feed(data))

    def close(self) -> None:
        """Nothing to close."""


async def talk(data: Sequence[bytes], asked: Sequence[object] = ()) -> list[Json]:
    """Everything the server says to `data`, which is fed piece by piece, and to the probe after it.

    It ends with the answer to the probe and one to each of the requests `asked`.
    """
    server, said = MemlaneServer(), Collected()
    server.wire.set_writer(said)  # pyright: ignore[reportArgumentType] -- what pygls calls of a writer is there
    frames = Frames()
    try:
        for piece in (*data, *probe()):
            for body in frames.feed(piece):
                server.wire.receive(body)
                await asyncio.sleep(0)
        for _ in range(SECONDS * 100):
            answered = {message["id"] for message in said.messages if "method" not in message}
            if answered.issuperset([PROBE_ID, *asked]):
                break
            await asyncio.sleep(0.01)
    finally:
        server.shutdown()
        others = asyncio.all_tasks() - {cast("asyncio.Task[Any]", asyncio.current_task())}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
    return said.messages


def probe() -> list[bytes]:
    """A document and a question about it; the line feeds end a header that the damage may have left open."""
    document: Json = {"uri": PROBE, "languageId": "mlir", "version": 1, "text": TEXT}
    asked = {"textDocument": {"uri": PROBE}, "position": place(1, 3)}
    return [
        framed({"method": "textDocument/didOpen", "params": {"textDocument": document}}),
        framed({"id": PROBE_ID, "method": "textDocument/hover", "params": asked}),
    ]


def judge(sent: Sequence[Json], said: Sequence[Json]) -> None:
    """Every request has one answer; nothing went wrong inside."""
    answers = [message["id"] for message in said if "method" not in message]
    for message in said:
        if message.get("method") == "window/logMessage":
            assert "internal error" not in message["params"]["message"], message
        assert message.get("error", {}).get("code") != -32603, message
    [found] = [message for message in said if message.get("id") == PROBE_ID and "method" not in message]
    assert "memref<?xf32>" in json.dumps(found["result"]), found
    assert all(answers.count(number) == 1 for number in _asked(sent))


def _asked(sent: Sequence[Json]) -> list[str | int]:
    """The numbers of requests, but those that several have."""
    numbers = [message["id"] for message in sent if _answerable(message)]
    return [number for number in numbers if numbers.count(number) == 1]


def _answerable(message: Json) -> bool:
    return isinstance(message.get("method"), str) and type(message.get("id")) in (str, int)


def values(choose: random.Random) -> None:
    """A session in which some messages have odd values."""
    sent = [damaged(choose, one) if choose.random() < 0.4 else one for one in session(choose)]
    judge(sent, asyncio.run(talk([framed(message) for message in sent], _asked(sent))))


def raw(choose: random.Random) -> None:
    """A session whose bytes are damaged, cut anywhere."""
    data = mutated_bytes(choose, b"".join(map(framed, session(choose))))
    cuts = sorted(choose.randrange(len(data) + 1) for _ in range(4))
    pieces = [data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    said = asyncio.run(talk(pieces))
    for message in said:
        assert message.get("error", {}).get("code") != -32603, message


def disorder(choose: random.Random) -> None:
    """A session whose messages come in any order, some twice, some never."""
    sent = [one for one in session(choose) for _ in range(choose.choice((0, 1, 1, 1, 2)))]
    choose.shuffle(sent)
    said = asyncio.run(talk([framed(message) for message in sent]))
    for message in said:
        assert message.get("error", {}).get("code") != -32603, message


WAYS = {one.__name__: one for one in (values, raw, disorder)}
"""The ways to damage a session."""
