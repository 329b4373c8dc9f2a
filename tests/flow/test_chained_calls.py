"""Calls one after the other, each of which is passed what the one before gives: once work that grew with the cube."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.hostile.growth import PHASES, power


def buffers(count: int) -> str:
    """Each call may give back the buffer that it is passed, or a new one."""
    calls = "".join(
        f"  %a{number + 1} = func.call @ext(%a{number}) : (memref<4xf32>) -> memref<4xf32>\n" for number in range(count)
    )
    return (
        "func.func private @ext(memref<4xf32>) -> memref<4xf32>\n"
        f"func.func @f() {{\n  %a0 = memref.alloc() : memref<4xf32>\n{calls}  memref.dealloc %a0 : memref<4xf32>\n"
        "  return\n}\n"
    )


def pointers(count: int) -> str:
    """The same of pointers, which may be null."""
    calls = "".join(
        f"  %a{number + 1} = llvm.call @ext(%a{number}) : (!llvm.ptr) -> !llvm.ptr\n" for number in range(count)
    )
    return (
        "llvm.func @malloc(i64) -> !llvm.ptr\nllvm.func @free(!llvm.ptr)\nllvm.func @ext(!llvm.ptr) -> !llvm.ptr\n"
        f"llvm.func @f(%s: i64) {{\n  %a0 = llvm.call @malloc(%s) : (i64) -> !llvm.ptr\n{calls}"
        "  llvm.call @free(%a0) : (!llvm.ptr) -> ()\n  llvm.return\n}\n"
    )


def numbers(count: int) -> str:
    """Each call is passed a buffer of its own, and the number that the one before gives."""
    one = (
        "  %a{0} = memref.alloc() : memref<4xf32>\n"
        "  %n{1} = func.call @ext(%a{0}, %n{0}) : (memref<4xf32>, index) -> index\n"
        "  memref.dealloc %a{0} : memref<4xf32>\n"
    )
    calls = "".join(one.format(number, number + 1) for number in range(count))
    return f"func.func private @ext(memref<4xf32>, index) -> index\nfunc.func @f(%n0: index) {{\n{calls}  return\n}}\n"


@pytest.mark.slow
@pytest.mark.parametrize("made", [buffers, pointers, numbers])
def test_chains_of_calls_are_not_followed_round_by_round(made: Callable[[int], str]) -> None:
    """Each buffer, or number, rests on those before it, so that there are as many pairs as the square."""
    assert power(lambda count: PHASES["check"](made(count)), 20) < 2.2
