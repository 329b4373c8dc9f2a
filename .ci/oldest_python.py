"""Prints the oldest Python of this machine that Memlane supports, unless it is the one that runs this.

Looked for are `python3.N` on PATH and what pyenv has installed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

OLDEST = (3, 10)
"""What pyproject.toml asks for."""
_NAME = re.compile(r"python3\.\d+")
_ASK = "import ensurepip, venv, sys; print(*sys.version_info[:2])"


def candidates() -> Iterator[Path]:
    """Files that may be a Python."""
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        found = Path(folder).glob("python3.*") if folder else ()
        yield from (path for path in found if _NAME.fullmatch(path.name))
    yield from Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/*/bin/python3")


def pythons() -> dict[tuple[int, int], Path]:
    """Those that work, by their versions."""
    found: dict[tuple[int, int], Path] = {}
    for path in candidates():
        asked = subprocess.run([path, "-c", _ASK], capture_output=True, text=True, check=False)
        if asked.returncode == 0:
            major, minor = asked.stdout.split()
            found.setdefault((int(major), int(minor)), path)
    return {version: path for version, path in found.items() if version >= OLDEST}


def main() -> None:
    found, here = pythons(), sys.version_info[:2]
    version = min({*found, here})
    if version != here:
        print(found[version])


if __name__ == "__main__":
    main()
