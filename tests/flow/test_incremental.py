"""Edits: what a checker finds after any of them equals what is found from scratch, and costs only what they touched."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path

import pytest

import memlane.query.checked_section
from memlane.cancellation import Cancelled, Flag, cancellable
from memlane.checking import check
from memlane.config import Config
from memlane.findings import Edit, Finding, Span
from memlane.flow import FunctionFacts, FunctionFlow, Program, analyse
from memlane.flow.memo.exploration_memo import Recall
from memlane.query import Checker
from memlane.syntax import Document
from tests.effort import FULL, some

PROGRAM = """\
func.func private @drop(%buffer: memref<4xf32>) {
  memref.dealloc %buffer : memref<4xf32>
  return
}
func.func private @through(%buffer: memref<4xf32>) {
  call @drop(%buffer) : (memref<4xf32>) -> ()
  return
}
func.func @twice() {
  %a = memref.alloc() : memref<4xf32>
  call @through(%a) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @lost(%x: index) {
  %a = memref.alloc() : memref<4xf32>
  "npu.run"(%a) : (memref<4xf32>) -> ()
  return
}
func.func @late(%x: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  %y = arith.addf %x, %x : f32
  %z = arith.addf %y, %x : f32
  "npu.run"(%a) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  return
}
"""
CALLS = """\
func.func private @make(%n: index) -> memref<?xf32> {
  %m = memref.alloc(%n) : memref<?xf32>
  return %m : memref<?xf32>
}
func.func private @same(%b: memref<?xf32>, %c: i1) -> memref<?xf32> {
  return %b : memref<?xf32>
}
func.func private @maybe(%b: memref<?xf32>, %c: i1) {
  scf.if %c {
    memref.dealloc %b : memref<?xf32>
  }
  return
}
func.func private @down(%b: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.cmpi eq, %n, %c0 : index
  scf.if %end {
    memref.dealloc %b : memref<?xf32>
  } else {
    %m = arith.subi %n, %c1 : index
    func.call @down(%b, %m) : (memref<?xf32>, index) -> ()
  }
  return
}
func.func private @ping(%b: memref<?xf32>, %c: i1) {
  func.call @pong(%b, %c) : (memref<?xf32>, i1) -> ()
  return
}
func.func private @pong(%b: memref<?xf32>, %c: i1) {
  scf.if %c {
    func.call @ping(%b, %c) : (memref<?xf32>, i1) -> ()
  }
  func.call @maybe(%b, %c) : (memref<?xf32>, i1) -> ()
  return
}
func.func @first(%n: index, %c: i1) {
  %true = arith.constant true
  %a = call @make(%n) : (index) -> memref<?xf32>
  %b = call @same(%a, %c) : (memref<?xf32>, i1) -> memref<?xf32>
  call @maybe(%b, %true) : (memref<?xf32>, i1) -> ()
  return
}
func.func @second(%n: index, %c: i1) {
  %false = arith.constant false
  %a = call @make(%n) : (index) -> memref<?xf32>
  call @maybe(%a, %false) : (memref<?xf32>, i1) -> ()
  call @ping(%a, %c) : (memref<?xf32>, i1) -> ()
  %c3 = arith.constant 3 : index
  %b = call @make(%c3) : (index) -> memref<?xf32>
  call @down(%b, %c3) : (memref<?xf32>, index) -> ()
  return
}
module @inner {
  func.func private @local(%b: memref<?xf32>) {
    memref.dealloc %b : memref<?xf32>
    return
  }
  func.func @user(%b: memref<?xf32>, %n: index) {
    %m = memref.alloc(%n) : memref<?xf32>
    call @local(%m) : (memref<?xf32>) -> ()
    call @local(%b) : (memref<?xf32>) -> ()
    return
  }
}
"""
ALLOC = "  %zz = memref.alloc() : memref<4xf32>\n"


class Bench:
    """A document under edit, compared with one from scratch after each edit."""

    def __init__(self, source: str) -> None:
        self.config = Config()
        self.document = Document(source, self.config.models)
        self.checker = Checker()
        self.compare()

    def compare(self) -> tuple[Finding, ...]:
        """The findings, which are those of a check from scratch."""
        found = self.checker.findings(self.document, self.config)
        wanted = check(self.document.source, self.config).findings
        different = [pair for pair in zip_longest(found, wanted) if pair[0] != pair[1]]
        assert not different, (self.document.source, different[0])
        return found

    def edit(self, start: int, end: int, content: str) -> tuple[Finding, ...]:
        """The findings after an edit."""
        self.document = self.document.edit([Edit(Span(start, end), content)])
        return self.compare()

    def replace(self, old: str, new: str) -> tuple[Finding, ...]:
        """The findings after the first `old` has become `new`."""
        start = self.document.source.index(old)
        return self.edit(start, start + len(old), new)


def rules(findings: tuple[Finding, ...]) -> list[tuple[str | None, str]]:
    """Function and rule of each finding."""
    return [(finding.function, finding.rule.name) for finding in findings]


def test_a_callee_of_a_callee_decides() -> None:
    bench = Bench(PROGRAM)
    assert ("twice", "double-free") in rules(bench.compare())
    found = bench.replace("  memref.dealloc %buffer : memref<4xf32>\n", "")
    assert ("twice", "double-free") not in rules(found)
    found = bench.replace("  return", "  memref.dealloc %buffer : memref<4xf32>\n  return")
    assert ("twice", "double-free") in rules(found)


WRAPPERS = """\
func.func private @make(memref<4xf32>) -> memref<4xf32>
func.func private @wrapper(%a: memref<4xf32>) -> memref<4xf32> {
  %r = call @make(%a) : (memref<4xf32>) -> memref<4xf32>
  return %r : memref<4xf32>
}
func.func private @outer(%a: memref<4xf32>) -> memref<4xf32> {
  %r = call @wrapper(%a) : (memref<4xf32>) -> memref<4xf32>
  return %r : memref<4xf32>
}
func.func private @remake(%a: memref<4xf32>) {
  %r = call @outer(%a) : (memref<4xf32>) -> memref<4xf32>
  memref.dealloc %r : memref<4xf32>
  return
}
func.func @lost(%x: memref<4xf32>) {
  %b = call @outer(%x) : (memref<4xf32>) -> memref<4xf32>
  return
}
func.func @remade() {
  %a = memref.alloc() : memref<4xf32>
  call @remake(%a) : (memref<4xf32>) -> ()
  return
}
"""


def test_a_callee_that_gives_what_it_is_passed_or_a_buffer_of_its_own() -> None:
    bench = Bench(WRAPPERS)
    perhaps = [("lost", "possible-leak"), ("remade", "possible-leak")]
    assert rules(bench.compare()) == perhaps
    found = bench.replace("call @make(%a) : (memref<4xf32>) -> ", "memref.alloc() : ")
    assert rules(found) == [("lost", "leak"), ("remade", "leak")]
    assert rules(bench.replace("memref.alloc() : ", "call @make(%a) : (memref<4xf32>) -> ")) == perhaps
    found = bench.replace("  memref.dealloc %r : memref<4xf32>\n", "")
    assert rules(found) == [("remake", "possible-leak"), ("lost", "possible-leak"), ("remade", "leak")]


GROWS = """\
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @realloc(!llvm.ptr, i64) -> !llvm.ptr
llvm.func internal @grow(%p: !llvm.ptr, %n: i64) -> !llvm.ptr {
  %r = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %q = llvm.call @realloc(%p, %n) : (!llvm.ptr, i64) -> !llvm.ptr
  llvm.return %q : !llvm.ptr
}
llvm.func @grown(%n: i64) {
  %z = llvm.mlir.zero : !llvm.ptr
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %q = llvm.call @grow(%p, %n) : (!llvm.ptr, i64) -> !llvm.ptr
  %null = llvm.icmp "eq" %q, %z : !llvm.ptr
  llvm.cond_br %null, ^failed, ^went
^failed:
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
^went:
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.return
}
"""


def test_a_callee_that_gives_what_may_be_null_or_a_buffer_of_its_own() -> None:
    bench = Bench(GROWS)
    twice = ("grown", "double-free")
    for _ in range(2):
        assert twice not in rules(bench.compare())
        assert twice in rules(bench.replace("llvm.return %q", "llvm.return %r"))
        bench.replace("llvm.return %r", "llvm.return %q")


def test_a_callee_that_comes_and_goes() -> None:
    bench = Bench(PROGRAM)
    assert ("twice", "double-free") not in rules(bench.replace("@drop(%buffer: ", "@other(%buffer: "))
    assert ("twice", "double-free") in rules(bench.replace("@other(%buffer: ", "@drop(%buffer: "))
    bench.replace(PROGRAM[: PROGRAM.index("func.func private @through")], "")
    bench.edit(0, 0, "module {\n}\n")
    bench.replace("}\n", "")
    bench.edit(0, 0, "// -----\n")


def test_callers_of_a_private_function_decide() -> None:
    source = """\
func.func private @keep(%flag: i1) {
  %a = memref.alloc() : memref<4xf32>
  scf.if %flag {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
func.func @caller() {
  %false = arith.constant false
  %true = arith.constant true
  call @keep(%true) : (i1) -> ()
  return
}
"""
    bench = Bench(source)
    assert rules(bench.compare()) == []
    assert rules(bench.replace("@keep(%true)", "@keep(%false)")) == [("keep", "leak")]
    assert rules(bench.replace("private ", "")) == [("keep", "possible-leak")]
    assert rules(bench.replace("@keep(%flag", "private @keep(%flag")) == [("keep", "leak")]
    assert rules(bench.replace("call @keep(%false) : (i1) -> ()", "")) == [("keep", "possible-leak")]


def test_what_nobody_described_is_said_once() -> None:
    bench = Bench(PROGRAM)
    assert rules(bench.compare()).count(("lost", "unknown-effects")) == 1
    found = rules(bench.replace('  "npu.run"(%a) : (memref<4xf32>) -> ()\n', ""))
    assert found.count(("late", "unknown-effects")) == 1 and ("lost", "unknown-effects") not in found


def test_chunks_and_modules() -> None:
    bench = Bench(PROGRAM)
    bench.replace("func.func @twice", "// -----\nfunc.func @twice")
    bench.replace("func.func @late", "// -----\nfunc.func @late")
    bench.replace("// -----\n", "")
    bench.replace(
        "func.func @late", "module {\nfunc.func private @drop(%b: memref<4xf32>) { return }\n}\nfunc.func @late"
    )
    bench.replace("// -----\n", "")
    bench.edit(0, 0, "module { func.func private @through(%b: memref<4xf32>) { return } }\n")
    bench.replace("private @through(%buffer", "private @elsewhere(%buffer")


def names_analysed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the functions that are analysed from now on."""
    analysed: list[str] = []

    def counted(program: Program, flow: FunctionFlow, recall: Recall | None = None) -> FunctionFacts:
        analysed.append(flow.name)
        return analyse(program, flow, recall)

    monkeypatch.setattr(memlane.query.checked_section, "analyse", counted)
    return analysed


def test_an_edit_analyses_what_it_touches(monkeypatch: pytest.MonkeyPatch) -> None:
    analysed = names_analysed(monkeypatch)
    config = Config()
    document, checker = Document(PROGRAM, config.models), Checker()
    for old, new, wanted in [
        ("", "", ["drop", "through", "twice", "lost", "late"]),
        ("", "", []),
        ('  "npu.run"', ALLOC + '  "npu.run"', ["lost"]),
        # the function behind it is cut anew; of the new one there is nothing to say
        ("func.func @late", "func.func @new() {\n  return\n}\nfunc.func @late", ["late"]),
        ("  memref.dealloc %buffer", ALLOC + "  memref.dealloc %buffer", ["drop", "through"]),
        ("  call @through", ALLOC + "  call @through", ["twice"]),
    ]:
        start = document.source.index(old)
        document = document.edit([Edit(Span(start, start + len(old)), new)]) if old else document
        checker.findings(document, config)
        assert analysed == wanted
        analysed.clear()
    checker.findings(document, Config())
    assert len(analysed) == 5


TYPED = ["a", "@f", "%a", "%b", "private ", " ", "}", "", "true", "false", "0"]


def random_edits(source: str, count: int, seed: int) -> Iterator[tuple[int, int, str]]:
    """Edits that keep the text readable for the most part: statements, names, calls, functions, separators."""
    choose = random.Random(seed)
    lines = source.splitlines(keepends=True)
    for _ in range(count):
        number = choose.randrange(len(lines) + 1)
        start = sum(map(len, lines[:number]))
        new: list[str] = []
        gone = 0
        choice = choose.random()
        if choice < 0.25:
            gone = 1
        elif choice < 0.5:
            new = [choose.choice(lines or [ALLOC])]
        elif choice < 0.6:
            new = [choose.choice(["// -----\n", "}\n", "module {\n", ALLOC, '"npu.run"() : () -> ()\n'])]
        elif choice < 0.7:
            gone = choose.randrange(12)
            new = lines[number : number + gone] * 2
        elif number < len(lines):
            gone = 1
            line = lines[number]
            at = choose.randrange(len(line))
            new = [line[:at] + choose.choice(TYPED) + line[at + 1 :]]
        old = lines[number : number + gone]
        lines[number : number + gone] = new
        lines = "".join(lines).splitlines(keepends=True)
        yield start, start + sum(map(len, old)), "".join(new)


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(6), 1))
@pytest.mark.parametrize("program", [PROGRAM, CALLS], ids=["few", "calls"])
def test_random_edits(seed: int, program: str) -> None:
    bench = Bench(program)
    for start, end, content in random_edits(program, 60 if FULL else 20, seed):
        bench.edit(start, end, content)


class Countdown(Flag):
    """Set once it has been asked so many times."""

    def __init__(self, left: int) -> None:
        super().__init__()
        self.left = left
        self.alert = True

    def heed(self) -> None:
        """Stop when it is time."""
        self.left -= 1
        if self.left < 0:
            self.set()
        super().heed()


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(4), 1))
@pytest.mark.parametrize("program", [PROGRAM, CALLS], ids=["few", "calls"])
def test_checks_that_were_stopped_leave_nothing_wrong_behind(seed: int, program: str) -> None:
    choose = random.Random(seed)
    bench = Bench(program)
    bench.checker = Checker()
    for start, end, content in random_edits(program, 25, seed):
        bench.document = bench.document.edit([Edit(Span(start, end), content)])
        with suppress(Cancelled), cancellable(Countdown(choose.randrange(1, 40))):
            bench.checker.findings(bench.document, bench.config)
        if choose.random() < 0.5:
            bench.compare()


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["mixed", "leaky", "placement"])
def test_random_edits_of_cases(shared: Path, folder: str) -> None:
    paths = sorted((shared / "cases" / folder).glob("*.mlir"))
    if not paths:
        pytest.skip(f"no cases/{folder} in the shared material")
    for seed, path in enumerate(paths[:: max(1, len(paths) // 6)]):
        source = path.read_text(encoding="utf-8")
        bench = Bench(source)
        for start, end, content in random_edits(source, 15, seed):
            bench.edit(start, end, content)


CALLER = """\
func.func @start() {
  %a = memref.alloc() : memref<4xf32>
  call @f(%a) : (memref<4xf32>) -> ()
  return
}
"""
BEHIND = """\
1func.func private @f(%a: memref<4xf32>) {
  %b = memref.alloc() : memref<4xf32>
  call @g(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
"""
CALLED = """\
func.func private @g(%a: memref<4xf32>, %b: memref<4xf32>) {
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return
}
"""


@pytest.mark.parametrize(
    ("old", "new"), [("call @g(", "cal:l @g("), ("(%a, %b)", "(%a, %a)"), ("%b = memref", "%c = memref")]
)
def test_an_edit_in_a_function_behind_a_stray_character_reaches_who_calls_it_and_whom_it_calls(
    old: str, new: str
) -> None:
    """Its statements stand for themselves, as nobody knows where it begins; yet it is a function."""
    source = CALLER + BEHIND + CALLED
    config = Config()
    document, checker = Document(source, config.models), Checker()
    before = checker.findings(document, config)
    at = source.index(old, len(CALLER))
    after = document.edit([Edit(Span(at, at + len(old)), new)])
    found = checker.findings(after, config)
    assert found == check(after.source, config).findings
    assert found != before


def test_the_head_of_a_function_that_ends_in_the_next_piece() -> None:
    """What stands in its body is in a function around it."""
    source = (
        'func.func private @cond() -> i1\n"my.op" private @probe(%m: i32) -> f32 {\n'
        "func.func private @fresh() -> memref<4xf32> {\n  my.op %cst : f32\n"
        "func.func private @fresh() -> memref<4xf32> {\n  %data = memref.alloc() : memref<4xf32>"
    )
    config, checker = Config(), Checker()
    document = Document(source, config.models)
    checker.findings(document, config)
    at = source.index("%cst")
    document = document.edit([Edit(Span(at, at + 4), "%data")])
    assert checker.findings(document, config) == check(document.source, config).findings
