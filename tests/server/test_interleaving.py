"""Edits, requests and cancellations in any order: every request has one reply, and nothing stale is published.

Through the client of raw bytes: it sends without waiting, and a second reply to a request fails it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from client import REAL, Client, insertion, place
from tests.effort import some

from memlane.checking import check

URI = "file:///w/a.mlir"
START = """\
func.func @f(%n: index) -> memref<?xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?xf32>)
  memref.dealloc %a : memref<?xf32>
  return %b : memref<?xf32>
}
"""
PIECES = [
    "\n",
    "%",
    "a",
    " ",
    "}",
    "{",
    "// ",
    "é",
    "😋",
    "  memref.dealloc %b : memref<?xf32>\n",
    "memref.alloc()",
    '"',
]
METHODS = [
    *("hover", "definition", "references", "documentHighlight", "completion", "prepareRename", "signatureHelp"),
    *("linkedEditingRange", "prepareCallHierarchy", "prepareTypeHierarchy", "declaration", "implementation"),
]
WHOLE = ["documentSymbol", "foldingRange", "codeLens", "semanticTokens/full", "documentLink"]
OURS = ["memlane/lanes", "memlane/cursor"]
ACCEPTED = {-32800, -32801}
"""RequestCancelled and ContentModified."""
SEEDS = some(range(300), 4)


class Typist:
    """A client that edits, asks and cancels at random."""

    def __init__(self, client: Client, seed: int) -> None:
        self.client = client
        self.random = random.Random(seed)
        self.text = START
        self.version = 1
        self.asked: list[int] = []
        self.cancelled: set[int] = set()

    def step(self) -> None:
        """One of the things that a client does."""
        what = self.random.random()
        if what < 0.5:
            self.edit()
        elif what < 0.85:
            self.ask()
        elif what < 0.95 and self.asked:
            number = self.random.choice(self.asked)
            self.cancelled.add(number)
            self.client.notify("$/cancelRequest", {"id": number})
        else:
            self.client.settle(0.01)

    def edit(self) -> None:
        """Insert or remove something."""
        at = self.random.randrange(len(self.text) + 1)
        self.version += 1
        if self.random.random() < 0.6:
            piece = self.random.choice(PIECES)
            change = insertion(self.text, at, piece)
            self.text = self.text[:at] + piece + self.text[at:]
        else:
            end = min(len(self.text), at + self.random.choice([1, 1, 2, 30]))
            change = {"range": {"start": place(self.text, at), "end": place(self.text, end)}, "text": ""}
            self.text = self.text[:at] + self.text[end:]
        self.client.write(self.client.change(URI, self.version, change))

    def ask(self) -> None:
        """Some request."""
        document: dict[str, Any] = {"textDocument": {"uri": URI}}
        position = place(self.text, self.random.randrange(len(self.text) + 1))
        context: dict[str, Any] = {
            "includeDeclaration": True,
            "diagnostics": [],
            "triggerKind": 1,
            "isRetrigger": False,
        }
        method = self.random.choice([*METHODS, *WHOLE, *OURS, "inlayHint", "codeAction"])
        if method in OURS:
            self.asked.append(self.client.send(method, document | {"position": position}))
            return
        if method in METHODS:
            document |= {"position": position, "context": context}
        elif method not in WHOLE:
            document |= {"range": {"start": {"line": 0, "character": 0}, "end": position}, "context": context}
        self.asked.append(self.client.send(f"textDocument/{method}", document))


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_no_reply_is_lost_or_doubled_and_nothing_stale_is_published(seed: int) -> None:
    with Client(REAL) as client:
        client.open(URI, START)
        typist = Typist(client, seed)
        for _ in range(80):
            typist.step()
        typist.edit()
        found = client.diagnostics(URI, typist.version)
        for number in typist.asked:
            reply = client.reply(number)  # the client itself fails on a second one
            if "error" in reply:
                assert reply["error"]["code"] in ACCEPTED, reply
                assert reply["error"]["code"] != -32800 or number in typist.cancelled
        client.settle(0.1)
        versions = [params["version"] for params in client.published(URI)]
        assert versions == sorted(set(versions)) and versions[-1] == typist.version
        assert client.notifications("window/logMessage") == []
    wanted = check(typist.text).findings
    assert [(one["code"], one["message"]) for one in found] == [(w.rule.name, w.report.message) for w in wanted]
