"""What is kept of a statement serves others that differ in names: the ops are those that are built without it."""

from __future__ import annotations

import pytest
from tests.bench.costs import functions

from memlane.syntax import Document
from memlane.syntax.shapes.shape import Template
from memlane.syntax.tree import build, layout
from memlane.syntax.tree.equal import difference
from memlane.syntax.tree.layout import Layout
from memlane.syntax.tree.tree import Tree

SOURCE = """\
#map = affine_map<(d0) -> (d0)>
func.func @f(%a: memref<4xf32>, %longer_name: memref<4xf32>, %i: index, %c: i1) -> (f32, index) {
  %x = memref.load %a[%i] : memref<4xf32> loc("a.py":1:2)
  %another = memref.load %longer_name[%i] : memref<4xf32> loc("a.py":1:2)
  memref.store %x, %a[%i] {"%in" = "a %string", other = #map} : memref<4xf32>  // of %x
  memref.store %another, %longer_name[%i] {"%in" = "a %string", other = #map} : memref<4xf32>  // of %another
  %p:2 = "npu.two"(%x, %i) {k = 1 : i32} : (f32, index) -> (f32, index)
  %pair:2 = "npu.two"(%another, %i) {k = 1 : i32} : (f32, index) -> (f32, index)
  %sum = arith.addf %p#0, %pair#0
     : f32
  cf.cond_br %c, ^bb1(%p#0 : f32), ^bb2
^bb1(%value: f32):
  %r = scf.if %c -> (f32) { scf.yield %value : f32 } else { scf.yield %sum : f32 }
  return %r, %p#1 : f32, index
^bb2:
  return %sum, %pair#1 : f32, index
}
"""


def built(source: str) -> Tree:
    """A tree whose ops have been built."""
    tree = Document(source).tree
    assert list(tree.walk())
    return tree


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("before", ["", "  ", "// a comment\n\n", "\t"])
def test_kept_layouts_make_no_difference(monkeypatch: pytest.MonkeyPatch, end: str, before: str) -> None:
    source = (SOURCE + functions(2)).replace("\n", f"\n{before}").replace("\n", end)
    for _ in range(2):
        built(source)
    kept = built(source)  # from the second time on, what is known of an op serves
    monkeypatch.setattr(build, "layout_of", _made_anew)
    monkeypatch.setattr(Layout, "look", _nothing_known)
    assert difference(kept, built(source)) is None


def _made_anew(template: Template, skeleton: str) -> Layout | None:
    return None


def _nothing_known(*_: object) -> None:
    return None


def test_like_statements_share_one() -> None:
    layout.forget()
    built(functions(50))
    assert layout.kept() < 50 + 25  # 50 heads, and 23 lines


def test_few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "MAX_LAYOUTS", 10)
    constants = "".join(f"  %c{number} = arith.constant {number} : index\n" for number in range(100))
    tree = built(f"func.func @f() {{\n{constants}  return\n}}\n")
    assert [op.literal for op in tree.walk() if op.name == "arith.constant"] == [str(number) for number in range(100)]
    assert layout.kept() <= 10
