"""What is still being typed is repaired where that can be told, and left as it is where not."""

from __future__ import annotations

from memlane.config import Config
from memlane.fixes import fix_all

TYPE = "memref<?xi32>"
TORN = f"""func.func @f(%n: index) {{
  %dyn = memref.cast %row : memref<16xi32> to {TYPE}
  cf.cond_br %p, ^then, ^else
^then:
  %lhs = memref.alloc(%c16) : {TYPE}
  cf.br ^join(%lhs : {TYPE})
^else:
  cf.br ^join(%dyn : {TYPE})
^join(%maybe: {TYPE}):
  cf.cond_br %flag, ^leave, ^on
^leave:
  scf.if %p {{
    memref.dealloc %maybe : {TYPE}
  cf.cond_br %q, ^last, ^join
^last:
"""


def test_a_branch_that_hands_over_too_little_has_no_edge() -> None:
    """A flag that says who owns `%maybe` was to be handed over on it."""
    assert "^join(%maybe" in fix_all(TORN, Config())
