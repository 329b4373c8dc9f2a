"""Hints while a check is under way, and while edits come.

Through the client of raw bytes: it knows when a check began, and sends an edit before a reply has come."""

from __future__ import annotations

import asyncio
import re
from types import SimpleNamespace
from typing import cast

import pytest
from client import FAKE, Client, place
from programs import LATE

from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.ide.hints import hints as shown
from memlane.ide.snapshot import File
from memlane_server.client_view import found_later
from memlane_server.server import MemlaneServer

URI = "file:///w/details.mlir"
CAPABILITIES = {"workspace": {"inlayHint": {"refreshSupport": True}, "codeLens": {"refreshSupport": True}}}
DOCUMENT = {"textDocument": {"uri": URI}}
ALL = {"start": place(LATE, 0), "end": place(LATE, len(LATE))}


def hints(client: Client) -> dict[int, list[str]]:
    """By line, 0-based."""
    found: dict[int, list[str]] = {}
    for hint in client.request("textDocument/inlayHint", {**DOCUMENT, "range": ALL}):
        found.setdefault(hint["position"]["line"], []).append(hint["label"])
    return found


@pytest.mark.slow
def test_hints_do_not_wait_for_a_check_where_they_can_be_told_later() -> None:
    with Client(FAKE, capabilities=CAPABILITIES) as client:
        client.open(URI, LATE + "// " + "SLOW " * 1000)
        assert hints(client)[4] == ["4 KiB, lives to L9"]
        assert client.published(URI) == []
        client.write(client.change(URI, 2, {"text": LATE}))
        client.diagnostics(URI, 2)


def test_who_got_less_is_told_when_there_is_more() -> None:
    told: list[str] = []

    async def told_later(known: bool) -> bool:
        found = asyncio.Event()
        if known:
            found.set()

        async def find(*_: object) -> None:
            await found.wait()

        file = File(URI, 1, (LATE,), Config())
        session = SimpleNamespace(file={URI: file}.get, is_newest={file}.__contains__)
        server = SimpleNamespace(session=session, background=SimpleNamespace(find=find))
        later = await found_later(cast("MemlaneServer", server), URI, lambda: told.append("refresh"))
        found.set()
        for _ in range(10):
            await asyncio.sleep(0)
        return later

    assert asyncio.run(told_later(known=True)) is False
    assert told == []
    assert asyncio.run(told_later(known=False)) is True
    assert told == ["refresh"]


@pytest.mark.slow
def test_who_cannot_be_told_later_waits() -> None:
    with Client(FAKE) as client:
        client.open(URI, LATE + "// SLOW\n")
        assert hints(client)[4] == ["4 KiB, lives to L9"]
        client.diagnostics(URI, 1)


def test_hints_of_functions_that_an_edit_did_not_touch_stay_while_it_is_checked() -> None:
    models = Config()
    first = File(URI, 1, (LATE,), models)
    span = Span(0, len(LATE))
    wanted = [re.sub(r"L\d+", "L", one.label) for one in shown(first, span)]
    assert any("never freed" in label for label in wanted)
    edit = Edit(Span(0, 0), "// a comment\n")
    second = first.edited(2, ("// a comment\n" + LATE,), models, (edit,))
    moved = shown(second, Span(0, len(LATE) + 13), wait=False)
    assert [re.sub(r"L\d+", "L", one.label) for one in moved] == wanted
    assert second.checked_already is None


@pytest.mark.slow
def test_hints_asked_of_an_older_version_are_not_those_of_a_newer_one() -> None:
    with Client(FAKE, capabilities=CAPABILITIES) as client:
        client.open(URI, "HOLD")
        client.await_stderr("began")
        asked = client.send("textDocument/inlayHint", {**DOCUMENT, "range": ALL})
        client.write(client.change(URI, 2, {"text": "\nclean"}))
        assert client.reply(asked)["error"]["code"] == -32801
        assert client.request("textDocument/inlayHint", {**DOCUMENT, "range": ALL}) == []
