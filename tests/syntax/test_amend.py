"""A function of which some statements are read again after an edit equals one that is read from scratch."""

from __future__ import annotations

import random

import pytest
from tests.effort import some

from memlane.findings import Edit, Span
from memlane.syntax import Document
from memlane.syntax.editing.piece import Piece
from memlane.syntax.editing.pieces import LEAF_LINES
from memlane.syntax.names.resolve import Resolver
from memlane.syntax.tree.equal import difference

BODY = """\
  %a{0} = memref.alloc() : memref<4xf32>
  // a comment that says %a{0}
  scf.for %i{0} = %c0 to %n step %c1 {{
    %v{0} = memref.load %a{0}[%i{0}] : memref<4xf32>
    scf.if %c {{
      memref.store %v{0}, %a{0}[%i{0}]
          : memref<4xf32>
    }} else {{
      %w{0} = arith.addf %v{0}, %v{0} : f32
    }}
  }}
  memref.dealloc %a{0} : memref<4xf32>
"""
HEAD = """\
func.func @f(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
"""
SOURCE = "func.func @before() {\n  return\n}\n" + HEAD + "".join(map(BODY.format, range(80))) + "  return\n}\n"
TYPED = [*'x1 %,{}():="', "\n", "//", "%a7", "#1", "^bb0:\n", "\n  }\n", "  scf.if %c {\n", "  return\n", "\r\n", "é"]
PASTED = ["  %new = arith.constant 1 : i32\n", "func.func @g() {\n", "// -----\n", "  %a7 = arith.constant 1 : i32\n"]


def edited(document: Document, start: int, end: int, content: str) -> Document:
    """The document after an edit, which is that of its text."""
    after = document.edit([Edit(Span(start, end), content)])
    text = document.source
    wanted = Document(text[:start] + content + text[end:])
    assert after.source == wanted.source
    assert [piece.text for piece in after.pieces] == [piece.text for piece in wanted.pieces]
    assert [said(piece) for piece in after.pieces] == [said(piece) for piece in wanted.pieces]
    assert difference(after.tree, wanted.tree) is None
    return after


def said(piece: Piece) -> tuple[object, ...]:
    """What a piece says, whatever its leaves are."""
    statements, known = piece.statements, piece.resolved
    events = [template.events for template in statements.templates]
    places = list(statements.starts), list(statements.names), statements.pops, piece.size, piece.damaged
    return *places, events, known.problems, known.symbols, known.references, known.others, piece.odd


def leaves_kept(before: Document, after: Document) -> int:
    """How many leaves of the large function are the same objects."""
    return sum(one in before.pieces[1].leaves for one in after.pieces[1].leaves)


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(6), 1))
def test_any_edits(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    choose = random.Random(seed)
    size = choose.choice([3, 10, 40, LEAF_LINES])
    monkeypatch.setattr("memlane.syntax.editing.pieces.LEAF_LINES", size)
    monkeypatch.setattr("memlane.syntax.editing.amend.MAX_LEAF_STATEMENTS", 2 * size)
    document = Document(SOURCE)
    for _ in range(40):
        source = document.source
        at = choose.randrange(len(source))
        if choose.random() < 0.4:
            document = edited(document, at, at, choose.choice(TYPED))
        elif choose.random() < 0.5:
            document = edited(document, at, min(len(source), at + choose.choice([1, 2, 30, 500])), "")
        else:
            line = source.rfind("\n", 0, at) + 1
            document = edited(document, line, choose.choice([line, source.find("\n", at) + 1]), choose.choice(PASTED))


@pytest.mark.parametrize(
    ("old", "new"), [("to %n", "to  %n"), ("memref.load %a40", "memref.load  %a40"), ("%v40 : f32", "%v40 : f64")]
)
def test_names_are_not_resolved_again_where_they_stay(old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document(SOURCE)
    at = SOURCE.index(old, SOURCE.index("%a40 ="))
    after = edited(document, at, at + len(old), new)
    assert leaves_kept(document, after) == len(document.pieces[1].leaves) - 1
    monkeypatch.setattr(Resolver, "run", None)  # whoever asks fails
    again = document.edit([Edit(Span(at, at + len(old)), new + " ")])
    assert again.source == SOURCE[:at] + new + " " + SOURCE[at + len(old) :]


@pytest.mark.slow
@pytest.mark.parametrize("new", ["%a40x", "%a41", "%v40", "%i40, %c0"])
def test_names_that_change_are_resolved(new: str) -> None:
    document = Document(SOURCE)
    at = SOURCE.index("%a40[")
    after = edited(document, at, at + len("%a40"), new)
    edited(after, at + 1, at + 2, "")


def test_problems_move_with_what_follows() -> None:
    at = SOURCE.index("%a60[")
    document = edited(Document(SOURCE), at, at + 4, "%nothing")
    assert len(document.tree.problems) == 1
    here = document.source.index("memref.load %a20") + len("memref.load")
    after = edited(document, here, here, "   ")
    assert after.tree.problems[0].span.start == document.tree.problems[0].span.start + 3


def test_a_leaf_that_grows_is_made_two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memlane.syntax.editing.amend.MAX_LEAF_STATEMENTS", 200)
    document = Document(SOURCE)
    count = len(document.pieces[1].leaves)
    for number in range(120):
        at = document.source.index("  memref.dealloc %a10 ")
        document = document.edit([Edit(Span(at, at), f"  %new{number} = arith.constant 1 : i32\n")])
    assert len(document.pieces[1].leaves) > count
    assert difference(document.tree, Document(document.source).tree) is None


def test_a_name_that_is_broken_off_its_sigil_is_read_as_a_fresh_look_reads_it() -> None:
    """The line before the one that goes on is one of which nothing can be read."""
    text = """func.func @f(%n: index, %a: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %c0 {
    %e = arith.cmpi eq, %i, %c0 : index
    scf.if %e {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}
"""
    for at in (text.index("e = arith"), text.index("c0 = arith")):
        edited(Document(text), at, at, "\n")


def test_an_unknown_operation_behind_one_of_a_foreign_dialect_is_no_mistake() -> None:
    text = """func.func @f(%s: memref<4xi64>, %some: i1) {
  %c0 = arith.constant 0 : index
  scf.if %some {
      func.call @use(%s) : (memref<4xi64>) -> ()
      %u = memref.alloc() : memref<4xi64>
      memr:ef.dealloc %u : memref<4xi64>
  }
  return
}
"""
    at = text.index("mref.alloc")
    after = edited(Document(text), at, at, " ")
    edited(after, at, at + 1, "")


def test_what_was_meant_where_a_brace_too_many_ends_the_function() -> None:
    """A name is like those before the brace, whatever the text behind it begins."""
    text = """func.func @f(%a: memref<8xi64>, %some: i1) {
  scf.if %some {
    %b = arith.select %some, %a, %a : memref<8xi64> memref.store %a, %c[] : memref<memref<8xi64>>
  }
  }
  default {
  }
"""
    at = text.index(", %a, %a")
    assert "%some" in {problem.suggestion for problem in edited(Document(text), at, at, "0").tree.problems}


def test_a_brace_beside_an_else_at_the_depth_of_the_function_ends_it() -> None:
    """`} else {` of the function itself closes nothing for good; a brace that is pasted behind it does."""
    source = "func.func @f(%c: i1) {\n  %a = arith.constant 0 : index\n  } else {\n  %b = scf.if %c -> i1 {\n  }\n  }\n"
    at = source.index("  %b")
    edited(Document(source), at, at, "  }\n  %d = scf.if %c -> i1 {\n")
