"""The notes of findings: which choices they tell, and that they stand in the order of time."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.findings import Certainty

LOOP = """\
func.func @f(%n: index, %c: i1, %d: i1, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.if %d {
      memref.store %z, %a[%c0] : memref<16xf32>
    }
    scf.if %c {
      memref.dealloc %a : memref<16xf32>
    }
  }
  return
}
"""
BLOCKS = """\
func.func @f(%c: i1, %i: index) -> f32 {
  %a = memref.alloc() : memref<16xf32>
  cf.br ^loop
^loop:
  %v = memref.load %a[%i] : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  cf.cond_br %c, ^loop, ^end
^end:
  return %v : f32
}
"""
CALLEE = """\
func.func private @free_if(%m: memref<16xf32>, %c: i1) {
  scf.if %c {
    memref.dealloc %m : memref<16xf32>
  }
  return
}
func.func @f(%d: i1) {
  %a = memref.alloc() : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  call @free_if(%a, %d) : (memref<16xf32>, i1) -> ()
  return
}
"""
TWICE = """\
func.func private @both(%a: memref<16xf32>, %b: memref<16xf32>) {
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  return
}
func.func @f() {
  %a = memref.alloc() : memref<16xf32>
  call @both(%a, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}
"""
CARRIED = """\
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<16xf32>) {
    %b = memref.alloc() : memref<16xf32>
    memref.dealloc %x : memref<16xf32>
    %odd = arith.trunci %i : index to i1
    scf.if %odd {
      memref.dealloc %b : memref<16xf32>
    }
    scf.yield %b : memref<16xf32>
  }
  memref.dealloc %r : memref<16xf32>
  return
}
"""
SELECTED = """\
func.func @f(%c: i1, %i: index) -> f32 {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  %s = arith.select %c, %a, %b : memref<16xf32>
  %v = memref.load %s[%i] : memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  return %v : f32
}
"""


@pytest.mark.parametrize(
    ("program", "rule", "notes"),
    [
        (
            LOOP,
            "possible-use-after-free",
            ["4: %a is allocated here", "9: %c is true", "10: freed here", "5: the loop runs again"],
        ),
        (
            LOOP,
            "possible-double-free",
            ["4: %a is allocated here", "10: freed here in an earlier iteration", "5: the loop runs again"],
        ),
        (BLOCKS, "possible-use-after-free", ["2: %a is allocated here", "6: freed here", "7: %c is true"]),
        (
            CALLEE,
            "possible-double-free",
            [
                "8: %a is allocated here",
                "9: freed here first",
                "10: %d is true",
                "3: the callee frees it here",
            ],
        ),
        (
            TWICE,
            "double-free",
            ["1: %a is an argument of the function", "1: @f passes one buffer as %a and %b", "2: freed here first"],
        ),
        (SELECTED, "possible-use-after-free", ["2: %a is allocated here", "4: freed here", "5: %c is true"]),
    ],
)
def test_notes_stand_in_the_order_of_time(program: str, rule: str, notes: list[str]) -> None:
    assert _notes(program, rule) == notes


def test_of_several_buffers_that_a_loop_makes_the_right_one_is_told() -> None:
    """The third iteration frees what the second has made and freed, after it has made another one."""
    used, _ = _all_notes(CARRIED, "possible-double-free")
    again = "5: the loop runs again"
    assert used == [again, "6: %b is allocated here", "10: freed here first", again]


@pytest.mark.parametrize("branches", [1, 30, 200])
def test_what_holds_on_every_path_tells_no_choices(branches: int) -> None:
    lines = ["func.func @f(%x: memref<4xf32>) {", "  %a = memref.alloc() : memref<4xf32>"]
    for number in range(branches):
        lines += [f'  %c{number} = "some.flag"() : () -> i1', f"  scf.if %c{number} {{"]
        lines += ["    memref.copy %x, %a : memref<4xf32> to memref<4xf32>", "  }"]
    (finding,) = check("\n".join([*lines, "  return", "}", ""])).findings
    assert finding.report.certainty is Certainty.ALWAYS
    assert [note.message for note in finding.report.notes] == ["%a is lost here"]


@pytest.mark.parametrize("branches", [1, 30, 200])
def test_one_branch_of_many_is_told(branches: int) -> None:
    lines = ["func.func @f(%x: memref<4xf32>) {", "  %a = memref.alloc() : memref<4xf32>"]
    for number in range(branches):
        act = (
            "dealloc %a : memref<4xf32>" if number == branches // 2 else "copy %x, %x : memref<4xf32> to memref<4xf32>"
        )
        lines += [f'  %c{number} = "some.flag"() : () -> i1', f"  scf.if %c{number} {{", f"    memref.{act}", "  }"]
    (finding,) = check("\n".join([*lines, "  return", "}", ""])).findings
    assert [note.message for note in finding.report.notes] == [f"%c{branches // 2} is false", "%a is lost here"]


def _notes(program: str, rule: str) -> list[str]:
    """The notes of the finding of a rule, with their lines, from 1."""
    (notes,) = _all_notes(program, rule)
    return notes


def _all_notes(program: str, rule: str) -> list[list[str]]:
    result = check(program)
    reports = [one.report for one in result.findings if one.rule.name == rule]
    return [
        [f"{result.text.position(note.span.start).line + 1}: {note.message}" for note in report.notes]
        for report in reports
    ]


def test_what_a_call_asks_of_constants_is_decided() -> None:
    source = """\
func.func private @free_if(%m: memref<16xf32>, %n: index, %c: i1) {
  scf.if %c {
    memref.dealloc %m : memref<16xf32>
  }
  func.call @ask(%n) : (index) -> ()
  return
}
func.func private @ask(%n: index) {
  return
}
func.func @f(%c: i1) {
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  call @free_if(%a, %zero, %c) : (memref<16xf32>, index, i1) -> ()
  return
}
"""
    (lost,) = (finding for finding in check(source).findings if finding.rule.name == "possible-leak")
    assert [note.message for note in lost.report.notes] == ["%c is false", "%a is lost here"]


def test_a_range_of_one_number_is_that_number() -> None:
    source = """\
func.func private @free_if(%m: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %above = arith.cmpi sgt, %n, %c0 : index
  scf.if %above {
    %below = arith.cmpi slt, %n, %c2 : index
    scf.if %below {
      memref.dealloc %m : memref<16xf32>
    }
  }
  return
}
func.func @f(%n: index) {
  %a = memref.alloc() : memref<16xf32>
  call @free_if(%a, %n) : (memref<16xf32>, index) -> ()
  memref.dealloc %a : memref<16xf32>
  return
}
"""
    (twice,) = (finding for finding in check(source).findings if finding.rule.name == "possible-double-free")
    assert "%n == 1" in [note.message for note in twice.report.notes]


def test_a_leak_that_is_none_if_an_operation_frees_is_said_so() -> None:
    taken = '  "foo.compute"(%a) : (memref<16xf32>) -> ()\n'
    source = f"func.func @f() {{\n  %a = memref.alloc() : memref<16xf32>\n{taken}  return\n}}\n"
    (lost,) = (finding for finding in check(source).findings if finding.rule.name == "possible-leak")
    said = "is never freed, unless an operation or function that is not described frees it"
    assert lost.report.message.endswith(said)
