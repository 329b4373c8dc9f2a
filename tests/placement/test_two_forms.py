"""Structured and lowered, a program has the same late buffers; freed where they die, all are freed on each path."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from memlane.checking import check
from memlane.config import Config, load_config
from memlane.findings import Finding
from memlane.fixes import fix_all
from tests.paths.agreement import as_blocks, line_of
from tests.placement.delaying import delayed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("mlir-opt-22") is None, reason="mlir-opt-22 is not installed"),
]

FOLDER = Path(__file__).parents[1] / "fixes" / "programs"
NAMES = ("dying", "edges", "branches", "carried", "switches", "several", "conditions", "blocks")
LATE, problems = load_config(None, ['select=["late-free"]'])
assert not problems

each = pytest.mark.parametrize("name", NAMES)


def _source(name: str, seed: int) -> str:
    return delayed((FOLDER / f"{name}.fixed.mlir").read_text(encoding="utf-8"), seed)


def _late(source: str) -> set[int]:
    """The lines in which the buffers are made that are freed late, as the structured program counts them."""
    lines = source.split("\n")
    buffers = (one.report.buffer for one in check(source, LATE).findings)
    return {line_of(lines, source.count("\n", 0, buffer.span.start)) for buffer in buffers if buffer is not None}


def _wrong(source: str) -> Counter[tuple[str, str | None]]:
    """What is wrong, but for what is late."""

    def about(finding: Finding) -> tuple[str, str | None]:
        return finding.rule.name, finding.function

    return Counter(about(one) for one in check(source, Config()).findings if one.rule.name != "late-free")


@each
@pytest.mark.parametrize("seed", range(2))
def test_the_same_buffers_are_late(name: str, seed: int) -> None:
    source = _source(name, seed)
    assert _late(source) == _late(as_blocks(source))


@each
def test_what_is_late_is_freed_where_it_dies(name: str) -> None:
    source = _source(name, 1)
    for text in (source, as_blocks(source)):
        fixed = fix_all(text, LATE)
        assert _late(fixed) == set()
        assert _wrong(fixed) <= _wrong(text)
