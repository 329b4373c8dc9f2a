"""What reading keeps: little for each operation, and the text once."""

from __future__ import annotations

import tracemalloc

import pytest

from memlane.syntax import Document

LINE = "  %{0} = memref.load %a[%i] : memref<4xf32>\n  memref.store %{0}, %a[%i] : memref<4xf32>\n"
HEAD = "func.func @f{}(%a: memref<4xf32>, %i: index) {{\n"
TAIL = "  return\n}\n"


@pytest.mark.parametrize("functions", [1, 20])
def test_bytes_an_operation(functions: int) -> None:
    pairs = 4000 // functions
    body = "".join(LINE.format(number) for number in range(pairs))
    source = "".join(HEAD.format(number) + body + TAIL for number in range(functions))
    operations = functions * (2 * pairs + 2)
    Document(source)  # what is remembered of shapes is counted elsewhere
    tracemalloc.start()
    try:
        document = Document(source)
        assert not document.tree.problems
        kept, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 60 * operations
    assert most < 60 * operations + 400 * 2 * pairs  # names are held until their function has been read


@pytest.mark.slow
def test_reading_in_windows_is_reading_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "".join(HEAD.format(number) + LINE.format("x") * 3 + TAIL for number in range(30))
    whole = Document(source)
    for size in (1, 7, 300):
        monkeypatch.setattr("memlane.syntax.lines.scan._WINDOW", size)
        monkeypatch.setattr("memlane.syntax.editing.pieces.LEAF_LINES", 1 + size // 50)
        parts = Document(source)
        assert [piece.text for piece in parts.pieces] == [piece.text for piece in whole.pieces]
        assert parts.tree.problems == whole.tree.problems and len(whole.tree.problems) == 60
        assert [op.span for op in parts.tree.walk()] == [op.span for op in whole.tree.walk()]
