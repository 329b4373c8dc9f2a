"""An edit of an alias analyses the functions that name it, and what calls them; the findings are those of the text."""

from __future__ import annotations

import random

import pytest

from memlane.checking import check
from memlane.findings import Edit, Span
from memlane.query import Checker
from memlane.syntax import Document
from tests.effort import some
from tests.flow.inner_edits import CONFIG
from tests.flow.test_incremental import names_analysed

SOURCE = """\
#few = affine_map<(d0) -> (d0)>
!small = memref<4xf32>
!pair = tuple<!small, !small>
func.func private @make() -> !small {
  %a = memref.alloc() : !small
  return %a : !small
}
func.func @calls() {
  %a = func.call @make() : () -> memref<4xf32>
  return
}
func.func @other(%i: index) {
  %b = memref.alloc() : memref<8xf32>
  return
}
func.func @counts(%n: index) {
  %d = affine.apply #few(%n)
  %c = memref.alloc() : memref<2xf32>
  %zero = arith.constant 0 : index
  %z = arith.cmpi eq, %d, %n : index
  scf.if %z {
    memref.dealloc %c : memref<2xf32>
  }
  return
}
"""


def edited(document: Document, old: str, new: str) -> Document:
    at = document.source.index(old)
    return document.edit([Edit(Span(at, at + len(old)), new)])


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("!pair =", "#many = affine_map<(d0) -> (d0)>\n!pair =", []),
        ("tuple<!small, !small>", "tuple<!small>", []),
        ("-> (d0)>", "-> (d0 + 1)>", ["counts"]),
        ("#few =", "#fewer =", ["counts"]),
        ("memref<4xf32>\n!pair", "memref<16xf32>\n!pair", ["calls", "make"]),
    ],
)
def test_functions_that_name_it(monkeypatch: pytest.MonkeyPatch, old: str, new: str, wanted: list[str]) -> None:
    document, checker = Document(SOURCE, CONFIG.models), Checker()
    first = checker.findings(document, CONFIG)
    looked = names_analysed(monkeypatch)
    document = edited(document, old, new)
    found = checker.findings(document, CONFIG)
    assert sorted(looked) == wanted
    assert found == check(document.source, CONFIG).findings
    assert checker.findings(edited(document, new, old), CONFIG) == first


TWICE = "func.func private @make() -> !small {\n  %a = memref.alloc() : !small\n  return %a : !small\n}\n"


def test_all_functions_where_something_outside_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    document, checker = Document(SOURCE + "memref.global @g : !small\n", CONFIG.models), Checker()
    checker.findings(document, CONFIG)
    looked = names_analysed(monkeypatch)
    document = edited(document, "memref<4xf32>\n!pair", "memref<16xf32>\n!pair")
    assert checker.findings(document, CONFIG) == check(document.source, CONFIG).findings
    assert {*looked} == {"calls", "counts", "make", "other"}


@pytest.mark.parametrize("old", ["-> (d0)>", "memref<4xf32>\n!pair"])
def test_two_functions_of_one_name(old: str) -> None:
    document, checker = Document(SOURCE + TWICE, CONFIG.models), Checker()
    checker.findings(document, CONFIG)
    document = edited(document, old, old.replace("4x", "16x").replace("(d0)", "(d0 + 1)"))
    assert checker.findings(document, CONFIG) == check(document.source, CONFIG).findings


WORDS = [
    "#few",
    "#many",
    "!small",
    "!pair",
    "(d0)",
    "(d0 + 1)",
    "4xf32",
    "16xf32",
    "\n",
    "// ",
    " ",
    "=",
    "x",
    "<",
    ">",
]


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(40), 4))
def test_random_edits(seed: int) -> None:
    choose = random.Random(seed)
    text = SOURCE + ["memref.global @g : !small\n", "", TWICE][seed % 3]
    document, checker, undo = Document(text, CONFIG.models), Checker(), [Edit(Span(0, 0), "")]
    for _ in range(40):
        text = document.source
        if len(undo) > 1 and choose.random() < 0.4:
            edit = undo.pop()
        else:
            at = choose.randrange(text.find("func") if choose.random() < 0.7 else len(text))
            gone, new = choose.choice([0, 0, 1, 3]), choose.choice(WORDS)
            edit = Edit(Span(at, min(len(text), at + gone)), new)
            undo.append(Edit(Span(at, at + len(new)), text[at : edit.span.end]))
        document = document.edit([edit])
        if choose.random() < 0.8:
            assert checker.findings(document, CONFIG) == check(document.source, CONFIG).findings
