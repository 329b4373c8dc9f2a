"""Puts the server and what it needs into `bundled/`: `python scripts/bundle.py`.

All of it is pure Python, so that one VSIX serves every platform and every Python from 3.10 on; a compiled file is an
error. Licences of the packages stay beside them.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path

EXTENSION = Path(__file__).resolve().parent.parent
ROOT = EXTENSION.parent
BUNDLED = EXTENSION / "bundled"
COMPILED = {".so", ".pyd", ".dylib", ".dll", ".c", ".pyx"}
UNWANTED = ("__pycache__", "tests", "_pytest", "__pyinstaller", "py.typed")


def main() -> int:
    """Bundle; the exit code is 1 if something that is not pure Python came along."""
    libs = BUNDLED / "libs"
    shutil.rmtree(libs, ignore_errors=True)
    libs.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as scratch:
        _install([*_pip(Path(scratch))], libs)
    for package in ("analysis/memlane", "server/memlane_server"):
        source = ROOT / package
        shutil.copytree(source, libs / source.name, ignore=shutil.ignore_patterns("__pycache__"))
    _prune(libs)
    for name in ("LICENSE", "CHANGELOG.md"):
        shutil.copyfile(ROOT / name, EXTENSION / name)
    pictures = EXTENSION / "walkthrough"
    shutil.rmtree(pictures, ignore_errors=True)  # none of an earlier version stays
    pictures.mkdir()
    for picture in (ROOT / "docs" / "editors").glob("vscode-*.png"):
        shutil.copyfile(picture, pictures / picture.name.removeprefix("vscode-"))
    compiled = [path for path in libs.rglob("*") if path.suffix in COMPILED]
    for path in compiled:
        print(f"not pure Python: {path.relative_to(libs)}", file=sys.stderr)
    return 1 if compiled else 0


def _pip(scratch: Path) -> Iterator[str]:
    """The command that runs pip: this Python's, or that of a new environment where it has none."""
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False).returncode == 0:
        yield from (sys.executable, "-m", "pip")
        return
    venv.create(scratch, with_pip=True)
    python = scratch / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    yield from (str(python), "-m", "pip")


def _install(pip: list[str], libs: Path) -> None:
    # No dependency resolution: the list is complete, whatever the Python that runs this needs (a test compares).
    options = ["--quiet", "--disable-pip-version-check", "--no-compile", "--no-deps", "--target", str(libs)]
    wheels = ["--only-binary", ":all:", "--platform", "any", "--implementation", "py", "--python-version", "3.10"]
    subprocess.run([*pip, "install", *options, *wheels, "-r", str(EXTENSION / "requirements.txt")], check=True)


def _prune(libs: Path) -> None:
    """Leave out what no run needs."""
    for name in UNWANTED:
        for path in list(libs.rglob(name)):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.rmtree(libs / "bin", ignore_errors=True)
    for info in libs.glob("*.dist-info"):
        for path in list(info.rglob("*")):
            if path.is_file() and not path.name.upper().startswith(("LICENSE", "LICENCE", "COPYING", "METADATA")):
                path.unlink()


if __name__ == "__main__":
    sys.exit(main())
