"""Edits that are undone: the versions that come back have the same findings, and cost no analysis."""

from __future__ import annotations

import gc
import random
import weakref
from contextlib import suppress
from itertools import count

import pytest

import memlane.query.checked_section
from memlane.cancellation import Cancelled, cancellable
from memlane.checking import check
from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.flow import FunctionFacts, FunctionFlow, Program, analyse
from memlane.flow.memo.exploration_memo import Recall
from memlane.query import Checker
from memlane.syntax import Document
from tests.effort import some
from tests.flow.test_incremental import CALLS, PROGRAM, Countdown
from tests.fuzz.programs import program
from tests.syntax.edits import Typist, applied

CONFIG = Config()
GIVEN_BACK = """
func.func private @even(%a: memref<4xf32>, %n: i1) -> memref<4xf32> {
  %r = scf.if %n -> memref<4xf32> {
    scf.yield %a : memref<4xf32>
  } else {
    %q = func.call @odd(%a, %n) : (memref<4xf32>, i1) -> memref<4xf32>
    scf.yield %q : memref<4xf32>
  }
  return %r : memref<4xf32>
}
func.func private @odd(%a: memref<4xf32>, %n: i1) -> memref<4xf32> {
  %q = call @even(%a, %n) : (memref<4xf32>, i1) -> memref<4xf32>
  return %q : memref<4xf32>
}
func.func private @same(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}
func.func @main(%n: i1) {
  %a = memref.alloc() : memref<4xf32>
  %b = call @even(%a, %n) : (memref<4xf32>, i1) -> memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  %d = call @same(%c) : (memref<4xf32>) -> memref<4xf32>
  memref.dealloc %d : memref<4xf32>
  return
}
"""
"""Functions that give back what they are passed: nothing is wrong."""
ONE = PROGRAM[PROGRAM.index("func.func @late") :]


def take_back(source: str, seed: int, count: int) -> None:
    """Random edits, of which more than half are taken back one by one; some checks are stopped halfway.

    What is found is compared with what is found from scratch where a check has ended.
    """
    choose, typist = random.Random(seed), Typist(seed)
    document, checker = Document(source, CONFIG.models), Checker()
    back: list[Edit] = []
    for _ in range(count):
        text = document.source
        if back and (choose.random() < 0.55 or len(back) > 6):
            edit = back.pop()
        else:
            edit = typist.next(text)[0]
            back.append(
                Edit(Span(edit.span.start, edit.span.start + len(edit.content)), text[edit.span.start : edit.span.end])
            )
        document = document.edit([edit])
        assert document.source == applied(text, [edit])
        if choose.random() < 0.2:
            with suppress(Cancelled), cancellable(Countdown(choose.randrange(1, 30))):
                checker.findings(document, CONFIG)
        if choose.random() < 0.8:
            wanted = check(document.source, CONFIG).findings
            assert checker.findings(document, CONFIG) == wanted, (seed, document.source)


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(4), 1))
@pytest.mark.parametrize("source", [PROGRAM, CALLS, ONE], ids=["few", "calls", "one"])
def test_what_is_taken_back_was_never_there(source: str, seed: int) -> None:
    take_back(source, seed, 40)


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(6), 1))
def test_the_same_of_generated_programs(seed: int) -> None:
    take_back(program(random.Random(seed), 4), seed, 25)


@pytest.mark.parametrize("source", [PROGRAM, ONE], ids=["few", "one"])
def test_a_version_that_comes_back_is_not_analysed(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    analysed: list[str] = []

    def counted(program: Program, flow: FunctionFlow, recall: Recall | None = None) -> FunctionFacts:
        analysed.append(flow.name)
        return analyse(program, flow, recall)

    monkeypatch.setattr(memlane.query.checked_section, "analyse", counted)
    document, checker = Document(source, CONFIG.models), Checker()
    first = checker.findings(document, CONFIG)
    at = source.index("  memref.dealloc")
    pieces = document.pieces
    for typed in ("x", "xy", "xyz"):
        document = document.edit([Edit(Span(at + len(typed) - 1, at + len(typed) - 1), typed[-1])])
        checker.findings(document, CONFIG)
    assert analysed
    analysed.clear()
    for left in (2, 1, 0):
        document = document.edit([Edit(Span(at + left, at + left + 1), "")])
        found = checker.findings(document, CONFIG)
    assert not analysed and found == first
    assert all(one is other for one, other in zip(pieces, document.pieces, strict=True))


def test_few_versions_are_kept() -> None:
    document = Document(PROGRAM, CONFIG.models)
    for number in range(50):
        document = document.edit([Edit(Span(number, number), " ")])
    assert len(document._past) == memlane.syntax.editing.document.MAX_PAST_VERSIONS  # pyright: ignore[reportPrivateUsage] -- no other way


@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize(
    ("size", "edits", "kept"), [(100_000, 4, True), (249_000, 2, True), (251_000, 2, False), (600_000, 1, True)]
)
def test_little_text_of_versions_before_is_kept(size: int, edits: int, kept: bool, checked: bool) -> None:
    """Half a million characters, and the last version however large; neither by the document nor by what checks it."""
    document = Document(f"func.func @f() {{\n  // {'x' * size}\n  return\n}}\n", CONFIG.models)
    first, checker = weakref.ref(document.pieces[0]), Checker()
    at = document.size - len("  return\n}\n")
    for number in range(edits):
        if checked:
            checker.findings(document, CONFIG)
        document = document.edit([Edit(Span(at, at + number), "x" * (number + 1))])
    if checked:
        assert checker.findings(document, CONFIG) == check(document.source, CONFIG).findings
    gc.collect()
    assert (first() is not None) == kept
    back = document.edit([Edit(Span(at, at + edits), "")])
    assert (back.pieces[0] is first()) == kept
    assert checker.findings(back, CONFIG) == ()


@pytest.mark.slow
def test_what_functions_give_back_is_not_half_known_after_a_check_that_was_stopped() -> None:
    document = Document(GIVEN_BACK, CONFIG.models)
    for left in count(1):
        checker, stopped = Checker(), True
        with suppress(Cancelled), cancellable(Countdown(left)):
            checker.findings(document, CONFIG)
            stopped = False
        assert not checker.findings(document, CONFIG), left
        if not stopped:
            assert left > 50
            break
