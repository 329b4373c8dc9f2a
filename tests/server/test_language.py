"""Signatures, symbols of the workspace, links, linked editing, and the hierarchies of calls and of views."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from client import REAL, Client, place

URI = "file:///w/language.mlir"
PROGRAM = """\
func.func @main(%n: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xf32>
  %v = memref.subview %a[0] [4] [1] : memref<?xf32> to memref<4xf32>
  %w = memref.cast %v : memref<4xf32> to memref<?xf32>
  %r = call @make(%n, %c) : (index, i1) -> memref<?xf32>
  %s = scf.if %c -> memref<?xf32> {
    scf.yield %r : memref<?xf32>
  } else {
    scf.yield %w : memref<?xf32>
  }
  call @drop(%a) : (memref<?xf32>) -> ()
  call @drop(%r) : (memref<?xf32>) -> () loc("dir/model.py":12:7)
  return
}
func.func private @make(%n: index, %c: i1) -> memref<?xf32> {
  %0 = memref.alloc(%n) : memref<?xf32>
  return %0 : memref<?xf32>
}
func.func private @drop(%m: memref<?xf32>) {
  call @really(%m) : (memref<?xf32>) -> ()
  return
}
func.func private @really(%m: memref<?xf32>) {
  memref.dealloc %m : memref<?xf32>
  return
}
#loc = loc(fused["-":1:2, callsite("x"("/abs/other.py":3:1) at unknown)])
"""
DOCUMENT: dict[str, Any] = {"textDocument": {"uri": URI}}


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with Client(REAL) as client:
        client.open(URI, PROGRAM)
        yield client


def at(text: str, inside: int = 1, nth: int = 0) -> dict[str, Any]:
    """The document and a place in the nth mention of a text."""
    offset = -1
    for _ in range(nth + 1):
        offset = PROGRAM.index(text, offset + 1)
    return {**DOCUMENT, "position": place(PROGRAM, offset + inside)}


def text_at(found: dict[str, dict[str, int]]) -> str:
    start, end = found["start"], found["end"]
    return PROGRAM.split("\n")[start["line"]][start["character"] : end["character"]]


@pytest.mark.slow
def test_signature_of_what_is_called(client: Client) -> None:
    call = "@make(%n, %c)"
    for inside, active in ((len("@make("), 0), (len("@make(%n,"), 1)):
        found = client.request("textDocument/signatureHelp", at(call, inside))
        [signature] = found["signatures"]
        assert signature["label"] == "@make(%n: index, %c: i1) -> memref<?xf32>"
        parameters = [signature["label"][slice(*one["label"])] for one in signature["parameters"]]
        assert (parameters, found["activeParameter"]) == (["%n: index", "%c: i1"], active)
    assert client.request("textDocument/signatureHelp", at(call, len(call))) is None
    assert client.request("textDocument/signatureHelp", at("memref.alloc(", len("memref.alloc("))) is None


@pytest.mark.slow
def test_signature_while_the_call_is_typed() -> None:
    source = PROGRAM.replace("  call @drop(%a) : (memref<?xf32>) -> ()\n", "  call @make(%a, \n")
    with Client(REAL) as client:
        client.open(URI, source)
        position = place(source, source.index("@make(%a, ") + len("@make(%a, "))
        found = client.request("textDocument/signatureHelp", {**DOCUMENT, "position": position})
        assert found["activeParameter"] == 1


def test_links_of_locations(client: Client) -> None:
    found = client.request("textDocument/documentLink", DOCUMENT)
    assert [(text_at(one["range"]), one["target"]) for one in found] == [
        ('"dir/model.py":12:7', "file:///w/dir/model.py#L12,7"),
        ('"/abs/other.py":3:1', "file:///abs/other.py#L3,1"),
    ]


def test_linked_editing(client: Client) -> None:
    found = client.request("textDocument/linkedEditingRange", at("%v"))
    assert [text_at(one) for one in found["ranges"]] == ["%v", "%v"]
    assert client.request("textDocument/linkedEditingRange", at("@main")) is None


def test_calls_and_who_owns_what_is_passed(client: Client) -> None:
    [main] = client.request("textDocument/prepareCallHierarchy", at("@main"))
    outgoing = client.request("callHierarchy/outgoingCalls", {"item": main})
    assert [(one["to"]["name"], one["to"]["detail"], len(one["fromRanges"])) for one in outgoing] == [
        ("@make", "result owned", 1),
        ("@drop", "frees %m", 2),
    ]
    [really] = client.request("textDocument/prepareCallHierarchy", at("@really("))
    assert text_at(really["selectionRange"]) == "@really"
    incoming = client.request("callHierarchy/incomingCalls", {"item": really})
    assert [one["from"]["name"] for one in incoming] == ["@drop"]
    assert [text_at(place_) for place_ in incoming[0]["fromRanges"]] == ["call"]
    again = client.request("callHierarchy/incomingCalls", {"item": incoming[0]["from"]})
    assert [one["from"]["name"] for one in again] == ["@main"]


def test_views_and_what_they_are_views_of(client: Client) -> None:
    [item] = client.request("textDocument/prepareTypeHierarchy", at("%v"))
    assert (item["name"], item["detail"]) == ("%v", "memref<4xf32>, memref.subview")
    above = client.request("typeHierarchy/supertypes", {"item": item})
    assert [one["name"] for one in above] == ["%a"]
    assert client.request("typeHierarchy/supertypes", {"item": above[0]}) == []
    below = client.request("typeHierarchy/subtypes", {"item": item})
    assert [one["name"] for one in below] == ["%w"]
    merged = client.request("typeHierarchy/subtypes", {"item": below[0]})
    assert [one["name"] for one in merged] == ["%s"]
    both = client.request("typeHierarchy/supertypes", {"item": merged[0]})
    assert [one["name"] for one in both] == ["%w", "%r"]
    assert client.request("textDocument/prepareTypeHierarchy", at("%n")) is None


@pytest.mark.slow
def test_symbols_of_open_documents_and_of_folders(tmp_path: Path) -> None:
    for name, text in (
        ("a/one.mlir", "func.func @first() {\n  call @second() : () -> ()\n  return\n}\n"),
        ("b.txt", "@no"),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "x.mlir").write_text("func.func @hidden() { return }\n")
    (tmp_path / "bad.mlir").write_bytes(b"\xff\xfe func.func @bad\n")
    folders = [{"uri": tmp_path.as_uri(), "name": "w"}]
    with Client(REAL, workspaceFolders=folders) as client:
        client.open(URI, PROGRAM)

        def named(query: str) -> list[str]:
            return [one["name"] for one in client.request("workspace/symbol", {"query": query})]

        assert named("") == ["@main", "@make", "@drop", "@really", "@first"]
        assert named("@fst") == ["@first"]
        assert named("REALLY") == ["@really"]
        [found] = client.request("workspace/symbol", {"query": "first"})
        assert found["location"]["uri"] == (tmp_path / "a" / "one.mlir").as_uri()
        client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": folders}})
        assert "@first" not in named("")


@pytest.mark.slow
def test_memory_features_stay_where_the_other_server_runs() -> None:
    with Client(REAL, initializationOptions={"features": "memory"}) as client:
        client.open(URI, PROGRAM)
        assert client.request("textDocument/documentLink", DOCUMENT) is None
        assert client.request("workspace/symbol", {"query": ""}) is None
        assert client.request("textDocument/prepareTypeHierarchy", at("%v")) is not None


@pytest.mark.slow
def test_where_everything_fits_the_most_likely_operations_come_and_the_client_asks_again() -> None:
    text = "func.func @f() {\n  \n}\n"
    capabilities = {"textDocument": {"completion": {"completionItem": {"snippetSupport": True}}}}
    with Client(REAL, capabilities=capabilities) as client:
        client.open(URI, text)
        place_ = {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 2}}
        found = client.request("textDocument/completion", place_)
        assert found["isIncomplete"] and len(found["items"]) == 500
        [alloc] = [one for one in found["items"] if one["label"] == "memref.alloc"]
        assert alloc["insertTextFormat"] == 2
        assert alloc["textEdit"]["newText"] == "%${1:alloc} = memref.alloc() : memref<${2:4xf32}>"


def test_definition_of_a_location_is_the_place_in_its_file(client: Client) -> None:
    position = place(PROGRAM, PROGRAM.index("model.py"))
    found = client.request("textDocument/definition", {"textDocument": {"uri": URI}, "position": position})
    at = {"line": 11, "character": 6}
    assert found == {"uri": "file:///w/dir/model.py", "range": {"start": at, "end": at}}
