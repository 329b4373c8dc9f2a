"""Several cursors at names, in one change: a text that is edited from any end means what it says, read anew."""

from __future__ import annotations

from itertools import permutations

import pytest

from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.syntax import Document
from memlane.syntax.tree.equal import difference
from tests.effort import some
from tests.fuzz.typed_sessions import converse
from tests.syntax.edits import applied, one_by_one, taken_back

CONFIG = Config()
PROGRAM = """\
#map1 = affine_map<(d0) -> (d0)>
!t1 = memref<4xf32>
func.func private @g1(memref<4xf32>)
func.func @f1(%0: index, %1: i1, %a: !t1) {
  %2 = memref.alloc(%0) : memref<?xf32, #map1>
  %3:2 = "test.two"() : () -> (memref<4xf32>, memref<4xf32>)
  cf.cond_br %1, ^bb1, ^bb2(%3#1 : memref<4xf32>)
^bb1:
  memref.dealloc %2 : memref<?xf32, #map1> memref.dealloc %2 : memref<?xf32, #map1>
  cf.br ^bb2(%3#0 : memref<4xf32>)
^bb2(%4: memref<4xf32>):
  call @g1(%4) : (memref<4xf32>) -> () // 😋 %4
  return
}
// -----
func.func @f1(%0: index) {
  %1 = memref.alloc(%0) : memref<?xf32>
  %10 = memref.cast %1 : memref<?xf32> to memref<?xf32>
  memref.dealloc %1 : memref<?xf32>
  return
}
"""
NAMES = ("%0", "%1", "%2", "%3", "%3#1", "%4", "%a", "^bb1", "^bb2", "@f1", "@g1", "#map1", "!t1", "%10")
TYPED = ("_", "a", "0", "1", "#1", ":2", "$", ".", "-", "_1", "é", "😋", " ", "\n", "_\n", "=", '"')


def _places(source: str, name: str) -> list[int]:
    """Where a name ends."""
    return [at + len(name) for at in range(len(source)) if source.startswith(name, at)]


def _orders(count: int) -> list[list[int]]:
    """From the top, from the bottom, and some others."""
    every = [list(order) for order in permutations(range(count))] if count < 4 else []
    return every or [[*range(count)], [*reversed(range(count))], [*range(1, count), 0], [count - 1, *range(count - 1)]]


def _same(source: str, edits: list[Edit]) -> None:
    for order in _orders(len(edits)):
        document = Document(source, CONFIG.models)
        for edit in one_by_one(edits, order):
            document = document.edit([edit])
        assert document.source == applied(source, edits)
        assert difference(document.tree, Document(document.source, CONFIG.models).tree) is None, (edits, order)
        for edit in one_by_one(taken_back(source, edits), order):
            document = document.edit([edit])
        assert document.source == source
        assert difference(document.tree, Document(source, CONFIG.models).tree) is None, (edits, order)


@pytest.mark.slow
@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("name", NAMES)
def test_something_typed_behind_each_place_of_a_name(name: str, line_end: str) -> None:
    source = PROGRAM.replace("\n", line_end)
    for text in TYPED:
        _same(source, [Edit(Span(at, at), text) for at in _places(source, name)])


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_becomes_another_or_loses_its_end(name: str) -> None:
    for other in (*NAMES[::3], name[:-1], ""):
        _same(PROGRAM, [Edit(Span(at - len(name), at), other) for at in _places(PROGRAM, name)])


def test_a_letter_behind_a_number_and_back_as_it_was_found() -> None:
    """The use says `%1` and text behind it: the definition that loses its op must not leave the use a number."""
    source = "func.func @f(%0: index) {\n  %1 = memref.alloc(%0) : memref<?xf32>\n  memref.dealloc %1 : memref<?xf32>\n"
    for text in ("_", "a", "_a", "$", "-", "."):
        _same(f"{source}  return\n}}\n", [Edit(Span(at, at), text) for at in _places(source, "%1")])


def test_what_stands_between_a_region_and_the_next_decides_whether_the_next_belongs_to_its_op() -> None:
    source = "func.func@f{scf.for{\n{\n }}{f}case{\n}}\n"
    _same(source, [Edit(Span(33, 33), ",")])


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(3), 1))
def test_sessions(seed: int) -> None:
    converse(seed, 6)


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(10, 22), 2))
def test_many_sessions(seed: int) -> None:
    converse(seed, 25)
