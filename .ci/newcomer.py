"""A new user's way: a fresh copy, a fresh environment, nothing else, and every step that the pages show.

First README.md, docs/index.md and docs/guides/agents.md install it (blocks with `<!-- run: .ci/newcomer.py -->`, word
for word), then these pages and the tutorial are walked in order. What a page shows must be what is printed; the other
pages are `tests/docs/test_blocks.py`'s. Last, the action's first step and pre-commit install it in their own ways.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from docs.blocks import ALL, Block, missing, sandbox  # noqa: E402 -- found by the path above

INSTALLING = ("README.md", "docs/index.md", "docs/guides/agents.md")
RUN = ".ci/newcomer.py"
LEAK = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n"


def copy(clone: Path) -> None:
    """Put into `clone` what a clone would have; where this is no repository of git, all that is not made by tools."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, check=False, text=True)
    if listed.returncode:
        shutil.copytree(ROOT, clone, ignore=shutil.ignore_patterns(".venv", "node_modules", ".*_cache", "dist", "site"))
        return
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, clone / name)


class Newcomer:
    """Somebody with a copy of the repository, in `home`, and an environment without anything of ours."""

    def __init__(self, home: Path) -> None:
        self.clone = home / "memlane"
        copy(self.clone)
        (home / "tools").mkdir()
        llvm = sandbox(home / "tools")
        tools = home / "tools" / ".tools"
        self.environment = {
            **{name: os.environ[name] for name in ("LANG", "PIP_INDEX_URL", "PIP_CONFIG_FILE") if name in os.environ},
            "HOME": str(home),
            "LLVM": llvm["LLVM"],
            "NO_COLOR": "1",
            "PATH": f"{tools}{os.pathsep}/usr/local/bin{os.pathsep}/usr/bin{os.pathsep}/bin",
            "PIP_COMPILE": "0",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        }
        python = home / "python"
        python.mkdir()
        (python / "python3").symlink_to(Path(sys.executable).resolve())
        self.environment["PATH"] = f"{python}{os.pathsep}{self.environment['PATH']}"

    def run(self, command: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
        """What a command does in the clone, or elsewhere."""
        return subprocess.run(
            ["bash", "-c", command],
            cwd=folder or self.clone,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )

    def install(self) -> None:
        """The ways of the pages."""
        for page in INSTALLING:
            for block in ALL:
                if (block.page, block.where) == (page, RUN):
                    for command in block.body.splitlines():
                        done = self.run(command)
                        assert done.returncode == 0, (block.name, command, done.stdout, done.stderr)
                        print(f"{block.name}: {command}")
        self.environment["PATH"] = f"{self.clone / '.venv' / 'bin'}{os.pathsep}{self.environment['PATH']}"

    def walk(self, page: str) -> int:
        """Every command of a page, in order; how many there were."""
        count = 0
        self.tidy_up()
        for block in ALL:
            if block.page == page and not block.where and block.language in ("sh", "shell-session", "console"):
                count += self.step(block)
        return count

    def tidy_up(self) -> None:
        """Undo what the page before did: pages repair examples and write files."""
        shutil.rmtree(self.clone / "examples")
        shutil.copytree(ROOT / "examples", self.clone / "examples")
        for path in self.clone.iterdir():
            if path.is_file() and not (ROOT / path.name).exists():
                path.unlink()

    def step(self, block: Block) -> int:
        if missing(block.body):
            print(f"{block.name}: not walked, {', '.join(missing(block.body))} is missing")
            return 0
        shown: list[str] = []
        told = block.language != "sh"
        lines = block.body.splitlines()
        commands = [line[2:] for line in lines if line.startswith("$ ")] if told else lines
        for command in commands:
            done = self.run(command)
            assert "Traceback" not in done.stderr, (block.name, command, done.stderr)
            assert told or done.returncode in (0, 1), (block.name, command, done.stdout, done.stderr)
            shown += [f"$ {command}", *(done.stdout + done.stderr).rstrip().splitlines()]
        assert not told or shown == lines, f"{block.name} shows\n{block.body}and what is printed is\n" + "\n".join(
            shown
        )
        return len(commands)

    def action(self) -> None:
        """The first step of the action, as its runner does it."""
        step = re.search(r"^    - shell: bash\n      run: (.*)$", (self.clone / "action.yml").read_text(), re.MULTILINE)
        assert step is not None
        self.environment |= {"RUNNER_TEMP": self.environment["HOME"], "GITHUB_ACTION_PATH": str(self.clone)}
        done = self.run(step[1])
        assert done.returncode == 0, done.stderr
        assert self.run('"$RUNNER_TEMP/memlane/bin/memlane" --version').stdout.startswith("memlane ")

    def pre_commit(self) -> None:
        """The hook, in a repository with a leak."""
        project = self.clone.parent / "project"
        project.mkdir()
        (project / "leak.mlir").write_text(LEAK)
        (project / "other.txt").write_text("not for the hook\n")
        git = "git -c user.name=u -c user.email=u@example.org -c init.defaultBranch=main"
        for folder in (self.clone, project):
            done = self.run(f"{git} init --quiet . && {git} add . && {git} commit --quiet -m all", folder)
            assert done.returncode == 0, done.stderr
        tool = Path(sys.executable).parent / "pre-commit"
        done = self.run(f"{tool} try-repo {self.clone} memlane --all-files", project)
        assert done.returncode == 1, done.stdout + done.stderr
        assert "leak.mlir:2:8 in @f" in done.stdout, done.stdout + done.stderr


def main() -> None:
    """Raise where a step does not work as written."""
    with tempfile.TemporaryDirectory() as folder:
        newcomer = Newcomer(Path(folder))
        newcomer.install()
        for page in (*INSTALLING, "docs/tutorial.md"):
            count = newcomer.walk(page)
            if count:
                print(f"{page}: {count} commands do what it says")
        newcomer.action()
        print("action.yml: installs")
        newcomer.pre_commit()
        print(".pre-commit-hooks.yaml: pre-commit installs it and finds the leak")


if __name__ == "__main__":
    main()
