"""Findings of lowered code say how large buffers are, also once what their size is computed of was edited."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.findings import Edit, Span
from memlane.query import Checker
from memlane.syntax import Document
from tests.flow.inner_edits import CONFIG, edit_on

LEAK = """\
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @f(%n: i64, %x: i32) {
  %k = llvm.mlir.constant(64 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %behind = llvm.getelementptr %null[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %number = llvm.ptrtoint %behind : !llvm.ptr to i64
  %size = llvm.add %number, %k : i64
  %p = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  llvm.store %x, %p : i32, !llvm.ptr
  %twice = llvm.mul %n, %k : i64
  %q = llvm.call @malloc(%twice) : (i64) -> !llvm.ptr
  llvm.store %x, %q : i32, !llvm.ptr
  llvm.return
}
"""


def messages(text: str) -> list[str]:
    """What is said of a text."""
    return [finding.report.message for finding in check(text, CONFIG).findings]


def test_it_is_said_how_large_a_buffer_is() -> None:
    assert messages(LEAK) == ["buffer %p of 320 bytes is never freed", "buffer %q of 64*%n bytes is never freed"]
    buffers = [finding.report.buffer for finding in check(LEAK, CONFIG).findings]
    assert [(one.size, one.expression) for one in buffers if one is not None] == [(320, None), (None, "64*%n")]


@pytest.mark.parametrize(
    ("before", "after", "first"),
    [
        ("constant(64", "constant(32", "buffer %p of 160 bytes is never freed"),
        ("ptr, f32", "ptr, f64", "buffer %p of 576 bytes is never freed"),
        ("%number, %k", "%number, %n", "buffer %p of %n + 256 bytes is never freed"),
    ],
)
def test_and_said_anew_where_that_is_edited(before: str, after: str, first: str) -> None:
    document, checker = Document(LEAK, CONFIG.models), Checker()
    assert checker.findings(document, CONFIG) == check(LEAK, CONFIG).findings
    at = LEAK.index(before)
    document = document.edit([Edit(Span(at, at + len(before)), after)])
    found = checker.findings(document, CONFIG)
    assert found == check(document.source, CONFIG).findings
    assert found[0].report.message == first


COUNT = 12
FREED = """\
  llvm.cond_br %c, ^l{0}, ^r{0}
^l{0}:
  llvm.call @free(%a{0}) : (!llvm.ptr) -> ()
  llvm.br ^r{0}
^r{0}:
"""


@pytest.mark.slow
@pytest.mark.parametrize("freed", ["", FREED], ids=["never", "perhaps"])
def test_and_where_it_is_computed_far_away(freed: str) -> None:
    """In a long function, most of which stands."""
    lines = ["llvm.func @malloc(i64) -> !llvm.ptr", "llvm.func @free(!llvm.ptr)"]
    lines += ["llvm.func @f(%n: i64, %x: i32, %c: i1) {"]
    lines += [f"  %k{n} = llvm.mlir.constant({n + 4} : i64) : i64" for n in range(COUNT)]
    lines += [f"  %y{n} = llvm.add %n, %k0 : i64" for n in range(1500)]
    for n in range(COUNT):
        lines += [f"  %s{n} = llvm.mul %n, %k{n} : i64", f"  %a{n} = llvm.call @malloc(%s{n}) : (i64) -> !llvm.ptr"]
        lines += [f"  llvm.store %x, %a{n} : i32, !llvm.ptr"]
    text = "\n".join(lines) + "\n" + "".join(freed.format(n) for n in range(COUNT)) + "  llvm.return\n}\n"
    document, checker = Document(text, CONFIG.models), Checker()
    checker.findings(document, CONFIG)
    for n in range(3):
        before = f"constant({n + 4} "
        at = document.source.index(before)
        document = document.edit([Edit(Span(at, at + len(before)), "constant(77 ")])
        found = checker.findings(document, CONFIG)
        assert found == check(document.source, CONFIG).findings
        assert f"%a{n} of 77*%n bytes" in found[n].report.message


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_edited(seed: int) -> None:
    edit_on(LEAK, seed, 30)
