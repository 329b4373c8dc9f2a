"""docs/editors/others.md: the commands of its settings start a server that finds a leak. The editors are not run."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from typing import Any, cast

import pytest
from editor_bench import LEAKING, Bench, documented

BLOCKS = ("Kate", "LSP.sublime-settings", "settings.json of Zed")


def commands(settings: Any) -> Iterator[list[str]]:
    """The commands in some settings, however they are written."""
    if not isinstance(settings, dict):
        return
    table = cast("dict[str, Any]", settings)
    if isinstance(table.get("command"), list):
        yield table["command"]
    elif isinstance(table.get("path"), str):
        yield [table["path"], *table["arguments"]]
    for value in table.values():
        yield from commands(value)


def messages(bench: Bench) -> bytes:
    """What an editor sends that opens a file, waits for nothing and quits."""
    document = {"uri": bench.program.as_uri(), "languageId": "mlir", "version": 1, "text": LEAKING}
    sent: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None, "rootUri": None}},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
        {"id": 2, "method": "textDocument/documentSymbol", "params": {"textDocument": {"uri": document["uri"]}}},
    ]
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in sent]
    return b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)


@pytest.mark.slow
@pytest.mark.parametrize("title", BLOCKS)
def test_the_command_starts_a_server_that_finds_a_leak(title: str, bench: Bench) -> None:
    (command,) = commands(json.loads(documented("others.md", title)))
    with subprocess.Popen(
        command, cwd=bench.home, env=bench.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(messages(bench))
        server.stdin.flush()
        seen: list[dict[str, Any]] = []
        while not any(message.get("method") == "textDocument/publishDiagnostics" for message in seen):
            length = 0
            while line := server.stdout.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            assert length, "the server went away"
            seen.append(json.loads(server.stdout.read(length)))
        server.kill()
    (found,) = seen[-1]["params"]["diagnostics"]
    assert (found["source"], found["code"]) == ("memlane", "leak")
