"""Requests that are cancelled, never answered, or meet edits and checks under way; clients as they were recorded.

Through the client of raw bytes: what is written in one piece, and when it is, is what these tests are about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from client import FAKE, REAL, Client, insertion
from lsp_client import RECORDED
from programs import LEAKS, OWN_MODEL, OWN_OP
from tests.fixes.test_reduction import steps

URI = "file:///w/a.mlir"


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


@pytest.mark.slow
def test_a_search_that_an_edit_ends_is_no_error() -> None:
    kind = "refactor.rewrite.memlane.reducePeak"
    resolves = {"textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}}
    large, at = steps("main", 100), {"line": 0, "character": 10}
    params = {
        "textDocument": {"uri": URI},
        "range": {"start": at, "end": at},
        "context": {"diagnostics": [], "only": ["refactor"]},
    }
    with Client(REAL, capabilities=resolves) as client:
        client.open(URI, large)
        assert kind in [one["kind"] for one in client.request("textDocument/codeAction", params)]
        client.write(client.change(URI, 2, insertion(large, 0, "// more\n")))
        client.request("codeAction/resolve", {"title": "", "kind": kind, "data": [URI, 2, "main"]})
    assert "never retrieved" not in client.stderr()


@pytest.mark.slow
def test_a_client_that_never_answers_gets_its_findings(tmp_path: Path) -> None:
    uri = (tmp_path / "a.mlir").as_uri()
    (tmp_path / "memlane.toml").write_text(OWN_MODEL)
    with Client(REAL, capabilities={"workspace": {"configuration": True}}) as client:
        client.silent.add("workspace/configuration")
        client.open(uri, OWN_OP)
        found = [one["code"] for one in client.diagnostics(uri, 1) if one["code"] != "unknown-effects"]
        assert found == ["leak"]


@pytest.mark.slow
@pytest.mark.skipif(not RECORDED.is_dir(), reason="no recorded client capabilities beside the checkout")
@pytest.mark.parametrize("name", sorted(path.stem for path in RECORDED.glob("*.json")) or ["none"])
def test_every_recorded_client_gets_its_findings(name: str) -> None:
    """As it was recorded, with nulls and with fields that `lsprotocol` has no types for."""
    recorded = json.loads((RECORDED / f"{name}.json").read_text())
    with Client(REAL, **{**recorded, "processId": None}) as client:
        client.open(URI, LEAKS)
        found = client.diagnostics(URI, 1)
        assert [one["code"] for one in found if one["severity"] < 3] == ["leak"]
        encodings = recorded["capabilities"].get("general", {}).get("positionEncodings", ["utf-16"])
        assert client.capabilities["positionEncoding"] == encodings[0]
        related = recorded["capabilities"]["textDocument"].get("publishDiagnostics", {}).get("relatedInformation")
        assert related or not any("relatedInformation" in one for one in found)
