"""Programs with measured truth, run before and after `fix_all` under the counting allocator (execute.py)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from memlane.fixes import fix_all
from tests.fixes.execute import AVAILABLE, Runs, measure, measure_all

SHARED = Path(__file__).parents[3] / "shared" / "cases"
CASES = sorted(path for path in SHARED.glob("*/*.mlir") if path.with_suffix(".json").exists())
PLACEMENT = sorted((SHARED / "placement").glob("*.mlir"))
EXPERT = {
    "t01_two_loops": 8192,
    "t03_while": 80,
    "t04_for_iterarg": 8192,
    "t05_callee": 8192,
    "t06_realloc": 4064,
    "t07_subview": 4096,
    "t09_nested_if": 16384,
    "t11_branch_last_use": 8388608,
    "t12_swap": 8192,
    "t13_early_exit": 16384,
}
"""Peak bytes of the deallocations placed by hand (README of the cases), where no allocation went away besides."""

_FREE = re.compile(r"^ *memref\.dealloc .*\n", re.MULTILINE)

pytestmark = [
    pytest.mark.skipif(not AVAILABLE, reason="mlir-opt-22, mlir-runner-22 or gcc is not installed"),
    pytest.mark.skipif(not CASES, reason=f"the measured programs are not at {SHARED}"),
]


@pytest.mark.slow
@pytest.mark.parametrize("path", PLACEMENT, ids=lambda path: path.stem)
def test_as_an_expert_would(path: Path) -> None:
    (run,) = [run for run in measure(fix_all(path.read_text())) if run.function == "main"]
    assert (run.leaks, run.bad_frees, run.uses_after_free) == (0, 0, 0)
    if path.stem in EXPERT:
        assert run.peak == EXPERT[path.stem]


@pytest.fixture(scope="module")
def runs() -> list[tuple[str, dict[str, Any], Runs, Runs]]:
    """Per program and function: what is measured of it, and its runs before and after."""
    found: list[tuple[str, dict[str, Any], Runs, Runs]] = []
    sources = [path.read_text() for path in CASES]
    ran = measure_all(sources), measure_all([fix_all(source) for source in sources], accesses=True)
    for path, *both in zip(CASES, *ran, strict=True):
        entries = json.loads(path.with_suffix(".json").read_text())[0]["entries"]
        for before, after in zip(*both, strict=True):
            found.append((f"{path.parent.name}/{path.stem}", entries.get(before.function, {}), before, after))
    return found


@pytest.mark.slow
def test_nothing_is_wrong_afterwards(runs: list[tuple[str, dict[str, Any], Runs, Runs]]) -> None:
    wrong = [(n, a) for n, _, _, a in runs if (a.leaks or a.bad_frees or a.uses_after_free)]
    assert wrong == []
    assert sum(before.leaks for _, _, before, _ in runs) > 10_000
    assert sum(before.bad_frees for _, _, before, _ in runs) > 10_000
    assert sum(before.uses_after_free for _, _, before, _ in runs) > 10_000


@pytest.mark.slow
def test_results_are_the_same(runs: list[tuple[str, dict[str, Any], Runs, Runs]]) -> None:
    assert [n for n, _, before, after in runs if not before.uses_after_free and before.result != after.result] == []


@pytest.mark.slow
def test_peaks(runs: list[tuple[str, dict[str, Any], Runs, Runs]]) -> None:
    # A buffer that was freed too early lives longer afterwards; all others never take more.
    assert [n for n, _, before, after in runs if after.peak > before.peak and not before.uses_after_free] == []
    measured = [(entry["optimal_peak_bytes"], after.peak) for _, entry, _, after in runs if entry]
    assert sum(peak for _, peak in measured) <= 1.03 * sum(optimal for optimal, _ in measured)


@pytest.mark.slow
def test_peaks_of_paths(runs: list[tuple[str, dict[str, Any], Runs, Runs]]) -> None:
    assert_near_what_is_possible([after for _, _, _, after in runs], 1.012, 1.027)


@pytest.mark.slow
def test_peaks_of_paths_of_stripped_programs() -> None:
    repaired = [fix_all(_FREE.sub("", path.read_text())) for path in CASES]
    assert_near_what_is_possible(chain.from_iterable(measure_all(repaired, accesses=True)), 1.008, 1.024)


def assert_near_what_is_possible(runs: Iterable[Runs], most: float, knowing: float) -> None:
    """On the average path, near what it takes to free each buffer as soon as no way on from there uses it; and not far
    from freeing it right after its last access on that very path, which no text can where a later condition decides."""
    peaks, possible, least = 0.0, 0.0, 0.0
    for run in runs:
        peaks += sum(one.peak for one in run.paths) / len(run.paths)
        possible += sum(one.possible_peak for one in run.paths) / len(run.paths)
        least += sum(one.least_peak for one in run.paths) / len(run.paths)
    assert least < possible < peaks <= most * possible
    assert peaks <= knowing * least
