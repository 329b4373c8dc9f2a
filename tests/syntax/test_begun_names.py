"""What is said of other lines while the name of an operation, or the type before it, is typed."""

from __future__ import annotations

import pytest
from tests.syntax.begun import around, messages

HEAD = "func.func @f(%c: i1, %n: index, %x: f32, %m: memref<?xf32>) {\n"
TAIL = "  memref.copy %m, %m : memref<?xf32> to memref<?xf32>\n  return\n}\n"


@pytest.mark.parametrize("begun", ["%y = memref.alloc(%n) :", "func.call @g() : () ->"])
@pytest.mark.parametrize(
    ("name", "following"),
    [
        ("gpu.barrier", "gpu.barrier"),
        ("scf.reduce", "scf.reduce"),
        ("gpu.barrier", "// soon\n  gpu.barrier"),
        ("x.y", "x.y(%n) : index"),
        ("x.y", "x.y [%n] : index"),
    ],
)
def test_a_type_that_is_missing(begun: str, name: str, following: str) -> None:
    """The operation on the next line is none, whatever it is written like."""
    source = HEAD + f"  {begun}\n  {following}\n  return\n}}\n"
    assert [name for name, _ in around(source)][2:] == [name, "func.return"]
    assert len(messages(source)) == 1  # of the type, or of the symbol


@pytest.mark.parametrize("word", ["memref.", '"x.y"'])
@pytest.mark.parametrize("behind", ["", "    func.call @f(%n) : (index) -> ()\n"])
def test_the_first_name_of_a_loop_as_far_as_its_dot(word: str, behind: str) -> None:
    source = HEAD + f"  scf.for %i = %n to %n step %n {{\n    {word}\n{behind}  }}\n" + TAIL
    assert {*messages(source)} <= {"expected an operation"}
    assert ("memref.copy", "func.func") in around(source)


@pytest.mark.parametrize("results", ["%q =", "%q, %r =", "%q:2 ="])
@pytest.mark.parametrize(
    ("name", "rest"), [('"x.divide"', "(%n, {0}) : (index, index) -> ()"), ("krnl.iterate", "({0})")]
)
def test_results_are_not_those_of_an_operation_that_uses_them(results: str, name: str, rest: str) -> None:
    """However it is written."""
    used = "%q#0" if ":2" in results else "%q"
    source = HEAD + f"  {results}\n  {name}{rest.format(used)}\n" + TAIL
    assert messages(source) == ["expected an operation"]
    assert [op for op, _ in around(source)][2:4] == [name.strip('"'), "memref.copy"]


def test_results_on_a_line_of_their_own() -> None:
    """Where operations stand in no order, one may use what it gives."""
    graph = '"x.graph"() ({\n  %v =\n    "x.op"(%v) : (index) -> index\n}) : () -> ()\n'
    assert messages(graph) == []
