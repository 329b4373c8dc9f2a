"""Requests that make no sense, are cancelled, or meet edits and checks that are under way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from client import FAKE, REAL, Client, place
from lsprotocol import types

from memlane.checking import check
from memlane.text import Text
from memlane_server.convert import Converter

URI = "file:///w/a.mlir"
PROGRAM = """\
module {
  // 😋 a function
  // that leaks
  func.func @leaks(%n: index) {
    %lost = memref.alloc(%n) : memref<?xf32>
    %zero = arith.constant 0.0 : f32
    "😋.use"(%zero) : (f32) -> () linalg.fill ins(%zero : f32) outs(%lost : memref<?xf32>)
    return
  }
  func.func @calls(%n: index) {
    call @leaks(%n) : (index) -> ()
    return
  }
}
"""


def at(name: str, nth: int = 0) -> dict[str, Any]:
    """Document and position of the nth mention of `name`."""
    offset = -1
    for _ in range(nth + 1):
        offset = PROGRAM.index(name, offset + 1)
    return {"textDocument": {"uri": URI}, "position": place(PROGRAM, offset + 1)}


def range_of(name: str, nth: int = 0) -> dict[str, Any]:
    """The range of the nth mention of `name`."""
    start = at(name, nth)["position"]
    length = len(name.encode("utf-16-le")) // 2
    start["character"] -= 1
    return {"start": start, "end": {**start, "character": start["character"] + length}}


@pytest.fixture(scope="module")
def client() -> Any:
    with Client(REAL) as client:
        client.open(URI, PROGRAM)
        yield client


def everywhere() -> dict[str, Any]:
    """The range of all of the document."""
    return {"start": place(PROGRAM, 0), "end": place(PROGRAM, len(PROGRAM))}


def applied(edits: list[dict[str, Any]]) -> str:
    """The program after edits in UTF-16 positions."""
    source = PROGRAM
    convert = Converter(Text(PROGRAM), "utf-16")
    for edit in sorted(edits, key=lambda one: tuple(one["range"]["start"].values()), reverse=True):
        start, end = (convert.offset(types.Position(**edit["range"][side])) for side in ("start", "end"))
        source = source[:start] + edit["newText"] + source[end:]
    return source


def test_quick_fix_goes_with_its_diagnostic(client: Client) -> None:
    shown = [{**one, "source": None} for one in client.diagnostics(URI, 1)]  # ALE leaves the source out
    params = {"textDocument": {"uri": URI}, "range": range_of("memref.alloc"), "context": {"diagnostics": shown}}
    action, silence, *_ = client.request("textDocument/codeAction", params)
    assert silence["title"] == "Ignore leak here"
    assert (action["kind"], action["isPreferred"]) == ("quickfix", True)
    assert [one["code"] for one in action["diagnostics"]] == ["leak"]
    repaired = applied(action["edit"]["changes"][URI])
    assert "memref.dealloc %lost" in repaired
    assert not [one for one in check(repaired).findings if one.rule.name == "leak"]


def test_fix_all_is_given_to_who_asks_for_it(client: Client) -> None:
    for only, wanted in ((["source.fixAll"], 1), (["source.fixAll.memlane"], 1), (["refactor"], 0)):
        context: dict[str, Any] = {"diagnostics": [], "only": only}
        params = {"textDocument": {"uri": URI}, "range": everywhere(), "context": context}
        actions = client.request("textDocument/codeAction", params)
        assert [one["kind"] for one in actions] == ["source.fixAll.memlane"] * wanted
    del params["context"]["only"]
    actions = client.request("textDocument/codeAction", params)
    assert {one["kind"] for one in actions} == {"quickfix"}


def test_accepting_a_hint_repairs_what_it_says(client: Client) -> None:
    hints = client.request("textDocument/inlayHint", {"textDocument": {"uri": URI}, "range": everywhere()})
    [hint] = [one for one in hints if "never freed" in one["label"]]
    assert hint["label"] == "4*%n B, never freed"
    resolved = client.request("inlayHint/resolve", hint)
    assert "memref.dealloc %lost" in applied(resolved["textEdits"])
    assert "never freed" in resolved["tooltip"]
    stale = {**hint, "data": [hint["data"][0], "other", *hint["data"][2:]]}
    assert "textEdits" not in client.request("inlayHint/resolve", stale)


@pytest.mark.parametrize("data", [[], ["file:///w/a.mlir"], {"uri": URI}, [URI, 1, 2, 3], "text", 5])
def test_data_that_the_server_did_not_give_are_refused(client: Client, data: object) -> None:
    place = {"line": 0, "character": 0}
    for method, item in (
        ("inlayHint/resolve", {"position": place, "label": "a", "data": data}),
        ("codeLens/resolve", {"range": {"start": place, "end": place}, "data": data}),
        ("codeAction/resolve", {"title": "a", "data": data}),
        ("workspace/executeCommand", {"command": "memlane.server.showLanes", "arguments": [[data]]}),
    ):
        assert client.reply(client.send(method, item))["error"]["code"] == -32602


@pytest.mark.slow
def test_a_request_sees_the_edits_before_it_and_none_after_it() -> None:
    with Client(REAL) as client:
        client.open(URI, "")
        ask = {"method": "textDocument/documentSymbol", "params": {"textDocument": {"uri": URI}}}
        client.write(
            client.change(URI, 2, {"text": "func.func @one() { return }"}),
            {"id": 901, **ask},
            client.change(URI, 3, {"text": "func.func @two() { return }"}),
            {"id": 902, **ask},
        )
        replies = [client.reply(number) for number in (901, 902)]
        first = replies[0]
        assert first.get("error", {}).get("code") == -32801 or first["result"][0]["name"] == "one"
        assert replies[1]["result"][0]["name"] == "two"


@pytest.mark.slow
def test_a_client_that_asks_for_findings_is_not_told_them_as_well() -> None:
    capabilities = {"workspace": {"diagnostics": {"refreshSupport": True}}}
    with Client(REAL, capabilities=capabilities) as client:
        client.open(URI, PROGRAM)
        assert client.diagnostics(URI, 1) != []
        document: dict[str, Any] = {"textDocument": {"uri": URI}}
        full = client.request("textDocument/diagnostic", document)
        assert [one["code"] for one in full["items"]] == ["leak"]
        assert client.published(URI)[-1]["diagnostics"] == []
        same = client.request("textDocument/diagnostic", {**document, "previousResultId": full["resultId"]})
        assert (same["kind"], same["resultId"]) == ("unchanged", full["resultId"])
        client.write(client.change(URI, 2, {"text": PROGRAM.replace("memref.alloc(", "memref.alloca(")}))
        other = client.request("textDocument/diagnostic", {**document, "previousResultId": full["resultId"]})
        assert (other["kind"], other["items"]) == ("full", [])
        client.settle(0.2)
        assert len(client.published(URI)) == 2


@pytest.mark.slow
def test_who_asks_for_findings_gets_those_in_view_first_and_is_told_to_ask_again(tmp_path: Path) -> None:
    """Who cannot be told gets all of them at once."""
    document: dict[str, Any] = {"textDocument": {"uri": URI}}
    opened = tmp_path / "opened"
    with Client(FAKE, capabilities={"workspace": {"diagnostics": {"refreshSupport": True}}}) as client:
        client.open(URI, f"EARLY HOLD<{opened}> LEAK LEAK")
        first = client.request("textDocument/diagnostic", document)
        assert len(first["items"]) == 1
        opened.touch()
        client.wait("being told", lambda: len(client.notifications("workspace/diagnostic/refresh")) == 1)
        last = client.request("textDocument/diagnostic", {**document, "previousResultId": first["resultId"]})
        assert (last["kind"], len(last["items"])) == ("full", 2)
        same = client.request("textDocument/diagnostic", {**document, "previousResultId": last["resultId"]})
        assert same["kind"] == "unchanged"
        client.write(client.change(URI, 2, {"text": "EARLY HOLD LEAK LEAK"}))
        assert len(client.request("textDocument/diagnostic", document)["items"]) == 1
        client.write(client.change(URI, 3, {"text": "LEAK LEAK"}))
        assert len(client.request("textDocument/diagnostic", document)["items"]) == 2
        assert len(client.notifications("workspace/diagnostic/refresh")) == 1
    opened.unlink()
    with Client(FAKE) as client:
        client.open(URI, f"EARLY HOLD<{opened}> LEAK LEAK")
        number = client.send("textDocument/diagnostic", document)
        opened.touch()
        assert len(client.reply(number)["result"]["items"]) == 2


@pytest.mark.slow
def test_all_who_ask_for_findings_of_one_version_get_those_in_view_first() -> None:
    document: dict[str, Any] = {"textDocument": {"uri": URI}}
    with Client(FAKE, capabilities={"workspace": {"diagnostics": {"refreshSupport": True}}}) as client:
        client.open(URI, "LEAK")
        client.request("textDocument/diagnostic", document)  # now it checks on request only
        client.write(client.change(URI, 2, {"text": "EARLY HOLD LEAK LEAK"}))
        numbers = [client.send("textDocument/diagnostic", document) for _ in range(3)]
        assert [len(client.reply(number)["result"]["items"]) for number in numbers] == [1, 1, 1]
        assert not client.notifications("workspace/diagnostic/refresh")


@pytest.mark.slow
def test_asking_for_findings_that_an_edit_outdates_is_to_be_repeated() -> None:
    with Client(FAKE) as client:
        client.open(URI, "HOLD")
        client.await_stderr("began")
        number = client.send("textDocument/diagnostic", {"textDocument": {"uri": URI}})
        client.await_stderr("began", 2)  # the server's own check is stopped, as the client asks
        client.write(client.change(URI, 2, {"text": "LEAK"}))
        error = client.reply(number)["error"]
        assert (error["code"], error["data"]) == (-32802, {"retriggerRequest": True})
        assert len(client.request("textDocument/diagnostic", {"textDocument": {"uri": URI}})["items"]) == 1


@pytest.mark.slow
def test_cancelled_requests_are_answered_once_and_their_work_stops() -> None:
    with Client(FAKE, capabilities={"textDocument": {"diagnostic": {}}}) as client:
        client.open(URI, "LEAK")
        client.request("textDocument/diagnostic", {"textDocument": {"uri": URI}})  # now it checks on request only
        client.write(client.change(URI, 2, {"text": "HOLD"}))
        everywhere = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
        context: dict[str, Any] = {"diagnostics": []}
        params = {"textDocument": {"uri": URI}, "range": everywhere, "context": context}
        slow = client.send("textDocument/codeAction", params)
        client.await_stderr("began")
        client.notify("$/cancelRequest", {"id": slow})
        assert client.reply(slow)["error"]["code"] == -32800
        client.await_stderr("stopped")
        outdated = client.send("textDocument/codeAction", params)
        client.await_stderr("began", 2)
        client.write(client.change(URI, 3, {"text": "clean"}))
        assert client.reply(outdated)["error"]["code"] == -32801
        client.await_stderr("stopped", 2)
        assert client.request("textDocument/codeAction", params) == []
