"""Whether a buffer is freed rests on a flag that is one constant as all that is forwarded to it is: edits there, far
away from the buffer, are noticed."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.findings import Edit, Span
from memlane.query import Checker
from memlane.syntax import Document
from tests.flow.inner_edits import CONFIG

FILLING = "".join(f'  "foo.op{n}"() : () -> ()\n' for n in range(400))
TEXT = f"""\
func.func @f(%c: i1, %d: i1, %n: index) {{
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.cond_br %c, ^next(%true : i1), ^next(%true : i1)
^next(%begin: i1):
{FILLING}
  %owned = scf.for %i = %c0 to %n step %c1 iter_args(%flag = %begin) -> (i1) {{
    %inner = scf.if %c -> (i1) {{
      scf.yield %flag : i1
    }} else {{
      scf.yield %true : i1
    }}
    scf.yield %inner : i1
  }}
{FILLING}
  scf.if %d {{
    %a = memref.alloc() : memref<8xf32>
    scf.if %owned {{
      memref.dealloc %a : memref<8xf32>
    }}
  }}
{FILLING}
  return
}}
"""


@pytest.mark.parametrize(
    ("before", "after", "leaks"),
    [
        ("^next(%true : i1), ^next(%true", "^next(%false : i1), ^next(%true", True),
        ("cf.cond_br %c, ^next", "cf.cond_br %d, ^next", False),
        ("scf.yield %true", "scf.yield %false", True),
        ("scf.yield %inner", "scf.yield %d", True),
        ("%flag = %begin", "%flag = %true", False),
        ("%i = %c0 to %n", "%i = %c0 to %c0", False),
        ("%true = arith.constant true", "%true = arith.constant false", True),
    ],
)
def test_edits_of_what_is_forwarded(before: str, after: str, leaks: bool) -> None:
    document, checker = Document(TEXT, CONFIG.models), Checker()
    checker.findings(document, CONFIG)
    for old, new in ((before, after), (after, before)):
        start = document.source.index(old)
        document = document.edit([Edit(Span(start, start + len(old)), new)])
        found = checker.findings(document, CONFIG)
        assert found == check(document.source, CONFIG).findings
        assert any("leak" in one.rule.name for one in found) is (leaks and new == after)
