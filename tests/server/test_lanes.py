"""memlane/lanes and memlane/cursor: what clients draw is what the analysis says, in their positions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from client import REAL, Client, insertion, place

URI = "file:///w/lanes.mlir"
PROGRAM = """\
// 😋
func.func @f(%x: memref<16xf32>, %c: i1, %n: index) -> memref<4xf32> {
  %held = memref.alloc() : memref<16xf32>
  memref.copy %x, %held : memref<16xf32> to memref<16xf32>
  %lost = memref.alloc(%n) : memref<?xf32>
  %some = memref.alloc() : memref<8xf32>
  scf.if %c {
    memref.dealloc %some : memref<8xf32>
  } else {
    %v = memref.load %held[%n] : memref<16xf32>
    memref.store %v, %lost[%n] : memref<?xf32>
  }
  %view = memref.cast %held : memref<16xf32> to memref<?xf32>
  "x.nothing"() : () -> ()
  memref.dealloc %held : memref<16xf32>
  %out = memref.alloc() : memref<4xf32> loc("model.py":3:1)
  return %out : memref<4xf32>
}
func.func @g() {
  return
}
"""


@pytest.fixture
def client() -> Iterator[Client]:
    with Client(REAL) as client:
        client.open(URI, PROGRAM)
        yield client


def lanes(client: Client, **more: Any) -> dict[str, Any]:
    return client.request("memlane/lanes", {"textDocument": {"uri": URI}, **more})


def text_at(found: dict[str, dict[str, int]]) -> str:
    """The text of a range, which is in one line."""
    start, end = found["start"], found["end"]
    assert start["line"] == end["line"]
    return PROGRAM.split("\n")[start["line"]][start["character"] : end["character"]]


@pytest.mark.slow
def test_lanes_say_what_becomes_of_each_buffer(client: Client) -> None:
    found = lanes(client, function="f")
    assert (found["uri"], found["version"]) == (URI, 1)
    [function] = found["functions"]
    assert text_at(function["selectionRange"]) == "@f"
    steps = [text_at(step["range"]) for step in function["steps"]]
    assert steps == [step["op"] if step["op"] != "func.return" else "return" for step in function["steps"]]
    buffers = {buffer["name"]: buffer for buffer in function["buffers"]}
    assert [text_at(buffer["range"]) for buffer in function["buffers"]] == ["%held", "%lost", "%some", "%out"]

    def life(name: str) -> list[tuple[str, str, str, str]]:
        """From and to which op, and how."""
        return [
            (steps[one["start"]], steps[one["end"] - 1], one["state"], one["certainty"])
            for one in buffers[name]["segments"]
        ]

    assert life("%held") == [("memref.alloc", "memref.cast", "in-use", "always")]
    assert life("%lost") == [
        ("memref.alloc", "memref.store", "in-use", "always"),
        ("memref.cast", "return", "leaked", "always"),
    ]
    assert [(state, certainty) for *_, state, certainty in life("%some")][-1] == ("leaked", "some")
    assert life("%out")[-1][1:] == ("return", "in-use", "always")
    assert buffers["%held"]["size"] == {"bytes": 64, "expression": None, "drawn": 64, "label": "64 B"}
    assert buffers["%lost"]["size"]["expression"] == "4*%n"
    assert [text_at(free["range"]) for free in buffers["%held"]["frees"]] == ["memref.dealloc"]
    assert text_at(buffers["%held"]["frees"][0]["after"]) == "memref.cast"
    assert text_at(function["peak"]["range"]) == steps[function["peak"]["step"]]


@pytest.mark.slow
def test_a_buffer_lives_up_to_its_deallocation() -> None:
    type_ = "memref<16xf32>"
    program = f"""func.func @f(%x: {type_}, %c: i1) {{
  %a = memref.alloc() : {type_}
  memref.copy %x, %a : {type_} to {type_}
  memref.copy %a, %x : {type_} to {type_}
  memref.dealloc %a : {type_}
  %b = memref.alloc() : {type_}
  memref.copy %x, %b : {type_} to {type_}
  scf.if %c {{
    memref.dealloc %b : {type_}
  }} else {{
    memref.copy %b, %x : {type_} to {type_}
    memref.dealloc %b : {type_}
  }}
  return
}}
"""
    with Client(REAL) as client:
        client.open(URI, program)
        [function] = lanes(client)["functions"]
    lives = {
        buffer["name"]: [(one["start"], one["end"], one["state"], one["certainty"]) for one in buffer["segments"]]
        for buffer in function["buffers"]
    }
    assert [step["op"] for step in function["steps"]][3] == "memref.dealloc"
    assert lives["%a"] == [(0, 3, "in-use", "always")]
    assert [step["op"] for step in function["steps"]][4:] == [
        "memref.alloc",
        "memref.copy",
        "scf.if",
        "memref.dealloc",
        "memref.copy",
        "memref.dealloc",
    ]
    assert lives["%b"] == [(4, 7, "in-use", "always"), (7, 9, "in-use", "some")]


@pytest.mark.slow
def test_a_function_is_asked_for_by_name_by_place_or_not_at_all(client: Client) -> None:
    at = place(PROGRAM, PROGRAM.index("@g"))
    assert [one["name"] for one in lanes(client, position=at)["functions"]] == ["g"]
    assert [one["name"] for one in lanes(client)["functions"]] == ["f", "g"]
    assert lanes(client, function="none")["functions"] == []
    assert lanes(client, position=place(PROGRAM, 0))["functions"] == []


@pytest.mark.slow
def test_who_draws_is_told_of_changes_until_the_document_is_closed(client: Client) -> None:
    client.write(client.change(URI, 2, insertion(PROGRAM, 0, "\n")))
    client.settle(0.3)
    assert client.notifications("memlane/lanesChanged") == []
    assert lanes(client)["version"] == 2
    client.write(*(client.change(URI, version, insertion(PROGRAM, 0, "\n")) for version in (3, 4, 5)))
    client.wait("a change", lambda: bool(client.notifications("memlane/lanesChanged")))
    assert [one["params"] for one in client.notifications("memlane/lanesChanged")] == [{"uri": URI, "version": 5}]
    client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    client.open(URI, PROGRAM, 6)
    client.write(client.change(URI, 7, insertion(PROGRAM, 0, "\n")))
    client.settle(0.3)
    assert len(client.notifications("memlane/lanesChanged")) == 1


@pytest.mark.slow
def test_the_cursor_says_what_is_here(client: Client) -> None:
    at = place(PROGRAM, PROGRAM.index("%view"))
    found = client.request("memlane/cursor", {"textDocument": {"uri": URI}, "position": at})
    assert found["function"]["name"] == "f"
    assert found["function"]["buffers"] == 4
    [buffer] = found["buffers"]
    assert (buffer["name"], buffer["certainty"], buffer["size"]) == ("%held", "always", "64")
    assert [text_at(one) for one in buffer["names"]] == ["%held"] * 3 + ["%view", "%held", "%held"]
    outside = client.request("memlane/cursor", {"textDocument": {"uri": URI}, "position": place(PROGRAM, 0)})
    assert (outside["function"], outside["buffers"]) == (None, [])
    assert outside["counts"]["warning"] >= found["counts"]["warning"] >= 1


@pytest.mark.slow
@pytest.mark.parametrize("params", [{}, {"textDocument": {}}, {"textDocument": {"uri": URI}, "position": 3}])
def test_malformed_parameters_are_refused(client: Client, params: dict[str, Any]) -> None:
    reply = client.reply(client.send("memlane/lanes", params))
    assert reply["error"]["code"] == -32602
    assert client.request("memlane/lanes", {"textDocument": {"uri": "file:///none"}}) is None


@pytest.mark.slow
def test_the_page_shows_what_is_sent(client: Client) -> None:
    """All keys that the server sends are on docs/protocol.md, and the page names no others."""
    page = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
    section = page.split("## Lanes\n")[1].split("\n## ")[0]
    keys: set[str] = set()

    def collect(value: Any) -> None:
        if isinstance(value, dict):
            keys.update(cast("dict[str, Any]", value))
            collect(list(cast("dict[str, Any]", value).values()))
        elif isinstance(value, list):
            for one in cast("list[Any]", value):
                collect(one)

    collect(lanes(client))
    at = place(PROGRAM, PROGRAM.index("%view"))
    collect(client.request("memlane/cursor", {"textDocument": {"uri": URI}, "position": at}))
    shown = set(re.findall(r"^ *(\w+)\??:", section, re.MULTILINE))
    assert shown - {"function", "position", "textDocument"} <= keys
    assert keys - {"line", "character"} <= shown | {"start", "end"}


@pytest.mark.slow
def test_what_calls_take_and_what_is_unknown_is_told_and_numbers_are_taken_from_settings() -> None:
    source = """\
func.func private @work(%n: index) {
  %t = memref.alloc(%n) : memref<?xi8>
  memref.dealloc %t : memref<?xi8>
  return
}
func.func @main(%n: index, %m: memref<?xi8>) {
  %a = memref.alloc() : memref<64xi8>
  call @work(%n) : (index) -> ()
  memref.dealloc %a : memref<64xi8>
  return
}
"""
    uri, ask = "file:///w/calls.mlir", {"textDocument": {"uri": "file:///w/calls.mlir"}, "function": "main"}
    with Client(REAL) as client:
        client.open(uri, source)
        [main] = client.request("memlane/lanes", ask)["functions"]
        assert (main["unknowns"], main["peak"]["expression"]) == (["%n"], "%n + 64")
        [call] = [step for step in main["steps"] if step["inside"]]
        assert (call["op"], call["inside"]["callees"], call["inside"]["expression"]) == ("func.call", ["work"], "%n")
        sizes = {"@main %n": 1000, "@other %n": 1}
        settings = {"memlane": {"check": {"assume": {"sizes": sizes}}}}
        client.notify("workspace/didChangeConfiguration", {"settings": settings})
        [main] = client.request("memlane/lanes", ask)["functions"]
        assert (main["unknowns"], main["peak"]["bytes"]) == ([], 1064)
