"""What other tools read: the action, the GitLab job, the problem matcher, the hook, the lit suite; tried with them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from memlane.cli import main

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "integrations"
LEAK = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n"
BIN = Path(sys.executable).parent


def tool(*command: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a tool of the environment."""
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("schema", "file"),
    [("github-actions", "action.yml"), ("gitlab-ci", "integrations/gitlab.yml"), ("readthedocs", ".readthedocs.yaml")],
)
def test_files_follow_the_schemas_of_their_readers(schema: str, file: str) -> None:
    done = tool(sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", file)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_hook_is_one() -> None:
    done = tool(sys.executable, "-m", "pre_commit", "validate-manifest", ".pre-commit-hooks.yaml")
    assert done.returncode == 0, done.stdout


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a leak, and one that is clean."""
    (tmp_path / "bad dir").mkdir()
    (tmp_path / "bad dir" / "leak.mlir").write_text(LEAK)
    (tmp_path / "good.mlir").write_text("func.func @f() {\n  return\n}\n")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(("paths", "code"), [(".", 1), ("good.mlir", 0), ("nothing", 2)])
def test_the_steps_of_the_action(
    paths: str, code: int, project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """All but the first, which installs: .ci/newcomer does that."""
    runner = tmp_path_factory.mktemp("runner")
    (runner / "memlane" / "bin").mkdir(parents=True)
    (runner / "memlane" / "bin" / "memlane").symlink_to(BIN / "memlane")
    steps: list[Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    environment = {**os.environ, "RUNNER_TEMP": str(runner), "PATHS": paths, "ARGUMENTS": "", "SARIF": "out.sarif"}
    codes: list[int] = []
    output = ""
    for step in steps[1:]:
        assert set(step["env"]) <= environment.keys()
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", step["run"]],
            cwd=project,
            env=environment,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        codes.append(done.returncode)
        output += done.stdout
    assert codes[-1] == code
    assert ("::warning title=memlane (leak),file=bad dir/leak.mlir,line=2" in output) == (code == 1)
    if code != 2:
        assert json.loads((project / "out.sarif").read_text())["version"] == "2.1.0"


@pytest.mark.slow
def test_the_job_for_gitlab(project: Path) -> None:
    job: Any = yaml.safe_load((FOLDER / "gitlab.yml").read_text(encoding="utf-8"))["memlane"]
    environment = {**os.environ, **job["variables"], "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    codes = [
        subprocess.run(
            ["bash", "-c", line], cwd=project, env=environment, capture_output=True, timeout=600, check=False
        )
        for line in job["script"]
    ]
    assert [done.returncode for done in codes] == [0, 1]
    (issue,) = json.loads((project / job["artifacts"]["reports"]["codequality"]).read_text())
    assert issue["location"]["path"] == "bad dir/leak.mlir"


@pytest.mark.slow
def test_the_problem_matcher_finds_every_line(capsys: pytest.CaptureFixture[str]) -> None:
    matchers = json.loads((FOLDER / "problem-matcher.json").read_text(encoding="utf-8"))["problemMatcher"]
    patterns = [(matcher, re.compile(matcher["pattern"][0]["regexp"])) for matcher in matchers]
    main(
        [
            "check",
            "--isolated",
            "--quiet",
            "--output-format",
            "concise",
            str(ROOT / "tests" / "rules"),
            str(ROOT / "examples"),
        ]
    )
    lines = capsys.readouterr().out.splitlines()
    severities: set[str] = set()
    for line in lines:
        ((matcher, found),) = [(one, match) for one, pattern in patterns if (match := pattern.match(line))]
        (place,) = matcher["pattern"]
        assert found[place["file"]].endswith(".mlir")
        assert found[place["line"]].isdecimal()
        assert f"[{found[place['code']]}]: {found[place['message']]}" in line
        severities.add(found[place["severity"]] if "severity" in place else matcher["severity"])
    assert severities == {"error", "warning", "notice"}


@pytest.mark.slow
def test_the_lit_suite(tmp_path: Path) -> None:
    needed = ("mlir-opt", "FileCheck", "not")
    if not all(shutil.which(f"{name}-22") or shutil.which(name) for name in needed):
        pytest.skip(f"needs {', '.join(needed)} of LLVM")
    shutil.copytree(FOLDER / "lit", tmp_path / "suite")
    done = tool("lit", "-v", str(tmp_path / "suite"))
    assert done.returncode == 0, done.stdout
    assert re.search(r"Passed: 2 \(100", done.stdout)
    (tmp_path / "suite" / "clean.mlir").write_text("// RUN: %memlane %s\n" + LEAK)
    done = tool("lit", "-v", str(tmp_path / "suite"))
    assert done.returncode == 1, "a leak fails"
    assert "warning[leak]" in done.stdout


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('select = ["leak"]\n[op."my.free"]\nfree = [0]\n', None),
        ('[severity]\nleek = "error"\n', "leek"),
        ('[op."my.free"]\nfre = [0]\n', "'fre' was unexpected"),
    ],
)
def test_editors_of_toml_know_the_schema(text: str, complaint: str | None, tmp_path: Path) -> None:
    (tmp_path / "memlane.toml").write_text(text)
    schema = (ROOT / "docs" / "memlane.schema.json").as_uri()
    done = tool(str(BIN / "taplo"), "lint", "--schema", schema, str(tmp_path / "memlane.toml"), folder=tmp_path)
    assert (done.returncode == 0) == (complaint is None), done.stderr
    assert complaint is None or complaint in done.stdout + done.stderr
