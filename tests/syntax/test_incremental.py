"""Edits: a document after any of them equals one read from scratch, and keeps what they did not touch."""

from __future__ import annotations

from pathlib import Path

import pytest
from edits import Typist, applied

from memlane.findings import Edit, Span
from memlane.syntax import Document
from memlane.syntax.tree.equal import difference

SOURCE = "".join(
    f"func.func @f{number}(%a: memref<4xf32>) {{\n  memref.dealloc %a : memref<4xf32>\n  return\n}}\n"
    for number in range(5)
)


def test_other_functions_stay_the_same_objects() -> None:
    document = Document(SOURCE)
    at = SOURCE.index("return", SOURCE.index("@f2"))
    after = document.edit([Edit(Span(at, at), "%x = arith.constant 1 : i32\n  ")])
    keys = [function.key for function in document.tree.functions]
    changed = [function.key for function in after.tree.functions]
    assert [one is other for one, other in zip(keys, changed, strict=True)] == [True, True, False, True, True]
    assert after.tree.functions[4].op.span.start > document.tree.functions[4].op.span.start


def test_the_function_before_stays_too() -> None:
    document = Document(SOURCE)
    at = SOURCE.index("%a", SOURCE.index("@f2"))
    after = document.edit([Edit(Span(at + 1, at + 2), "arg")])
    kept = [one is other for one, other in zip(document.pieces, after.pieces, strict=True)]
    assert kept == [True, True, False, True, True]


def test_several_edits_at_once() -> None:
    edits = [Edit(Span(at, at + 2), "%long") for at in range(len(SOURCE)) if SOURCE.startswith("%a", at)]
    after = Document(SOURCE).edit(edits)
    assert after.source == SOURCE.replace("%a", "%long")
    assert difference(after.tree, Document(after.source).tree) is None


def test_to_nothing_and_back() -> None:
    empty = Document(SOURCE).edit([Edit(Span(0, len(SOURCE)), "")])
    assert empty.source == "" and not empty.tree.problems
    assert difference(empty.edit([Edit(Span(0, 0), SOURCE)]).tree, Document(SOURCE).tree) is None


OUTSIDE = """module {
  %a = memref.get_global @here : memref<4xf32>
  func.func @f() {
    return
  }
  %b = memref.get_global @nowhere : memref<4xf32>
  memref.global @here : memref<4xf32>
}
"""


def test_what_stands_outside_functions_moves() -> None:
    document = Document(OUTSIDE)
    assert [problem.message for problem in document.tree.problems] == ["symbol 'nowhere' is not defined"]
    for at, content in ((OUTSIDE.index("    return"), "    // longer\n"), (0, "// down\n"), (0, "\n\n")):
        before, document = document, document.edit([Edit(Span(at, at), content)])
        assert difference(document.tree, Document(document.source).tree) is None
        assert document.tree.problems[0].span.start == before.tree.problems[0].span.start + len(content)


def test_what_stands_outside_functions_is_read_again_where_functions_go() -> None:
    document = Document(OUTSIDE)
    _ = document.tree
    start, end = OUTSIDE.index("  func.func"), OUTSIDE.index("  %b")
    document = document.edit([Edit(Span(start, end), "")])
    assert difference(document.tree, Document(document.source).tree) is None


def random_edits(path: Path, count: int, seed: int) -> None:
    """Compare after each of `count` edits; start over when the text has grown a lot."""
    original = path.read_text(encoding="utf-8", errors="replace")
    document, typist = Document(original), Typist(seed)
    for number in range(count):
        edits = typist.next(document.source)
        wanted = applied(document.source, edits)
        document = document.edit(edits)
        assert document.source == wanted
        fresh = Document(wanted)
        assert [piece.text for piece in document.pieces] == [piece.text for piece in fresh.pieces], (path, number)
        where = difference(document.tree, fresh.tree)
        assert where is None, (path, number, where)
        if len(wanted) > 2 * len(original) + 1000:
            document, typist.undo = Document(original), []


def test_what_was_looked_at_far_behind_counts_after_nearer_looks() -> None:
    head = "func.func private @h()\n  }\n  memref.dealloc %a : memref<4xf32>\n"
    function = "  func.func @f(%a: memref<4xf32>) {\n }\n// -----\n  return\n  memref.dealloc %a : memref<4xf32>\n"
    document = Document(f'{head}{function}"u.x"() : () -> ()\n%q = "u.x"() : () -> (i32)\n}} {{\n')
    after = document.edit([Edit(Span(27, 63), ""), Edit(Span(102, 111), "")])
    assert difference(after.tree, Document(after.source).tree) is None
    assert [piece.text for piece in after.pieces] == [piece.text for piece in Document(after.source).pieces]


FILES = [
    "cases/mixed/0003.mlir",
    "cases/leaky/0027.mlir",
    "corpus/llvm22/mlir/test/Dialect/SCF/for-loop-canonicalization.mlir",
    "corpus/llvm22/mlir/test/IR/test-clone.mlir",
    "corpus/llvm22/mlir/test/Dialect/GPU/outlining.mlir",
    "corpus/llvm22/mlir/test/Transforms/inlining.mlir",
    "corpus/llvm22/mlir/test/Dialect/Linalg/hoisting.mlir",
    "corpus/llvm22/mlir/test/Dialect/Async/async-runtime-ref-counting.mlir",
    "corpus/llvm22/mlir/test/IR/print-ir-nesting.mlir",
    "cases/placement/t09_nested_if.mlir",
]


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_random_edits(shared: Path, name: str) -> None:
    path = shared / name
    if not path.exists():
        pytest.skip(f"no {name} in the shared material")
    random_edits(path, 40, seed=FILES.index(name))


def test_insertions_in_one_place_stay_in_their_order() -> None:
    edits = [Edit(Span(3, 3), "1"), Edit(Span(3, 3), "2"), Edit(Span(5, 6), "")]
    assert Document("abcdef").edit(edits).source == "abc12de"


@pytest.mark.parametrize(
    ("source", "at", "new"),
    [
        # Where a statement ends, what stands far behind the place on the next line decides.
        ("%a = arith.constant 1 :\nmodule {func.func @f() {\n}\n}\n", "{func", "}"),
        ("%a = arith.constant 1 :\nmodule {func.func @f() {\n}\n}\n", "func", "x"),
        # A piece begins where the edit ends.
        ("func.func @f() {\n}\nfunc.func @g() {\n}\n", "func.func @g", "\n"),
        ("func.func @f() {\n}\nfunc.func @g() {\n}\n", "func.func @f", "%a\n"),
        ("func.func @f() {\n}\nfunc.func @g() {\n}\n", "func.func @f", "module {\n"),
    ],
)
def test_what_is_cut_anew_is_cut_as_from_scratch(source: str, at: str, new: str) -> None:
    for further in range(len(at) + 1):
        place = source.index(at) + further
        edited = Document(source).edit([Edit(Span(place, place), new)])
        assert [piece.text for piece in edited.pieces] == [piece.text for piece in Document(edited.source).pieces]


def test_what_follows_an_edit_at_its_start_stays() -> None:
    source = "func.func @f() {\n}\nfunc.func @g() {\n}\n"
    document = Document(source)
    edited = document.edit([Edit(Span(place := source.index("func.func @g"), place), "// a comment\n")])
    assert edited.pieces[-1] is document.pieces[-1]
