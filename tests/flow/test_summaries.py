"""What functions that call each other do: the least that agrees with itself, whatever is asked first."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.flow import Program, analyse
from memlane.flow.dataflow.call_outcomes import Outcome
from memlane.flow.dataflow.context import Known
from memlane.flow.interproc import summary_engine
from memlane.flow.interproc.function import Question
from memlane.flow.path_insensitive.all_paths import TOLD
from memlane.flow.typestate import explorer
from memlane.flow.typestate.explorer import Explorer
from memlane.syntax import parse
from tests.fuzz.programs import program

CONFIG = Config()
Asked = tuple[str, "tuple[int | None, ...]", "tuple[Known, ...]", "tuple[int, ...]"]
M = "memref<4xf32>"

SHUFFLING = f"""\
func.func @f(%a: {M}, %b: {M}, %d: {M}, %c: i1, %n: index, %x: f32) -> {M} {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%v = %d) -> ({M}) {{
    scf.for %j = %zero to %n step %one {{
      %s = call @f(%a, %d, %v, %c, %n, %x) : ({M}, {M}, {M}, i1, index, f32) -> {M}
    }}
    scf.yield %a : {M}
  }}
  cf.cond_br %c, ^bb1, ^bb3(%a : {M})
^bb1:
  cf.cond_br %c, ^bb2(%a : {M}), ^bb2(%b : {M})
^bb2(%p: {M}):
  scf.if %c {{
    %m = memref.alloc() : {M}
    call @g(%d, %m, %p, %c, %n, %x) : ({M}, {M}, {M}, i1, index, f32) -> ()
  }}
  cf.br ^bb3(%p : {M})
^bb3(%q: {M}):
  memref.store %x, %q[%zero] : {M}
  cf.cond_br %c, ^bb4, ^bb2(%q : {M})
^bb4:
  memref.dealloc %d : {M}
  return %b : {M}
}}
func.func @g(%a: {M}, %b: {M}, %d: {M}, %c: i1, %n: index, %x: f32) {{
  scf.if %c {{
    %s = call @f(%d, %b, %a, %c, %n, %x) : ({M}, {M}, {M}, i1, index, f32) -> {M}
    %t = call @f(%b, %b, %s, %c, %n, %x) : ({M}, {M}, {M}, i1, index, f32) -> {M}
  }}
  return
}}
"""

COUNTING = f"""\
func.func private @down(%m: {M}, %n: index, %c: i1) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.cmpi eq, %n, %zero : index
  scf.if %last {{
    scf.if %c {{
      memref.dealloc %m : {M}
    }}
  }} else {{
    %less = arith.subi %n, %one : index
    call @down(%m, %less, %c) : ({M}, index, i1) -> ()
  }}
  return
}}
func.func @start(%c: i1) {{
  %times = arith.constant TIMES : index
  %yes = arith.constant true
  %a = memref.alloc() : {M}
  call @down(%a, %times, %yes) : ({M}, index, i1) -> ()
  return
}}
"""


def names(source: str) -> list[str]:
    """The rules that speak, but the one that says that functions here free what is their callers'."""
    found = [finding.rule.name for finding in check(source).findings]
    return [name for name in found if name != "argument-free"]


def test_calls_from_loops_in_bounded_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking again at each call, until what comes out is what was assumed, follows this more than 20,000 times."""
    followed = 0
    run = Explorer.run

    def counted(self: Explorer, most: int | None = None) -> object:
        nonlocal followed
        followed += 1
        return run(self, most)

    monkeypatch.setattr(Explorer, "run", counted)
    assert "analysis-limit" not in names(SHUFFLING)
    assert 0 < followed < 1_000


def test_recursion_that_counts_is_followed_to_its_end() -> None:
    """Constants are told apart as long as they are small, then they are not, which is no reason to give up."""
    assert names(COUNTING.replace("TIMES", "9")) == []
    assert names(COUNTING.replace("TIMES", "1000000")) == []


def test_no_function_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where its paths are too many, its text says what it may do."""
    for limit in ("MAX_GROUP_PAIRS", "GROUP_PAIRS_PER_OP", "GROUP_PAIRS_PER_PLAIN_OP"):
        monkeypatch.setattr(summary_engine, limit, 0)
    found = [one for one in check(COUNTING.replace("TIMES", "9")).findings if one.rule.name != "argument-free"]
    assert [one.rule.name for one in found] == ["possible-leak"]
    assert TOLD in [note.message for note in found[0].report.notes]


def test_too_many_ways_are_taken_as_fewer_then_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without recursion. One way cannot tell whether the buffer is freed; a budget of nothing ends all."""
    source = COUNTING[COUNTING.index("func.func @start") :].replace("TIMES", "9") + (
        f"func.func private @down(%m: {M}, %n: index, %c: i1) {{\n  scf.if %c {{\n    memref.dealloc %m : {M}\n  }}\n"
        "  return\n}\n"
    )
    assert names(source) == []
    monkeypatch.setattr(summary_engine, "MAX_OUTCOMES", 0)
    assert names(source) == ["possible-leak"]


DEEP = """
func.func private @g(%n: index, %b: memref<4xf32>, %s: memref<i1>) {
  %c1 = arith.constant 1 : index
  %end = arith.constant 100000 : index
  %true = arith.constant true
  %v = memref.load %b[%c1] : memref<4xf32>
  memref.store %v, %b[%c1] : memref<4xf32>
  memref.store %v, %b[%c1] : memref<4xf32>
  memref.store %v, %b[%c1] : memref<4xf32>
  %m = arith.addi %n, %c1 : index
  %more = arith.cmpi slt, %m, %end : index
  scf.if %more {
    func.call @g(%m, %b, %s) : (index, memref<4xf32>, memref<i1>) -> ()
  } else {
    %here = memref.load %s[] : memref<i1>
    scf.if %here {
      memref.dealloc %b : memref<4xf32>
    }
    %there = arith.xori %here, %true : i1
    scf.if %there {
      memref.dealloc %b : memref<4xf32>
    }
  }
  return
}
func.func @f(%s: memref<i1>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  call @g(%c0, %a, %s) : (index, memref<4xf32>, memref<i1>) -> ()
  return
}
"""


def test_where_a_recursion_is_too_deep_its_conditions_are_told_apart() -> None:
    """It frees its argument in one of two places, by a flag that both ask."""
    assert names(DEEP) == []


def test_where_conditions_are_too_many_those_of_arguments_are_told() -> None:
    """The flags that two branches ask are as good as two each; the one that is passed decides what is freed."""
    flags = range(12)
    loads = "".join(
        f"  %c{i} = arith.constant {i} : index\n  %l{i} = memref.load %s[%c{i}] : memref<12xi1>\n" for i in flags
    )
    branches = "".join(
        f"  scf.if %l{i} {{\n    memref.store %v, %b[%c0] : memref<4xf32>\n  }}\n" for i in (*flags, *flags)
    )
    source = f"""
func.func private @g(%flag: i1, %b: memref<4xf32>, %s: memref<12xi1>) {{
  %v = arith.constant 1.0 : f32
{loads}{branches}  scf.if %flag {{
    memref.dealloc %b : memref<4xf32>
  }}
  return
}}
func.func @f(%flag: i1, %s: memref<12xi1>) {{
  %true = arith.constant true
  %a = memref.alloc() : memref<4xf32>
  call @g(%flag, %a, %s) : (i1, memref<4xf32>, memref<12xi1>) -> ()
  %kept = arith.xori %flag, %true : i1
  scf.if %kept {{
    memref.dealloc %a : memref<4xf32>
  }}
  return
}}
"""
    assert names(source) == []


def asked(source: str) -> Program:
    """A program with all the questions that its analysis asks."""
    found = Program(parse(source, CONFIG.models).chunks[0].ops, CONFIG.models, source)
    for flow in found.functions.values():
        analyse(found, flow)
    return found


def known(program: Program) -> dict[Asked, tuple[Outcome, ...] | None]:
    """The answers, by names of functions."""
    answers = program.answers.known
    return {(one.callee.name, one.partition, one.constants, one.wanted): ways for one, ways in answers.items()}


@pytest.mark.slow
@pytest.mark.parametrize("steps", [20, 60, 200, 6_000])
def test_what_was_asked_before_does_not_matter(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits are reached here and there, and each question has one answer, whichever is asked first."""
    for limit in ("GROUP_PAIRS_PER_OP", "GROUP_PAIRS_PER_PLAIN_OP"):
        monkeypatch.setattr(summary_engine, limit, 0)
    monkeypatch.setattr(summary_engine, "MAX_GROUP_PAIRS", steps)
    monkeypatch.setattr(explorer, "MAX_PAIRS", 4 * steps)
    choose = random.Random(7)
    given_up = 0
    for source in (
        SHUFFLING,
        COUNTING.replace("TIMES", "9"),
        *(program(random.Random(f"same {n}"), 4) for n in range(12)),
    ):
        wanted = known(asked(source))
        given_up += sum(ways is None for ways in wanted.values())
        for _ in range(3):
            other = Program(parse(source, CONFIG.models).chunks[0].ops, CONFIG.models, source)
            by_name = {flow.name: flow for flow in other.functions.values()}
            questions = sorted(wanted, key=str)
            choose.shuffle(questions)
            for name, partition, constants, wanted_results in questions:
                other.answers.of(Question(by_name[name], partition, constants, wanted_results))
            assert {key: ways for key, ways in known(other).items() if key in wanted} == wanted
    assert bool(given_up) == (steps == 20)


def doubling(count: int) -> str:
    """Functions that each call the next one twice, with two numbers computed from their own; main begins."""
    one = (
        f"func.func private @f{{0}}(%a: {M}, %n: index) {{{{\n  %one = arith.constant 1 : index\n"
        "  %m = arith.addi %n, %n : index\n  %o = arith.addi %m, %one : index\n"
        f"  func.call @f{{1}}(%a, %m) : ({M}, index) -> ()\n  func.call @f{{1}}(%a, %o) : ({M}, index) -> ()\n"
        "  return\n}}\n"
    )
    last = (
        f"func.func private @f{count}(%a: {M}, %n: index) {{\n  %zero = arith.constant 0 : index\n"
        "  %c = arith.cmpi eq, %n, %zero : index\n  scf.if %c {\n"
        f"    memref.dealloc %a : {M}\n  }}\n  return\n}}\n"
    )
    main = (
        f"func.func @main() {{\n  %n = arith.constant 1 : index\n  %a = memref.alloc() : {M}\n"
        f"  call @f0(%a, %n) : ({M}, index) -> ()\n  memref.dealloc %a : {M}\n  return\n}}\n"
    )
    return main + "".join(one.format(number, number + 1) for number in range(count)) + last


@pytest.mark.slow
def test_numbers_that_functions_compute_are_bounded() -> None:
    """Each of these functions may be passed twice as many numbers as the one before: 2 to the power of 30."""
    found = asked(doubling(30))
    numbers = {(name, constants) for name, _, constants, _ in known(found)}
    assert max(Counter(name for name, _ in numbers).values()) <= 1_001
