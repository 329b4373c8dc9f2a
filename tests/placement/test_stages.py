"""A model that upstream frees at the end of its function: found, and repaired, at each stage of its lowering."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.compare import Measurer
from memlane.config import Config
from memlane.fixes import fix_all
from memlane.flow.symbolic.assumptions import Assumptions
from memlane.format import known
from tests.fixes.execute import AVAILABLE, transformed
from tests.placement.model import STAGES, stages

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not AVAILABLE, reason="LLVM's tools are not installed")]

LAYERS = 8


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return stages(LAYERS)


def _late(text: str) -> list[int]:
    found = (one for one in check(text).findings if one.rule.name == "late-free")
    return sorted(one.report.buffer.size or 0 for one in found if one.report.buffer is not None)


def _peaks(text: str) -> tuple[int, int]:
    """The peak of the program, and the ideal, in bytes."""
    (measure,) = (one for one in Measurer(Config(), Assumptions()).measure(text) if one.function == "main")
    return known(measure.peak) or 0, known(measure.ideal) or 0


@pytest.mark.parametrize("stage", STAGES)
def test_the_same_buffers_are_late_at_each_stage(texts: dict[str, str], stage: str) -> None:
    found = _late(texts[stage])
    assert len(found) == len(_late(texts["memref"])) > 2 * LAYERS


@pytest.mark.parametrize("stage", STAGES)
def test_repaired_it_needs_no_more_than_the_ideal(texts: dict[str, str], stage: str) -> None:
    fixed = fix_all(texts[stage])
    assert _late(fixed) == []
    assert transformed(fixed, "builtin.module()")  # the verifier accepts it
    peak, ideal = _peaks(fixed)
    assert peak <= 1.05 * ideal
    assert peak * LAYERS < 3 * _peaks(texts[stage])[0]
