"""Memory use of lowered deallocations: a function asks the next one about flags, and how often loops have run."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from memlane.compare import Measurer
from memlane.flow.symbolic.amounts import maximal
from memlane.memory_report import assumptions
from tests.hostile.growth import CONFIG, lines_run

OPT = shutil.which("mlir-opt-22")
PASSES = (
    "-one-shot-bufferize=bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map "
    "allow-return-allocs-from-loops=1",
    *("-canonicalize", "-cse", "-convert-linalg-to-loops", "-ownership-based-buffer-deallocation", "-canonicalize"),
    *("-buffer-deallocation-simplification", "-bufferization-lower-deallocations"),
)
LAYER = """\
func.func @layer{0}(%x: tensor<?xf32>, %c: i1, %n: index) -> tensor<?xf32> {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %d = tensor.dim %x, %zero : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %m = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %m) -> (tensor<?xf32>) {{
    %f = tensor.empty(%d) : tensor<?xf32>
    %s = linalg.add ins(%acc, %x : tensor<?xf32>, tensor<?xf32>) outs(%f : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }}
  %q = scf.if %c -> (tensor<?xf32>) {{
    %f = tensor.empty(%d) : tensor<?xf32>
    %s = linalg.mul ins(%r, %x : tensor<?xf32>, tensor<?xf32>) outs(%f : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }} else {{
    scf.yield %x : tensor<?xf32>
  }}
  {1}
  return %k : tensor<?xf32>
}}
"""
LAST = "%k = tensor.cast %q : tensor<?xf32> to tensor<?xf32>"
NEXT = "%k = call @layer{0}(%q, %c, %n) : (tensor<?xf32>, i1, index) -> tensor<?xf32>"


def layers(count: int) -> str:
    """So many functions, each of which calls the one before it, as they are once deallocations are lowered."""
    assert OPT is not None
    source = "".join(LAYER.format(at, NEXT.format(at - 1) if at else LAST) for at in range(count))
    return subprocess.run([OPT, *PASSES], input=source, capture_output=True, check=True, text=True).stdout


@pytest.mark.slow
@pytest.mark.skipif(OPT is None, reason="needs mlir-opt-22 (Debian package mlir-22-tools), whose lowering it is about")
@pytest.mark.usefixtures("unlearned")
def test_a_log_is_measured_in_two_fifths_of_the_work() -> None:
    """Each function was followed for each number of rounds, and until it was too much each time, which was four fifths.
    It is half where it is asked about numbers of rounds still."""
    text = layers(3)
    exact, hasty = (Measurer(CONFIG, assumptions(text, CONFIG), hasty) for hasty in (False, True))
    for measurer in (exact, hasty):
        measurer.measure(layers(1))
    assert 5 * lines_run(lambda: hasty.measure(text)) < 2 * lines_run(lambda: exact.measure(text))
    for bound, peak in zip(hasty.measure(text), exact.measure(text), strict=True):
        assert maximal((*bound.peak, *peak.peak)) == maximal(bound.peak)
