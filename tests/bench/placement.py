"""Deallocations placed by Memlane against upstream's pipeline: peak bytes, heap allocations, what is refused.

    python tests/bench/placement.py [FILE...]

Each program is stripped of its deallocations and canonicalized, as upstream's pipeline does anyway (what nobody needs
goes away); Memlane and `mlir-opt` put deallocations in again, and both results are run under the counting allocator
(tests/fixes). A program with a `main` is measured by that, any other by all its public
functions together. Prints a Markdown table, the one in docs/fixes.md; the exit code says whether Memlane was worse.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from memlane.fixes import fix_all
from tests.fixes.execute import AVAILABLE, PATTERNS, Runs, measure, transformed

SHARED = Path(__file__).parents[3] / "shared" / "cases"
PIPELINE = "builtin.module(buffer-deallocation-pipeline)"
OPTIMIZED = "builtin.module(buffer-deallocation-pipeline,func.func(optimize-allocation-liveness))"
_FREE = re.compile(r"^[ \t]*memref\.dealloc .*\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Score:
    """What one way of placing comes to: the sum of the peaks, heap allocations a run, and what went wrong."""

    peak: int
    allocations: int
    wrong: int

    def __str__(self) -> str:
        return f"{self.peak} ({self.allocations})" + (f", {self.wrong} wrong" if self.wrong else "")


def main(paths: list[Path]) -> int:
    """Print the table and what it comes to."""
    print("| program | upstream | with liveness | Memlane |\n| --- | --- | --- | --- |")
    compared: list[tuple[Score, Score]] = []
    for path in paths:
        source = transformed(_FREE.sub("", path.read_text(encoding="utf-8")), "builtin.module(canonicalize)")
        upstream = [_upstream(source, PIPELINE), _upstream(source, OPTIMIZED)]
        ours = _score(measure(fix_all(source)))
        print(f"| {path.parent.name}/{path.stem} | {upstream[0]} | {upstream[1]} | {ours} |")
        right = [score for score in upstream if isinstance(score, Score) and not score.wrong]
        if right:
            compared.append((min(right, key=lambda score: (score.peak, score.allocations)), ours))
    theirs = sum(score.peak for score, _ in compared), sum(score.allocations for score, _ in compared)
    memlane = sum(ours.peak for _, ours in compared), sum(ours.allocations for _, ours in compared)
    worse = sum(ours.peak > score.peak or ours.wrong > 0 for score, ours in compared)
    print(
        f"\nUpstream does {len(compared)} of {len(paths)} programs right. On those, the better of its two ways comes to"
    )
    print(f"{theirs[0]} bytes at the peaks and {theirs[1]} allocations, Memlane to {memlane[0]} and {memlane[1]}.")
    print(f"Memlane is worse on {worse}.")
    return int(worse > 0)


def _upstream(source: str, passes: str) -> Score | str:
    try:
        return _score(measure(source, passes))
    except RuntimeError as error:
        said = re.search(r"error: (.*)", str(error))
        return f"refused: {said[1][:70]}" if said else "fails"


def _score(runs: list[Runs]) -> Score:
    counted = [run for run in runs if run.function == "main"] or runs
    wrong = sum(run.leaks + run.bad_frees + run.uses_after_free for run in counted)
    return Score(sum(run.peak for run in counted), sum(run.allocations for run in counted) // PATTERNS, wrong)


if __name__ == "__main__":
    if not AVAILABLE:
        raise SystemExit("mlir-opt-22, mlir-runner-22 or gcc is not installed")
    given = [Path(argument) for argument in sys.argv[1:]]
    raise SystemExit(main(given or sorted((SHARED / "placement").glob("*.mlir"))))
