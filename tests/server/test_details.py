"""Lenses, hints of functions, and commands: what stands between the lines, and what a click on it does."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import unquote, urlparse

import pytest
from client import FAKE, REAL, Client, insertion, place

from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.ide.hints import hints as shown
from memlane.ide.snapshot import File
from memlane_server.client_view import found_later
from memlane_server.refresh import FIRST_SECONDS
from memlane_server.server import MemlaneServer

URI = "file:///w/details.mlir"
PROGRAM = """\
func.func @nothing(%x: f32) -> f32 {
  return %x : f32
}
func.func @late(%n: index) {
  %a = memref.alloc() : memref<1024xf32>
  %v = memref.load %a[%n] : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  memref.store %v, %b[%n] : memref<1024xf32>
  memref.dealloc %a : memref<1024xf32>
  memref.dealloc %b : memref<1024xf32>
  return
}
func.func @leaks(%c: i1, %x: memref<4xf32>) {
  %lost = memref.alloc() : memref<4xf32>
  %one = arith.select %c, %lost, %x : memref<4xf32>
  memref.copy %one, %x : memref<4xf32> to memref<4xf32>
  return
}
"""
CAPABILITIES = {
    "workspace": {"inlayHint": {"refreshSupport": True}, "codeLens": {"refreshSupport": True}},
    "window": {"showDocument": {"support": True}},
}
DOCUMENT = {"textDocument": {"uri": URI}}
ALL = {"start": place(PROGRAM, 0), "end": place(PROGRAM, len(PROGRAM))}


@pytest.fixture
def client() -> Iterator[Client]:
    with Client(REAL, capabilities=CAPABILITIES, clientInfo={"name": "tests", "version": "1"}) as client:
        client.answers["window/showDocument"] = lambda _: {"success": True}
        client.open(URI, PROGRAM)
        client.diagnostics(URI, 1)  # what hints repeat of them is told at once then
        yield client


def hints(client: Client) -> dict[int, list[str]]:
    """By line, 0-based."""
    found: dict[int, list[str]] = {}
    for hint in client.request("textDocument/inlayHint", {**DOCUMENT, "range": ALL}):
        found.setdefault(hint["position"]["line"], []).append(hint["label"])
    return found


def command(client: Client, name: str, *arguments: Any) -> Any:
    return client.request("workspace/executeCommand", {"command": name, "arguments": list(arguments)})


@pytest.mark.slow
def test_lenses_are_placed_at_once_and_told_when_asked(client: Client) -> None:
    lenses = client.request("textDocument/codeLens", DOCUMENT)
    assert [one["range"]["start"]["line"] for one in lenses] == [3, 3, 12, 12]
    told = [client.request("codeLens/resolve", one)["command"] for one in lenses]
    assert [one["title"] for one in told] == [
        "peak 8 KiB, ideal 4 KiB (2x) · 2 findings",
        "show lanes",
        "peak 16 B · 1 finding",
        "show lanes",
    ]
    assert told[0]["command"] == "memlane.server.showPeak"
    assert told[1]["command"] == "memlane.server.showLanes"
    assert all(one["arguments"][0] == URI for one in told)


@pytest.mark.slow
def test_a_lens_leads_to_the_peak(client: Client) -> None:
    assert command(client, "memlane.server.showPeak", URI, "late") is True
    [shown] = client.notifications("window/showDocument")
    assert (shown["params"]["uri"], shown["params"]["selection"]["start"]["line"]) == (URI, 6)
    assert command(client, "memlane.server.showPeak", URI, "none") is False


@pytest.mark.slow
def test_the_picture_is_a_file_that_goes_with_the_server() -> None:
    with Client(REAL, capabilities=CAPABILITIES) as client:
        client.answers["window/showDocument"] = lambda _: {"success": True}
        client.open(URI, PROGRAM)
        uri: str = command(client, "memlane.server.showLanes", URI, "late")
        [shown] = client.notifications("window/showDocument")
        assert (shown["params"]["uri"], shown["params"]["external"]) == (uri, True)
        path = Path(unquote(urlparse(uri).path))
        page = path.read_text()
        assert "@late" in page
        assert "@leaks" not in page.split("<pre")[0]
        assert command(client, "memlane.server.showLanes", URI) != uri
        assert command(client, "memlane.server.showLanes", URI, "nothing") is None
    assert not path.exists()


@pytest.mark.slow
def test_who_cannot_show_documents_is_told_where_it_is() -> None:
    with Client(REAL) as client:
        client.open(URI, PROGRAM)
        uri = command(client, "memlane.server.showLanes", URI)
        [said] = client.notifications("window/showMessage")
        assert uri in said["params"]["message"]


@pytest.mark.slow
def test_the_peak_is_told_later_and_ownership_at_once(client: Client) -> None:
    first = hints(client)
    assert first[14] == ["owned if %c"]
    assert not any("peak" in label for labels in first.values() for label in labels)
    client.wait("a refresh", lambda: bool(client.notifications("workspace/inlayHint/refresh")))
    later = hints(client)
    assert later[3] == ["peak 8 KiB, ideal 4 KiB (2x)"]
    assert later[12] == ["peak 16 B"]
    assert {line: labels for line, labels in later.items() if line not in (3, 12)} == first


@pytest.mark.slow
def test_the_peak_is_said_by_lenses_alone_where_they_are_asked_for(client: Client) -> None:
    hints(client)
    client.wait("a refresh", lambda: bool(client.notifications("workspace/inlayHint/refresh")))
    assert hints(client)[3] == ["peak 8 KiB, ideal 4 KiB (2x)"]
    told = len(client.notifications("workspace/inlayHint/refresh"))
    assert client.request("textDocument/codeLens", DOCUMENT)
    client.wait("a refresh", lambda: len(client.notifications("workspace/inlayHint/refresh")) > told)
    assert not any("peak" in label for labels in hints(client).values() for label in labels)


@pytest.mark.slow
def test_who_draws_hints_while_it_is_told_to_ask_again_is_told_once_more(client: Client) -> None:
    """VS Code hears nothing meanwhile."""
    hints(client)
    client.wait("a refresh, unheard", lambda: bool(client.notifications("workspace/inlayHint/refresh")))
    heard = len(client.notifications("workspace/inlayHint/refresh"))
    client.wait("another", lambda: len(client.notifications("workspace/inlayHint/refresh")) > heard)
    assert hints(client)[3] == ["peak 8 KiB, ideal 4 KiB (2x)"]
    told = len(client.notifications("workspace/inlayHint/refresh"))
    client.settle(2 * FIRST_SECONDS)
    assert len(client.notifications("workspace/inlayHint/refresh")) == told


@pytest.mark.slow
def test_hints_tell_more_when_asked(client: Client) -> None:
    found = client.request("textDocument/inlayHint", {**DOCUMENT, "range": ALL})
    by_line = {one["position"]["line"]: client.request("inlayHint/resolve", one) for one in found}
    [part] = by_line[14]["label"]
    assert part["value"] == "owned if %c"
    assert "it must be freed or returned" in part["tooltip"]
    assert part["location"]["range"]["start"]["line"] == 12
    assert by_line[4]["label"][0]["location"]["range"]["start"]["line"] == 8
    assert "memref.dealloc %lost" in by_line[13]["textEdits"][0]["newText"]


@pytest.mark.slow
def test_kinds_of_hints_have_switches() -> None:
    off = {"inlayHintOwnership": False, "inlayHintPeak": False, "codeLens": False}
    with Client(REAL, capabilities=CAPABILITIES, initializationOptions=off) as client:
        client.open(URI, PROGRAM)
        client.diagnostics(URI, 1)
        assert 14 not in hints(client)
        assert client.request("textDocument/codeLens", DOCUMENT) == []
        client.settle(0.5)
        assert client.notifications("workspace/inlayHint/refresh") == []


@pytest.mark.slow
def test_details_are_hidden_and_shown_again(client: Client) -> None:
    assert command(client, "memlane.server.toggleDetails") is False
    assert hints(client) == {}
    assert client.request("textDocument/codeLens", DOCUMENT) == []
    assert client.notifications("workspace/codeLens/refresh") != []
    assert command(client, "memlane.server.toggleDetails") is True
    assert hints(client) != {}


@pytest.mark.slow
def test_information_has_no_text_of_documents(client: Client) -> None:
    found = command(client, "memlane.server.information")
    assert found["client"] == "tests 1"
    assert found["documents"] == [{"uri": URI, "version": 1, "lines": 19, "functions": 3}]
    assert "@leaks" not in str(found)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [[], [URI], [URI, "late", "more"]])
def test_commands_with_other_arguments_are_refused(client: Client, arguments: list[Any]) -> None:
    number = client.send("workspace/executeCommand", {"command": "memlane.server.showPeak", "arguments": arguments})
    reply = client.reply(number)
    assert reply["error"]["code"] == -32602


@pytest.mark.slow
def test_lenses_follow_edits(client: Client) -> None:
    client.write(client.change(URI, 2, insertion(PROGRAM, 0, "\n\n")))
    lenses = client.request("textDocument/codeLens", DOCUMENT)
    assert [one["range"]["start"]["line"] for one in lenses] == [5, 5, 14, 14]
    assert client.request("codeLens/resolve", lenses[2])["command"]["title"] == "peak 16 B · 1 finding"


@pytest.mark.slow
def test_hints_do_not_wait_for_a_check_where_they_can_be_told_later() -> None:
    with Client(FAKE, capabilities=CAPABILITIES) as client:
        client.open(URI, PROGRAM + "// " + "SLOW " * 1000)
        assert hints(client)[4] == ["4 KiB, lives to L9"]
        assert client.published(URI) == []
        client.write(client.change(URI, 2, {"text": PROGRAM}))
        client.diagnostics(URI, 2)


def test_who_got_less_is_told_when_there_is_more() -> None:
    told: list[str] = []

    async def told_later(known: bool) -> bool:
        found = asyncio.Event()
        if known:
            found.set()

        async def find(*_: object) -> None:
            await found.wait()

        file = File(URI, 1, (PROGRAM,), Config())
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
        client.open(URI, PROGRAM + "// SLOW\n")
        assert hints(client)[4] == ["4 KiB, lives to L9"]
        client.diagnostics(URI, 1)


def test_hints_of_functions_that_an_edit_did_not_touch_stay_while_it_is_checked() -> None:
    models = Config()
    first = File(URI, 1, (PROGRAM,), models)
    span = Span(0, len(PROGRAM))
    wanted = [re.sub(r"L\d+", "L", one.label) for one in shown(first, span)]
    assert any("never freed" in label for label in wanted)
    edit = Edit(Span(0, 0), "// a comment\n")
    second = first.edited(2, ("// a comment\n" + PROGRAM,), models, (edit,))
    moved = shown(second, Span(0, len(PROGRAM) + 13), wait=False)
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
