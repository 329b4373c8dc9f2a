"""Prints the oldest or the newest Python of this machine that the tests can run on: `pythons.py oldest|newest`.

Looked for are `python3.N` on PATH and what pyenv has installed, from what pyproject.toml asks for up to the newest that
all tests are known to pass on. Nothing is printed where that is the one that runs this.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

OLDEST, NEWEST = (3, 10), (3, 13)
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
    return {version: path for version, path in found.items() if OLDEST <= version <= NEWEST}


def main() -> int:
    """The status for the shell."""
    wanted = {"oldest": min, "newest": max}
    if len(sys.argv) != 2 or sys.argv[1] not in wanted:
        print("usage: pythons.py oldest|newest", file=sys.stderr)
        return 2
    found, here = pythons(), sys.version_info[:2]
    version = wanted[sys.argv[1]]({*found, here})
    if version != here:
        print(found[version])
    return 0


if __name__ == "__main__":
    sys.exit(main())
