"""What is found in the measured programs is found as well in what lowering makes of them, stage by stage.

Who reads what passes print sees all of these: structured control flow as blocks, memrefs as descriptors, and both half
converted. Leaks and frees are the same then; uses are more, as one operation becomes several.
"""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from memlane.checking import check
from tests.cases.truth import FOLDER, programs
from tests.effort import FULL, some

OPT = shutil.which("mlir-opt-22")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the measured programs are not at {FOLDER}"),
    pytest.mark.skipif(OPT is None, reason="mlir-opt-22 is not installed"),
]

_BLOCKS = ("--convert-linalg-to-loops", "--expand-strided-metadata", "--lower-affine", "--convert-scf-to-cf")
_REST = ("--convert-cf-to-llvm", "--convert-arith-to-llvm", "--convert-index-to-llvm", "--reconcile-unrealized-casts")
_MEMREFS, _FUNCTIONS = "--finalize-memref-to-llvm", "--convert-func-to-llvm"
STAGES = {
    "blocks": _BLOCKS,
    "memrefs only": (*_BLOCKS, _MEMREFS),
    "memrefs and functions": (*_BLOCKS, _MEMREFS, _FUNCTIONS, *_REST[:1]),
    "functions first": ("--convert-scf-to-cf", _FUNCTIONS, "--convert-arith-to-llvm"),
    "all": (*_BLOCKS, _MEMREFS, _FUNCTIONS, *_REST),
    "all, aligned": (*_BLOCKS, f"{_MEMREFS}=use-aligned-alloc=1", _FUNCTIONS, *_REST),
    "all, generic functions": (*_BLOCKS, f"{_MEMREFS}=use-generic-functions=1", _FUNCTIONS, *_REST),
}
KINDS = ("leak", "double-free")
STOPPED = "mixed/0025.mlir"
"""Here a leak comes after an invalid free, which is told where both are blocks of one function."""
CONVERTED = 35


def lowered(path: Path, passes: tuple[str, ...]) -> str | None:
    """What the passes make of a program; None: they do not take it."""
    assert OPT is not None
    done = subprocess.run([OPT, *passes, path], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def kinds(source: str) -> Counter[str]:
    """How many findings there are of each of `KINDS`, on every path or on some."""
    names = (finding.rule.name.removeprefix("possible-") for finding in check(source).findings)
    return Counter(name for name in names if name in KINDS)


@pytest.mark.parametrize("stage", STAGES)
def test_leaks_and_frees_are_the_same(stage: str) -> None:
    tried = 0
    for path in some(programs()[list(STAGES).index(stage) % 6 :: 6], 20):
        text = lowered(path, STAGES[stage]) if not path.match(STOPPED) else None
        if text is not None:
            tried += 1
            assert kinds(text) == kinds(path.read_text("utf-8")), path
    assert tried >= (CONVERTED if FULL else CONVERTED // 2)
