"""How far loops of blocks are counted: to the end where that is a number, else as far as structured loops are."""

from __future__ import annotations

from memlane.checking import check
from memlane.fixes import fix_all
from memlane.flow.events import Point

TYPE = "memref<8xi64>"
MAYBE = f"""\
  cf.cond_br %c, ^make, ^merge(%x : {TYPE})
^make:
  %a = memref.alloc() : {TYPE}
  cf.br ^merge(%a : {TYPE})
^merge(%b: {TYPE}):
"""
"""From here on `%b` is a new buffer where `%c` is true, else that of `%x`."""


def nested(bound: str, free: str = "") -> str:
    """Two loops within a third, all with one bound; they hand a buffer on that may be the caller's."""
    return f"""\
func.func @f(%x: {TYPE}, %c: i1, %n: index) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %six = arith.constant 6 : index
  %v = arith.constant 7 : i64
{MAYBE}  cf.br ^outer(%zero : index)
^outer(%i: index):
  %more = arith.cmpi slt, %i, {bound} : index
  cf.cond_br %more, ^first(%zero, %b : index, {TYPE}), ^after
^first(%j: index, %p: {TYPE}):
  %again = arith.cmpi slt, %j, {bound} : index
  cf.cond_br %again, ^body, ^second(%zero, %x : index, {TYPE})
^body:
  memref.store %v, %p[%zero] : {TYPE}
  %j1 = arith.addi %j, %one : index
  cf.br ^first(%j1, %x : index, {TYPE})
^second(%k: index, %q: {TYPE}):
  %still = arith.cmpi slt, %k, {bound} : index
  cf.cond_br %still, ^inner, ^next
^inner:
  memref.store %v, %q[%zero] : {TYPE}
  %k1 = arith.addi %k, %one : index
  cf.br ^second(%k1, %b : index, {TYPE})
^next:
  %i1 = arith.addi %i, %one : index
  cf.br ^outer(%i1 : index)
^after:
{free}  return
}}
"""


FREE = f"""\
  cf.cond_br %c, ^free, ^end
^free:
  memref.dealloc %b : {TYPE}
  cf.br ^end
^end:
"""


def names(source: str) -> list[str]:
    return [finding.rule.name for finding in check(source).findings]


def test_loops_to_a_number_that_is_not_known_are_not_counted_on(steps: list[Point]) -> None:
    """Three counters that go on and a bound that may be any of their numbers would be thousands of states."""
    assert names(nested("%n", FREE)) == []
    assert 0 < len(steps) < 3_000


def test_what_leaks_there_is_freed_where_it_was_made() -> None:
    assert names(nested("%n")) == ["leak"]
    assert names(fix_all(nested("%n"))) == []


def test_loops_to_a_number_are_counted_to_their_end() -> None:
    """The sixth round frees the buffer, if there is one."""
    source = f"""\
func.func @f() {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %five = arith.constant 5 : index
  %six = arith.constant 6 : index
  %a = memref.alloc() : {TYPE}
  cf.br ^loop(%zero : index)
^loop(%i: index):
  %more = arith.cmpi slt, %i, %six : index
  cf.cond_br %more, ^body, ^after
^body:
  %is = arith.cmpi eq, %i, %five : index
  cf.cond_br %is, ^free, ^next
^free:
  memref.dealloc %a : {TYPE}
  cf.br ^next
^next:
  %i1 = arith.addi %i, %one : index
  cf.br ^loop(%i1 : index)
^after:
  return
}}
"""
    assert names(source) == []
