"""Functions of many blocks while a branch or a label is typed: what follows it is unreachable."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.flow.typestate import explorer
from tests.hostile.growth import PHASES, lines_run
from tests.hostile.shapes import lowered

LOOP = """\
func.func @f(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  cf.br ^head(%c0 : index)
^head(%i: index):
  %t = arith.cmpi slt, %i, %n : index
  cf.cond_br %t, ^body, ^exit
^body:
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^exit:
  memref.dealloc %a : memref<4xf32>
  return
}
"""


def test_a_loop_whose_exit_is_being_typed_is_not_endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where names are forgotten that nothing uses any more, too: who frees the buffer is not written yet."""
    monkeypatch.setattr(explorer, "MIN_STEPS_BEFORE_LIVENESS", -(10**6))
    for torn in (LOOP.replace("%t, ^body, ^exit", "%t, ^body, ^exi"), LOOP.replace("^exit:", "^exits:")):
        assert [finding.rule.name for finding in check(torn).findings] == ["undefined-block"]


@pytest.mark.slow
@pytest.mark.parametrize("text", ["^exit39", "^exit39:", "^exit5", "^exit5:", "^body39", "^body39:", "^head20(%i20"])
def test_what_a_torn_branch_costs(text: str) -> None:
    """Not much more than the whole program, whether the end of the function is behind it or not: a branch or, with
    what follows it, a label."""
    source = lowered(40)
    torn = source.replace(text, f"^x{text[1:]}", 1)
    assert torn != source
    PHASES["check"](torn)()  # learn what statements look like
    whole, part = (lines_run(PHASES["check"](one)) for one in (source, torn))
    assert part < 4 * whole
