"""Edits that do not change where control goes leave it known what never runs; others have it found out again."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.placement import feasible
from memlane.query import Checker
from memlane.syntax import Document

CONFIG = Config()
SOURCE = """\
func.func @f(%n: index, %x: f32, %c: i1, %d: i1, %b: memref<?xf32>) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %some = arith.cmpi ult, %one, %two : index
  %s = arith.addf %x, %x : f32
  scf.if %some {
    memref.store %s, %b[%zero] : memref<?xf32>
  } else {
    %t = arith.mulf %s, %s : f32
    %a = memref.alloc() : memref<4xf32>
    memref.store %t, %a[%zero] : memref<4xf32>
  }
  %y = scf.if %c -> f32 {
    scf.yield %x : f32
  } else {
    %z = arith.mulf %s, %x : f32
    scf.yield %z : f32
  }
  scf.for %i = %zero to %n step %one {
    %e = memref.alloc() : memref<4xf32>
    memref.store %y, %e[%i] : memref<4xf32>
  }
  %more = arith.xori %c, %d : i1
  scf.while : () -> () {
    scf.condition(%more)
  } do {
    %w = memref.alloc() : memref<4xf32>
    memref.store %y, %w[%zero] : memref<4xf32>
    scf.yield
  }
  return %y : f32
}
"""


@pytest.mark.parametrize(
    ("old", "new", "again"),
    [
        pytest.param("%s = arith.addf", "%s = arith.mulf", 0, id="a number"),
        pytest.param("%s = arith.addf", "%s = arith.add", 0, id="an unknown operation"),
        pytest.param("  %s = arith", "  %r = arith.addf %x, %x : f32\n  %s = arith", 0, id="one more"),
        pytest.param("%z = arith.mulf %s,", "%z = arith.mulf %x,", 0, id="what a region yields"),
        pytest.param("store %s, %b", "store %x, %b", 0, id="the last of its block"),
        pytest.param("    %t = arith.mulf %s, %s : f32\n", "", 0, id="where control never comes"),
        pytest.param("%t = arith.mulf", "memref.dealloc %u : memref<?xf32>\n    %t = arith.mulf", 0, id="first there"),
        pytest.param("arith.constant 2", "arith.constant 1", 1, id="what decides"),
        pytest.param("arith.cmpi ult", "arith.cmpi eq", 1, id="how it is decided"),
        pytest.param("%zero to %n", "%one to %one", 1, id="bounds of a loop"),
        pytest.param("scf.if %some", "scf.if %c", 1, id="a condition"),
        pytest.param("%more = arith.xori %c, %d", "%more = arith.constant false", 1, id="that of a loop"),
        pytest.param("scf.yield %x", "cf.br %x", 1, id="how a block ends"),
        pytest.param("    %z = arith.mulf %s, %x : f32\n    scf.yield %z : f32\n", "", 1, id="no end"),
    ],
)
def test_what_does_not_say_where_control_goes(old: str, new: str, again: int, monkeypatch: pytest.MonkeyPatch) -> None:
    at = SOURCE.index("%y, %e")
    document, checker = Document(SOURCE.replace("%y, %e", "%x, %e"), CONFIG.models), Checker()
    checker.findings(document, CONFIG)
    document = document.edit([Edit(Span(at, at + 2), "%y")])
    checker.findings(document, CONFIG)  # the first edit has the operations kept
    asked = 0
    decided = feasible._decided  # pyright: ignore[reportPrivateUsage] -- asked once where it is found out

    def counted(*given: object) -> object:
        nonlocal asked
        asked += 1
        return decided(*given)  # pyright: ignore[reportArgumentType] -- handed on as it is

    at = SOURCE.index(old)
    document = document.edit([Edit(Span(at, at + len(old)), new)])
    with monkeypatch.context() as patch:
        patch.setattr(feasible, "_decided", counted)
        found = checker.findings(document, CONFIG)
    assert found == check(document.source, CONFIG).findings
    assert asked == again


def test_a_branch_of_an_edited_block_is_never_taken_as_before() -> None:
    """Its edges are made anew, and are no longer those that were found never to be taken."""
    source = """\
func.func @f(%x: f32, %y: f32, %i: index) -> f32 {
  %never = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  %s = arith.addf %x, %x : f32
  cf.cond_br %never, ^used, ^on
^used:
  memref.store %y, %a[%i] : memref<4xf32>
  cf.br ^on
^on:
  %t = arith.mulf %s, %s : f32
  %u = arith.mulf %t, %s : f32
  memref.dealloc %a : memref<4xf32>
  return %u : f32
}
"""
    document, checker = Document(source, CONFIG.models), Checker()
    checker.findings(document, CONFIG)
    for old, new in (("%x, %x", "%y, %x"), ("arith.addf %y", "arith.subf %y"), ("arith.subf", "arith.mulf")):
        at = document.source.index(old)
        document = document.edit([Edit(Span(at, at + len(old)), new)])
        found = checker.findings(document, CONFIG)
        assert [one.rule.name for one in found] == ["late-free"]
        assert found == check(document.source, CONFIG).findings
