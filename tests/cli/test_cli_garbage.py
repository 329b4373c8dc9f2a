"""What checks leave behind: collected now and then, and not at the end, when it goes with the process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

FILES = 120
OBSERVED = """\
import gc, json, sys
from memlane import __main__, cli
from memlane.syntax import Document
cli.COLLECT = 5_000
left = []
def look(phase, info):
    if phase == "stop" and gc.get_threshold()[0] == cli.COLLECT:
        left.append(sum(isinstance(one, Document) for one in gc.get_objects()))
gc.callbacks.append(look)
try:
    __main__.run()
except SystemExit:
    print(json.dumps({"left": left, "on": gc.isenabled()}), file=sys.stderr)
"""


@pytest.mark.slow
def test_a_run_over_many_files_keeps_little_of_those_it_has_checked(tmp_path: Path) -> None:
    for number in range(FILES):
        text = f"func.func @f{number}() {{\n  %a = memref.alloc() : memref<4xf32>\n  return\n}}\n"
        (tmp_path / f"{number}.mlir").write_text(text)
    command = [sys.executable, "-c", OBSERVED, "check", "--no-cache", "--jobs", "1", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    told = json.loads(done.stderr.splitlines()[-1])
    assert f"\nFound {FILES} warnings in {FILES} files.\n" in done.stdout
    assert len(told["left"]) >= 3
    assert max(told["left"]) <= len(told["left"])  # those that were being checked when it was collected
    assert max(told["left"]) < FILES // 10
    assert not told["on"]
