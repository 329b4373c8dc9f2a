"""What `mlir-opt` reads has no problem: all chunks of the corpus.

Everything is read here, and `mlir-opt` is asked only of the chunks that have a problem.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from syntax_oracle import CORPUS, MLIR_OPT, chunks

from memlane.syntax import parse

PARSE_ONLY = ("--verify-each=0", "--mlir-very-unsafe-disable-verifier-on-parsing")
VERIFIED = frozenset({"undefined-symbol"})
"""Rules about what the verifier refuses and not the parser."""


def accepted(text: str, options: tuple[str, ...]) -> bool:
    """Whether `mlir-opt` reads a chunk."""
    command = [str(MLIR_OPT), "--allow-unregistered-dialect", *options, "-o", "/dev/null", "-"]
    return subprocess.run(command, input=text.encode(), capture_output=True, check=False).returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(MLIR_OPT is None, reason="mlir-opt-22 is not installed (Debian: mlir-22-tools)")
@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not there")
def test_what_is_read_has_no_problem() -> None:
    false: list[tuple[Path, int, list[str]]] = []
    read = 0
    for path in sorted(CORPUS.rglob("*.mlir")):
        for line, text in chunks(path.read_text(encoding="utf-8", errors="replace")):
            read += 1
            problems = parse(text).problems
            options = () if {problem.rule for problem in problems} <= VERIFIED else PARSE_ONLY
            if problems and accepted(text, options):
                false.append((path, line, [problem.message for problem in problems]))
    assert false == []
    assert read > 3000
