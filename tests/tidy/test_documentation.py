"""Documentation: what is generated is fresh, what it names is there, what it shows is true."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from memlane.checking import check
from memlane.cli import main
from tidy.source import ROOT, tracked

PAGES = [path for path in tracked() if path.suffix == ".md"]
PATH = re.compile(r"`((?:analysis|server|tests|docs|examples|\.ci)/[\w./-]*)`")
MLIR = re.compile(r"^```mlir\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.slow
def test_generated_is_fresh() -> None:
    command = [sys.executable, str(ROOT / "docs" / "scripts" / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_files_that_are_named_exist(page: Path) -> None:
    named: list[str] = PATH.findall(page.read_text(encoding="utf-8"))
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_programs_can_be_read(page: Path) -> None:
    if page.is_relative_to(ROOT / "docs" / "rules"):
        return  # some show what cannot be read; tests/rules runs them
    for block in MLIR.findall(page.read_text(encoding="utf-8")):
        assert [finding for finding in check(block).findings if finding.rule.name == "syntax"] == []


def test_readme_and_ci_run_the_same_tests() -> None:
    commands = re.findall(
        r"^```sh\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    job, tests = (block.strip() for block in commands)
    assert tests in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert job.endswith("memlane check --exit-zero examples")


def test_readme_main_job(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["check", "--exit-zero", "examples"]) == 0
    assert "warning[late-free]: buffer %root of 20*%lhs_rows bytes" in capsys.readouterr().out
