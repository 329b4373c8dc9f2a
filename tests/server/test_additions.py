"""Fixes that add to the configuration file, as edits that clients can do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.server.client import Client

PROGRAM = 'func.func @f(%a: memref<4xf32>) {\n  "npu.run"(%a) : (memref<4xf32>) -> ()\n  return\n}\n'
STUB = '[op."npu.run"]\nread = [0]\nwrite = [0]\n'
ABLE = {"workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}}}


def actions(folder: Path, capabilities: dict[str, Any]) -> list[dict[str, Any]]:
    uri = (folder / "a.mlir").as_uri()
    with Client(capabilities=capabilities, rootUri=folder.as_uri()) as client:
        client.open(uri, PROGRAM)
        place = {"line": 1, "character": 4}
        context: dict[str, Any] = {"diagnostics": []}
        params = {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": context}
        found: list[dict[str, Any]] = client.request("textDocument/codeAction", params)
        return found


@pytest.mark.slow
def test_a_new_file_is_made_in_the_folder_that_is_open(tmp_path: Path) -> None:
    describe = actions(tmp_path, ABLE)[0]
    assert describe["title"].startswith("Describe npu.run in memlane.toml (unsafe: ")
    made, added = describe["edit"]["documentChanges"]
    assert made == {"kind": "create", "uri": (tmp_path / "memlane.toml").as_uri(), "options": {"ignoreIfExists": True}}
    assert added["textDocument"] == {"uri": made["uri"], "version": None}
    assert STUB in added["edits"][0]["newText"]


@pytest.mark.slow
@pytest.mark.parametrize("capabilities", [ABLE, {}], ids=["able", "plain"])
@pytest.mark.parametrize("end", ["", "\n"])
def test_a_file_that_is_there_gets_it_at_its_end(tmp_path: Path, capabilities: dict[str, Any], end: str) -> None:
    file = tmp_path / "memlane.toml"
    before = f'# \N{WHITE HEAVY CHECK MARK}\nignore = ["leak"]{end}'
    file.write_text(before, encoding="utf-8")
    edit = actions(tmp_path, capabilities)[0]["edit"]
    [change] = edit["documentChanges"][0]["edits"] if capabilities else edit["changes"][file.as_uri()]
    line = before.count("\n")
    assert change["range"]["start"] == {"line": line, "character": len(before.rpartition("\n")[2])}
    assert change["newText"].startswith("\n# " if end else "\n\n# ")
    assert STUB in change["newText"]


@pytest.mark.slow
def test_a_client_that_cannot_make_files_is_not_offered_one(tmp_path: Path) -> None:
    titles = [action["title"] for action in actions(tmp_path, {})]
    assert titles == ["Ignore unknown-effects here", "Memlane: explain unknown-effects"]


@pytest.mark.slow
def test_a_file_that_is_no_text_gets_nothing(tmp_path: Path) -> None:
    (tmp_path / "memlane.toml").write_bytes(b'ignore = ["leak"]\n# \xff\n')
    titles = [action["title"] for action in actions(tmp_path, ABLE)]
    assert titles == ["Ignore unknown-effects here", "Memlane: explain unknown-effects"]
