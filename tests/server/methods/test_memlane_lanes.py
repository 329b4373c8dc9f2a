"""memlane/lanes: the buffers of functions over program order; what clients draw is what the analysis says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, cast

import pytest
from lsp_client import Editor, Json
from programs import FATES, LOCATED, located
from pygls.exceptions import JsonRpcInvalidParams


async def test_lanes_say_what_becomes_of_each_buffer(client: Editor) -> None:
    document = client.open(FATES)
    found = await document.lanes("f")
    assert (found["uri"], found["version"]) == (document.uri, 1)
    [function] = found["functions"]
    text_at = document.shown_at
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


async def test_a_buffer_lives_up_to_its_deallocation(client: Editor) -> None:
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
    [function] = (await client.open(program).lanes())["functions"]
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


async def test_a_function_is_asked_for_by_name_by_place_or_not_at_all(client: Editor) -> None:
    document = client.open(FATES)

    async def names(**asked: Any) -> list[str]:
        return [one["name"] for one in (await document.lanes(**asked))["functions"]]

    assert await names(position=document.at("@g", inside=0)) == ["g"]
    assert await names() == ["f", "g"]
    assert await names(function="none") == []
    assert await names(position=document.place(0)) == []


@pytest.mark.parametrize("params", [{}, {"textDocument": {}}, {"textDocument": {"uri": "file:///a"}, "position": 3}])
async def test_malformed_parameters_are_refused(client: Editor, params: Json) -> None:
    with pytest.raises(JsonRpcInvalidParams):
        await client.ask("memlane/lanes", params)
    assert await client.ask("memlane/lanes", {"textDocument": {"uri": "file:///none"}}) is None


async def test_the_page_shows_what_is_sent(client: Editor) -> None:
    """All keys that the server sends are on docs/protocol.md, and the page names no others."""
    page = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")
    section = page.split("## Lanes\n")[1].split("\n## ")[0]
    keys: set[str] = set()

    def collect(value: Any) -> None:
        if isinstance(value, dict):
            keys.update(cast("dict[str, Any]", value))
            collect(list(cast("dict[str, Any]", value).values()))
        elif isinstance(value, list):
            for one in cast("list[Any]", value):
                collect(one)

    document = client.open(FATES)
    collect(await document.lanes())
    collect(await document.here(document.at("%view", inside=0)))
    shown = set(re.findall(r"^ *(\w+)\??:", section, re.MULTILINE))
    assert shown - {"function", "position", "textDocument"} <= keys
    assert keys - {"line", "character"} <= shown | {"start", "end"}


async def test_what_calls_take_and_what_is_unknown_is_told_and_numbers_are_taken_from_settings(client: Editor) -> None:
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
    document = client.open(source)
    [main] = (await document.lanes("main"))["functions"]
    assert (main["unknowns"], main["peak"]["expression"]) == (["%n"], "%n + 64")
    [call] = [step for step in main["steps"] if step["inside"]]
    assert (call["op"], call["inside"]["callees"], call["inside"]["expression"]) == ("func.call", ["work"], "%n")
    await client.configure(check={"assume": {"sizes": {"@main %n": 1000, "@other %n": 1}}})
    [main] = (await document.lanes("main"))["functions"]
    assert (main["unknowns"], main["peak"]["bytes"]) == ([], 1064)


async def test_lanes_say_where_buffers_come_from(client: Editor, tmp_path: Path) -> None:
    """The lines that locations name, as places where these are in an open folder."""
    folder = located(tmp_path)
    client.open_folder(folder)
    [function] = (await client.open(LOCATED, (folder / "a.mlir").as_uri()).lanes())["functions"]
    found = {one["name"]: one["source"] for one in function["buffers"]}
    position = {"line": 11, "character": 4}
    assert found["%a"] == {
        "label": "model.py:12",
        "location": {"uri": (folder / "model.py").as_uri(), "position": position},
    }
    assert found["%c"] == {"label": "../outside.py:3", "location": None}
    assert function["buffers"][0]["card"][-1].startswith("from ")
