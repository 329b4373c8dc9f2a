"""The walks through the code in docs/architecture.md: the files are entered, and in that order."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from memlane.checking import check
from memlane.fixes import fix_all

ROOT = Path(__file__).parents[2]
PROGRAM = """func.func @{name}(%c: i1) {{
  %{name} = memref.alloc() : memref<4xf32>
  scf.if %c {{
    memref.dealloc %{name} : memref<4xf32>
  }}
  return
}}
"""
FILE = re.compile(r"^\| `(analysis/memlane/[\w/]+\.py)` \|", re.MULTILINE)


def named(title: str) -> list[str]:
    """The files of a walk, in its order."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    return FILE.findall(text.split(f"### {title}\n")[1].split("\n#")[0])


def entered(work: Callable[[str], object], source: str) -> list[str]:
    """The files of which some function runs, in the order in which they are entered first."""
    found: dict[str, None] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        name = Path(frame.f_code.co_filename)
        made = frame.f_code.co_name in ("__init__", "__post_init__", "<module>")  # what is made may work later
        if event == "call" and not made and name.is_relative_to(ROOT):
            found.setdefault(name.relative_to(ROOT).as_posix())

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work(source)
    finally:
        sys.setprofile(before)
    return [*found]


@pytest.mark.parametrize(
    ("title", "work"), [("An allocation that leaks on one path", check), ("A fix", fix_all)], ids=["leak", "fix"]
)
def test_walks_are_the_way_the_code_goes(title: str, work: Callable[[str], object]) -> None:
    work(PROGRAM.format(name="first"))  # what is made once is there
    way, files = entered(work, PROGRAM.format(name="second")), named(title)
    assert len(files) > 5
    assert [file for file in way if file in files] == files
