"""Functions that say with a buffer whether it is the caller's are found to do the same before and after lowering.

The ownership pass has private functions give a flag with each buffer; lowered to LLVM's dialect, both are one struct.
Random programs have their buffers freed by upstream's passes: what comes out is clean. Then one deallocation is taken
away or made twice: at both levels the same is found.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from memlane.checking import check
from tests.effort import some
from tests.paths.programs import program
from tests.upstream.pipeline import MLIR_OPT, run

pytestmark = pytest.mark.skipif(MLIR_OPT is None, reason="needs mlir-opt-22 (Debian package mlir-22-tools)")

OWNED = (
    "--canonicalize",
    "--ownership-based-buffer-deallocation=private-function-dynamic-ownership=true",
    "--canonicalize",
    "--buffer-deallocation-simplification",
    "--bufferization-lower-deallocations",
    "--cse",
    "--canonicalize",
)
TO_LLVM = (
    "--convert-bufferization-to-memref",
    "--convert-scf-to-cf",
    "--expand-strided-metadata",
    "--lower-affine",
    "--finalize-memref-to-llvm",
    "--convert-func-to-llvm",
    "--convert-cf-to-llvm",
    "--convert-arith-to-llvm",
    "--convert-index-to-llvm",
    "--reconcile-unrealized-casts",
)
KINDS = ("leak", "double-free", "argument-free", "use-after-free")
FREED = re.compile(r"memref\.dealloc|call @drop|call @may_drop")
REALLOC = re.compile(r"memref\.realloc (%\w+) : (memref<\w+>) to memref<\w+>")
STRUCT = "i1)>"
"""The end of the type in which a lowered function gives a buffer with its flag."""


def without_frees(seed: int) -> str:
    """A random program that frees nothing. What it reallocates is perhaps new."""
    source = program(seed)[0].replace("func.func @drop_both", "func.func private @drop_both")
    source = REALLOC.sub(r"func.call @either(%p0, \1) : (i1, \2) -> \2", source)
    return "\n".join(line for line in source.split("\n") if not FREED.search(line))


def variants(seed: int, freed: str) -> Iterator[tuple[str, str]]:
    """A program, and what is wrong with it."""
    choose, lines = random.Random(seed), freed.split("\n")
    yield "", freed
    frees = [number for number, line in enumerate(lines) if "memref.dealloc" in line]
    if frees:
        number = choose.choice(frees)
        yield "taken away", "\n".join([*lines[:number], *lines[number + 1 :]])
        number = choose.choice(frees)
        yield "made twice", "\n".join([*lines[:number], lines[number], *lines[number:]])


def found(source: str) -> Counter[str]:
    """How many findings of each kind there are, and how certain they are."""
    names = [finding.rule.name for finding in check(source).findings]
    return Counter(name for name in names if name.removeprefix("possible-") in KINDS)


@pytest.mark.slow
@pytest.mark.parametrize("first", some(range(0, 60, 15), 1))
def test_the_same_is_found_before_and_after(first: int) -> None:
    structs = wrong = 0
    for seed in range(first, first + 15):
        freed = run(without_frees(seed), *OWNED)
        for what, text in variants(seed, freed) if freed is not None else ():
            lowered = run(text, *TO_LLVM)
            assert lowered is not None
            before = found(text)
            assert found(lowered) == before, (seed, what)
            assert what or not before, seed
            structs += STRUCT in lowered
            wrong += bool(before)
    assert structs > wrong > 4
