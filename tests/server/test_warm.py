"""What a check needs is loaded when the server starts, and the sample that sees to it is nothing but a sample."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from memlane.checking import check
from memlane_server.server import MemlaneServer
from memlane_server.warmup import COMING, GOING, SAMPLE, warm_messages

PROGRAM = """
import sys
from memlane_server import server, warmup as warm
from memlane.config import Config
from memlane.ide.snapshot import File
warm.warm_up()
before = set(sys.modules)
source = "func.func @f() {\\n  %a = memref.alloc() : memref<4xf32>\\n  return\\n}\\n"
assert [one.rule.name for one in File("file:///a.mlir", 1, (source,), Config()).parts.findings]
late = {name for name in set(sys.modules) - before if name.startswith("memlane")}
sys.exit(f"loaded late: {late}" if late else 0)
"""


@pytest.mark.slow
def test_a_document_finds_all_loaded() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_messages_that_are_likely_are_understood() -> None:
    wire = MemlaneServer().wire
    warm_messages(wire)
    for method in GOING:
        assert json.loads(wire.written(7, method, GOING[method]))["id"] == 7
    assert GOING.keys() <= COMING.keys()


def test_the_sample_reads() -> None:
    assert not [one for one in check(SAMPLE).findings if one.rule.name in ("syntax", "undefined-value")]
