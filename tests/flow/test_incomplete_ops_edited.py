"""Incomplete operations are found again for what an edit touches, and for what contains that."""

from __future__ import annotations

from memlane.config import Config
from memlane.findings import Edit, Finding, Span
from memlane.query import Checker
from memlane.syntax import Document

CONFIG = Config()
WORK = "    memref.store %z, %c[%i] : memref<4xf32>\n"
LOOP = (
    "func.func @f(%i: index, %n: index, %z: f32, %c: memref<4xf32>) {\n  %b = memref.alloc() : memref<4xf32>\n"
    "  linalg.fill ins(%z : f32) outs(%b : memref<4xf32>)\n  scf.for %k = %i to %n step %i {\n"
    "  }\n  memref.dealloc %b : memref<4xf32>\n  return\n}\n"
)


def test_a_loop_that_is_filled_and_emptied() -> None:
    """Empty it may use the buffer yet; with work in it the deallocation behind it is late."""
    document, checker, at = Document(LOOP, CONFIG.models), Checker(), LOOP.index("  }\n")
    assert checker.findings(document, CONFIG) == ()
    for _ in range(2):
        document = document.edit([Edit(Span(at, at), WORK)])
        assert _rules(checker.findings(document, CONFIG)) == ["late-free"]
        document = document.edit([Edit(Span(at, at + len(WORK)), "// soon\n")])
        assert checker.findings(document, CONFIG) == ()
        document = document.edit([Edit(Span(at, at + len("// soon\n")), "")])
        assert checker.findings(document, CONFIG) == ()


NESTED = (
    "func.func @f(%i: index, %q: i1, %z: f32, %c: memref<4xf32>) {\n  %b = memref.alloc() : memref<4xf32>\n"
    "  linalg.fill ins(%z : f32) outs(%b : memref<4xf32>)\n  scf.if %q {\n    scf.if %q {\n"
    "      %x = arith.constant 1 : i32\n      // here\n      %y = arith.constant 1 : i32\n"
    "    }\n  }\n  memref.dealloc %b : memref<4xf32>\n  return\n}\n"
)


def test_work_deep_inside() -> None:
    """What has only constants in it is no work; where an edit puts work there, what is around it is."""
    document, checker, at = Document(NESTED, CONFIG.models), Checker(), NESTED.index("      // here")
    size = len("      // here\n")
    for number in range(6):
        work = number % 2
        text = f"{WORK if work else ''}      %s = arith.constant {number} : i32\n"
        document = document.edit([Edit(Span(at, at + size), text)])
        size = len(text)
        assert _rules(checker.findings(document, CONFIG)) == ["late-free"] * work


def _rules(found: tuple[Finding, ...]) -> list[str]:
    return [one.rule.name for one in found]
