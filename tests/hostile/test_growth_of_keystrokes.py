"""What a letter in one function costs for each statement that it does not touch: lines of Python that are run."""

from __future__ import annotations

import pytest

from memlane.findings import Edit, Span
from memlane.query import Checker
from memlane.syntax import Document
from tests.hostile.growth import CONFIG
from tests.hostile.lines import Work, lines_run

PART = """\
  %a{0} = memref.alloc(%n) : memref<?xf32>
  %i{0} = arith.constant {0} : index
  %some{0} = arith.cmpi ult, %i{0}, %n : index
  scf.for %k = %zero to %i{0} step %one {{
    %v = memref.load %b[%k] : memref<?xf32>
    %w = arith.addf %v, %x : f32
    memref.store %w, %a{0}[%k] : memref<?xf32>
  }}
  %s{0} = memref.subview %a{0}[0] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1]>>
  scf.if %some{0} {{
    memref.store %x, %s{0}[%zero] : memref<4xf32, strided<[1]>>
    memref.store %x, %b[%i{0}] : memref<?xf32>
  }}
  memref.dealloc %a{0} : memref<?xf32>
  %p{0} = arith.mulf %x, %x : f32
"""
STATEMENTS = PART.count("\n") - 2
"""Of each part, without closing braces."""


def function(parts: int) -> str:
    """One that keeps a flag in a variable, loads a number again and loses a buffer."""
    return f"""\
func.func @f(%n: index, %x: f32, %y: f32, %b: memref<?xf32>, %c: i1) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %flag = memref.alloca() : memref<i1>
  memref.store %c, %flag[] : memref<i1>
  %lost = memref.alloc() : memref<4xf32>
  %set = memref.load %flag[] : memref<i1>
  scf.if %set {{
    memref.dealloc %lost : memref<4xf32>
  }}
  // a comment
{"".join(map(PART.format, range(parts)))}  return
}}
"""


def typed(old: str, new: str) -> float:
    """The lines that are run for each statement of a function of 160 parts when `new` is typed in place of `old`."""

    def prepared(parts: int) -> Work:
        source = function(parts)
        document, checker = Document(source, CONFIG.models), Checker()
        checker.results(document, CONFIG)
        for place in ("%x : f32", "%y : f32"):  # how often it was edited before is no matter
            at = document.source.rindex(place)
            document = document.edit([Edit(Span(at, at + 2), "%y")])
            checker.results(document, CONFIG)
        at = document.source.index(old)
        edit = Edit(Span(at, at + len(old)), new)
        return lambda: checker.results(document.edit([edit]), CONFIG)

    small, large = (lines_run(prepared(parts)) for parts in (40, 160))
    return (large - small) / (120 * STATEMENTS)


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize(
    ("old", "new", "most"),
    [
        pytest.param("a comment", "an comment", 1, id="comment"),
        pytest.param("%p7 = arith.mulf %x, %x", "%p7 = arith.mulf %x, %y", 200, id="number"),
        pytest.param("%p7 = arith.mulf", "%p7 = arith.mul", 205, id="unknown"),
        pytest.param("store %x, %b[%i7]", "store %y, %b[%i7]", 205, id="stored"),
        pytest.param("%some7 = arith.cmpi ult", "%some7 = arith.cmpi ule", 360, id="condition"),
    ],
)
def test_growth_of_letters(old: str, new: str, most: float) -> None:
    """At most so many lines for each statement: the function is looked at as a whole where memory is placed, and where
    a letter says where control goes also for what never runs."""
    assert typed(old, new) <= most
