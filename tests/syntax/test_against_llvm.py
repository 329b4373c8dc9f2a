"""A sample of the corpus beside LLVM's tools. All of it: `python tests/syntax/full.py`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from mutations import false_problems, judge, mutations
from syntax_compare import compare_definitions, differences
from syntax_oracle import MLIR_LSP_SERVER, MLIR_OPT, LanguageServer, chunks

from memlane.syntax import parse

needs_opt = pytest.mark.skipif(MLIR_OPT is None, reason="mlir-opt-22 is not installed (Debian: mlir-22-tools)")
needs_server = pytest.mark.skipif(MLIR_LSP_SERVER is None, reason="mlir-lsp-server-22 is not installed")


def sample(shared: Path, count: int, seed: int) -> list[str]:
    """Chunks of the corpus."""
    files = sorted((shared / "corpus" / "llvm22").rglob("*.mlir"))
    chosen = random.Random(seed)
    return [
        chosen.choice([text for _, text in chunks(path.read_text("utf-8"))]) for path in chosen.sample(files, count)
    ]


@needs_opt
def test_operations_and_places(shared: Path) -> None:
    accepted = 0
    for text in sample(shared, 60, seed=1):
        found = differences(text)
        if found is None:
            continue
        accepted += 1
        assert found.missed == [] and found.invented == [], text
        assert not parse(text).problems, text
    assert accepted > 30


@pytest.fixture
def server() -> Iterator[LanguageServer]:
    """A running server."""
    running = LanguageServer()
    yield running
    running.stop()


@pytest.mark.slow
@needs_opt
@needs_server
def test_definitions(shared: Path, server: LanguageServer) -> None:
    total = 0
    for number, text in enumerate(sample(shared, 40, seed=2)):
        if differences(text) is None:
            continue
        found = compare_definitions(server, f"file:///{number}.mlir", text)
        total += found.total
        assert found.wrong == [], text
    assert total > 200


@pytest.mark.slow
@needs_opt
def test_mutations(shared: Path) -> None:
    files = sorted((shared / "cases").rglob("*.mlir"))
    chosen = random.Random(4)
    verdicts = [
        judge(*mutation)
        for number, path in enumerate(chosen.sample(files, 20))
        for mutation in mutations(path.read_text(encoding="utf-8"), 6, number)
    ]
    rejected = [verdict for verdict in verdicts if verdict.error]
    assert [verdict.reported for verdict in verdicts if not verdict.error and verdict.reported] == []
    assert sum(verdict.found for verdict in rejected) >= 0.85 * len(rejected)


@pytest.mark.slow
@needs_opt
def test_no_false_problems(shared: Path) -> None:
    files = random.Random(6).sample(sorted((shared / "cases").rglob("*.mlir")), 20)
    accepted, false = false_problems([path.read_text(encoding="utf-8") for path in files], 3)
    assert accepted > 15
    assert false == []
