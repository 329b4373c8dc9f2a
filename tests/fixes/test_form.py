"""`fix.form = "bufferization"`: what is freed under a flag is freed by `bufferization.dealloc`; all else stays."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memlane.checking import check
from memlane.config import load_config
from memlane.fixes import fix_all
from tests.fixes.execute import AVAILABLE, measure, transformed

FOLDER = Path(__file__).parent / "programs"
CONFIG, _ = load_config(None, ['fix.form = "bufferization"'])

SELECTED = """func.func @f(%x: memref<8xf32>, %c: i1, %d: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %r = scf.if %c -> (memref<8xf32>) {
THEN
    scf.yield %new : memref<8xf32>
  } else {
ELSE
    scf.yield %x : memref<8xf32>
  }
  %v = memref.load %r[%c0] : memref<8xf32>
  return %v : f32
}
"""
NEW = """    %new = memref.alloc() : memref<8xf32>
    memref.copy %x, %new : memref<8xf32> to memref<8xf32>"""


def swapped() -> str:
    """The buffer is new where the flag is false."""
    lines = SELECTED.replace("THEN\n", "").replace("%new", "%x", 1).replace("ELSE", NEW)
    head, _, rest = lines.rpartition("    scf.yield %x")
    return f"{head}    scf.yield %new{rest}"


def test_the_flag_is_the_operand() -> None:
    source = SELECTED.replace("THEN", NEW).replace("ELSE\n", "")
    after = fix_all(source, CONFIG)
    assert after == source.replace("  return", "  bufferization.dealloc (%r : memref<8xf32>) if (%c)\n  return")


def test_the_flag_is_inverted_before_the_last_use_by_the_constant_there_is() -> None:
    after = fix_all(swapped(), CONFIG)
    lines = [line.strip() for line in after.split("\n")]
    place = lines.index("%v = memref.load %r[%c0] : memref<8xf32>")
    assert lines[place - 1] == "%c_not = arith.xori %c, %true : i1"
    assert after.count("arith.constant true") == 1
    assert lines[place + 1] == "bufferization.dealloc (%r : memref<8xf32>) if (%c_not)"


def test_without_a_condition_nothing_is_different() -> None:
    source = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n"
    assert fix_all(source, CONFIG) == fix_all(source)


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*[a-z].mlir")), ids=lambda path: path.stem)
def test_programs(path: Path) -> None:
    source = path.read_bytes().decode()
    after = fix_all(source, CONFIG)
    assert fix_all(after, CONFIG) == after
    assert {f.rule.name for f in check(after).findings} <= {f.rule.name for f in check(fix_all(source)).findings}
    if AVAILABLE:
        transformed(after, "builtin.module()")


@pytest.mark.slow
@pytest.mark.skipif(not AVAILABLE, reason="mlir-opt-22, mlir-runner-22 or gcc is not installed")
@pytest.mark.parametrize("source", [SELECTED.replace("THEN", NEW).replace("ELSE\n", ""), swapped()])
def test_runs_alike(source: str) -> None:
    (lowered,), (flagged,) = measure(fix_all(source)), measure(fix_all(source, CONFIG))
    assert (lowered.leaks, lowered.bad_frees, lowered.uses_after_free) == (0, 0, 0)
    assert flagged == lowered


def test_the_setting_takes_these_words_only() -> None:
    config, problems = load_config(None, ['fix.form = "flat"'])
    assert config.values["fix.form"] == "lowered"
    assert re.search(r"unknown word `flat`.*lowered.*bufferization", str(problems[0]))
