"""Numbers of any length, wherever programs write some, and types in types: nothing raises, and the rest is known."""

from __future__ import annotations

import sys

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Span
from memlane.fixes import with_fixes
from memlane.ide.hints import hints
from memlane.ide.snapshot import File
from memlane.integers import numeral
from memlane.lanes.lane_layout import picture
from memlane.lanes.terminal import terminal
from memlane.memory_report import assumptions, usage
from memlane.text import Text

LONG, LARGE = "9" * 5000, "9" * 18
KNOWN = "  %known = memref.alloc() : memref<4xf32>\n"
"""A buffer that is found to leak whatever else there is."""

BODIES = {
    "dimension": f"  %a = memref.alloc() : memref<{LONG}xf32>\n",
    "dimensions": f"  %a = memref.alloc() : memref<{f'{LARGE}x' * 300}f32>\n",
    "bits": f"  %a = memref.alloc() : memref<4xi{LONG}>\n",
    "element": f"  %a = memref.alloc() : memref<4x{'complex<' * 5000}f32{'>' * 5000}>\n",
    "vectors": f"  %a = memref.alloc() : memref<4x{'vector<4x' * 5000}f32{'>' * 5000}>\n",
    "dynamic": f"  %k = arith.constant {LONG} : index\n  %a = memref.alloc(%k) : memref<?xf32>\n",
    "all dynamic": f"  %k = arith.constant {LARGE} : index\n  %a = memref.alloc({', '.join(['%k'] * 400)})"
    f" : memref<{'?x' * 400}f32>\n",
    "assumed": f"  // memlane: assume %n = {LONG}\n  %a = memref.alloc(%n) : memref<?xf32>\n",
    "alignment": f"  %a = memref.alloc() {{alignment = {LONG} : i64}} : memref<4xf32>\n",
    "bounds": f"  affine.for %q = 0 to {LONG} {{\n    %a = memref.alloca() : memref<4xf32>\n  }}\n",
    "condition": f"  %k = arith.constant -{LONG} : i32\n  %p = arith.cmpi eq, %k, %k : i32\n"
    f"  %a = memref.alloc() : memref<4xf32>\n  scf.if %p {{\n    memref.dealloc %a : memref<4xf32>\n  }}\n",
    "predicates": "".join(
        f'  %p{number} = "arith.cmpi"(%n, %n) {{predicate = {word}}} : (index, index) -> i1\n'
        f"  scf.if %p{number} {{\n  }}\n"
        for number, word in enumerate([f"{LONG} : i64", "99 : i64", "-1 : i64", "x", ""])
    ),
    "case": f"  scf.index_switch %n\n  case {LONG} {{\n    scf.yield\n  }}\n  default {{\n  }}\n",
    "segments": '  %a = "memref.alloc"(%n) {operandSegmentSizes = dense<1> : vector<999999999999xi32>} : (index) -> '
    'memref<?xf32>\n  "memref.dealloc"(%a) : (memref<?xf32>) -> ()\n',
    "segment": f'  %a = "memref.alloc"(%n) <{{operandSegmentSizes = array<i32: {LONG}, 0>}}> : (index) -> '
    "memref<?xf32>\n",
    "field": f"  %t = builtin.unrealized_conversion_cast %known : memref<4xf32> to !llvm.struct<(ptr, ptr, i64)>\n"
    f"  %e = llvm.extractvalue %t[{LONG}] : !llvm.struct<(ptr, ptr, i64)>\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_long_numbers(body: str) -> None:
    source = f"func.func @f(%n: index) {{\n{KNOWN}{body}  return\n}}\n"
    config = Config()
    checked = with_fixes(check(source, config), config)
    assert "leak" in {finding.rule.name for finding in checked.findings}
    for one in usage(source, config, assumptions(source, config)):
        assert terminal(picture(one, Text(source)), 100)
    hints(File("file:///a.mlir", 1, (source,), config), Span(0, len(source)))


def test_numerals() -> None:
    assert (numeral("0"), numeral("-12"), numeral("9" * 40)) == (0, -12, 10**40 - 1)
    assert [numeral(text) for text in ("", "-", "--1", "x", "1_0", "9" * 41)] == [None] * 6


@pytest.mark.parametrize("start", ["%n", "arith.constant 123456789 : index"])
@pytest.mark.parametrize("times", [20, 40])
def test_squares_of_squares_are_no_work(start: str, times: int) -> None:
    made = f"  %x0 = {start}\n" if start != "%n" else "  %x0 = arith.addi %n, %n : index\n"
    squares = "".join(f"  %x{i + 1} = arith.muli %x{i}, %x{i} : index\n" for i in range(times))
    asked = f"  %c0 = arith.constant 0 : index\n  %p = arith.cmpi eq, %x{times}, %c0 : index\n  scf.if %p {{\n  }}\n"
    steps = 0

    def count(*_: object) -> None:
        nonlocal steps
        steps += 1

    sys.setprofile(count)
    try:
        found = [
            finding.rule.name
            for finding in check(f"func.func @f(%n: index) {{\n{KNOWN}{made}{squares}{asked}  return\n}}\n").findings
        ]
    finally:
        sys.setprofile(None)
    assert found == ["leak"]
    assert steps < 1_000_000
