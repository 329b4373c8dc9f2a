"""The programs in `examples/`: what is found in each, where, and nothing else."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from memlane.checking import check
from memlane.config import Config, load_config
from memlane.findings import Finding, Severity

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
MLIR_OPT = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")

FOUND = {
    "cond_branch": ["leak 12"],
    "cond_branch_owned": [],
    "cond_branch_unconditional": ["argument-free 17"],
    "custom_alloc": [],
    "freed_in_a_loop": [],
    "fuse_element": [],
    "fuse_element_dealloc": [],
    "fuse_element_late": ["late-free 39"],
    "fuse_element_out_of_memory": ["leak 9", "leak 37", "leak 39", "leak 42"],
    "last_used_in_a_branch": ["leak 4", "leak 8"],
    "lost_in_a_loop": ["leak 5"],
    "model": [],
    "suppressed": [],
    "unique_names": [],
    "unique_names_late": ["late-free 33", "late-free 34"],
    "while_leak": ["possible-leak 7", "possible-leak 23"],
    "while_leak_2021": [],
    "while_leak_never_freed": ["leak 6", "leak 22"],
    "while_leak_repaired": [],
}
"""Rules and 1-based lines, without any configuration. Advice is left out."""

NOT_FOR_LLVM_22 = {"custom_alloc", "while_leak_2021"}


def findings(name: str, config: Config | None = None) -> tuple[Finding, ...]:
    return check((EXAMPLES / f"{name}.mlir").read_text(encoding="utf-8"), config).findings


def places(name: str, config: Config | None = None) -> list[str]:
    source = (EXAMPLES / f"{name}.mlir").read_text(encoding="utf-8")
    return [
        f"{finding.rule.name} {source.count(chr(10), 0, finding.report.span.start) + 1}"
        for finding in findings(name, config)
        if finding.severity in (Severity.ERROR, Severity.WARNING)
    ]


def test_what_an_undescribed_region_uses_is_a_hint() -> None:
    """`lmhlo.fusion` uses a buffer in its region, which nobody described."""
    found = [finding for finding in findings("while_leak_2021") if finding.rule.name == "possible-leak"]
    assert [(one.severity, one.report.doubt) for one in found] == [(Severity.HINT, "lmhlo.fusion")] * 2


def test_all_examples_are_here() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.mlir")} == set(FOUND)


@pytest.mark.parametrize("name", FOUND)
def test_findings(name: str) -> None:
    assert places(name) == FOUND[name]


@pytest.mark.skipif(MLIR_OPT is None, reason="needs mlir-opt")
@pytest.mark.parametrize("name", sorted(set(FOUND) - NOT_FOR_LLVM_22))
def test_mlir_opt_accepts_it(name: str) -> None:
    command = [str(MLIR_OPT), str(EXAMPLES / f"{name}.mlir"), "-o", "-"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr


def test_late_by_how_much() -> None:
    (late,) = findings("fuse_element_late")
    report = late.report
    assert report.buffer is not None
    assert report.late is not None
    assert (report.buffer.name, report.buffer.size, report.buffer.expression) == ("%root", None, "20*%lhs_rows")
    assert report.late.operations == 2
    assert report.late.after is not None
    source = (EXAMPLES / "fuse_element_late.mlir").read_text(encoding="utf-8")
    assert source.count("\n", 0, report.late.after.start) + 1 == 22


def test_sizes_are_known() -> None:
    sizes = [finding.report.buffer.size for finding in findings("unique_names_late") if finding.report.buffer]
    assert sizes == [524_288, 524_288]


def test_the_path_on_which_the_argument_is_freed() -> None:
    (finding,) = findings("cond_branch_unconditional")
    assert any("%cond is true" in note.message for note in finding.report.notes)


def test_an_unknown_dialect_and_its_description() -> None:
    assert {finding.rule.name for finding in findings("custom_alloc")} == {"unknown-effects"}
    config, problems = load_config(EXAMPLES / "memlane.toml")
    assert problems == ()
    assert places("custom_alloc", config) == ["leak 13"]
    assert len(findings("custom_alloc", config)) == 1
