"""Each operation of LLVM's dialects whose regions take or give buffers says how they are tied to what is outside.

The list is made from ODS; an operation that is new there fails this until it is described.
"""

from __future__ import annotations

import shutil

import pytest

from memlane.dialects import builtin_models
from memlane.dialects.declared import Declared
from memlane.dialects.model import OpModel
from memlane.dialects.ods import operations
from memlane.dialects.regenerate import INCLUDES, TBLGEN, dumps

PRIVATE = (
    "arguments are copies, or views on a device, that belong to the op; the op itself counts as a use of its operands"
)
SCALARS = "arguments and results are elements, numbers or flags"
OWN_MEMORY = "arguments are numbers, or memory that belongs to the op and that nobody frees"

WHY_NOT = {
    "acc": PRIVATE,
    "omp": PRIVATE,
    "irdl": "no buffers",
    "pdl": "no buffers",
    "pdl_interp": "no buffers",
    "smt": "no buffers",
    "transform": "no buffers",
    "wasmssa": SCALARS,
    "gpu.all_reduce": SCALARS,
    "gpu.launch": OWN_MEMORY,
    "linalg": "arguments are elements; results are views of the destinations",
    "memref.generic_atomic_rmw": SCALARS,
    "sparse_tensor.binary": SCALARS,
    "sparse_tensor.reduce": SCALARS,
    "sparse_tensor.select": SCALARS,
    "sparse_tensor.unary": SCALARS,
    "spirv.SpecConstantOperation": SCALARS,
    "tensor.generate": SCALARS,
    "tensor.pad": SCALARS,
    "affine.parallel": "arguments count; what is reduced are numbers",
    "emitc.do": "no arguments, no results",
    "emitc.for": "the argument counts, no results",
    "scf.forall.in_parallel": "no arguments, no results",
}
"""Operations, or all of a dialect, that need no ties, each with the reason."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which(TBLGEN) is None or not INCLUDES[0].is_dir(), reason="the ODS files of LLVM 22 are not installed"
    ),
]


def _may_be_tied(op: Declared) -> bool:
    """Whether operands or results may be more than numbers, and control goes from the op into its regions."""
    return bool(op.regions and (op.operands or op.results))


def _is_tied(op: Declared, model: OpModel) -> bool:
    """Whether an edge into the regions passes operands on, and one out of them gives the results."""
    if model.accumulates or model.function is not None or model.symbol_table:
        return True
    edges = model.regions or ()
    inwards = any(edge.source is None and edge.forwards is not None for edge in edges) or model.carries is not None
    outwards = any(edge.target is None and edge.source is not None and edge.forwards is not None for edge in edges)
    outwards = outwards or bool(model.view) or model.carries is not None
    buffers = any(one.buffer for one in op.operands)
    return (inwards or not buffers or "NoRegionArguments" in op.traits) and (outwards or not op.results)


@pytest.fixture(scope="module")
def declared() -> list[Declared]:
    """All operations of LLVM."""
    return [op for dump in dumps() for op in operations(dump)]


def test_how_regions_are_tied(declared: list[Declared]) -> None:
    models = builtin_models()
    untied: list[str] = []
    for op in declared:
        model = models.of(op.name)
        named = op.name in WHY_NOT or op.name.partition(".")[0] in WHY_NOT
        if _may_be_tied(op) and not named and (model is None or not _is_tied(op, model)):
            untied.append(op.name)
    assert sorted(set(untied)) == []


def test_reasons_are_needed(declared: list[Declared]) -> None:
    names = {op.name for op in declared if op.regions}
    dialects = {name.partition(".")[0] for name in names}
    assert {name for name in WHY_NOT if name not in names and name not in dialects} == set()
