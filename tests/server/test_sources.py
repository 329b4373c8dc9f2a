"""The lines that locations name: in findings and in lanes, as places where these are in an open folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from client import Client

PROGRAM = """\
#shared = loc("lib/shared.py":7:3)
func.func @f() {
  %a = memref.alloc() : memref<4xf32> loc("model.py":12:5)
  %b = memref.alloc() : memref<8xf32> loc(#shared)
  %c = memref.alloc() : memref<2xf32> loc("../outside.py":3:1)
  return
}
"""
SHOWS = {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    folder = tmp_path / "w"
    (folder / "lib").mkdir(parents=True)
    for name in ("model.py", "lib/shared.py", "../outside.py"):
        (folder / name).write_text("pass\n")
    return folder


def leaks(client: Client, uri: str, version: int) -> dict[str, Any]:
    """The leaks by the buffers they name."""
    found = [one for one in client.diagnostics(uri, version) if one["code"] == "leak"]
    return {name: one for one in found for name in ("%a", "%b", "%c") if name in one["message"]}


@pytest.mark.slow
def test_findings_lead_to_files_of_the_workspace_and_name_others(folder: Path) -> None:
    uri = (folder / "a.mlir").as_uri()
    with Client(capabilities=SHOWS, rootUri=folder.as_uri()) as client:
        client.open(uri, PROGRAM, version=1)
        last = {name: one["relatedInformation"][-1] for name, one in leaks(client, uri, 1).items()}
        assert [one["message"] for one in last.values()] == [
            "from model.py:12",
            "from lib/shared.py:7",
            "from ../outside.py:3",
        ]
        assert [one["location"]["uri"] for one in last.values()] == [
            (folder / "model.py").as_uri(),
            (folder / "lib" / "shared.py").as_uri(),
            uri,
        ]
        assert last["%a"]["location"]["range"]["start"] == {"line": 11, "character": 4}
        assert last["%c"]["location"]["range"] == leaks(client, uri, 1)["%c"]["range"]


@pytest.mark.slow
def test_another_line_of_an_alias_is_said_at_once(folder: Path) -> None:
    uri = (folder / "a.mlir").as_uri()
    with Client(capabilities=SHOWS, rootUri=folder.as_uri()) as client:
        client.open(uri, PROGRAM, version=1)
        leaks(client, uri, 1)
        place = {"line": 0, "character": PROGRAM.index(":7")}
        end = {"line": 0, "character": place["character"] + 2}
        change = {"range": {"start": place, "end": end}, "text": ":8"}
        params = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [change]}
        client.notify("textDocument/didChange", params)
        assert leaks(client, uri, 2)["%b"]["relatedInformation"][-1]["message"] == "from lib/shared.py:8"


@pytest.mark.slow
def test_clients_without_related_information_read_it_in_the_message(folder: Path) -> None:
    uri = (folder / "a.mlir").as_uri()
    with Client(rootUri=folder.as_uri()) as client:
        client.open(uri, PROGRAM, version=1)
        assert leaks(client, uri, 1)["%a"]["message"].endswith(" (from model.py:12)")


@pytest.mark.slow
def test_without_an_open_folder_there_are_no_links(folder: Path) -> None:
    uri = (folder / "a.mlir").as_uri()
    with Client(capabilities=SHOWS) as client:
        client.open(uri, PROGRAM, version=1)
        last = leaks(client, uri, 1)["%a"]["relatedInformation"][-1]
        assert (last["message"], last["location"]["uri"]) == ("from model.py:12", uri)


@pytest.mark.slow
def test_lanes_say_where_buffers_come_from(folder: Path) -> None:
    uri = (folder / "a.mlir").as_uri()
    with Client(rootUri=folder.as_uri()) as client:
        client.open(uri, PROGRAM, version=1)
        [function] = client.request("memlane/lanes", {"textDocument": {"uri": uri}})["functions"]
    found = {one["name"]: one["source"] for one in function["buffers"]}
    position = {"line": 11, "character": 4}
    assert found["%a"] == {
        "label": "model.py:12",
        "location": {"uri": (folder / "model.py").as_uri(), "position": position},
    }
    assert found["%c"] == {"label": "../outside.py:3", "location": None}
    assert function["buffers"][0]["card"][-1].startswith("from ")
