"""What runs is what is installed: neither a workspace nor the environment can put its own modules in its place."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memlane_server import worker_client


@pytest.mark.slow
def test_the_worker_imports_nothing_from_the_folder_it_is_started_in(tmp_path: Path) -> None:
    for name in ("memlane_server", "memlane", "json", "pickle"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("open('planted', 'w').close()\n")
    environment = {"PATH": "", "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        worker_client.COMMAND,
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert not (tmp_path / "planted").exists()


def test_it_is_started_by_this_python() -> None:
    assert worker_client.COMMAND[0] == sys.executable
