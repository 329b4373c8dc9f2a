"""Whether a buffer is freed rests on a flag that is one constant as all that is forwarded to it is, or that
another flag chooses: edits there, far away from the buffer, are noticed."""

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


CHOSEN = f"""\
func.func @f(%c: i1, %d: i1, %n: index) {{
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
{FILLING}
  %owned = scf.if %c -> (i1) {{
    %kept = arith.andi %true, %c : i1
    scf.yield %kept : i1
  }} else {{
    scf.yield %false : i1
  }}
{FILLING}
  %rest = arith.xori %owned, %true : i1
  scf.for %i = %c0 to %n step %c1 {{
    %a = memref.alloc() : memref<8xf32>
    scf.if %c {{
      memref.dealloc %a : memref<8xf32>
    }}
    scf.if %rest {{
      memref.dealloc %a : memref<8xf32>
    }}
  }}
{FILLING}
  return
}}
"""


CONDITION = f"""\
func.func @f(%c: i1, %x: memref<8xf32>) {{
  %true = arith.constant true
  %all = arith.constant true
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
{FILLING}
  bufferization.dealloc (%a, %b : memref<8xf32>, memref<8xf32>) if (%true, %all)
{FILLING}
  return
}}
"""
"""Under a constant that is true a deallocation has no condition."""


@pytest.mark.parametrize(
    ("before", "after", "wrong"),
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
def test_edits_of_what_is_forwarded(before: str, after: str, wrong: bool) -> None:
    edited(TEXT, before, after, wrong)


@pytest.mark.parametrize(
    ("before", "after", "wrong"),
    [
        ("scf.yield %kept", "scf.yield %d", True),
        ("scf.yield %kept", "scf.yield %true", False),
        ("scf.yield %false", "scf.yield %true", True),
        ("%true, %c : i1", "%true, %d : i1", True),
        ("%owned = scf.if %c", "%owned = scf.if %d", True),
        ("%false = arith.constant false", "%false = arith.constant true", True),
        ("scf.yield %kept : i1", "// none", None),
        ("} else {\n    scf", "}\n    scf", None),
    ],
)
def test_edits_of_what_a_flag_chooses(before: str, after: str, wrong: bool | None) -> None:
    edited(CHOSEN, before, after, wrong)


@pytest.mark.parametrize(
    ("before", "after", "wrong"),
    [
        ("%true = arith.constant true", "%true = arith.constant false", True),
        ("%all = arith.constant true", '%all = "foo.flag"() : () -> i1', True),
        ("if (%true, %all)", "if (%all, %true)", False),
        ("if (%true, %all)", "if (%true, %c)", True),
        ("%true = arith.constant true\n", "", None),
    ],
)
def test_edits_of_a_condition_that_is_constant(before: str, after: str, wrong: bool | None) -> None:
    edited(CONDITION, before, after, wrong)


def edited(text: str, before: str, after: str, wrong: bool | None) -> None:
    """Make an edit, take it back, and compare with texts read anew.

    Args:
        wrong: whether the program is wrong after the edit; None: perhaps.
    """
    document, checker = Document(text, CONFIG.models), Checker()
    checker.findings(document, CONFIG)
    for old, new in ((before, after), (after, before)):
        start = document.source.index(old)
        document = document.edit([Edit(Span(start, start + len(old)), new)])
        found = checker.findings(document, CONFIG)
        assert found == check(document.source, CONFIG).findings
        if wrong is not None or new == before:
            assert any("leak" in one.rule.name or "double" in one.rule.name for one in found) is (
                bool(wrong) and new == after
            )
