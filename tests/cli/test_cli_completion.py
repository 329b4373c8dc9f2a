"""Shell completion, as the shells themselves propose it."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memlane.cli import main

CASES = {
    "memlane co": {"config", "completion"},
    "memlane check --output-format js": {"json", "json-lines"},
    "memlane check --stat": {"--statistics"},
    "memlane check pro": {"program.mlir"},
    "memlane explain redu": {"redundant-copy", "redundant-dealloc-check"},
    "memlane check --ignore redu": {"redundant-copy", "redundant-dealloc-check"},
}
PROMPT = "ready> "


def shell(name: str) -> str:
    """The shell's program; skips without."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"needs {name}")
    return found


@pytest.fixture
def script(request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The completion script of the shell that the parameter names, in a folder with a program."""
    (tmp_path / "program.mlir").touch()
    assert main(["completion", request.param]) == 0
    path = tmp_path / "_memlane"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("script", ["bash"], indirect=True)
@pytest.mark.parametrize("line", CASES)
def test_bash(line: str, script: Path) -> None:
    words = line.split(" ")
    commands = f"""
        source ./_memlane
        COMP_WORDS=({" ".join(words)}); COMP_CWORD={len(words) - 1}; COMP_LINE='{line}'; COMP_POINT={len(line)}
        complete -p memlane >/dev/null
        _shtab_memlane
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    command = [shell("bash"), "-c", commands]
    done = subprocess.run(command, cwd=script.parent, capture_output=True, text=True, timeout=600, check=False)
    assert set(done.stdout.split()) == CASES[line], done.stderr


@pytest.mark.parametrize("script", ["fish"], indirect=True)
@pytest.mark.parametrize("line", CASES)
def test_fish(line: str, script: Path) -> None:
    command = [shell("fish"), "--no-config", "-c", f"source _memlane; complete -C '{line}'"]
    environment = {**os.environ, "HOME": str(script.parent), "XDG_CACHE_HOME": str(script.parent / "cache")}
    done = subprocess.run(
        command, cwd=script.parent, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert {proposed.partition("\t")[0] for proposed in done.stdout.splitlines()} == CASES[line], done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("script", ["zsh"], indirect=True)
def test_zsh(script: Path) -> None:
    terminal = Terminal(shell("zsh"), script.parent)
    terminal.send("fpath=($PWD $fpath); autoload -U compinit; compinit -u -D; setopt nolistbeep noautomenu\n")
    terminal.settle()
    for line, proposed in CASES.items():
        terminal.send(line + "\t" * min(2, len(proposed)))  # one completes, the second lists
        shown = terminal.until(*proposed)
        words = set(re.findall(r"[\w.-]+", shown))
        assert proposed <= words
        others = {word for all_of in CASES.values() for word in all_of} - proposed
        assert not others & words, shown
        terminal.settle()
    terminal.close()


class Terminal:
    """A shell that believes somebody types."""

    def __init__(self, program: str, folder: Path) -> None:
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            path = f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}"
            os.execve(
                program, [program, "-f", "-i"], {"PATH": path, "HOME": str(folder), "TERM": "dumb", "PS1": PROMPT}
            )
        self.settled = 0
        self.until(PROMPT)

    def send(self, text: str) -> None:
        """Type."""
        os.write(self.descriptor, text.encode())

    def until(self, *wanted: str) -> str:
        """What is shown until all of `wanted` is, and nothing more comes for a moment."""
        shown, deadline = "", time.monotonic() + 600
        while time.monotonic() < deadline:
            ready, _, _ = select.select([self.descriptor], [], [], 0.3)
            if ready:
                shown += os.read(self.descriptor, 65536).decode("utf-8", "replace")
            elif all(word in shown for word in wanted):
                return re.sub(r"\x1b\[[?\d;]*[A-Za-z]", "", shown)
        raise AssertionError(f"{wanted} not shown: {shown!r}")

    def settle(self) -> None:
        """Leave the line, and read all that is shown because of what was typed before."""
        self.settled += 1
        self.send(f"\x15echo set''tled-{self.settled}\n")  # ^U: an empty line
        self.until(f"settled-{self.settled}", PROMPT)

    def close(self) -> None:
        """Hang up."""
        os.close(self.descriptor)
        os.waitpid(self.pid, 0)
