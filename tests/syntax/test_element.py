"""The types of elements and of members."""

from __future__ import annotations

import pytest

from memlane.dialects import builtin_models
from memlane.syntax import parse
from memlane.syntax.shapes.element import element_type

DESCRIPTOR = "!llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>"


@pytest.mark.parametrize(
    ("written", "type_"),
    [
        ("memref<4x?xf32, #map>", "f32"),
        ("tensor<*xf32>", "f32"),
        ("vector<[4]xf32>", "f32"),
        ("memref<4xmemref<3xf32, 1>>", "memref<3xf32, 1>"),
        ("memref<2x!llvm.struct<(i32, i64)>>", "!llvm.struct<(i32, i64)>"),
        ("f32", None),
        (f"[0] : {DESCRIPTOR}", "!llvm.ptr"),
        (f"[2] : {DESCRIPTOR}", "i64"),
        (f"[3, 0] : {DESCRIPTOR}", "i64"),
        (f"[5] : {DESCRIPTOR}", None),
        ('[1, 1] : !llvm.struct<(i8, struct<"a, b", packed (i8, ptr<3>)>)>', "!llvm.ptr<3>"),
        ("[1] : !llvm.struct<(func<void (i32, ptr)>, array<2 x vector<4xf32>>)>", "!llvm.array<2 x vector<4xf32>>"),
        ("[1, 2] : !llvm.array<3 x array<4 x f32>>", "f32"),
        ("[0] : !alias", None),
        ("[0] : !llvm.struct<()>", None),
        ("[0]", None),
    ],
)
def test_type_inside(written: str, type_: str | None) -> None:
    assert element_type(written) == type_


def test_what_is_taken_out_of_an_aggregate_has_the_type_of_the_member() -> None:
    source = f"""\
llvm.func @f(%s: {DESCRIPTOR}, %i: i64) {{
  %p = llvm.extractvalue %s[0] : {DESCRIPTOR}
  %n = llvm.extractvalue %s[3, 0] : {DESCRIPTOR}
  %less = llvm.icmp "slt" %n, %i : i64
  %q = "llvm.extractvalue"(%s) <{{position = array<i64: 1>}}> : ({DESCRIPTOR}) -> !llvm.ptr
}}
"""
    (function,) = parse(source, builtin_models()).chunks[0].ops
    types = {value.name: value.type for op in function.walk() for value in op.results}
    assert types == {"%p": "!llvm.ptr", "%n": "i64", "%less": "i1", "%q": "!llvm.ptr"}
