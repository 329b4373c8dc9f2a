"""Buffers that lowering aligns and a function returns together: each is one, under either address."""

from __future__ import annotations

from functools import partial

import pytest

from memlane.checking import check
from tests.hostile.growth import lines_run


def results(count: int) -> str:
    """A function that makes buffers at aligned addresses and gives all of them, as memrefs are lowered."""
    one = "struct<(ptr, ptr, i64)>"
    whole = f"!llvm.struct<({', '.join([one] * count)})>"
    lines = ["%c1 = llvm.mlir.constant(1 : index) : i64", "%c64 = llvm.mlir.constant(64 : index) : i64"]
    lines += ["%c0 = llvm.mlir.constant(0 : index) : i64", "%most = llvm.sub %c64, %c1 : i64"]
    for n in range(count):
        lines += [
            f"%a{n} = llvm.call @malloc(%n) : (i64) -> !llvm.ptr",
            f"%b{n} = llvm.ptrtoint %a{n} : !llvm.ptr to i64",
            f"%s{n} = llvm.add %b{n}, %most : i64",
            f"%r{n} = llvm.urem %s{n}, %c64 : i64",
            f"%t{n} = llvm.sub %s{n}, %r{n} : i64",
            f"%p{n} = llvm.inttoptr %t{n} : i64 to !llvm.ptr",
            f"llvm.store %n, %p{n} : i64, !llvm.ptr",
            f"%u{n} = llvm.mlir.poison : !llvm.{one}",
            f"%v{n} = llvm.insertvalue %a{n}, %u{n}[0] : !llvm.{one}",
            f"%w{n} = llvm.insertvalue %p{n}, %v{n}[1] : !llvm.{one}",
            f"%d{n} = llvm.insertvalue %c0, %w{n}[2] : !llvm.{one}",
        ]
    lines.append(f"%e0 = llvm.mlir.poison : {whole}")
    lines += [f"%e{n + 1} = llvm.insertvalue %d{n}, %e{n}[{n}] : {whole}" for n in range(count)]
    body = "\n".join(lines)
    called = f"%r = llvm.call @gives(%n) : (i64) -> {whole}\nllvm.return %r : {whole}"
    return (
        "llvm.func @malloc(i64) -> !llvm.ptr\n"
        f"llvm.func @gives(%n: i64) -> {whole} {{\n{body}\nllvm.return %e{count} : {whole}\n}}\n"
        f"llvm.func @asks(%n: i64) -> {whole} {{\n{called}\n}}\n"
    )


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_many_results() -> None:
    """Did nobody know whether an aligned address is one of the same buffer, n would make 2 to the power of n states."""
    check(results(2))
    assert check(results(8)).findings == ()
    small, large = (lines_run(partial(check, results(count))) for count in (4, 8))
    assert large < 3.5 * small
