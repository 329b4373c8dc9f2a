"""What the tests with real editors share: a fresh home, a leaking program, and the configuration the docs give."""

from __future__ import annotations

import os
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs" / "editors"

LEAKING = """\
func.func @leaks(%n: index) {
  %lost = memref.alloc(%n) : memref<?xf32>
  %zero = arith.constant 0.0 : f32
  %start = arith.constant 0 : index
  memref.store %zero, %lost[%start] : memref<?xf32>
  return
}
"""


@dataclass(frozen=True)
class Bench:
    """A place to start an editor in: an empty home, a program to open, the environment to run with."""

    home: Path
    program: Path
    environment: dict[str, str]

    def write(self, name: str, text: str) -> Path:
        """A further file in the home."""
        path = self.home / name
        path.write_text(text)
        return path


def fresh(tmp_path: Path) -> Bench:
    """A fresh profile; `memlane` is the one of the Python that runs the tests."""
    scripts = Path(sys.executable).parent
    if not (scripts / "memlane").exists():
        pytest.skip(f"no memlane command in {scripts}: install the package first")
    program = tmp_path / "leaks.mlir"
    program.write_text(LEAKING)
    environment = {
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "LANG": "C.UTF-8",
        **{name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ},
    }
    return Bench(tmp_path, program, environment)


def editor(command: str) -> str:
    """The path of an editor; the test is skipped where there is none."""
    path = shutil.which(command)
    if path is None:
        pytest.skip(f"{command} is not installed")
    return path


TREE = Path(os.environ.get("MEMLANE_TREE", "/usr/local/lib/memlane-forky"))
"""Where tests/editors/newer.sh puts newer editors."""


def newer(program: str) -> list[str]:
    """How to start a program of the tree of newer editors; the test is skipped where there is none."""
    path = TREE / "usr" / "bin" / program
    if not path.exists():
        pytest.skip(f"no newer {program}: tests/editors/newer.sh gets it")
    (loader,) = TREE.glob("lib64/ld-linux-*.so.2")
    (libraries,) = TREE.glob("usr/lib/*-linux-gnu")
    return [str(loader), "--library-path", str(libraries), str(path)]


def documented(page: str, title: str) -> str:
    """The code block called `title` of a page of the docs."""
    text = (DOCS / page).read_text()
    found = re.search(rf'^```\w+ title="{re.escape(title)}"\n(.*?)^```$', text, re.MULTILINE | re.DOTALL)
    assert found, f"docs/editors/{page} has no block called {title!r}"
    return found.group(1)
