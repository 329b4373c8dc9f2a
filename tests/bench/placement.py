"""Deallocations placed by Memlane against upstream's pipeline: peak bytes, heap allocations, refusals.

    python tests/bench/placement.py [FILE...]

Each program is stripped of its deallocations and canonicalized, as upstream's pipeline does anyway (what nobody needs
goes away); Memlane and `mlir-opt` put deallocations in again, and both results are run under the counting allocator
(tests/fixes). A program with a `main` is measured by that, any other by all its public
functions together. Prints Markdown tables, those in docs/guides/fixes.md: first this comparison, then the programs in
`refused/`, which are given to both as they are. The exit code says whether Memlane was worse, or left something.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from memlane.checking import check
from memlane.findings import Severity
from memlane.fixes import fix_all
from tests.fixes.execute import AVAILABLE, PATTERNS, Runs, measure, transformed

REFUSED = sorted((Path(__file__).parent / "refused").glob("*.mlir"))
SHARED = Path(__file__).parents[3] / "shared" / "cases"
PIPELINE = "builtin.module(buffer-deallocation-pipeline)"
OPTIMIZED = "builtin.module(buffer-deallocation-pipeline,func.func(optimize-allocation-liveness))"
GRAVE = (Severity.ERROR, Severity.WARNING)
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


def refused(paths: list[Path]) -> int:
    """Print what comes of programs that upstream cannot do; gives how many Memlane cannot do either."""
    print("\n| program | upstream | Memlane |\n| --- | --- | --- |")
    failures = 0
    for path in paths:
        source = path.read_text(encoding="utf-8")
        fixed = fix_all(source)
        left = [finding.rule.name for finding in check(fixed).findings if finding.severity in GRAVE]
        failures += bool(left)
        ours = f"{', '.join(left)} left" if left else _ran(fixed)
        print(f"| {path.stem} | {_said(source)} | {ours} |")
    return failures


def _said(source: str) -> str:
    """What upstream makes of a program: its error, or how many buffers it leaves to leak."""
    try:
        made = transformed(source, PIPELINE, "--allow-unregistered-dialect")
    except RuntimeError as error:
        found = re.search(r"error: (.*)", str(error))
        return f"refuses: {found[1][:70]}" if found else "fails"
    left = made.count("memref.alloc()") - len(re.findall(r"\bmemref\.dealloc\b", made))
    return f"{left} not freed" if left > 0 else "does it"


def _ran(fixed: str) -> str:
    """How a repaired program runs; some operations cannot be run."""
    try:
        runs = measure(fixed)
    except RuntimeError:
        runs = []
    return str(_score(runs)) if runs else "nothing left to find"


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
    worse = main(given or sorted((SHARED / "placement").glob("*.mlir")))
    raise SystemExit(worse + refused(REFUSED) if not given else worse)
