"""What is offered for the rules of findings, wherever the cursor is in their statements."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from client import Client

from memlane.checking import check
from memlane.config import load_config

LEAKS = "".join(
    f"func.func @f{number}() {{\n  %a = memref.alloc() : memref<4xf32>\n  return\n}}\n" for number in range(3)
)
CAPABILITIES = {
    "workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}},
    "textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}},
    "window": {"showDocument": {"support": True}},
}


def offered(client: Client, uri: str, line: int, character: int) -> dict[str, dict[str, Any]]:
    """The actions at a place, by their titles."""
    place = {"line": line, "character": character}
    context: dict[str, Any] = {"diagnostics": []}
    params = {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": context}
    return {action["title"]: action for action in client.request("textDocument/codeAction", params)}


@pytest.mark.slow
def test_actions_are_offered_wherever_the_cursor_is_in_a_statement(tmp_path: Path) -> None:
    uri = (tmp_path / "a.mlir").as_uri()
    with Client(capabilities=CAPABILITIES, rootUri=tmp_path.as_uri()) as client:
        client.open(uri, LEAKS)
        titles = [list(offered(client, uri, 1, character)) for character in (0, 2, 8, 33)]
        assert titles[0] == titles[1] == titles[2] == titles[3]
        assert [title for title in titles[0] if "leak" in title] == [
            "Memlane: apply all safe fixes of leak in the file (3 findings)",
            "Ignore leak here",
            "Turn leak off in memlane.toml",
            "Memlane: explain leak",
        ]
        assert not any("leak" in title for title in offered(client, uri, 0, 3))


@pytest.mark.slow
def test_later_lines_of_a_statement_count_and_what_is_in_its_regions_does_not(tmp_path: Path) -> None:
    text = "func.func @f(\n    %c: i1) {\n  %a = memref.alloc(\n  )\n    : memref<4xf32>\n  scf.if %c {\n"
    text += "    %b = memref.alloc() : memref<8xf32>\n  }\n  return\n}\n"
    uri = (tmp_path / "a.mlir").as_uri()
    with Client(capabilities=CAPABILITIES, rootUri=tmp_path.as_uri()) as client:
        client.open(uri, text)
        for line, buffer in ((2, "%a"), (3, "%a"), (4, "%a"), (6, "%b")):
            titles = offered(client, uri, line, 2)
            assert [one for one in titles if one.startswith("Free ")] == [f"Free {buffer} after its last use"]
            assert "Ignore leak here" in titles
        for line in (0, 1, 5, 7, 8):
            assert not any("leak" in title for title in offered(client, uri, line, 2))


@pytest.mark.slow
def test_all_fixes_of_a_rule_leave_the_other_rules(tmp_path: Path) -> None:
    twice = "func.func @g(%x: memref<4xf32>) {\n  %a = memref.alloc() : memref<4xf32>\n"
    twice += "  memref.dealloc %a : memref<4xf32>\n  memref.dealloc %a : memref<4xf32>\n  return\n}\n"
    uri, text = (tmp_path / "a.mlir").as_uri(), LEAKS + twice
    with Client(capabilities=CAPABILITIES, rootUri=tmp_path.as_uri()) as client:
        client.open(uri, text)
        action = offered(client, uri, 1, 0)["Memlane: apply all safe fixes of leak in the file (3 findings)"]
        changes = client.request("codeAction/resolve", action)["edit"]["documentChanges"][0]["edits"]
        lines = text.splitlines(keepends=True)
        for change in reversed(changes):
            lines[change["range"]["start"]["line"] : change["range"]["end"]["line"]] = [change["newText"]]
        assert [finding.rule.name for finding in check("".join(lines)).findings] == ["double-free"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[severity]\nleak = "off"\n'),
        ("select = ['ALL']", "select = ['ALL']\n\n[severity]\nleak = \"off\"\n"),
        ('[severity]\nleak = "hint"\n', '[severity]\nleak = "off"\n'),
        (
            '[severity]  # mine\n"late-free" = "hint"\n[limits]\n',
            '[severity]  # mine\nleak = "off"\n"late-free" = "hint"\n[limits]\n',
        ),
        ("[severity]", '[severity]\nleak = "off"\n'),
        ('severity = { leak = "hint" }\n', None),
        ('severity.leak = "hint"\n', None),
    ],
)
def test_a_rule_is_turned_off_in_the_configuration_file(tmp_path: Path, before: str, after: str | None) -> None:
    file, uri = tmp_path / "memlane.toml", (tmp_path / "a.mlir").as_uri()
    if before:
        file.write_text(before)
    with Client(capabilities=CAPABILITIES, rootUri=tmp_path.as_uri()) as client:
        client.open(uri, LEAKS)
        action = offered(client, uri, 1, 0).get("Turn leak off in memlane.toml")
    assert (action is None) == (after is None)
    if action is None:
        return
    *made, change = action["edit"]["documentChanges"]
    assert bool(made) == (not before)
    [edit] = change["edits"]
    lines = before.splitlines(keepends=True) or [""]
    start, end = (edit["range"][key] for key in ("start", "end"))
    head = "".join(lines[: start["line"]]) + "".join(lines[start["line"] : start["line"] + 1])[: start["character"]]
    tail = "".join(lines[end["line"] : end["line"] + 1])[end["character"] :] + "".join(lines[end["line"] + 1 :])
    assert head + edit["newText"] + tail == after
    file.write_text(head + edit["newText"] + tail)
    config, problems = load_config(file)
    assert not problems
    assert check(LEAKS, config).findings == ()


@pytest.mark.slow
def test_explaining_a_rule_shows_its_page(tmp_path: Path) -> None:
    uri = (tmp_path / "a.mlir").as_uri()
    with Client(capabilities=CAPABILITIES, rootUri=tmp_path.as_uri()) as client:
        client.answers["window/showDocument"] = lambda _: {"success": True}
        client.open(uri, LEAKS)
        command = offered(client, uri, 1, 0)["Memlane: explain leak"]["command"]
        assert client.request("workspace/executeCommand", command) is True
        [shown] = client.notifications("window/showDocument")
        assert shown["params"]["uri"].endswith("/rules/leak/")
        assert shown["params"]["external"] is True
