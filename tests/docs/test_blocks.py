"""Every command and every program in README and documentation does what the page says, or is at least what it says."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from docs.blocks import ALL, ROOT, Block, missing, sandbox
from memlane.checking import check
from memlane.config import load_config

MLIR_OPT = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")

RUN_HERE = {"mlir", "sh", "shell-session", "toml", "json", "yaml", "python"}
RUN_ELSEWHERE = {
    "console": "docs/scripts/generate.py writes what they print; tests/tidy compares",
    "text": "no code",
    "ts": "the shapes of messages: nothing that runs",
}
"""Languages, and who runs blocks of the others. Yet another language names who does: `<!-- run: ... -->`."""


def of(*languages: str) -> list[Block]:
    """The blocks of some languages that nobody else runs."""
    return [block for block in ALL if block.language in languages and not block.where]


def named(block: Block) -> str:
    return block.name


def by_page(*languages: str) -> dict[str, list[Block]]:
    """The same by page."""
    found: dict[str, list[Block]] = defaultdict(list)
    for block in of(*languages):
        found[block.page].append(block)
    return found


def test_nothing_is_left_out() -> None:
    """Each block is run here, or names who runs it, and that one knows of it."""
    for block in ALL:
        if block.where:
            runner = ROOT / block.where
            assert runner.exists(), f"{block.name}: there is no {block.where}"
            told = runner.read_text(encoding="utf-8")
            assert Path(block.page).name in told, f"{block.where} does not speak of {block.page}"
        else:
            assert block.language in RUN_HERE | RUN_ELSEWHERE.keys(), f"{block.name}: who runs {block.language}?"


@pytest.mark.parametrize("block", of("mlir"), ids=named)
def test_programs_are_read(block: Block) -> None:
    wrong = [finding.report.message for finding in check(block.body).findings if finding.rule.name == "syntax"]
    assert wrong == [] or block.page == "docs/rules/syntax.md"


BROKEN = re.compile(r"docs/rules/(syntax|undefined-\w+|redefined-value)\.md")
"""Pages that show what MLIR refuses."""
NO_SYNTAX = {"docs/guides/dialect.md", "CONTRIBUTING.md"}
"""Pages with custom syntax of no registered dialect, or with single statements."""


@pytest.mark.slow
@pytest.mark.skipif(MLIR_OPT is None, reason="needs mlir-opt")
@pytest.mark.parametrize(
    "block", [b for b in of("mlir") if not BROKEN.match(b.page) and b.page not in NO_SYNTAX], ids=named
)
def test_programs_are_mlir(block: Block) -> None:
    command = [str(MLIR_OPT), "--allow-unregistered-dialect", "--split-input-file", "-o", "-", "-"]
    done = subprocess.run(command, input=block.body, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("page", by_page("sh"))
def test_commands_run(page: str, tmp_path: Path) -> None:
    environment = sandbox(tmp_path)
    for block in by_page("sh")[page]:
        if missing(block.body):
            pytest.skip(f"needs {', '.join(missing(block.body))}")
        for command in commands(block.body):
            done = subprocess.run(
                ["bash", "-c", command],
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                timeout=600,
                check=False,
            )
            good = (0, 1) if re.search(r"memlane (check|diff)\b", command) else (0,)
            assert done.returncode in good, (block.name, command, done.stdout, done.stderr)
            assert "Traceback" not in done.stderr


def commands(body: str) -> list[str]:
    """The commands of a block: lines, with those that a backslash continues."""
    return [line for line in body.replace("\\\n", " ").splitlines() if line.strip() and not line.startswith("#")]


@pytest.mark.slow
@pytest.mark.parametrize("page", by_page("shell-session"))
def test_sessions_print_what_they_show(page: str, tmp_path: Path) -> None:
    environment = sandbox(tmp_path)
    for block in by_page("shell-session")[page]:
        if missing(block.body):
            pytest.skip(f"needs {', '.join(missing(block.body))}")
        shown: list[str] = []
        for line in block.body.splitlines():
            if line.startswith("$ "):
                done = subprocess.run(
                    ["bash", "-c", line[2:]],
                    cwd=tmp_path,
                    env=environment,
                    capture_output=True,
                    text=True,
                    timeout=600,
                    check=False,
                )
                shown += [line, *(done.stdout + done.stderr).rstrip().splitlines()]
        assert shown == block.body.splitlines(), block.name


@pytest.mark.parametrize("block", of("toml"), ids=named)
def test_configurations_hold(block: Block, tmp_path: Path) -> None:
    (tmp_path / "memlane.toml").write_text("")  # what `extend` may name
    (tmp_path / "project").mkdir()
    for name in re.findall(r'"([\w./-]+\.toml)"', block.body):
        (tmp_path / "project" / name).resolve().touch()
    pyproject = "[tool.memlane" in block.body
    file = tmp_path / "project" / ("pyproject.toml" if pyproject else "memlane.toml")
    file.write_text(block.body, encoding="utf-8")
    _, problems = load_config(file)
    assert [str(problem) for problem in problems] == []


@pytest.mark.parametrize("block", of("json"), ids=named)
def test_json_is_json(block: Block) -> None:
    json.loads(block.body)


@pytest.mark.slow
@pytest.mark.parametrize("page", by_page("python"))
def test_python_runs(page: str, tmp_path: Path) -> None:
    environment = sandbox(tmp_path)
    program = "\n".join(block.body for block in by_page("python")[page])
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("block", of("yaml"), ids=named)
def test_yaml_is_what_its_readers_want(block: Block, tmp_path: Path) -> None:
    yaml: Any = pytest.importorskip("yaml", reason="needs PyYAML, which check-jsonschema brings")
    value: Any = yaml.safe_load(block.body)
    schema = "gitlab-ci"
    if block.body.startswith("- "):  # steps of a job of GitHub Actions
        value = {"on": "push", "jobs": {"check": {"runs-on": "ubuntu-latest", "steps": value}}}
        schema = "github-workflows"
    elif "repos" in value:
        assert [hook["id"] for repository in value["repos"] for hook in repository["hooks"]] == ["memlane"]
        return
    file = tmp_path / "file.yml"
    file.write_text(yaml.safe_dump(value), encoding="utf-8")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
