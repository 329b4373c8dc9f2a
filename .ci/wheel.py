"""Builds the wheel, installs it alone in a fresh environment, and checks an example with it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {"memlane", "memlane_server"}


def main() -> None:
    """Raise where something is not as it must be."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, str(ROOT)]
        subprocess.run(command, check=True)
        (wheel,) = Path(folder).glob("*.whl")
        top = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
        assert {name for name in top if not name.endswith(".dist-info")} == PACKAGES, top
        fresh = Path(folder) / "venv"
        venv.create(fresh, with_pip=True)
        subprocess.run([fresh / "bin" / "pip", "install", "--quiet", str(wheel)], check=True)
        example = ROOT / "examples" / "fuse_element_late.mlir"
        command = [str(fresh / "bin" / "memlane"), "check", str(example)]
        shown = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (shown.returncode, "late-free" in shown.stdout) == (1, True), shown
        print(f"{wheel.name}: {wheel.stat().st_size} bytes, installs and checks")


main()
