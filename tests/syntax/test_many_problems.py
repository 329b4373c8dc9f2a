"""Of very many problems of reading the first are told as they are, and how many more there are."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from tests.hostile.shapes import SHAPES

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Applicability, Edit, Span
from memlane.fixes import with_fixes
from memlane.syntax import Document, problems
from memlane.syntax.problems import Problem

PIECES = [
    "func.func @f{0}(%x: f32) {{\n  %y = arith.addf %x, %z : f32\n  %y = arith.addf %x, %x : f32\n  return\n}}\n",
    "func.func @f{0}(%x: f32) {{\n  memref.dealoc %u, %v ((\n  cf.br ^no\n  return\n}}\n",
    "func.func @f{0}() {{\n  call @g{0}() : () -> ()\n  return\n}}\n",
    "func.func @f{0}() {{\n  return\n}}\n",
    ") x.y %q\n",
    "x.z {{}} ]\n",
    "// -----\n",
]


def programs() -> list[str]:
    """Texts with many problems: in functions, between them, in several chunks."""
    choose = random.Random(11)
    made = ["".join(choose.choice(PIECES).format(n) for n in range(choose.randrange(1, 60))) for _ in range(60)]
    return [*made, *(SHAPES[shape][0](60) for shape in ("names", "garbage", "open-brackets", "open-regions"))]


def shortened(all_: tuple[Problem, ...], most: int) -> tuple[list[Problem], int | None]:
    """The plain meaning of it."""
    seen, found, cut = Counter[str](), list[Problem](), None
    numbers = Counter(problem.rule for problem in all_)
    for problem in all_:
        rule = problem.rule
        seen[rule] += 1
        if seen[rule] <= most:
            found.append(problem)
        elif seen[rule] == most + 1:
            more = numbers[rule] - most
            said = f"{more} more problem{'' if more == 1 else 's'} of this kind from here on"
            found.append(Problem(rule, said, problem.span))
            cut = problem.span.start if cut is None else cut
    return found, cut


@pytest.mark.slow
@pytest.mark.parametrize("most", [0, 1, 3, 20])
def test_the_first_are_exact_and_the_others_are_counted(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    shorter = 0
    for source in programs():
        all_ = Document(source).tree.problems
        with monkeypatch.context() as patched:
            patched.setattr(problems, "MAX_PROBLEMS_PER_RULE", most)
            tree = Document(source).tree
        found, cut = shortened(all_, most)
        assert sorted(tree.problems, key=repr) == sorted(found, key=repr)
        assert [problem.span for problem in tree.problems] == [problem.span for problem in found]
        assert tree.cut == cut
        shorter += cut is not None
    assert shorter > 30


@pytest.mark.slow
def test_editing_counts_as_reading_anew_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(problems, "MAX_PROBLEMS_PER_RULE", 3)
    choose = random.Random(12)
    for source in programs()[::6]:
        document = Document(source)
        for _ in range(10):
            start = choose.randrange(document.size)
            span = Span(start, min(document.size, start + choose.randrange(30)))
            document = document.edit([Edit(span, choose.choice(("", "(", "%w", "}\n", PIECES[0].format("x"))))])
            anew = Document(document.source).tree
            assert (document.tree.problems, document.tree.cut) == (anew.problems, anew.cut)


def test_what_is_only_counted_is_taken_as_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """No safe fix where the text may not have been understood, and no comment is said to silence nothing."""
    monkeypatch.setattr(problems, "MAX_PROBLEMS_PER_RULE", 1)
    late = (
        "func.func @f{0}(%x: f32, %i: index) {{\n  %a = memref.alloc() : memref<4xf32>\n"
        "  memref.store %x, %a[%i] : memref<4xf32>{1}\n  %y = arith.addf %x, {2} : f32{3}\n"
        "  %w = arith.addf %x, %x : f32\n  memref.dealloc %a : memref<4xf32>\n  return\n}}\n"
    )
    comment = "  // memlane: ignore[undefined-value]"
    source = "".join(late.format(n, "", "%z", comment if n == 2 else "") for n in range(3))
    told = [finding for finding in check(source).findings if finding.rule.name != "late-free"]
    assert [(finding.rule.name, finding.report.message) for finding in told] == [
        ("undefined-value", "'%z' is not defined"),
        ("undefined-value", "2 more problems of this kind from here on"),
    ]
    assert fixed(source) == []
    assert fixed(source.replace("%z", "%x").replace(comment, "")) == ["late-free"] * 3


def fixed(source: str) -> list[str]:
    """The rules of findings that have a safe fix."""
    fixes = ((finding.rule.name, finding.report.fix) for finding in with_fixes(check(source), Config()).findings)
    return [name for name, fix in fixes if fix is not None and fix.applicability is Applicability.SAFE]
