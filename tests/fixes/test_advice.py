"""Programs of which advice is taken: `x.mlir` beside `x.fixed.mlir`, both run where LLVM's tools are installed.

`// left: WHY` stands at the findings that `--fix` leaves: with the reason to look at their fix, or `no fix`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from literate import CONFIG
from memlane.checking import check
from memlane.config import Config, load_config
from memlane.findings import Applicability
from memlane.fixes import Fixer, apply, fix_all
from tests.fixes.execute import AVAILABLE, Runs, measure

FOLDER = Path(__file__).parent / "advice"
PROGRAMS = sorted(path for path in FOLDER.glob("*.mlir") if not path.name.endswith(".fixed.mlir"))
OPT = shutil.which("mlir-opt-22")
LEFT = re.compile(r"// left: (.*)")

each = pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)


def read(path: Path) -> tuple[str, Config]:
    """A program and the configuration that it asks for."""
    source = path.read_text(encoding="utf-8")
    config, problems = load_config(None, CONFIG.findall(source))
    assert not problems
    return source, config


@pytest.mark.slow
@each
def test_program(path: Path) -> None:
    source, config = read(path)
    fixed = path.with_suffix(".fixed.mlir").read_text(encoding="utf-8")
    assert fix_all(source, config) == fixed
    assert fix_all(fixed, config) == fixed


@each
def test_only_what_needs_a_look_is_left(path: Path) -> None:
    fixed, config = read(path.with_suffix(".fixed.mlir"))
    checked = check(fixed, config)
    fixer = Fixer(checked, config)
    found: dict[int, str] = {}
    for finding in checked.findings:
        fix = fixer.fix(finding)
        assert fix is None or fix.applicability is Applicability.UNSAFE
        found[checked.text.position(finding.report.span.start).line] = fix.reason if fix is not None else "no fix"
    said = {number: match[1] for number, line in enumerate(fixed.split("\n")) if (match := LEFT.search(line))}
    assert set(found) == set(said)
    assert all(found[line].startswith(reason) for line, reason in said.items()), found


@pytest.mark.slow
@each
def test_each_fix_takes_its_finding_away_and_brings_no_other(path: Path) -> None:
    source, asked = read(path)
    rule = asked.values["select"][0]
    config, _ = load_config(None, [f'select = ["ALL", "{rule}"]'])
    checked = check(source, config)
    fixer = Fixer(checked, config)
    mine = [finding for finding in checked.findings if finding.rule.name == rule]
    assert mine
    for finding in mine:
        fix = fixer.fix(finding)
        if fix is not None:
            after = check(apply(source, fix.edits), config)
            before, now = (Counter(f.rule.name for f in found.findings) for found in (checked, after))
            assert now[rule] < before[rule]
            assert not now - before


@pytest.mark.slow
@pytest.mark.skipif(OPT is None, reason="mlir-opt-22 is not installed")
@each
def test_mlir_accepts_it(path: Path) -> None:
    assert OPT is not None
    for file in (path, path.with_suffix(".fixed.mlir")):
        done = subprocess.run([OPT, file, "-o", "/dev/null"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not AVAILABLE, reason="mlir-opt-22, mlir-runner-22 or gcc is not installed")
@each
def test_runs_as_before(path: Path) -> None:
    source, config = read(path)
    runs = [measure(text) for text in (source, fix_all(source, config), fix_all(source, config, unsafe=True))]
    for before, safe, unsafe in zip(*runs, strict=True):
        assert safe.peak <= before.peak
        for after in (safe, unsafe):
            assert (after.leaks, after.bad_frees, after.uses_after_free) == (0, 0, 0)
            assert after.result == before.result
    assert _allocations(runs[1]) <= _allocations(runs[0])


def _allocations(runs: list[Runs]) -> int:
    return sum(run.allocations for run in runs)
