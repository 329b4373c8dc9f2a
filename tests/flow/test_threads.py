"""Functions that free what they are passed, and are called by each thread of a team."""

from __future__ import annotations

import pytest

from memlane.checking import check
from tests.flow.test_incremental import Bench, rules
from tests.flow.test_path_insensitive import together

SOURCE = """\
func.func private @drop(%m: memref<4xf32>) {
  omp.critical {
    memref.dealloc %m : memref<4xf32>
    omp.terminator
  }
  return
}
func.func private @drop_further(%m: memref<4xf32>) {
  func.call @drop(%m) : (memref<4xf32>) -> ()
  return
}
func.func @run() {
  %a = memref.alloc() : memref<4xf32>
  omp.parallel {
    func.call @drop_further(%a) : (memref<4xf32>) -> ()
    omp.terminator
  }
  return
}
"""
TWICE = ("run", "possible-double-free")


def test_edits() -> None:
    bench = Bench(SOURCE)
    assert TWICE in rules(bench.compare())
    assert TWICE not in rules(bench.replace("omp.critical", "omp.single"))
    assert TWICE in rules(bench.replace("omp.single", "omp.critical"))
    assert TWICE not in rules(bench.replace("omp.parallel", "omp.single"))


def test_all_paths_together(monkeypatch: pytest.MonkeyPatch) -> None:
    together(monkeypatch)
    assert TWICE in rules(check(SOURCE).findings)
    assert TWICE not in rules(check(SOURCE.replace("omp.critical", "omp.single")).findings)
