"""What is typed over LSP is checked as what the command line reads from disk."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from client import REAL, Client, insertion

PROGRAM = """\
// π is no reason to lose count: 😋
func.func @fuse(%n: index, %flag: i1) -> memref<?xf32> {
  %zero = arith.constant 0.0 : f32
  %start = arith.constant 0 : index
  %lost = memref.alloc(%n) : memref<?xf32>
  %held = memref.alloc(%n) : memref<?xf32> memref.store %zero, %held[%start] : memref<?xf32>
  %result = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%result : memref<?xf32>)
  linalg.fill ins(%undefined : f32) outs(%result : memref<?xf32>)
  memref.dealloc %held : memref<?xf32>
  scf.if %flag {
    memref.dealloc %result : memref<?xf32>
  }
  memref.store %zero, %held[%start] : memref<?xf32>
  return %result : memref<?xf32>
}
"""


def facts_of_cli(path: Path) -> list[tuple[Any, ...]]:
    """Rule, severity, place and message of each finding of `memlane check`, columns in code points, 0-based."""
    command = [sys.executable, "-m", "memlane", "check", "--output-format", "json", str(path)]
    done = subprocess.run(command, capture_output=True, timeout=600, check=False)
    assert done.returncode in (0, 1), done.stderr
    return [
        (
            found["rule"],
            found["severity"],
            found["location"]["row"] - 1,
            found["location"]["column"] - 1,
            found["end_location"]["row"] - 1,
            found["end_location"]["column"] - 1,
            found["message"],
        )
        for found in json.loads(done.stdout)
    ]


def facts_of_lsp(diagnostics: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """The same of what a server published, for a client that counts code points."""
    severities = {1: "error", 2: "warning", 3: "information", 4: "hint"}
    return [
        (
            found["code"],
            severities[found["severity"]],
            *(found["range"][end][unit] for end in ("start", "end") for unit in ("line", "character")),
            found["message"],
        )
        for found in diagnostics
    ]


@pytest.fixture
def on_disk(tmp_path: Path) -> Path:
    path = tmp_path / "typed.mlir"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


CODE_POINTS = {"general": {"positionEncodings": ["utf-32"]}}


def insertion_of_code_points(text: str, offset: int, inserted: str) -> dict[str, Any]:
    """As `insertion`, for a client that counts code points."""
    before = text[:offset]
    at = {"line": before.count("\n"), "character": len(before.rpartition("\n")[2])}
    return {"range": {"start": at, "end": at}, "text": inserted}


@pytest.mark.slow
def test_typing_a_function_ends_with_the_findings_of_the_command_line(on_disk: Path) -> None:
    wanted = facts_of_cli(on_disk)
    assert len(wanted) >= 4
    uri = on_disk.as_uri()
    with Client(REAL, capabilities=CODE_POINTS) as client:
        client.open(uri, "", version=0)
        for at, character in enumerate(PROGRAM):
            client.write(client.change(uri, at + 1, insertion_of_code_points(PROGRAM[:at], at, character)))
            if at % 7 == 0:
                client.settle(0.002)
        assert facts_of_lsp(client.diagnostics(uri, len(PROGRAM))) == wanted


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_typing_in_any_order_ends_with_them_too(on_disk: Path, seed: int) -> None:
    order = list(range(len(PROGRAM)))
    random.Random(seed).shuffle(order)
    uri, typed = on_disk.as_uri(), list[int]()
    with Client(REAL) as client:
        client.open(uri, "", version=0)
        for version, at in enumerate(order, 1):
            place = sum(other < at for other in typed)
            text = "".join(PROGRAM[other] for other in sorted(typed))
            client.write(client.change(uri, version, insertion(text, place, PROGRAM[at])))
            typed.append(at)
        found = client.diagnostics(uri, len(PROGRAM), timeout=600)
    assert [(f["code"], f["message"]) for f in found] == [(f[0], f[-1]) for f in facts_of_cli(on_disk)]
