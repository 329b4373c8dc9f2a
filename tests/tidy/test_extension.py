"""The VS Code extension: its settings are those that rules and configuration declare; its server is complete."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import requires
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
EXTENSION = ROOT / "vscode-extension"


def test_settings_are_fresh() -> None:
    command = [sys.executable, str(EXTENSION / "scripts" / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_the_server_needs_is_bundled_and_nothing_else() -> None:
    pinned = {
        line.partition("==")[0].replace("_", "-")
        for line in (EXTENSION / "requirements.txt").read_text(encoding="utf-8").splitlines()
        if "==" in line
    }
    needed, seen = ["memlane"], set[str]()
    while needed:
        name = needed.pop()
        seen.add(name)
        for said in requires(name) or ():
            if "extra ==" in said:
                continue
            other = re.split(r"[^\w.-]", said, maxsplit=1)[0].lower().replace("_", "-")
            # What only an older Python needs is not installed here: that it is pinned is all there is to see.
            older = re.search(r"python_version\s*<", said)
            if older:
                seen.add(other)
            elif other not in seen:
                needed.append(other)
            assert other in pinned, f"{name} needs {said}"
    assert pinned <= seen
