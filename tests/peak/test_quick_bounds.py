"""Peaks found with a small budget are upper bounds of the exact ones."""

from __future__ import annotations

import random

import pytest

from memlane import compare
from memlane.compare import Measurer
from memlane.config import Config
from memlane.flow.symbolic.amounts import maximal
from memlane.flow.symbolic.assumptions import Assumptions
from tests.fuzz.programs import program

ROUNDS = """\
func.func private @even(%m: memref<?xf32>, %c: i1, %d: i1, %n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  scf.if %c {
    func.call @odd(%a, %d, %c, %n) : (memref<?xf32>, i1, i1, index) -> ()
  }
  scf.if %d {
    memref.dealloc %a : memref<?xf32>
  } else {
    func.call @odd(%a, %c, %d, %n) : (memref<?xf32>, i1, i1, index) -> ()
    memref.dealloc %a : memref<?xf32>
  }
  return
}
func.func private @odd(%m: memref<?xf32>, %c: i1, %d: i1, %n: index) {
  %b = memref.alloc(%n) : memref<?xf32>
  scf.if %c {
    memref.dealloc %b : memref<?xf32>
    func.call @even(%m, %d, %c, %n) : (memref<?xf32>, i1, i1, index) -> ()
  } else {
    scf.if %d {
      func.call @even(%b, %c, %d, %n) : (memref<?xf32>, i1, i1, index) -> ()
    }
    memref.dealloc %b : memref<?xf32>
  }
  return
}
func.func @main(%m: memref<?xf32>, %c: i1, %n: index) {
  %yes = arith.constant true
  %no = arith.constant false
  func.call @even(%m, %c, %yes, %n) : (memref<?xf32>, i1, i1, index) -> ()
  func.call @odd(%m, %no, %no, %n) : (memref<?xf32>, i1, i1, index) -> ()
  return
}
"""
SOURCES = [ROUNDS, *(program(random.Random(seed), 4) for seed in range(40))]


@pytest.mark.slow
@pytest.mark.parametrize("nodes", [4, 30, 300])
def test_they_are_never_less(nodes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "MAX_NODES", nodes)
    compared = 0
    for source in SOURCES:
        exact, hasty = (Measurer(Config(), Assumptions(), hasty).measure(source) for hasty in (False, True))
        for peak, bound in zip(exact, hasty, strict=True):
            if peak.exact:
                compared += 1
                assert maximal((*bound.peak, *peak.peak)) == maximal(bound.peak), source
    assert compared > 40
