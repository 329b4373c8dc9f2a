"""Where lines end says little: several operations, blocks and functions on one line, one operation on several."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import pytest
from relaid import on_fewer_lines, on_one_line
from syntax_compare import differences
from syntax_oracle import MLIR_OPT, chunks, run

from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.ide.snapshot import File
from memlane.syntax import Document, parse
from memlane.syntax.lines.memo import Memo
from memlane.syntax.tree.equal import difference


def names(source: str) -> list[str]:
    """The operations of a text without problems."""
    tree = parse(source)
    assert not tree.problems, tree.problems
    return [op.name for op in tree.walk()]


def symbols(source: str) -> list[str | None]:
    """The functions of a text, as those who analyse them see them."""
    document = Document(source)
    assert not document.tree.problems, document.tree.problems
    return [piece.symbol for piece in document.pieces if piece.sort.value == "function"]


def test_functions_side_by_side() -> None:
    source = (
        "module { func.func @a() { return } func.func private @b() func.func @c() { call @a() : () -> () return } }\n"
    )
    assert symbols(source) == ["a", "c"]
    assert names(source)[1:] == ["func.func", "func.return", "func.func", "func.func", "func.call", "func.return"]
    assert symbols("func.func @a() {\n  return } func.func @b() { return\n} func.func @c() {\n  return\n}\n") == [
        *"abc"
    ]
    assert symbols("func.func @a() { return } // func.func @b() {\nfunc.func @c() { return }\n") == ["a", "c"]


def test_other_statements_behind_a_function() -> None:
    source = (
        'func.func @a() {\n  return\n} #map = affine_map<(d0) -> (d0)> "x.y"() {m = #map} : () -> () func.func @b() {\n'
    )
    assert symbols(f"{source}  return\n}}\n") == ["a", "b"]
    assert names("module { func.func @a() {\n    return\n  } }\n") == ["builtin.module", "func.func", "func.return"]


def test_functions_in_functions_on_one_line() -> None:
    source = "func.func @a() { module { func.func @b() { return } } return } func.func @c() { return }\n"
    assert symbols(source) == ["a", "c"]
    inner = ["func.func", "func.return"]
    assert names(source) == ["func.func", "builtin.module", *inner, "func.return", *inner]


def test_generic_functions_on_one_line() -> None:
    one = '"func.func"() <{function_type = () -> (), sym_name = "a"}> ({ "func.return"() : () -> () }) : () -> () '
    two = '"func.func"() ({ "func.return"() : () -> () }) {function_type = () -> (), sym_name = "b"} : () -> () '
    assert symbols(one + two + one.replace('"a"', '"c"') + "\n") == ["a", "b", "c"]
    assert symbols(f'"builtin.module"() ({{ {one}{two} }}) : () -> ()\n') == ["a", "b"]


def test_a_name_in_a_string_is_no_function() -> None:
    source = 'func.func @a(%p: !transform.any_op) {\n  %0 = transform.structured.match ops{["func.func"]} in %p '
    source += ": (!transform.any_op) -> !transform.any_op\n  return\n}\n"
    assert symbols(source) == ["a"] and names(source)[1] == "transform.structured.match"


def test_blocks_behind_terminators() -> None:
    source = "func.func @f(%c: i1, %n: i32) -> i32 { cf.cond_br %c, ^a, ^b(%n : i32) ^a: %x = arith.constant 1 : i32 "
    source += "cf.br ^b(%x : i32) ^b(%y: i32): cf.switch %n : i32, [ default: ^d, 1: ^c ] ^c: return %y : i32 ^d: "
    source += '"x.y"() [^c, ^d] : () -> () }\n'
    function = next(parse(source).walk())
    assert [block.label for block in function.regions[0].blocks] == [None, "^a", "^b", "^c", "^d"]
    assert names(source)[-1] == "x.y"


def test_blocks_that_are_no_labels() -> None:
    source = "llvm.func @f(%x: i32) -> i32 attributes {personality = @p} {\n"
    source += "  %0 = llvm.invoke @g(%x) to ^a unwind ^b(%x : i32) : (i32) -> i32\n^a:\n  llvm.return %0 : i32\n"
    source += "^b(%y: i32):\n  %1 = llvm.landingpad : i32 llvm.return %1 : i32\n}\n"
    source += "llvm.func @g(i32) -> i32 llvm.func @p()\n"
    assert names(source)[-2:] == ["llvm.func"] * 2


def test_operations_behind_words() -> None:
    source = (
        "func.func @f() -> i1 { %a = arith.constant true gpu.barrier %b = arith.constant false call @g() : () -> () "
    )
    source += (
        'return %b : i1 } func.func private @g() memref.global "private" constant @h : memref<4xf32> = dense<1.0>\n'
    )
    assert names(source)[1:5] == ["arith.constant", "gpu.barrier", "arith.constant", "func.call"]
    assert names(source)[5:] == ["func.return", "func.func", "memref.global"]


def test_a_lone_operation_in_braces() -> None:
    source = "transform.sequence failures(propagate) {\n^bb0(%f: !transform.any_op):\n  transform.apply_patterns to %f "
    source += "{ transform.apply_patterns.linalg.fold_add_into_dest } : !transform.any_op\n}\n"
    assert "transform.apply_patterns.linalg.fold_add_into_dest" in names(source)
    assert names("func.func @f() { affine.for %i = 0 to 7 { } {tag} return }\n")[1] == "affine.for"


def test_results_on_two_lines() -> None:
    source = 'func.func @f() {\n  %a = arith.constant 1 : i32 %b,\n  %c = "x.y"() : () -> (i32, i32)\n  return\n}\n'
    assert names(source)[1:3] == ["arith.constant", "x.y"]


def test_statements_that_go_on_at_the_margin() -> None:
    source = "func.func @f(%m: memref<4xf32>, %i: index, %c: i1) {\n%t = bufferization.to_tensor %m\n"
    source += "restrict : memref<4xf32> to tensor<4xf32>\n"
    source += "%l = affine.linearize_index disjoint [%i, %i]\nby (2, 2) : index\n"
    source += 'vector.print\nstr "a"\nscf.if %c { %a,\n%b = "x.y"() : () -> (i32, i32)\n}\nreturn\n}\n'
    assert names(source)[1:4] == ["bufferization.to_tensor", "affine.linearize_index", "vector.print"]
    assert names(source)[4:] == ["scf.if", "x.y", "func.return"]


def test_a_word_being_typed_is_no_part_of_the_statement_before() -> None:
    source = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  memref\n  return\n}\n"
    (problem,) = parse(source).problems
    assert source[problem.span.start : problem.span.end] == "memref"


def test_findings_of_a_function_on_the_same_line() -> None:
    leaking = "func.func @{}() {{ %a = memref.alloc() : memref<4xf32> return }} "
    file = File("file:///a.mlir", 1, (leaking.format("a") + leaking.format("b") + "\n",), Config())
    assert [one.rule.name for one in file.checked.findings].count("leak") == 2


def relaid(shared: Path, count: int, seed: int) -> Iterable[str]:
    """Chunks of the corpus that mlir-opt accepts, laid out otherwise."""
    chooser = random.Random(seed)
    files = sorted((shared / "corpus" / "llvm22").rglob("*.mlir"))
    for path in chooser.sample(files, count):
        text = chooser.choice([text for _, text in chunks(path.read_text("utf-8"))])
        if text.strip() and run(text) is not None:
            yield on_one_line(text)
            yield on_fewer_lines(text, chooser)


@pytest.mark.slow
@pytest.mark.skipif(MLIR_OPT is None, reason="mlir-opt-22 is not installed (Debian: mlir-22-tools)")
def test_the_corpus_on_other_lines(shared: Path) -> None:
    accepted = 0
    for text in relaid(shared, 60, seed=3):
        found = differences(text)
        assert found is not None and not found.missed and not found.invented, text
        assert not parse(text).problems, text
        accepted += 1
    assert accepted > 60


@pytest.mark.slow
def test_edits_of_long_lines(shared: Path) -> None:
    """Pieces that begin inside a line are cut again as they were cut: an edit gives what reading anew gives."""
    chooser = random.Random(8)
    for path in chooser.sample(sorted((shared / "cases").rglob("*.mlir")), 12):
        source = on_fewer_lines(path.read_text("utf-8"), chooser)
        document = Document(source, memo=Memo())
        for _ in range(40):
            at = chooser.randrange(len(source))
            end = min(len(source), at + chooser.choice((0, 0, 1, 5)))
            content = chooser.choice(("", " ", "}", "{", "\n", "x", "return } func.func @g() {", "(", '"', "%a = "))
            document = document.edit([Edit(Span(at, end), content)])
            source = source[:at] + content + source[end:]
            fresh = Document(source)
            assert [piece.text for piece in document.pieces] == [piece.text for piece in fresh.pieces]
            assert difference(document.tree, fresh.tree) is None
