"""The generic form, as `mlir-opt` prints it: repaired like the other, flags included."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from memlane.checking import check
from memlane.findings import Severity
from memlane.fixes import fix_all
from tests.fixes.execute import AVAILABLE, measure, transformed

FOLDER = Path(__file__).parent / "programs"
PLAIN = ["blocks", "branches", "carried", "carried_affine", "conditions", "flags", "ownership", "returned"]
NAMES = [*PLAIN, "several", "switches"]
OPT = shutil.which("mlir-opt-22")

pytestmark = pytest.mark.skipif(OPT is None, reason="mlir-opt-22 is not installed")


@cache
def generic(name: str) -> str:
    """A program in generic form, its numbers for names."""
    assert OPT is not None
    command = [OPT, "--mlir-print-op-generic", "--mlir-print-local-scope", FOLDER / f"{name}.mlir"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_left(name: str) -> None:
    fixed = fix_all(generic(name))
    grave = (Severity.ERROR, Severity.WARNING)
    assert [f.report.message for f in check(generic(name)).findings if f.severity in grave]
    assert [f.report.message for f in check(fixed).findings if f.severity in grave] == []
    assert fix_all(fixed) == fixed


@pytest.mark.slow
@pytest.mark.skipif(not AVAILABLE, reason="mlir-opt-22, mlir-runner-22 or gcc is not installed")
@pytest.mark.parametrize("name", NAMES)
def test_runs_as_the_other_form_does(name: str) -> None:
    pretty = transformed((FOLDER / f"{name}.fixed.mlir").read_text(), "builtin.module()")
    runs = {run.function: run for run in measure(pretty)}
    for run in measure(transformed(fix_all(generic(name)), "builtin.module()")):
        assert (run.leaks, run.bad_frees, run.uses_after_free) == (0, 0, 0)
        other = runs[run.function]
        assert (run.peak, run.allocations, run.result) == (other.peak, other.allocations, other.result)
