"""Which way a branch goes rests on another comparison of the same floats, far away: edits there are noticed."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.findings import Edit, Span
from memlane.query import Checker
from memlane.syntax import Document
from tests.flow.inner_edits import CONFIG

FILLING = "".join(f'  "foo.op{n}"() : () -> ()\n' for n in range(400))
TEXT = f"""\
func.func @f(%x: f32, %y: f32, %z: f32) {{
  %b = memref.alloc() : memref<4xf32>
  %less = arith.cmpf olt, %x, %y : f32
  scf.if %less {{
    memref.dealloc %b : memref<4xf32>
  }}
{FILLING}
  %no_less = arith.cmpf uge, %x, %y : f32
{FILLING}
  scf.if %no_less {{
    memref.dealloc %b : memref<4xf32>
  }}
{FILLING}
  return
}}
"""


@pytest.mark.parametrize(
    ("before", "after", "other"),
    [
        ("uge, %x, %y", "uge, %x, %z", True),
        ("uge, %x", "oge, %x", True),
        ("cmpf olt, %x, %y", "cmpf ogt, %y, %x", False),
    ],
)
def test_edits_far_away(before: str, after: str, other: bool) -> None:
    document, checker = Document(TEXT, CONFIG.models), Checker()
    first = checker.findings(document, CONFIG)
    for old, new in ((before, after), (after, before)):
        start = document.source.index(old)
        document = document.edit([Edit(Span(start, start + len(old)), new)])
        found = checker.findings(document, CONFIG)
        assert found == check(document.source, CONFIG).findings
        assert (found != first) is (other and new == after)
