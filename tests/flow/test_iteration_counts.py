"""How far loops of blocks are counted: to the end where that is a number, else as far as structured loops are."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.fixes import fix_all
from memlane.flow.dataflow.events import Point

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


@pytest.mark.slow
def test_what_leaks_there_is_freed_where_it_was_made() -> None:
    assert names(nested("%n")) == ["leak"]
    assert names(fix_all(nested("%n"))) == []


def test_loops_to_a_number_are_counted_to_their_end() -> None:
    """The sixth round frees the buffer, if there is one: on each path, though nothing needs it in five rounds."""
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
    assert names(source) == ["late-free"]


def test_loops_in_steps_that_are_not_known_are_any_number_of_rounds(steps: list[Point]) -> None:
    """What upstream's deallocation makes of two loops, the inner one of which may make a new buffer: a flag goes along
    with the buffer. Rounds that were told apart as `%lb + %st + %st` took 37,000 steps and all there were."""
    source = f"""\
func.func @f(%lb: index, %ub: index, %st: index, %x: {TYPE}) {{
  %zero = arith.constant 0 : index
  %v = arith.constant 7 : i64
  %no = arith.constant false
  cf.br ^outer(%lb, %x, %no : index, {TYPE}, i1)
^outer(%i: index, %p: {TYPE}, %mine: i1):
  %more = arith.cmpi slt, %i, %ub : index
  cf.cond_br %more, ^inner(%lb, %p, %no : index, {TYPE}, i1), ^after
^inner(%j: index, %q: {TYPE}, %own: i1):
  %again = arith.cmpi slt, %j, %ub : index
  cf.cond_br %again, ^body, ^replaced
^body:
  %new = arith.cmpi eq, %i, %ub : index
  cf.cond_br %new, ^make, ^join(%q : {TYPE})
^make:
  %a = memref.alloc() : {TYPE}
  cf.br ^join(%a : {TYPE})
^join(%r: {TYPE}):
  memref.store %v, %r[%zero] : {TYPE}
  %q_at = memref.extract_aligned_pointer_as_index %q : {TYPE} -> index
  %r_at = memref.extract_aligned_pointer_as_index %r : {TYPE} -> index
  %other = arith.cmpi ne, %q_at, %r_at : index
  %frees = arith.andi %other, %own : i1
  cf.cond_br %frees, ^free, ^next
^free:
  memref.dealloc %q : {TYPE}
  cf.br ^next
^next:
  %same = arith.cmpi eq, %q_at, %r_at : index
  %still = arith.andi %same, %own : i1
  %owned = arith.ori %still, %new : i1
  %j1 = arith.addi %j, %st : index
  cf.br ^inner(%j1, %r, %owned : index, {TYPE}, i1)
^replaced:
  %p_at = memref.extract_aligned_pointer_as_index %p : {TYPE} -> index
  %s_at = memref.extract_aligned_pointer_as_index %q : {TYPE} -> index
  %others = arith.cmpi ne, %p_at, %s_at : index
  %gone = arith.andi %others, %mine : i1
  cf.cond_br %gone, ^drop, ^on
^drop:
  memref.dealloc %p : {TYPE}
  cf.br ^on
^on:
  %equal = arith.cmpi eq, %p_at, %s_at : index
  %kept = arith.andi %equal, %mine : i1
  %taken = arith.ori %kept, %own : i1
  %i1 = arith.addi %i, %st : index
  cf.br ^outer(%i1, %q, %taken : index, {TYPE}, i1)
^after:
  cf.cond_br %mine, ^last, ^end
^last:
  memref.dealloc %p : {TYPE}
  cf.br ^end
^end:
  return
}}
"""
    assert names(source) == []
    assert 0 < len(steps) < 2_000
