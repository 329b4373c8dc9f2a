"""Pictures show each buffer once, with its life, and are whole by themselves."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from memlane.cli import main
from memlane.config import Config
from memlane.flow.symbolic.assumptions import Assumptions
from memlane.lanes.html import html
from memlane.lanes.lane_layout import Picture, picture
from memlane.lanes.svg import svg
from memlane.lanes.terminal import terminal
from memlane.memory_report import usage
from memlane.text import Text

SVG = "{http://www.w3.org/2000/svg}"
PROGRAM = """func.func @f(%x: memref<16xf32>, %c: i1) -> memref<4xf32> {
  %held = memref.alloc() : memref<16xf32>
  memref.copy %x, %held : memref<16xf32> to memref<16xf32>
  %lost = memref.alloc() : memref<8xf32>
  scf.if %c {
    %inner = memref.alloc() : memref<1024xi8>
    memref.copy %inner, %inner : memref<1024xi8> to memref<1024xi8>
    memref.dealloc %inner : memref<1024xi8>
  } else {
    %other = memref.alloc() : memref<512xi8>
    memref.dealloc %other : memref<512xi8>
  }
  memref.dealloc %held : memref<16xf32>
  %out = memref.alloc() : memref<4xf32>
  return %out : memref<4xf32>
}
"""


def drawn(source: str = PROGRAM) -> Picture:
    (one,) = usage(source, Config(), Assumptions())
    return picture(one, Text(source))


def many(count: int) -> str:
    lines = ["func.func @many() {"]
    for number in range(count):
        lines.append(f"  %b{number} = memref.alloc() : memref<{number + 1}xf32>")
        if number >= 7:
            lines.append(f"  memref.dealloc %b{number - 7} : memref<{number - 6}xf32>")
    lines += [f"  memref.dealloc %b{n} : memref<{n + 1}xf32>" for n in range(max(0, count - 7), count)]
    return "\n".join([*lines, "  return", "}"]) + "\n"


def test_layout() -> None:
    found = drawn()
    lanes = {lane.name: lane for lane in found.lanes}
    assert list(lanes) == ["%held", "%lost", "%inner", "%other", "%out"]
    held, lost = lanes["%held"], lanes["%lost"]
    assert held.freed
    assert held.used < held.end
    assert found.lines[held.end] == 13
    assert lost.leak is not None
    assert lost.end == found.columns - 1
    assert lanes["%out"].handed
    assert [(band.label, band.alternate) for band in found.bands] == [("scf.if", False), ("else", True)]
    assert found.bands[0].end < found.bands[1].start
    assert found.peak_column is not None
    assert found.lines[found.peak_column] == 6
    assert (found.peak_bytes, found.ideal_bytes) == (64 + 32 + 1024, 1024)


@pytest.mark.parametrize("count", [5, 50, 500])
def test_svg_is_whole_and_shows_every_buffer(count: int) -> None:
    text = svg(drawn(many(count)), "many.mlir")
    root = ElementTree.fromstring(text)
    buffers = [link for link in root.iter(f"{SVG}a") if link.get("class") == "buffer"]
    assert len(buffers) == count
    assert {link.get("href") for link in buffers} >= {"many.mlir#L2"}
    assert all(link.findtext(f"{SVG}title") for link in buffers)
    assert re.findall(r'(?:src|href)="(?!many\.mlir#L\d+")[^"]*"', text) == []
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    for rectangle in root.iter(f"{SVG}rect"):
        assert 0 <= float(rectangle.get("x", "0")) <= width
        assert float(rectangle.get("y", "0")) + float(rectangle.get("height", "0")) <= height + 0.5
    assert "prefers-color-scheme: dark" in text


@pytest.mark.parametrize(("count", "said"), [(1, "1 buffer · "), (2, "2 buffers · ")])
def test_the_title_counts_in_words(count: int, said: str) -> None:
    assert said in svg(drawn(many(count)))


def test_many_buffers_share_rows_without_overlap() -> None:
    found = drawn(many(500))
    assert found.rows <= 10
    rows: dict[int, list[tuple[int, int]]] = {}
    for lane in found.lanes:
        rows.setdefault(lane.row, []).append((lane.start, lane.end))
    for spans in rows.values():
        assert all(before[1] < after[0] for before, after in zip(sorted(spans), sorted(spans)[1:], strict=False))


def test_marks() -> None:
    root = ElementTree.fromstring(svg(drawn()))
    kinds = [element.get("class") for link in root.iter(f"{SVG}a") for element in link]
    assert kinds.count("lost") == 1
    assert kinds.count("held") == 1
    assert [element.get("class") for element in root if element.get("class") in ("curve", "ideal", "peak")] == [
        "peak",
        "curve",
        "ideal",
    ]


def test_page_holds_the_source_and_loads_nothing() -> None:
    page = html([drawn()], "a <title>", PROGRAM)
    assert "<title>a &lt;title&gt;</title>" in page
    assert page.count("<div>") == len(PROGRAM.split("\n"))
    assert re.findall(r'https?://(?!www\.w3\.org/2000/svg")', page) == []
    assert "<link" not in page
    assert "src=" not in page


@pytest.mark.parametrize("columns", [60, 100, 200])
def test_text_keeps_to_its_width(columns: int) -> None:
    lines = terminal(drawn(), columns).splitlines()
    assert all(len(line) <= columns + len("╌ ideal") for line in lines)
    bars = {line.split()[0]: line for line in lines[1:6]}
    assert "░" in bars["%held"]
    assert bars["%held"].endswith("│")
    assert bars["%lost"].endswith("▒")
    assert "▲" in "".join(lines)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "f.mlir"
    file.write_text(PROGRAM)
    assert main(["lanes", str(file), "--width", "80"]) == 0
    assert capsys.readouterr().out.startswith("@f  peak 1.09 KiB · ideal 1 KiB\n")
    assert main(["lanes", str(file), "--format", "svg", "-o", str(tmp_path / "f.svg")]) == 0
    ElementTree.parse(tmp_path / "f.svg")
    capsys.readouterr()
    assert main(["lanes", str(file), "--function", "none"]) == 1
    assert capsys.readouterr().err == f"memlane: {file}: there is no function @none; buffers are made in @f\n"


NESTED = """func.func @f(%in: memref<64x64xf32>, %out: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<64x64xf32>
  memref.copy %in, %a : memref<64x64xf32> to memref<64x64xf32>
  %b = memref.alloc() : memref<64x64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i, %c0] : memref<64x64xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %b[%i, %c0] : memref<64x64xf32>
  }
  BEHIND
  memref.dealloc %a : memref<64x64xf32>
  memref.copy %b, %out : memref<64x64xf32> to memref<64x64xf32>
  memref.dealloc %b : memref<64x64xf32>
  return
}
"""
AS_BLOCKS = """func.func @f(%in: memref<64x64xf32>, %out: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<64x64xf32>
  memref.copy %in, %a : memref<64x64xf32> to memref<64x64xf32>
  %b = memref.alloc() : memref<64x64xf32>
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %c64 : index
  cf.cond_br %more, ^body, ^behind
^body:
  %x = memref.load %a[%i, %c0] : memref<64x64xf32>
  memref.store %x, %b[%i, %c0] : memref<64x64xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^behind:
  BEHIND
  memref.dealloc %a : memref<64x64xf32>
  memref.copy %b, %out : memref<64x64xf32> to memref<64x64xf32>
  memref.dealloc %b : memref<64x64xf32>
  return
}
"""


@pytest.mark.parametrize("program", [NESTED, AS_BLOCKS])
def test_a_buffer_is_in_use_until_the_loop_that_reads_it_is_over(program: str) -> None:
    """It is drawn as held where a finding says so, and nowhere else."""

    def held(behind: str) -> list[bool]:
        return [lane.used < lane.end for lane in drawn(program.replace("BEHIND", behind)).lanes]

    assert held("") == [False, False]
    assert held("memref.copy %b, %out : memref<64x64xf32> to memref<64x64xf32>") == [True, False]
