"""Names of a function after an edit: those of one statement are told by that alone where it defines what it defined."""

from __future__ import annotations

import pytest

from memlane.findings import Edit, Span
from memlane.syntax import Document
from memlane.syntax.editing import amend
from memlane.syntax.tree.equal import difference

SOURCE = """func.func @f(%arg0: memref<4xf32>, %cond: i1) {
  %c0 = arith.constant 0 : index
  %alloc = memref.alloc() : memref<4xf32>
  scf.if %cond {
    %value = memref.load %alloc[%c0] : memref<4xf32>
    memref.store %value, %arg0[%c0] : memref<4xf32>
  }
  memref.dealloc %alloc : memref<4xf32>
  %none = arith.addi %nowhere, %c0 : index
  cf.cond_br %cond, ^one, ^two
^one:
  cf.br ^two
^two:
  return
}
"""


def _edited(document: Document, old: str, new: str) -> Document:
    at = document.source.index(old)
    after = document.edit([Edit(Span(at, at + len(old)), new)])
    assert difference(after.tree, Document(after.source).tree) is None
    return after


class _NeverRead:
    def __init__(self, scoping: object) -> None:
        raise AssertionError("all names were resolved again")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("memref.load %alloc[%c0]", "memref.lo ad %alloc[%c0]"),  # no such operation
        ("memref.load %alloc[%c0]", "memref.load %alloc[%c0"),
        ("memref.load %alloc[%c0]", "memref.load %al[%c0]"),  # a name that is not there yet
        ("memref.load %alloc[%c0]", "memref.load %al#1[%c0, %al]"),
        ("scf.if %cond", "scf.if %con"),
        ("%nowhere, %c0", "%c0"),
        ("%nowhere, %c0 :", "%nowher, %nowhere :"),
        ("constant 0 : index", "constant 100 : i dex"),
        ("%value, %arg0", "%arg0, %arg0"),
    ],
)
def test_a_statement_that_defines_what_it_did_is_told_alone(
    monkeypatch: pytest.MonkeyPatch, old: str, new: str
) -> None:
    document = Document(SOURCE)
    _ = document.tree
    with monkeypatch.context() as patch:
        patch.setattr(amend, "Resolver", _NeverRead)
        at = SOURCE.index(old)
        after = document.edit([Edit(Span(at, at + len(old)), new)])
        back = after.edit([Edit(Span(at, at + len(new)), old)])
    assert difference(after.tree, Document(after.source).tree) is None
    assert difference(back.tree, Document(SOURCE).tree) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%alloc = ", "%other = "),  # what uses it means nothing
        ("%none = ", "%nowhere = "),
        ("load %alloc[%c0]", "load %arg0[%c0]"),  # another that is there
        ("load %alloc[%c0]", "load %none[%c0]"),  # one that comes later
        ("^one, ^two", "^two, ^two"),
        ("scf.if %cond", "foo.if %declared"),  # nobody knows what its head declares
        ("memref.load %alloc", "load %alloc"),
    ],
)
def test_what_others_may_mean_is_told_anew(old: str, new: str) -> None:
    after = _edited(Document(SOURCE), old, new)
    _edited(after, new, old)


def test_suggestions_are_for_the_first_problems_only() -> None:
    """With one problem less, another is among the first ones."""
    uses = "".join(f'  "foo.use"(%argument{number}) : (i32) -> ()\n' for number in range(30))
    document = Document(f"func.func @f(%argument: i32) {{\n{uses}  return\n}}\n")
    assert sum(problem.suggestion is not None for problem in document.tree.problems) == 20
    after = _edited(document, "%argument3)", "%argument)")
    _edited(after, "%argument7)", "%argumen)")
