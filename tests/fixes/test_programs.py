"""Programs and what `fix_all` makes of them: `x.mlir` beside `x.fixed.mlir`; repaired text is left alone."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from memlane.checking import check
from memlane.findings import Severity
from memlane.fixes import fix_all
from tests.fixes.execute import AVAILABLE, measure

FOLDER = Path(__file__).parent / "programs"
PROGRAMS = sorted(path for path in FOLDER.glob("*.mlir") if not path.name.endswith(".fixed.mlir"))
OPT = shutil.which("mlir-opt-22")


def read(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_program(path: Path) -> None:
    fixed = read(path.with_suffix(".fixed.mlir"))
    assert fix_all(read(path)) == fixed
    assert fix_all(fixed) == fixed


@pytest.mark.slow
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_nothing_is_left(path: Path) -> None:
    before = [f for f in check(read(path)).findings if f.severity in (Severity.ERROR, Severity.WARNING)]
    after = check(read(path.with_suffix(".fixed.mlir"))).findings
    assert before
    assert [f.report.message for f in after if f.severity in (Severity.ERROR, Severity.WARNING)] == []


@pytest.mark.slow
@pytest.mark.skipif(OPT is None, reason="mlir-opt-22 is not installed")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_mlir_accepts_it(path: Path) -> None:
    assert OPT is not None
    for file in (path, path.with_suffix(".fixed.mlir")):
        done = subprocess.run([OPT, file, "-o", "/dev/null"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


TRANSLATE = shutil.which("mlir-translate-22")


@pytest.mark.skipif(TRANSLATE is None, reason="mlir-translate-22 is not installed")
@pytest.mark.parametrize("name", ["descriptors", "lowered"])
def test_lowered_programs_stay_lowered(name: str) -> None:
    assert TRANSLATE is not None
    command = [TRANSLATE, "--mlir-to-llvmir", FOLDER / f"{name}.fixed.mlir", "-o", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


UNRUNNABLE = {
    *("descriptors", "dying_members", "flags_in_fields", "generic", "kernels", "lowered", "never_returns"),
    *("refused", "threads", "types", "waits", "wrong"),
}
"""Programs in a form the driver cannot call, or with operations that the runner cannot execute (async, gpu, omp); or
that end the process on some path."""


@pytest.mark.slow
@pytest.mark.skipif(not AVAILABLE, reason="mlir-opt-22, mlir-runner-22 or gcc is not installed")
@pytest.mark.parametrize("path", [p for p in PROGRAMS if p.stem not in UNRUNNABLE], ids=lambda path: path.stem)
def test_runs(path: Path) -> None:
    before, after = measure(read(path)), measure(read(path.with_suffix(".fixed.mlir")))
    assert after
    for one, other in zip(before, after, strict=True):
        assert (other.leaks, other.bad_frees, other.uses_after_free) == (0, 0, 0)
        assert other.result == one.result or one.uses_after_free
