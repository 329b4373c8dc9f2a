"""What can be done to a buffer without a finding: offered at its allocation and its deallocation, or refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from client import Client

from memlane.checking import check

SOURCE = """\
func.func @rows(%zero: f32, %out: memref<256xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %early = memref.alloc()
    : memref<256xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    %row = memref.alloc() : memref<256xf32>
    linalg.fill ins(%zero : f32) outs(%row : memref<256xf32>)
    memref.dealloc %row : memref<256xf32>
    %growing = memref.alloc(%i) : memref<?xf32>
    memref.store %zero, %growing[%c0] : memref<?xf32>
    %got = memref.load %growing[%c0] : memref<?xf32>
    memref.dealloc %growing : memref<?xf32>
    memref.store %got, %out[%c0] : memref<256xf32>
  }
  linalg.fill ins(%zero : f32) outs(%early : memref<256xf32>)
  memref.copy %early, %out : memref<256xf32> to memref<256xf32>
  memref.dealloc %early : memref<256xf32>
  %late = memref.alloc() : memref<256xf32>
  linalg.fill ins(%zero : f32) outs(%late : memref<256xf32>)
  memref.copy %late, %out : memref<256xf32> to memref<256xf32>
  memref.dealloc %late : memref<256xf32>
  %large = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%zero : f32) outs(%large : memref<1024xf32>)
  %one = memref.load %large[%c0] : memref<1024xf32>
  memref.dealloc %large : memref<1024xf32>
  memref.store %one, %out[%c0] : memref<256xf32>
  return
}
"""
URI = "file:///rows.mlir"
MOVE, REWRITE = "refactor.move", "refactor.rewrite"
SHOWS = {"textDocument": {"codeAction": {"disabledSupport": True}}}
HOISTED = (
    "Allocate %row before the loop, and free it after (unsafe: the buffer would live while the loop takes other "
    "memory: more may be needed at once)"
)


@pytest.fixture(scope="module", name="shown")
def _shown() -> Iterator[Client]:
    with Client(capabilities=SHOWS) as client:
        client.open(URI, SOURCE)
        yield client


def offered(client: Client, line: int, kind: str = "refactor", uri: str = URI) -> list[dict[str, Any]]:
    """The refactorings with the cursor in the middle of a line, counted from 1."""
    place = {"line": line - 1, "character": 9}
    context: dict[str, Any] = {"diagnostics": [], "only": [kind]}
    params = {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": context}
    return client.request("textDocument/codeAction", params)


def edited(text: str, edits: list[dict[str, Any]]) -> str:
    """The text after edits, none of which touches a line of another."""
    lines = text.splitlines(keepends=True)
    for edit in sorted(edits, key=lambda one: one["range"]["start"]["line"], reverse=True):
        start, end, new = edit["range"]["start"], edit["range"]["end"], str(edit["newText"])
        first, last = int(start["line"]), int(end["line"])
        new = lines[first][: int(start["character"])] + new + lines[last][int(end["character"]) :]
        lines[first : last + 1] = new.splitlines(keepends=True)
    return "".join(lines)


def titles(actions: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """Kind, title without why not, and that."""
    found = [(one["kind"], one["title"], one.get("disabled", {}).get("reason", "")) for one in actions]
    assert all(not reason or title.endswith(f" (refused: {reason})") for _, title, reason in found)
    return [(kind, title.partition(" (refused: ")[0], reason) for kind, title, reason in found]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            (5, 6, 19),
            [
                (MOVE, "Allocate %early right before its first use", ""),
                (REWRITE, "Put %early on the stack", ""),
            ],
        ),
        (
            (8, 10),
            [
                (MOVE, HOISTED, ""),
                (
                    REWRITE,
                    "Let %row use the memory of an earlier buffer",
                    "%early of the same type is allocated in another block",
                ),
            ],
        ),
        (
            (11, 14),
            [
                (
                    MOVE,
                    "Allocate %growing before the loop, and free it after",
                    "its size depends on %i, which is computed in the loop",
                ),
                (
                    REWRITE,
                    "Put %growing on the stack",
                    "a loop may allocate it again before the stack is given back, when the function returns",
                ),
            ],
        ),
        (
            (20, 23),
            [
                (REWRITE, "Let %late use the memory of %early", ""),
                (REWRITE, "Put %late on the stack", ""),
            ],
        ),
        (
            (24, 27),
            [
                (
                    REWRITE,
                    "Put %large on the stack (unsafe: the buffer takes 4 KiB, and `limits.stack-promotion` is 1 KiB)",
                    "",
                ),
            ],
        ),
        ((7, 9, 17, 29), []),
    ],
)
def test_a_buffer_is_moved_merged_or_put_on_the_stack(shown: Client, lines: tuple[int, ...], expected: Any) -> None:
    for line in lines:
        assert titles(offered(shown, line)) == expected


@pytest.mark.slow
def test_what_they_leave_has_no_findings(shown: Client) -> None:
    done: list[str] = []
    for line in (5, 8, 20, 24):
        for action in (one for one in offered(shown, line) if "disabled" not in one):
            [edits] = action["edit"]["changes"].values()
            text = edited(SOURCE, edits)
            assert text != SOURCE
            assert check(text).findings == ()
            done.append(text)
    assert len(done) == 6
    assert "memref.alloca() : memref<1024xf32>" in done[-1]


@pytest.mark.slow
def test_kinds_below_refactor_are_told_apart(shown: Client) -> None:
    assert {one["kind"] for one in offered(shown, 5, MOVE)} == {MOVE}
    assert {one["kind"] for one in offered(shown, 5, REWRITE)} == {REWRITE}
    assert offered(shown, 5, "refactor.inline") == []


@pytest.mark.slow
def test_an_editor_that_asks_by_itself_gets_none(shown: Client) -> None:
    place = {"line": 4, "character": 9}
    context: dict[str, Any] = {"diagnostics": [], "triggerKind": 2}
    params = {"textDocument": {"uri": URI}, "range": {"start": place, "end": place}, "context": context}
    assert not any("refactor" in one["kind"] for one in shown.request("textDocument/codeAction", params))


@pytest.mark.slow
def test_clients_that_show_no_reasons_get_what_can_be_done() -> None:
    with Client() as client:
        client.open(URI, SOURCE)
        assert titles(offered(client, 8)) == [(MOVE, HOISTED, "")]
        assert offered(client, 11) == []


@pytest.mark.slow
def test_what_repairs_a_finding_is_no_refactoring(tmp_path: Path) -> None:
    (tmp_path / "memlane.toml").write_text('select = ["ALL", "early-alloc"]\n')
    uri = (tmp_path / "rows.mlir").as_uri()
    with Client(capabilities=SHOWS, rootUri=tmp_path.as_uri()) as client:
        client.open(uri, SOURCE)
        assert titles(offered(client, 5, uri=uri)) == [(REWRITE, "Put %early on the stack", "")]
        fixes = [title for _, title, _ in titles(offered(client, 5, "quickfix", uri=uri))]
    assert "Allocate %early right before its first use" in fixes
