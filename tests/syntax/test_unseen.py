"""Names that mean nothing where they are used, though something of that name is defined elsewhere in the function."""

from __future__ import annotations

import pytest

from memlane.findings import Edit, Span
from memlane.syntax import Document, parse
from memlane.syntax.tree.equal import difference

IN_REGION = """func.func @f(%c: i1) {
  scf.if %c {
    %x = arith.constant 1 : i32
    %y:2 = "x.two"() : () -> (i32, i32)
    %13 = arith.constant 1 : i32
  }
  HERE
  scf.if %c {
    %later = arith.constant 1 : i32
  }
  return
}
"""


def messages(source: str) -> list[tuple[str, list[tuple[str, int]]]]:
    """What is told of a text, with the rows of the places to look at."""
    return [
        (problem.message, [(note, source.count("\n", 0, span.start)) for note, span in problem.notes])
        for problem in parse(source).problems
    ]


@pytest.mark.parametrize(
    ("use", "name", "row", "side"),
    [
        ('"x.use"(%x) : (i32) -> ()', "%x", 2, "above"),
        ("x.use %x : i32", "%x", 2, "above"),
        ('"x.use"(%y#1) : (i32) -> ()', "%y", 3, "above"),
        ("arith.addi %13, %13 : i32", "%13", 4, "above"),
        ("scf.if %c { x.use %x : i32 }", "%x", 2, "above"),
        ('"x.use"(%later) : (i32) -> ()', "%later", 8, "below"),
    ],
)
def test_a_value_of_another_region(use: str, name: str, row: int, side: str) -> None:
    message = f"'{name}' is defined, but in a region {side} that does not contain this use"
    assert set(map(str, messages(IN_REGION.replace("HERE", use)))) == {str((message, [("defined here", row)]))}


def test_a_value_that_no_region_has() -> None:
    assert messages(IN_REGION.replace("HERE", "x.use %none : i32")) == [("'%none' is not defined", [])]


def test_in_generic_form() -> None:
    source = '"func.func"() <{function_type = () -> (), sym_name = "f"}> ({\n  "x.launch"() ({\n  ^bb0(%1: index):\n'
    source += '    %2 = "x.make"() : () -> memref<4xf32>\n  }) : () -> ()\n'
    source += '  "x.free"(%2, %1) : (memref<4xf32>, index) -> ()\n'
    source += '  "func.return"() : () -> ()\n}) : () -> ()\n'
    rows = [(message.partition(",")[0], notes) for message, notes in messages(source)]
    assert rows == [("'%2' is defined", [("defined here", 3)]), ("'%1' is defined", [("defined here", 2)])]


def test_a_value_outside_of_what_sees_none() -> None:
    source = "func.func @f(%m: memref<4xf32>) {\n  gpu.module @k {\n    gpu.func @g() {\n"
    source += "      memref.dealloc %m : memref<4xf32>\n      gpu.return\n    }\n  }\n  return\n}\n"
    message = "'%m' is defined outside of 'gpu.func', whose regions see no values from there"
    assert messages(source) == [(message, [("defined here", 0)])]


def test_of_the_nearest_definition_before() -> None:
    again = "  scf.if %c {\n    %x = arith.constant 2 : i32\n  }\n  HERE"
    source = IN_REGION.replace("  HERE", again).replace("HERE", "x.use %x : i32")
    assert messages(source)[0][1] == [("defined here", 7)]


def test_a_block_of_another_region() -> None:
    source = "func.func @f(%c: i1) {\n  scf.if %c {\n    cf.br ^exit\n  }\n  cf.br ^exit\n^exit:\n  return\n}\n"
    message = "block '^exit' is defined, but in another region, below: no branch leaves its own"
    assert messages(source) == [(message, [("defined here", 5)])]
    inside = "func.func @f() {\n  scf.execute_region {\n    cf.br ^in\n  ^in:\n    scf.yield\n  }\n  cf.br ^in\n}\n"
    assert messages(inside)[0][0].startswith("block '^in' is defined, but in another region, above")
    assert messages(source.replace("cf.br ^exit\n  }", "cf.br ^gone\n  }")) == [
        ("block '^gone' is not defined in this region", [])
    ]


def test_a_definition_on_some_paths_is_shown() -> None:
    source = "func.func @f(%c: i1) {\n  cf.cond_br %c, ^a, ^b\n^a:\n  %x = arith.constant 1 : i32\n  cf.br ^b\n^b:\n"
    source += "  x.use %x : i32\n  return\n}\n"
    assert messages(source) == [("'%x' is not defined on every path to this use", [("defined here", 3)])]


@pytest.mark.parametrize("line", ['"x.use"(%x) : (i32) -> ()', "x.use %later : i32", "%later = x.make : i32"])
def test_as_it_is_typed(line: str) -> None:
    """Letter by letter: as from scratch."""
    source = IN_REGION.replace("HERE", "")
    at = source.index("  \n") + 2
    document = Document(source)
    for number, letter in enumerate(line):
        document = document.edit([Edit(Span(at + number, at + number), letter)])
        assert difference(document.tree, Document(document.source).tree) is None
        assert document.tree.problems == Document(document.source).tree.problems
    for count in range(len(line), 0, -1):
        document = document.edit([Edit(Span(at + count - 1, at + count), "")])
        assert document.tree.problems == Document(document.source).tree.problems
