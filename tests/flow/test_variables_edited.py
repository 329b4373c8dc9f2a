"""Functions that keep flags in variables, or load numbers again: an edit has the buffers followed again to which that
matters, no others."""

from __future__ import annotations

import pytest

from tests.flow.test_reused_results import LEAKS, LONG, edited

VARIABLE = """\
  %flag = memref.alloca() : memref<i1>
  memref.store %c, %flag[] : memref<i1>
  %b = memref.alloc() : memref<4xf32>
  memref.store %x, %b[%zero] : memref<4xf32>
  %w = arith.addi %n, %zero : index
  %set = memref.load %flag[] : memref<i1>
  scf.if %set {
    memref.dealloc %b : memref<4xf32>
  }
  %again = memref.load %flag[] : memref<i1>
  %not = arith.xori %again, %true : i1
  scf.if %not {
    memref.dealloc %b : memref<4xf32>
  }
"""
SOURCE = LONG.replace("(%c: i1,", "(%c: i1, %d: i1,").replace(
    "  %zero = arith.constant 0 : index\n",
    "  %zero = arith.constant 0 : index\n  %true = arith.constant true\n" + VARIABLE,
)
"""Whether the first buffer is freed is kept in a variable, and it is in any case; none of the others always is."""


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        pytest.param("%s3 = arith.addi %n,", "%s3 = arith.muli %n,", 0, id="elsewhere"),
        pytest.param("%w = arith.addi %n,", "%w = arith.muli %n,", 0, id="between"),
        pytest.param("%a3[%zero]", "%a3[%s2]", 1, id="another buffer"),
        pytest.param("store %c, %flag", "store %d, %flag", 1, id="what is kept"),
        pytest.param("%w = arith.addi %n, %zero : index", "memref.store %d, %flag[] : memref<i1>", 1, id="set again"),
        pytest.param(
            "%again = memref.load %flag[]",
            "memref.store %d, %flag[] : memref<i1>\n  %again = memref.load %flag[]",
            1,
            id="another one is loaded",
        ),
        pytest.param("%w = arith.addi %n, %zero : index", '"my.op"(%flag) : (memref<i1>) -> ()', 2, id="no variable"),
    ],
)
def test_what_is_not_about_a_variable_is_recalled(
    old: str, new: str, wanted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert edited(old, new, monkeypatch, SOURCE, LEAKS + 1) == wanted


AGAIN = VARIABLE.replace("%flag = memref.alloca() : memref<i1>\n  memref.store %c, %flag[] : memref<i1>\n", "").replace(
    "%flag[] : memref<i1>", "%flags[%zero] : memref<?xi1>"
)
GIVEN = SOURCE.replace(VARIABLE, AGAIN).replace("(%c: i1,", "(%flags: memref<?xi1>, %c: i1,")
"""The same of a flag that the caller keeps: it is loaded twice, and is the same while nothing writes there."""


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        pytest.param("%s3 = arith.addi %n,", "%s3 = arith.muli %n,", 0, id="elsewhere"),
        pytest.param(
            "%again = memref.load",
            "memref.store %d, %flags[%zero] : memref<?xi1>\n  %again = memref.load",
            1,
            id="written between",
        ),
        pytest.param("load %flags[%zero]", "load %flags[%n]", 1, id="another place"),
    ],
)
def test_what_does_not_load_again_is_recalled(old: str, new: str, wanted: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert edited(old, new, monkeypatch, GIVEN, LEAKS + 1) == wanted
