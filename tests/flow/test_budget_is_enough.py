"""Nothing is given up in functions of fewer than 20,000 operations, whatever is in them and however little may be
followed path by path. The places that could: `Remaining.incidents`, which says None for larger functions alone (its
test is `test_budget.test_giving_up_is_said`); all else is a set that grows to its end."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Certainty, Edit, Span
from memlane.flow.dataflow import budget
from memlane.flow.interproc import summary_engine
from memlane.flow.path_insensitive import all_paths, fallback
from memlane.flow.typestate import explorer
from memlane.query import Checker
from memlane.syntax import Document
from tests.effort import some
from tests.flow.background import KINDS, Background
from tests.flow.test_path_insensitive import ABOUT, LIMIT, TYPE, compared, rules, together
from tests.fuzz.programs import program

CONFIG = Config()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_hard_to_follow_is_told(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(15):
        compared(Background(kind, seed).text(), monkeypatch, ends=True)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_of_more_programs(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in some(range(100, 220), 15):
        compared(Background(kind, seed).text(), monkeypatch, ends=True)


@pytest.mark.slow
def test_programs_are_of_all_kinds() -> None:
    """What the others compare is there: `free-before-wait` among it."""
    found = Counter(name for kind in KINDS for seed in range(15) for name in rules(Background(kind, seed).text()))
    assert found["free-before-wait"] > 5 and found["possible-double-free"] > 5 and LIMIT not in found
    assert "free-before-wait" in ABOUT


def no_summaries(monkeypatch: pytest.MonkeyPatch) -> None:
    """What calls do is too much to tell from now on."""
    monkeypatch.setattr(summary_engine, "MAX_OUTCOMES", 0)


@pytest.mark.slow
def test_what_calls_may_do_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    no_summaries(monkeypatch)
    for seed in range(20):
        compared(program(random.Random(seed), 1 + seed % 5), monkeypatch)
        compared(Background("names", seed).text(), monkeypatch, ends=True)


@pytest.mark.slow
@pytest.mark.parametrize("few", [0, 5, 40])
def test_small_budgets_anywhere(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in (
        *((budget, one) for one in ("STEPS_PER_FUNCTION", "STEPS_PER_OP")),
        *(
            (explorer, one)
            for one in ("MAX_PAIRS", "PAIRS_PER_POINT", "PAIRS_PER_PLAIN_POINT", "MIN_STEPS_BEFORE_LIVENESS")
        ),
        *((summary_engine, one) for one in ("MAX_GROUP_PAIRS", "GROUP_PAIRS_PER_OP", "GROUP_PAIRS_PER_PLAIN_OP")),
        *((fallback, one) for one in ("MAX_STEPS_ALONE", "STEPS_ALONE_PER_OP")),
        (all_paths, "MAX_GROWTHS"),
    ):
        monkeypatch.setattr(module, name, few)
    for seed in range(8):
        assert LIMIT not in rules(program(random.Random(seed), 6))
        for kind in KINDS:
            assert LIMIT not in rules(Background(kind, seed).text())


def rotated(count: int) -> str:
    """A loop that hands each of its buffers on to the next name, one of them freed before."""
    names = [f"%v{n}" for n in range(count)]
    types = ", ".join([TYPE] * count)
    return "\n".join(
        [
            "func.func @f(%n: index, %c: i1, %x: f32, %zero: index, %one: index) {",
            *(f"  %a{n} = memref.alloc() : {TYPE}" for n in range(count)),
            "  scf.if %c {",
            f"    memref.dealloc %a0 : {TYPE}",
            "  }",
            f"  %r:{count} = scf.for %i = %zero to %n step %one "
            f"iter_args({', '.join(f'{name} = %a{n}' for n, name in enumerate(names))}) -> ({types}) {{",
            f"    memref.store %x, %v{count // 2}[%zero] : {TYPE}",
            f"    scf.yield {', '.join([names[-1], *names[:-1]])} : {types}",
            "  }",
            *(f"  memref.dealloc %r#{n} : {TYPE}" for n in range(count)),
            "  return",
            "}",
            "",
        ]
    )


@pytest.mark.parametrize("rounds", [0, 1, 64])
def test_what_grows_for_long_is_told_less_exactly(rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name more may be of what is freed each time control comes round: 80 times, which is more than are looked at."""
    monkeypatch.setattr(all_paths, "MAX_GROWTHS", rounds)
    source = rotated(80)
    compared(rotated(5), monkeypatch, ends=True)
    together(monkeypatch)
    found = check(source).findings
    assert {one.rule.name for one in found} == {"possible-double-free", "possible-use-after-free"}
    places = {one.report.span.start for one in found if one.rule.name == "possible-double-free"}
    assert places == {source.index(f"memref.dealloc %r#{n} ") for n in range(80)}
    assert all(one.report.certainty is Certainty.SOME for one in found)


def test_what_is_waited_for_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    source = f"""func.func @f(%c: i1) {{
  %a, %t1 = gpu.alloc async [] () : {TYPE}
  %b, %t2 = gpu.alloc async [%t1] () : {TYPE}
  %t3 = gpu.memcpy async [%t2] %a, %b : {TYPE}, {TYPE}
  %t4 = gpu.wait async [%t3]
  %t5 = gpu.dealloc async [%t4] %a : {TYPE}
  WAIT
  gpu.dealloc %b : {TYPE}
  return
}}
"""
    together(monkeypatch)
    assert rules(source.replace("WAIT", "gpu.wait [%t5]")) == {"uninitialized-read"}
    for wait, certainty in (("", Certainty.ALWAYS), ("scf.if %c {\n    gpu.wait [%t5]\n  }", Certainty.SOME)):
        found = check(source.replace("WAIT", wait)).findings
        assert [one.report.certainty for one in found if one.rule.name == "free-before-wait"] == [certainty]


def test_owners_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "  rc.{} %b : !rc.buffer\n"
    head = "func.func @f(%c: i1) {\n  %b = rc.alloc : !rc.buffer\n"
    together(monkeypatch)
    more, less = line.format("increment"), line.format("decrement")
    assert rules(f"{head}{more}{less}{less}  return\n}}\n") == set()
    assert rules(f"{head}{more}{less}{less}{less}  return\n}}\n") == {"double-free"}
    assert rules(f"{head}{more}{less}  return\n}}\n") == {"leak"}
    maybe = f"  scf.if %c {{\n{more}  }}\n"
    assert rules(f"{head}{maybe}{less}{less}  return\n}}\n") == {"possible-double-free"}
    assert rules(f"{head}{maybe}{less}  return\n}}\n") == {"possible-leak"}


def test_edits_of_functions_that_are_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who calls them is told of what they may do now."""
    no_summaries(monkeypatch)
    source = f"""func.func private @far(%a: {TYPE}, %x: f32, %i: index) {{
  memref.store %x, %a[%i] : {TYPE}
  return
}}
func.func private @near(%a: {TYPE}, %x: f32, %i: index) {{
  func.call @far(%a, %x, %i) : ({TYPE}, f32, index) -> ()
  return
}}
func.func @f(%x: f32, %i: index) {{
  %a = memref.alloc() : {TYPE}
  func.call @near(%a, %x, %i) : ({TYPE}, f32, index) -> ()
  memref.dealloc %a : {TYPE}
  return
}}
"""
    document, checker = Document(source, CONFIG.models), Checker()
    store = f"  memref.store %x, %a[%i] : {TYPE}\n"
    seen: list[set[str]] = []
    for new in (None, f"  memref.dealloc %a : {TYPE}\n", store, "", store * 2):
        if new is not None:
            at = document.source.index("\n") + 1
            document = document.edit([Edit(Span(at, document.source.index("  return")), new)])
        found = checker.findings(document, CONFIG)
        assert found == check(document.source, CONFIG).findings
        seen.append({one.rule.name for one in found})
    assert "possible-double-free" in seen[1] and "possible-double-free" not in seen[0] | seen[2] | seen[3] | seen[4]


def test_where_the_stack_is_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was there before the point was saved stays; of the rest it is not known when it is released."""
    source = """func.func private @use(memref<?xf32>)
func.func @f(%n: index, %c0: index, %c1: index) {
  %before = memref.alloca(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %s = llvm.intr.stacksave : !llvm.ptr
    %a = memref.alloca(%n) : memref<?xf32>
    func.call @use(%a) : (memref<?xf32>) -> ()
    llvm.intr.stackrestore %s : !llvm.ptr
    func.call @use(%before) : (memref<?xf32>) -> ()
    func.call @use(%a) : (memref<?xf32>) -> ()
  }
  func.call @use(%before) : (memref<?xf32>) -> ()
  return
}
"""
    exact = check(source).findings
    together(monkeypatch)
    for found, rule in ((exact, "use-after-free"), (check(source).findings, "possible-use-after-free")):
        at = source.rindex("func.call @use(%a)")
        assert [(one.rule.name, one.report.span.start) for one in found] == [(rule, at)]
