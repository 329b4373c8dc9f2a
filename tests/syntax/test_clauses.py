"""Custom forms that go on over lines, say things in braces, or leave a dialect's name out; where sections begin."""

from __future__ import annotations

import pytest

from memlane.syntax import parse
from memlane.syntax.tree.tree import Tree


def inside(body: str) -> str:
    """A function with this body."""
    return f"func.func @f(%a: index, %b: index, %t: i32) {{\n{body}\n  return\n}}\n"


def read(source: str) -> Tree:
    """The tree of a text without problems."""
    tree = parse(source)
    assert not tree.problems, tree.problems
    return tree


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("  x.run {n = 1}\n      ins(%a : index)\n  more(%b, %t : index, i32)", id="word and parenthesis"),
        pytest.param("  %0 = x.fold(%a, %b)\n  sides = [f, 0]x[i, 0]->[0, f] : index", id="word and value"),
        pytest.param("  %0 = x.match in %a\n  @one -> @two\n  : (index) -> index", id="symbols"),
        pytest.param("  x.gather {\n    %a::%b[%b] : i32,\n    %b[%a] : i32\n  } into %b : i32", id="parts in braces"),
        pytest.param("  x.pack\n    slices({\n      [0, 4] = %a\n    }) : index", id="braces in a parenthesis"),
        pytest.param("  %0 = x.sum {k = #x<a>}\n  %a, %b {n = 1} : index, index", id="operands, then attributes"),
        pytest.param(
            "  x.br %t {\n    default: ^one(%t : i32),\n    0: ^two\n  }\n^one(%u: i32):\n  x.end\n^two:", id="cases"
        ),
        pytest.param('  "x.y"(%a)\n    <{\n    n = 1: i32}\n    > : (index) -> ()', id="properties over lines"),
        pytest.param('  "x.y"(%a) < {n} > : (index) -> ()', id="properties with space"),
        pytest.param('  "x.y"(%a) <  // more\n  {n = 1 : i32}\n  > : (index) -> ()', id="properties on their own line"),
        pytest.param('  "x.y"(%a) {at = loc("f":1:2), by = loc(callsite("g" at "h"))} : (index) -> ()', id="locations"),
        pytest.param("  acc.loop gang(num=%t: i32) vector(%t: i32) {\n  }", id="clauses named like types"),
        pytest.param("  %0 = stream.fill %a : index -> %later as index\n  %later = x.get", id="tied result"),
        pytest.param(
            "  x.each {\n    for %i in (%a to %b, step %a) : t<i32> {\n      go_on %i : t<i32>\n    }\n  }",
            id="in its dialect",
        ),
        pytest.param("  %0 = spirv.CL.erfc %a : f32\n  wasmssa.global_set @x to %t : i32", id="newer operations"),
        pytest.param("  omp.ordered_region {\n    omp.terminator\n  }", id="older operations"),
    ],
)
def test_nothing_is_told(body: str) -> None:
    read(inside(body))


def test_functions_without_bodies_name_their_own_arguments() -> None:
    read("util.func private @f(%a: i32, %b: tensor<4xf32>) -> (%b, %b as tensor<?xf32>)\n")
    read("x.func private @f(%a[%b for %c]: !x.t, %d: i32) -> %a\n")


def test_results_of_functions_are_tied_to_their_arguments() -> None:
    read("util.func public @f(%a: tensor<4xf32>) -> %a {\n  util.return %a : tensor<4xf32>\n}\n")
    read("util.func @f(%a: i32, %b: i32) -> (i32, %b) {\n  util.return %a, %b : i32, i32\n}\n")


def test_names_may_come_later_in_a_function_that_nothing_describes() -> None:
    """Its region may be a graph, as that of `handshake.func` is; one of `func.func` is none."""
    body = "(%i: index) {\n  %a = x.fork %b : index\n  %b = x.join %a, %i : index\n  x.return\n}\n"
    read(f"handshake.func @f{body}")
    assert [problem.rule for problem in parse(f"func.func @f{body}").problems] == ["undefined-value"]


@pytest.mark.parametrize("between", ["", " ", "\n    ", "  // more\n"])
def test_properties_are_attributes_whatever_stands_between_their_brackets(between: str) -> None:
    ops = list(read(inside(f'  "x.y"(%a) <{between}{{n = 1 : i32}}{between}> {{m}} : (index) -> ()')).walk())
    assert [sorted(op.attributes) for op in ops if op.name == "x.y"] == [["m", "n"]]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("x.func %a, %b : index, index", id="no symbol"),
        pytest.param("x.func(%a, %b) : (index, index) -> ()", id="a parenthesis without a symbol"),
        pytest.param("x.func @f(%a, %b) : (index, index) -> ()", id="a call"),
        pytest.param("%0 = x.func @f(%a : index) -> %b : index", id="with a result"),
        pytest.param("x.fun @f, %a -> %b as index", id="behind an arrow"),
        pytest.param("stream.execute with(%a as %x: index, %b as %y: index) -> index {\n  }", id="named inside"),
    ],
)
def test_operands_of_what_resembles_a_function(body: str) -> None:
    (op,) = (op for op in read(inside(f"  {body}")).walk() if op.name.startswith(("x.", "stream.")))
    assert {use.name for use in op.operands} >= {"%b"}
    assert op.name == "x.func" or {use.name for use in op.operands} == {"%a", "%b"}


def test_types_of_the_default_dialect() -> None:
    read("x.module @m {\n  go$func @f(%a: !x.t) {\n    return %a, %a : t<i32>, token\n  }\n}\n")
    (problem,) = parse(inside("  x.user %a").replace("  return", "  return %t : f3")).problems
    assert problem.message == "expected a type"


def test_what_types_hold() -> None:
    inner = "tensor<?xf32, {bound = [4]}>", "vector<2x[4x4]xi8>", "memref<4xf32, strided<[0x2], offset: 0x1>>"
    read(f"func.func private @f({', '.join(inner)})\n")


def test_cases_in_braces_are_successors() -> None:
    tree = read(inside("  x.br %t { default: ^one(%t : i32) }\n^one(%u: i32):"))
    op = next(op for op in tree.walk() if op.name == "x.br")
    assert [(one.name, [use.name for use in one.operands]) for one in op.successors] == [("^one", ["%t"])]
    assert not op.regions


DECLARED = "  func.func private @{}()\n"


@pytest.mark.parametrize("marker", ["// -----\n", "  // -----\n"])
def test_a_separator_in_a_module_that_is_closed_behind_it_is_a_comment(marker: str) -> None:
    module = f"module {{\n{DECLARED.format('f')}{marker}{DECLARED.format('g')}{marker}}}\n"
    tree = read(f"{module}// -----\n{module}")
    assert [chunk.title for chunk in tree.chunks] == ["", "// -----"]
    assert sum(op.name == "func.func" for op in tree.walk()) == 4


@pytest.mark.parametrize(
    "source",
    [
        "module {\n// -----\nfunc.func @f() {\n  return\n}\n",
        "module {\n// -----\nmodule {\n}\n",
        "module {\n// -----\nmodule {\n}\n}\n}\n",
    ],
)
def test_a_separator_behind_a_module_that_nothing_closes_is_one(source: str) -> None:
    assert len(parse(source).chunks) == 2
    assert parse(source).problems


def test_a_separator_becomes_a_comment_as_a_brace_is_typed() -> None:
    from memlane.findings import Edit, Span
    from memlane.syntax import Document
    from memlane.syntax.tree.equal import difference

    document = Document(f"module {{\n{DECLARED.format('f')}// -----\n{DECLARED.format('g')}")
    assert len(document.tree.chunks) == 2
    edited = document.edit([Edit(Span(document.size, document.size), "}\n")])
    assert len(edited.tree.chunks) == 1
    assert difference(edited.tree, Document(edited.source).tree) is None
