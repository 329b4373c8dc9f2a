"""A model of some layers at the stages of lowering: tensors, buffers, loops, blocks, LLVM."""

from __future__ import annotations

from tests.fixes.execute import transformed

STAGES = ("memref", "scf", "cf", "llvm")
"""The stages with buffers, in the order in which one is made of the other."""

_PASSES = {
    "memref": "builtin.module(one-shot-bufferize{bufferize-function-boundaries=true},buffer-deallocation-pipeline)",
    "scf": "builtin.module(func.func(convert-linalg-to-loops),canonicalize)",
    "cf": "builtin.module(convert-scf-to-cf,canonicalize)",
    "llvm": "builtin.module(expand-strided-metadata,lower-affine,convert-math-to-llvm,finalize-memref-to-llvm,"
    "convert-arith-to-llvm,convert-cf-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts,canonicalize)",
}


def stages(layers: int, width: int = 64) -> dict[str, str]:
    """The model at each of the stages."""
    text, found = _tensors(layers, width), dict[str, str]()
    for name in STAGES:
        text = found[name] = transformed(text, _PASSES[name])
    return found


def _tensors(layers: int, width: int) -> str:
    rows = f"tensor<8x{width}xf32>"
    given = ", ".join(f"%w{layer}: tensor<{width}x{width}xf32>" for layer in range(layers))
    lines = [f"func.func @main(%x: {rows}, {given}) -> {rows} {{", "  %zero = arith.constant 0.0 : f32"]
    before = "%x"
    for layer in range(layers):
        lines += [line.format(n=layer, rows=rows, x=before, square=f"tensor<{width}x{width}xf32>") for line in _LAYER]
        before = f"%r{layer}"
    return "\n".join([*lines, f"  return {before} : {rows}", "}", ""])


_LAYER = (
    "  %e{n} = tensor.empty() : {rows}",
    "  %f{n} = linalg.fill ins(%zero : f32) outs(%e{n} : {rows}) -> {rows}",
    "  %m{n} = linalg.matmul ins({x}, %w{n} : {rows}, {square}) outs(%f{n} : {rows}) -> {rows}",
    "  %g{n} = tensor.empty() : {rows}",
    "  %a{n} = linalg.exp ins(%m{n} : {rows}) outs(%g{n} : {rows}) -> {rows}",
    "  %h{n} = tensor.empty() : {rows}",
    "  %r{n} = linalg.add ins(%a{n}, {x} : {rows}, {rows}) outs(%h{n} : {rows}) -> {rows}",
)
