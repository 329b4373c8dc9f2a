"""Which dimension a buffer has rests on where it is made, and on casts on the way: edits there are noticed.

So is another comparison of floating-point numbers far away.
"""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.findings import Edit, Span
from memlane.incremental import Checker
from memlane.syntax import Document
from tests.flow.inner_edits import CONFIG

FILLING = "".join(f'  "foo.op{n}"() : () -> ()\n' for n in range(400))
TEXT = f"""\
func.func @f(%n: index, %m: index, %x: f32, %y: f32, %z: f32) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %new = memref.alloc(%n, %m) : memref<?x?xf32>
  %cast = memref.cast %new : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
{FILLING}
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %more = arith.cmpi sgt, %n, %c4 : index
  %less = arith.cmpf olt, %x, %y : f32
  scf.if %more {{
    memref.dealloc %a : memref<4xf32>
  }}
  scf.if %less {{
    memref.dealloc %b : memref<4xf32>
  }}
{FILLING}
  %size = memref.dim %cast, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %no_more = arith.cmpi sle, %size, %c4 : index
  %no_less = arith.cmpf uge, %x, %y : f32
{FILLING}
  scf.if %no_more {{
    memref.dealloc %a : memref<4xf32>
  }}
  scf.if %no_less {{
    memref.dealloc %b : memref<4xf32>
  }}
{FILLING}
  memref.dealloc %new : memref<?x?xf32>
  return
}}
"""


@pytest.mark.parametrize(
    ("before", "after", "other"),
    [
        ("alloc(%n, %m)", "alloc(%m, %n)", True),
        ("%cast, %c0", "%cast, %c1", True),
        ("constant 0 : index", "constant 1 : index", True),
        ("constant 4 : index", "constant 5 : index", False),
        ("memref.cast %new", "foo.cast %new", True),
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
