"""Programs made at random: deallocations are put in, faults are planted into them, all is repaired and run."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memlane.fixes import fix_all
from tests.effort import some
from tests.fixes.execute import AVAILABLE, Runs, measure
from tests.fixes.generated import bare, planted

pytestmark = pytest.mark.skipif(not AVAILABLE, reason="mlir-opt-22, mlir-runner-22 or gcc is not installed")


def text(seeds: list[range]) -> str:
    """The functions of all seeds in one module."""
    first, *rest = [bare(one) for one in seeds]
    helpers = first.index("func.func @f")
    return "\n".join([first, *(one[helpers:] for one in rest)])


def wrong(runs: list[Runs]) -> list[str]:
    """The functions of which some run goes wrong."""
    return [run.function for run in runs if run.leaks or run.bad_frees or run.uses_after_free]


def holds(seeds: Sequence[int]) -> tuple[int, int, int]:
    """Repair the functions of `seeds`; gives how many leaked, freed wrongly and used what was freed once planted."""
    source = text([range(seed, seed + 1) for seed in seeds])
    clean = fix_all(source)
    assert fix_all(clean) == clean
    bare_runs, clean_runs = measure(source), measure(clean)
    assert wrong(clean_runs) == []
    assert [run.result for run in clean_runs] == [run.result for run in bare_runs]
    assert len({run.result for run in clean_runs}) > len(clean_runs) // 2
    broken = planted(clean, seeds[0])
    repaired = fix_all(broken)
    assert fix_all(repaired) == repaired
    after, before = measure(repaired), measure(broken)
    assert wrong(after) == []
    assert [run.result for run in after] == [run.result for run in clean_runs]
    for one, other in zip(after, clean_runs, strict=True):
        assert one.peak <= other.peak, one.function
    used = sum(run.uses_after_free > 0 for run in before)
    return sum(run.leaks > 0 for run in before), sum(run.bad_frees > 0 for run in before), used


@pytest.mark.slow
def test_a_dozen() -> None:
    leaks, bad_frees, uses = holds(range(10, 22))
    assert min(leaks, bad_frees, uses) > 0


@pytest.mark.slow
@pytest.mark.parametrize("start", some([0, 22, 32], 1))
def test_more(start: int) -> None:
    holds(some(range(start, start + 10), 5))
