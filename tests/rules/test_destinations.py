"""What `duplicate-empty` promises holds in one-shot bufferization: each reported destination is one allocation."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Finding

MLIR_OPT = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")
LENGTH = 6


def chain(length: int) -> str:
    """Operations one after the other, each with a destination of its own."""
    lines = ["func.func @chain(%v0: tensor<64xf32>) -> tensor<64xf32> {"]
    for number in range(length):
        lines.append(f"  %e{number} = tensor.empty() : tensor<64xf32>")
        lines.append(
            f"  %v{number + 1} = linalg.exp ins(%v{number} : tensor<64xf32>) outs(%e{number} : tensor<64xf32>) "
            "-> tensor<64xf32>"
        )
    return "\n".join([*lines, f"  return %v{length} : tensor<64xf32>", "}"]) + "\n"


def advice(source: str) -> list[Finding]:
    return [finding for finding in check(source, Config()).findings if finding.rule.name == "duplicate-empty"]


def allocations(source: str) -> int:
    done = subprocess.run(
        [str(MLIR_OPT), "--one-shot-bufferize=bufferize-function-boundaries", "--cse"],
        input=source,
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    return done.stdout.count("memref.alloc(")


@pytest.mark.skipif(MLIR_OPT is None, reason="needs mlir-opt")
def test_following_the_advice_saves_an_allocation_each() -> None:
    source = chain(LENGTH)
    assert allocations(source) == LENGTH
    found = advice(source)
    assert len(found) == LENGTH - 2
    for finding in found:
        match = re.search(r"destination (%e\d+) costs .*: (%v\d+) is not used", finding.report.message)
        assert match is not None
        source = source.replace(f"outs({match[1]} :", f"outs({match[2]} :")
    assert allocations(source) == 2
    assert advice(source) == []
