"""What goes wrong in reading edits does not last: the text is read anew, which is said once.

Faults that are put into the server: the client of raw bytes starts it, and reads what it says on stderr."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from client import Client, insertion

URI = "file:///w/a.mlir"
TEXT = "func.func @f(%n: index) {\n  %a = memref.alloc(%n) : memref<?xf32>\n  return\n}\n"
BROKEN = """
import os, sys
from memlane.{module} import {owner}
usual = {owner}.{method}
def broken(self, *arguments, **named):
    if {when}:
        raise KeyError("as if")
    return usual(self, *arguments, **named)
{owner}.{method} = broken
{environment}
import memlane_server.server as server
sys.exit(server.main([]))
"""
PLACES = [("syntax", "Document", "edit", "True"), ("query", "Checker", "results", "arguments[0]._past")]
"""What fails, and when: with what comes from versions before."""
ASKED: dict[str, dict[str, Any]] = {
    "hover": {"position": {"line": 1, "character": 4}},
    "documentSymbol": {},
    "definition": {"position": {"line": 1, "character": 21}},
}


def server(place: tuple[str, str, str, str], raises: bool) -> list[str]:
    """A server in which something fails. `raises`: as in tests."""
    module, owner, method, when = place
    environment = "" if raises else "os.environ.pop('MEMLANE_RAISE_BUGS', None)"
    script = BROKEN.format(module=module, owner=owner, method=method, when=when, environment=environment)
    return [sys.executable, "-c", script]


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES, ids=lambda place: place[1])
def test_edits_that_cannot_be_read_are_read_anew_and_it_is_said_once(place: tuple[str, str, str, str]) -> None:
    with Client(server(place, raises=False)) as client:
        client.open(URI, TEXT)
        text = TEXT
        for version in range(2, 6):
            client.write(client.change(URI, version, insertion(text, 0, "\n")))
            text = f"\n{text}"
            for method, params in ASKED.items():
                moved = {key: {**at, "line": at["line"] + version - 1} for key, at in params.items()}
                found = client.request(f"textDocument/{method}", {"textDocument": {"uri": URI}, **moved})
                assert found, method
            [leak] = client.diagnostics(URI, version)
            assert leak["code"] == "leak" and leak["range"]["start"]["line"] == version
        assert client.notifications("window/logMessage") == []
    assert client.stderr().count("this is a bug of Memlane") == 1


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES, ids=lambda place: place[1])
def test_in_tests_it_raises(place: tuple[str, str, str, str]) -> None:
    with Client(server(place, raises=True)) as client:
        client.open(URI, TEXT)
        client.diagnostics(URI, 1)
        client.write(client.change(URI, 2, insertion(TEXT, 0, "\n")))
        asked = {
            "textDocument": {"uri": URI},
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": 4, "character": 0}},
        }
        params: dict[str, Any] = {**asked, "context": {"diagnostics": []}}
        assert client.reply(client.send("textDocument/codeAction", params))["error"]["code"] == -32603


@pytest.mark.slow
def test_a_refusal_is_an_answer() -> None:
    """A name that cannot be given is no bug, also where the document was edited."""
    with Client() as client:
        client.open(URI, TEXT)
        client.write(client.change(URI, 2, insertion(TEXT, 0, "\n")))
        params = {"textDocument": {"uri": URI}, "position": {"line": 2, "character": 4}, "newName": "%n"}
        assert client.reply(client.send("textDocument/rename", params))["error"]["code"] == -32602
    assert "bug of Memlane" not in client.stderr()
