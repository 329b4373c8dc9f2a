"""Requests over LSP: what the features give, in the client's positions and forms."""

from __future__ import annotations

import json
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
CAPABILITIES = Path(__file__).parents[3] / "shared" / "client-capabilities"


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


@pytest.mark.slow
def test_definition_counts_columns_as_the_client_does(client: Client) -> None:
    found = client.request("textDocument/definition", at("%zero", 1))
    assert found == {"uri": URI, "range": range_of("%zero")}


def test_references_leave_out_the_declaration_on_request(client: Client) -> None:
    for include, wanted in ((True, ["%lost", "%lost"]), (False, ["%lost"])):
        params = {**at("%lost", 1), "context": {"includeDeclaration": include}}
        found = client.request("textDocument/references", params)
        assert [one["range"] for one in found] == [range_of("%lost", n) for n in range(2)][-len(wanted) :]


def test_outline_nests_functions_and_their_buffers(client: Client) -> None:
    found = client.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    assert [symbol["name"] for symbol in found] == ["leaks", "calls"]
    assert [child["name"] for child in found[0]["children"]] == ["%lost"]
    assert [symbol["selectionRange"] for symbol in found] == [range_of("@leaks"), range_of("@calls")]


def test_hover_tells_size_and_effects(client: Client) -> None:
    value = client.request("textDocument/hover", at("%lost"))
    assert "4*%n bytes" in value["contents"]["value"]
    op = client.request("textDocument/hover", at("memref.alloc"))
    assert "allocates `%lost` on the heap" in op["contents"]["value"]
    symbol = client.request("textDocument/hover", at("@leaks", 1))
    assert "func.func @leaks(%n: index)" in symbol["contents"]["value"]
    assert "Peak 4*%n B, in line 5. 1 buffer: `%lost` 4*%n B." in symbol["contents"]["value"]
    assert client.request("textDocument/hover", at("that leaks")) is None


def test_completion_fills_in_and_mends_the_type(client: Client) -> None:
    for behind, edits in (("", []), (" : memref<8xf32>", ["memref<?xf32>"])):
        uri = f"file:///w/completed{len(behind)}.mlir"
        text = PROGRAM.replace("    return\n", f"    memref.dealloc %lo{behind}\n    return\n", 1)
        client.open(uri, text)
        position = place(text, text.index("%lo\n" if not behind else "%lo :") + 3)
        found = client.request("textDocument/completion", {"textDocument": {"uri": uri}, "position": position})
        item = next(one for one in found if one["label"] == "%lost")
        assert item["textEdit"]["newText"] == ("%lost" if behind else "%lost : memref<?xf32>")
        assert [edit["newText"] for edit in item.get("additionalTextEdits", [])] == edits


def test_folding_and_selection(client: Client) -> None:
    folds = client.request("textDocument/foldingRange", {"textDocument": {"uri": URI}})
    lines = [(fold["startLine"], fold["endLine"], fold.get("kind")) for fold in folds]
    assert sorted(lines) == [(0, 12, None), (1, 2, "comment"), (3, 7, None), (9, 11, None)]
    params = {"textDocument": {"uri": URI}, "positions": [at("%zero", 1)["position"]]}
    [chain] = client.request("textDocument/selectionRange", params)
    ranges: list[Any] = []
    while chain:
        ranges.append(chain["range"])
        chain = chain.get("parent")
    assert ranges[0] == range_of("%zero", 1)
    assert len(ranges) >= 4
    starts = [(one["start"]["line"], one["start"]["character"]) for one in ranges]
    assert starts == sorted(starts, reverse=True)


def test_rename_or_the_reason_why_not(client: Client) -> None:
    found = client.request("textDocument/prepareRename", at("%zero", 1))
    assert found == {"range": range_of("%zero", 1), "placeholder": "%zero"}
    edit = client.request("textDocument/rename", {**at("%zero", 1), "newName": "nil"})
    edits = edit["changes"][URI]
    assert [one["range"] for one in edits] == [range_of("%zero", nth) for nth in range(3)]
    assert {one["newText"] for one in edits} == {"%nil"}
    reply = client.reply(client.send("textDocument/rename", {**at("%zero"), "newName": "%lost"}))
    assert "already defined" in reply["error"]["message"]


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


def test_unknown_documents_have_no_answers(client: Client) -> None:
    params = {"textDocument": {"uri": "file:///w/none.mlir"}, "position": {"line": 0, "character": 0}}
    assert client.request("textDocument/hover", params) is None
    far = {"textDocument": {"uri": URI}, "position": {"line": 9999, "character": 9999}}
    assert client.request("textDocument/definition", far) is None


@pytest.mark.slow
def test_the_other_server_keeps_its_features() -> None:
    with Client(REAL, initializationOptions={"features": "memory"}) as client:
        client.open(URI, PROGRAM)
        assert client.request("textDocument/definition", at("%zero", 1)) is None
        assert client.request("textDocument/hover", at("%lost")) is not None


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


@pytest.mark.slow
@pytest.mark.skipif(not CAPABILITIES.is_dir(), reason="no recorded client capabilities beside the checkout")
@pytest.mark.parametrize("name", sorted(path.stem for path in CAPABILITIES.glob("*.json")) or ["none"])
def test_every_recorded_client_gets_its_findings(name: str) -> None:
    recorded = json.loads((CAPABILITIES / f"{name}.json").read_text())
    with Client(REAL, **{**recorded, "processId": None}) as client:
        client.open(URI, PROGRAM)
        found = client.diagnostics(URI, 1)
        assert [one["code"] for one in found if one["severity"] < 3] == ["leak"]
        encodings = recorded["capabilities"].get("general", {}).get("positionEncodings", ["utf-16"])
        assert client.capabilities["positionEncoding"] == encodings[0]
        related = recorded["capabilities"]["textDocument"].get("publishDiagnostics", {}).get("relatedInformation")
        assert related or not any("relatedInformation" in one for one in found)
