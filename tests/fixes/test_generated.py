"""Programs made at random: deallocations are put in, faults are planted into them, all is repaired and run."""

from __future__ import annotations

import pytest

from memlane.fixes import fix_all
from tests.fixes.execute import AVAILABLE, Runs, measure
from tests.fixes.generated import bare, planted

pytestmark = pytest.mark.skipif(not AVAILABLE, reason="mlir-opt-22, mlir-runner-22 or gcc is not installed")

BEYOND = frozenset({3, 9, 26, 36})
"""Functions with more places where one buffer or another may flow than flags are tried for: some of it stays lost."""


def without(seeds: range) -> list[range]:
    """The seeds whose functions can be repaired, one by one."""
    return [range(seed, seed + 1) for seed in seeds if seed not in BEYOND]


def text(seeds: list[range]) -> str:
    """The functions of all seeds in one module."""
    first, *rest = [bare(one) for one in seeds]
    helpers = first.index("func.func @f")
    return "\n".join([first, *(one[helpers:] for one in rest)])


def wrong(runs: list[Runs]) -> list[str]:
    """The functions of which some run goes wrong."""
    return [run.function for run in runs if run.leaks or run.bad_frees or run.uses_after_free]


def holds(seeds: range) -> tuple[int, int, int]:
    """Repair the functions of `seeds`; gives how many leaked, freed wrongly and used what was freed once planted."""
    source = text(without(seeds))
    clean = fix_all(source)
    assert fix_all(clean) == clean
    bare_runs, clean_runs = measure(source), measure(clean)
    assert wrong(clean_runs) == []
    assert [run.result for run in clean_runs] == [run.result for run in bare_runs]
    assert len({run.result for run in clean_runs}) > len(clean_runs) // 2
    broken = planted(clean, seeds.start)
    repaired = fix_all(broken)
    assert fix_all(repaired) == repaired
    after, before = measure(repaired), measure(broken)
    assert wrong(after) == []
    assert [run.result for run in after] == [run.result for run in clean_runs]
    for one, other in zip(after, clean_runs, strict=True):
        assert one.peak <= other.peak, one.function
    used = sum(run.uses_after_free > 0 for run in before)
    return sum(run.leaks > 0 for run in before), sum(run.bad_frees > 0 for run in before), used


def test_a_dozen() -> None:
    leaks, bad_frees, uses = holds(range(10, 22))
    assert min(leaks, bad_frees, uses) > 0


@pytest.mark.slow
@pytest.mark.parametrize("start", range(22, 42, 10))
def test_more(start: int) -> None:
    holds(range(start, start + 10))


@pytest.mark.slow
def test_what_is_beyond_is_not_made_wrong() -> None:
    """What cannot be repaired leaks on, and nothing else: no buffer is freed that is used, and none twice."""
    source = text([range(seed, seed + 1) for seed in (9, 36)])
    before, after = measure(source), measure(fix_all(source))
    assert [(run.bad_frees, run.uses_after_free) for run in after] == [(0, 0)] * len(after)
    assert [run.result for run in after] == [run.result for run in before]
    assert all(one.leaks <= other.leaks for one, other in zip(after, before, strict=True))
