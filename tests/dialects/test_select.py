"""Selectors on parsed operations: the same operands in custom and in generic form."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memlane.dialects import builtin_models, read_uses, select, successor_uses
from memlane.dialects.model import OpModel, Selector
from memlane.syntax import parse
from memlane.syntax.tree.tree import Op, Use

HEAD = "func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>, %p: i1, %q: i1, %i: index, %n: i32) {\n"


def read(statement: str, head: str = HEAD) -> tuple[Op, OpModel]:
    """The first op of the body, and its model."""
    tree = parse(f"{head}  {statement}\n  return\n}}\n")
    op = tree.chunks[0].ops[0].regions[0].blocks[0].ops[0]
    model = builtin_models().of(op.name)
    assert model is not None, op.name
    return op, model


def names(uses: Sequence[Use]) -> list[str]:
    return [use.name for use in uses]


def all_of(op: Op, model: OpModel, selectors: Sequence[Selector]) -> list[str]:
    return [name for one in selectors for name in names(select(op, one, model))]


@pytest.mark.parametrize(
    ("statement", "freed", "conditions", "retained"),
    [
        (
            "bufferization.dealloc (%a, %b : memref<4xf32>, memref<4xf32>) if (%p, %q) retain (%c : memref<4xf32>)",
            ["%a", "%b"],
            ["%p", "%q"],
            ["%c"],
        ),
        ("bufferization.dealloc (%a : memref<4xf32>) if (%p)", ["%a"], ["%p"], []),
        ("bufferization.dealloc retain (%a : memref<4xf32>)", [], [], ["%a"]),
        (
            '%0 = "bufferization.dealloc"(%a, %b, %p, %q, %c) <{operandSegmentSizes = array<i32: 2, 2, 1>}> : '
            "(memref<4xf32>, memref<4xf32>, i1, i1, memref<4xf32>) -> i1",
            ["%a", "%b"],
            ["%p", "%q"],
            ["%c"],
        ),
        (
            '"bufferization.dealloc"(%a, %p) {operand_segment_sizes = dense<[1, 1, 0]> : vector<3xi32>} : '
            "(memref<4xf32>, i1) -> ()",
            ["%a"],
            ["%p"],
            [],
        ),
    ],
)
def test_dealloc(statement: str, freed: list[str], conditions: list[str], retained: list[str]) -> None:
    op, model = read(statement)
    free = model.free[0]
    assert free.conditions is not None
    assert free.retained is not None
    assert names(select(op, free.operands, model)) == freed
    assert names(select(op, free.conditions, model)) == conditions
    assert names(select(op, free.retained, model)) == retained


@pytest.mark.parametrize(
    ("statement", "reads", "writes"),
    [
        ("memref.store %x, %a[%i] : memref<4xf32>", [], ["%a"]),
        ('"memref.store"(%x, %a, %i) : (f32, memref<4xf32>, index) -> ()', [], ["%a"]),
        ("memref.copy %a, %b : memref<4xf32> to memref<4xf32>", ["%a"], ["%b"]),
        ("linalg.add ins(%a, %b : memref<4xf32>, memref<4xf32>) outs(%c : memref<4xf32>)", ["%a", "%b"], ["%c"]),
        (
            '"linalg.dot"(%a, %b, %c) <{operandSegmentSizes = array<i32: 2, 1>}> ({}) : '
            "(memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()",
            ["%a", "%b", "%c"],
            ["%c"],
        ),
        (
            "vector.transfer_write %x, %a[%i] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>",
            [],
            ["%a"],
        ),
        ("gpu.memcpy %a, %b : memref<4xf32>, memref<4xf32>", ["%b"], ["%a"]),
        ("%t = gpu.memcpy async [%dep] %a, %b : memref<4xf32>, memref<4xf32>", ["%b"], ["%a"]),
        (
            "memref.dma_start %a[%i], %b[%i], %i, %c[%i] : memref<4xf32>, memref<4xf32>, memref<4xf32>",
            ["%a"],
            ["%b"],
        ),
    ],
)
def test_reads_and_writes(statement: str, reads: list[str], writes: list[str]) -> None:
    op, model = read(statement)
    assert names(read_uses(op, model)) == reads
    assert all_of(op, model, model.write) == writes


@pytest.mark.parametrize(("body", "reads"), [("%x", ["%a"]), ("%y", ["%b"]), ("%z", [])])
def test_a_generic_op_reads_what_its_body_uses(body: str, reads: list[str]) -> None:
    op, model = read(
        "linalg.generic {indexing_maps = [], iterator_types = []} ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {\n"
        f"  ^bb0(%x: f32, %y: f32):\n    linalg.yield {body} : f32\n  }}"
    )
    assert names(read_uses(op, model)) == reads


def test_completion() -> None:
    op, model = read("%t = gpu.memcpy async [%d, %e] %a, %b : memref<4xf32>, memref<4xf32>")
    assert all_of(op, model, model.wait) == ["%d", "%e"]
    op, model = read("memref.dma_start %a[%i], %b[%i], %i, %c[%i] : memref<4xf32>, memref<4xf32>, memref<4xf32>")
    assert model.tag is not None
    assert all_of(op, model, [model.tag]) == ["%c"]


BLOCKS = "^one(%x: memref<4xf32>):\n  return\n^two(%y: memref<4xf32>):\n  return\n^three:\n"
TYPES = "memref<4xf32>, memref<4xf32>"


@pytest.mark.parametrize(
    "statement",
    [
        "cf.cond_br %p, ^one(%a : memref<4xf32>), ^two(%b : memref<4xf32>)",
        '"cf.cond_br"(%p, %a, %b)[^one, ^two] <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (i1, '
        + TYPES
        + ") -> ()",
        "cf.switch %n : i32, [default: ^one(%a : memref<4xf32>), 42: ^two(%b : memref<4xf32>)]",
        '"cf.switch"(%n, %a, %b)[^one, ^two] <{case_operand_segments = array<i32: 1>, '
        "case_values = dense<42> : tensor<1xi32>, operandSegmentSizes = array<i32: 1, 1, 1>}> : (i32, "
        + TYPES
        + ") -> ()",
    ],
)
def test_what_successors_receive(statement: str) -> None:
    op, model = read(f"{statement}\n{BLOCKS}")
    assert [names(uses) for uses in successor_uses(op, model)] == [["%a"], ["%b"]]


@pytest.mark.parametrize(
    ("cases", "received"),
    [
        ("array<i32: 1, 1>", [["%a"], ["%b"], ["%c"]]),
        ("dense<1> : vector<2xi32>", [["%a"], ["%b"], ["%c"]]),
        (f"dense<1> : vector<{10**30}xi32>", [["%a"], ["%b"], ["%c"]]),
        ("dense<1> : vector<1xi32>", [["%a"], ["%b"], []]),  # of one nothing is said
        ("array<i32: 1, 1, 1, 1>", [["%a"], ["%b"], ["%c"]]),
        ("array<i32: 0, 2>", [["%a"], [], ["%b", "%c"]]),
    ],
)
def test_what_the_cases_of_a_switch_receive(cases: str, received: list[list[str]]) -> None:
    statement = (
        f'"cf.switch"(%n, %a, %b, %c)[^one, ^two, ^two] <{{case_operand_segments = {cases}, case_values = '
        f"dense<42> : tensor<2xi32>, operandSegmentSizes = array<i32: 1, 1, 2>}}> : (i32, {TYPES}, memref<4xf32>) -> ()"
    )
    op, model = read(f"{statement}\n{BLOCKS}")
    assert [names(uses) for uses in successor_uses(op, model)] == received


@pytest.mark.parametrize(
    ("sizes", "freed"),
    [
        ("dense<1> : vector<3xi32>", ["%a"]),
        ("array<i32: 1, 1, 1>", ["%a"]),
        ("dense<[1, 1, 1]> : vector<3xi32>", ["%a"]),
        ("dense<1> : vector<4xi32>", ["%a", "%p", "%c"]),  # as where there are none: of another number of groups
        ("dense<0> : vector<4xi32>", ["%a", "%p", "%c"]),
        (f"dense<1> : vector<{10**30}xi32>", ["%a", "%p", "%c"]),
        (f"dense<{10**30}> : vector<3xi32>", ["%a", "%p", "%c"]),
    ],
)
def test_sizes_of_groups_that_are_all_the_same(sizes: str, freed: list[str]) -> None:
    types = "(memref<4xf32>, i1, memref<4xf32>)"
    op, model = read(f'%0 = "bufferization.dealloc"(%a, %p, %c) <{{operandSegmentSizes = {sizes}}}> : {types} -> i1')
    assert names(select(op, model.free[0].operands, model)) == freed
