"""What is reported, where, and what was probably meant."""

from __future__ import annotations

import pytest

from memlane.config import Config
from memlane.findings import Span
from memlane.fixes import fix_all
from memlane.ide.fixes import repairs
from memlane.ide.snapshot import File
from memlane.syntax import parse

Found = list[tuple[str, str, "str | None"]]


def found(source: str) -> Found:
    """Rule, text of the span and suggestion of each problem."""
    return [
        (problem.rule, source[problem.span.start : problem.span.end], problem.suggestion)
        for problem in parse(source).problems
    ]


def function(body: str) -> str:
    """A function with this body."""
    return f"func.func @f(%arg: memref<4xf32>, %c: i1) {{\n{body}\n  return\n}}\n"


def test_undefined_name() -> None:
    assert found(function("  memref.dealloc %agr : memref<4xf32>")) == [("undefined-value", "%agr", "%arg")]


def test_redefinition() -> None:
    source = function("  %a = arith.constant 1 : i32\n  %a = arith.constant 2 : i32")
    assert found(source) == [("redefined-value", "%a", None)]
    (problem,) = parse(source).problems
    assert problem.notes[0][1].start == source.index("%a =")


def test_regions_are_scopes() -> None:
    body = "  scf.if %c {\n    %a = arith.constant 1 : i32\n  }\n  scf.if %c {\n    %a = arith.constant 1 : i32\n  }\n"
    assert found(function(body)) == []
    assert found(function(body + '  "x.y"(%a) : (i32) -> ()')) == [("undefined-value", "%a", None)]


def test_functions_are_isolated() -> None:
    source = "%0 = arith.constant 1 : i32\nfunc.func @f() -> i32 {\n  return %0 : i32\n}\n"
    assert found(source) == [("undefined-value", "%0", None)]


def test_regions_of_other_operations_see_what_is_outside() -> None:
    source = """\
func.func @f(%a: i1) {
  %0 = "test.one_region_with_recursive_memory_effects"() ({
    "test.use"(%a) : (i1) -> ()
  }) : () -> i32
  return
}
"""
    assert found(source) == []


def test_use_before_definition() -> None:
    body = '  "x.y"(%a) : (i32) -> ()\n  %a = arith.constant 1 : i32'
    assert found(function(body)) == [("undefined-value", "%a", None)]


def test_graph_regions_have_no_order() -> None:
    assert found('module {\n  "x.y"(%a) : (i32) -> ()\n  %a = "x.z"() : () -> i32\n}\n') == []


def test_blocks_need_not_stand_in_order() -> None:
    source = (
        "func.func @f() -> i32 {\n  cf.br ^b\n^a:\n  return %x : i32\n"
        "^b:\n  %x = arith.constant 1 : i32\n  cf.br ^a\n}\n"
    )
    assert found(source) == []


def test_dominance() -> None:
    source = (
        "func.func @f(%c: i1) -> i32 {\n  cf.cond_br %c, ^a, ^b\n^a:\n  %x = arith.constant 1 : i32\n  cf.br ^b\n"
        "^b:\n  return %x : i32\n}\n"
    )
    assert found(source) == [("undefined-value", "%x", None)]


def test_unknown_block() -> None:
    source = "func.func @f() {\n  cf.br ^bb1\n^bb2:\n  return\n}\n"
    assert found(source) == [("undefined-block", "^bb1", "^bb2")]


def test_too_few_results() -> None:
    source = function('  %p:2 = "x.y"() : () -> (i32, i32)\n  "x.z"(%p#2) : (i32) -> ()')
    assert found(source) == [("undefined-value", "%p#2", None)]


def test_unknown_symbol() -> None:
    source = "func.func private @callee()\n" + function("  call @calle() : () -> ()")
    assert found(source) == [("undefined-symbol", "calle", "callee")]


@pytest.mark.parametrize(
    ("line", "span", "suggestion"),
    [
        ("memref.dealoc %arg : memref<4xf32>", "memref.dealoc", "memref.dealloc"),
        ("mmref.dealloc %arg : memref<4xf32>", "mmref.dealloc", "memref.dealloc"),
        ("memrefdealloc %arg : memref<4xf32>", "memrefdealloc", "memref.dealloc"),
        ("memref.dealloc %arg  memref<4xf32>", "memref<4xf32>", None),
        ("memref.dealloc %arg : memrf<4xf32>", "memrf<4xf32>", None),
        ("memref.dealloc %arg : memref<4yf32>", "4yf32", None),
        ("memref.dealloc %arg : inde", "inde", None),
        ("memref.dealloc %arg :", ":", None),
        ("linalg.fill inz(%c : i1) outs(%arg : memref<4xf32>)", "inz", "ins"),
        ("memref.copy %arg, , %arg : memref<4xf32> to memref<4xf32>", ",", None),
        ("memref.dealloc (%arg : memref<4xf32>", "(", None),
    ],
)
def test_mistakes_in_a_statement(line: str, span: str, suggestion: str | None) -> None:
    problems = found(function("  " + line))
    assert ("syntax", span, suggestion) in problems, problems


def test_each_damaged_statement_is_reported() -> None:
    body = "  memref.dealloc (%arg : memref<4xf32>\n  %x = arith.constant 1 : i32\n  memref.dealoc %arg : memref<4xf32>"
    source = function(body)
    assert [problem.rule for problem in parse(source).problems] == ["syntax", "syntax"]
    assert "arith.constant" in [op.name for op in parse(source).walk()]


def test_repairs_reach_fixes_and_code_actions() -> None:
    source = "func.func @f(%a: memref<4xf32>) → memref<4xf32> {\n  return %aa : memref<4xf32>\n}\n"
    assert fix_all(source) == source.replace("→", "->")
    assert fix_all(source, unsafe=True) == source.replace("→", "->").replace("%aa", "%a")
    file = File("file:///a.mlir", 1, (source,), Config())
    assert [one.fix.message for one in repairs(file, Span(0, len(source)))] == [
        "Replace typographic characters",
        "Change to '%a'",
    ]


def test_a_symbol_is_repaired_where_it_is_an_attribute() -> None:
    source = "func.func private @callee()\n" + function('  "func.call"() {callee = @calle} : () -> ()')
    assert found(source) == [("undefined-symbol", "calle", "callee")]


def test_characters_that_no_name_has_are_one_problem() -> None:
    source = function("  %größe = memref.dim %arg, %c : memref<4xf32>\n  %b→ = ö")
    problems = [(problem.message, source[slice(*problem.span)]) for problem in parse(source).problems]
    assert ("unexpected characters 'öß'", "öß") in problems
    assert ("unexpected character 'ö'", "ö") in problems


@pytest.mark.parametrize("eol", ["\n", "\r\n", "  \r\n", "  // why\r\n"])
def test_what_is_put_behind_a_statement_that_is_not_closed_has_a_line_of_its_own(eol: str) -> None:
    body = "  %m = memref.alloc() : memref<4xf32>\n  memref.store %c, %m["
    source = f"func.func @f(%c: f32) {{\n{body}\n}}\n".replace("\n", eol)
    fixed = fix_all(source, Config(), unsafe=True)
    assert f"%m[{eol}  memref.dealloc %m : memref<4xf32>" in fixed
