"""The shapes that ship with the package say what reading them says, and reading with and without them is equal."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from make_shapes import again, written

from memlane.syntax import Document
from memlane.syntax.lines import remembered
from memlane.syntax.lines.memo import Memo
from memlane.syntax.tree.equal import difference

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_file_is_current() -> None:
    file = remembered.FILE.read_text(encoding="utf-8")
    found = again(file)
    assert len(found) > 3000
    assert written(found) == file, "run python tests/syntax/make_shapes.py"


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["examples", "tests/rules"])
def test_reading_is_equal_without_them(folder: str) -> None:
    for path in sorted((ROOT / folder).rglob("*.mlir")):
        source = path.read_text(encoding="utf-8")
        alone = Document(source, memo=Memo(remembered=False))
        assert difference(Document(source, memo=Memo()).tree, alone.tree) is None, path


def test_another_grammar_does_not_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    changed = tmp_path / "shapes.txt"
    changed.write_text("0" * 32 + remembered.FILE.read_text(encoding="utf-8")[32:], encoding="utf-8")
    monkeypatch.setattr(remembered, "FILE", changed)
    remembered.shapes.cache_clear()
    try:
        assert remembered.shapes() == {}
    finally:
        monkeypatch.undo()
        remembered.shapes.cache_clear()
    assert remembered.shapes()


def test_known_shapes_are_not_read() -> None:
    source = "func.func @f(%n: index) {\\n  %a = memref.alloc(%n) : memref<?xf32>\\n  return\\n}\\n"
    reads = f'import sys, memlane.syntax\nmemlane.syntax.parse("{source}")\n'
    program = f'{reads}sys.exit("memlane.syntax.shapes.statement" in sys.modules)'
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
