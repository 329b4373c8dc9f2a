"""Sizes of elements are those of MLIR's lowering to LLVM: what `malloc` is asked for, by `mlir-opt` and `opt` 22."""

from __future__ import annotations

import pytest

from memlane.flow.symbolic.sizes import shape_of

BYTES = {
    1: ("i1", "i3", "f8E4M3FN", "vector<8xi1>", "vector<3xi1>", "vector<4xi1>"),
    2: ("i9", "f16", "bf16", "complex<i1>", "vector<9xi1>"),
    4: ("i17", "f32", "complex<bf16>", "vector<6xi4>", "vector<f32>"),
    6: ("vector<2x3x5xi1>",),
    8: ("i33", "f64", "index", "complex<f32>", "vector<1xf64>", "vector<5xi8>"),
    16: ("i128", "f80", "f128", "complex<f64>", "vector<4xf32>", "vector<3xf32>", "vector<7xi16>", "memref<*xf32>"),
    24: ("memref<f32>",),
    32: ("vector<3xf64>", "vector<2x3xf32>", "vector<4x2xf32>", "vector<3xindex>"),
    40: ("memref<?xf32>",),
    56: ("memref<4x4xf32>",),
}
UNKNOWN = ("complex<complex<f32>>", "vector<[4]xf32>", "vector<4xvector<4xf32>>", "tuple<f32>", "!npu.tile")
"""A scalable vector is as large as the machine's."""


@pytest.mark.parametrize("size", BYTES)
def test_elements(size: int) -> None:
    for element in BYTES[size]:
        assert shape_of(f"memref<3x?x{element}>") == ((3, None), size), element


@pytest.mark.parametrize("element", [*UNKNOWN, "vector<4x", "i", ""])
def test_others_are_not_known(element: str) -> None:
    """Nor are those of a text that breaks off."""
    assert shape_of(f"memref<3x{element}>") is None
