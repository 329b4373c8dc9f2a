"""Tracing: on request, each answer is followed by what it took."""

from __future__ import annotations

import re

import pytest
from client import REAL, Client

URI = "file:///w/a.mlir"


@pytest.mark.slow
def test_each_answer_says_what_it_took_while_tracing_is_on() -> None:
    document = {"textDocument": {"uri": URI}}
    with Client(REAL) as client:
        client.open(URI, "func.func @f() { return }\n")
        client.request("textDocument/documentSymbol", document)
        client.notify("$/setTrace", {"value": "messages"})
        client.request("textDocument/documentSymbol", document)
        client.notify("$/setTrace", {"value": "verbose"})
        client.request("textDocument/foldingRange", document)
        client.notify("$/setTrace", {"value": "off"})
        client.request("textDocument/foldingRange", document)
        client.wait("traces", lambda: len(client.notifications("$/logTrace")) >= 2)
        traces = [one["params"] for one in client.notifications("$/logTrace")]
        assert [re.sub(r"[\d.]+ ms", "", one["message"]) for one in traces] == [
            "textDocument/documentSymbol took ",
            "textDocument/foldingRange took ",
        ]
        assert ["verbose" in one for one in traces] == [False, True]


@pytest.mark.slow
def test_tracing_from_the_start() -> None:
    with Client(REAL, trace="messages") as client:
        client.request("workspace/symbol", {"query": ""})
        client.wait("a trace", lambda: bool(client.notifications("$/logTrace")))
