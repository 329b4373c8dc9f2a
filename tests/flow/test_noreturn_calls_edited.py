"""Calls that never return, typed into functions and removed again."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.query import Checker
from memlane.syntax import Document
from tests.effort import some
from tests.flow.inner_edits import edit_on

RULES = Path(__file__).parents[1] / "rules"
PROGRAMS = RULES / "never_returns.mlir", RULES / "aborts_in_regions.mlir"
CONFIG = Config()


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_each_call_comes_and_goes(program: Path) -> None:
    """What uses neither the buffer nor what decides about it still says whether paths end."""
    source = program.read_text()
    document, checker = Document(source, CONFIG.models), Checker()
    checker.findings(document, CONFIG)
    lines = [line for line in source.splitlines(keepends=True) if "call @abort()" in line or "cf.assert" in line]
    assert len(lines) > 5
    start = 0
    for line in lines:
        start = source.index(line, start)
        for edit in (Edit(Span(start, start + len(line)), ""), Edit(Span(start, start), line)):
            document = document.edit([edit])
            assert checker.findings(document, CONFIG) == check(document.source, CONFIG).findings
        start += len(line)
    assert document.source == source


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(4), 1))
def test_any_edits(seed: int) -> None:
    edit_on(PROGRAMS[0].read_text(), seed, 60)
