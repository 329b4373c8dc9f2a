"""`python -m tests.fixes.differential`: programs are run before and after `fix_all`, on all paths, and compared.

    python -m tests.fixes.differential --programs 1000      made at random: without deallocations, with faults in them
    python -m tests.fixes.differential --corpus             other projects', as far as they can be run

No path that was right may go wrong, print something else or take more memory; none may print something else that used
no freed memory; none may crash or go wrong where nothing is found any more. The text is settled, accepted by `mlir-opt`
and as tidy as before (tidiness.py).
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TypeVar

from memlane.checking import check
from memlane.findings import Severity
from memlane.fixes import fix_all
from tests.fixes.execute import TOGETHER, Runs, apart, measure, measure_all
from tests.fixes.generated import bare, planted
from tests.fixes.tidiness import untidy
from tests.paths.programs import program
from tests.paths.writer import TYPE

T = TypeVar("T")
CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
LARGEST = 60_000
_NEW = re.compile(rf"^( *)(%\w+) = memref\.alloc\(\) : {TYPE}$", re.MULTILINE)
_ALLOCATED = re.compile(r"= *memref\.alloc\b")
_OTHER_SPACE = re.compile(r"alloc[^\n]*memref<[^<>\n]*, *[1-9]\d*(?: *: *\w+)?>")


@dataclass(slots=True)
class Report:
    """What all comparisons came to.

    Attributes:
        counts: programs, functions and paths, and what became of them.
        complaints: what must not be, each with the program's name.
        clean: the programs in which nothing wrong is found afterwards.
    """

    counts: Counter[str] = field(default_factory=Counter[str])
    complaints: list[str] = field(default_factory=list[str])
    clean: set[str] = field(default_factory=set[str])

    def add(self, programs: Iterable[tuple[str, str]]) -> None:
        """Repair programs, given with their names, and run them before and after."""
        pairs = [(name, source, self._repaired(name, source)) for name, source in programs]
        for several in _together([pair for pair in pairs if pair[1] != pair[2]]):
            self._run(several)

    def _repaired(self, name: str, source: str) -> str:
        after = fix_all(source)
        self.counts["programs"] += 1
        self.counts["programs that change"] += after != source
        if len(_ALLOCATED.findall(after)) > len(_ALLOCATED.findall(source)):
            self.complaints.append(f"{name}: allocates more")
        if fix_all(after) != after:
            self.complaints.append(f"{name}: changes again")
        grave = (Severity.ERROR, Severity.WARNING)
        left = sum(finding.severity in grave for finding in check(after).findings)
        self.counts["findings left"] += left
        if not left:
            self.clean.add(name)
        self.complaints += [f"{name}: {complaint}" for complaint in untidy(source, after)]
        return after

    def _run(self, programs: Sequence[tuple[str, str, str]]) -> None:
        """Run some at once; where that fails, one by one."""
        try:
            before, after = (measure_all([one[version] for one in programs]) for version in (1, 2))
        except RuntimeError as error:
            if len(programs) == 1:
                self.complaints.append(f"{programs[0][0]}: {error}")
            else:
                for one in programs:
                    self._run([one])
            return
        for (name, _, _), *runs in zip(programs, before, after, strict=True):
            for one, other in zip(*runs, strict=True):
                self.compare(name, one, other)

    def compare(self, name: str, before: Runs, after: Runs) -> None:
        """Compare all runs of a function before and after repairs."""
        self.counts["functions"] += 1
        # Lowering takes out allocations that nothing but a dead load uses, where nothing frees them.
        comparable = after.allocations <= before.allocations
        for one, other in zip(before.paths, after.paths, strict=True):
            self.counts["paths"] += 1
            self.counts["paths wrong before"] += one.faults > 0
            self.counts["paths wrong after"] += other.faults > 0
            wrong = ["goes wrong"] if other.faults and not one.faults else []
            wrong += ["is wrong, and nothing is found"] if other.faults and name in self.clean else []
            wrong += ["prints something else"] if other.result != one.result and not one.uses_after_free else []
            more = comparable and other.peak > one.peak and not one.faults
            wrong += [f"takes {other.peak} for {one.peak}"] if more else []
            self.complaints += [f"{name}, @{before.function}: {what}" for what in wrong]

    def table(self) -> str:
        """The figures, and each complaint once."""
        figures = [f"{count:10,} {what}" for what, count in self.counts.items()]
        complaints = [f"{count} x {what}" for what, count in Counter(self.complaints).items()]
        return "\n".join([*figures, *complaints])


def _together(programs: Iterable[T]) -> Iterator[list[T]]:
    """So many at once."""
    rest = iter(programs)
    while several := list(islice(rest, TOGETHER)):
        yield several


def generated(seeds: Iterable[int]) -> Iterator[tuple[str, str]]:
    """Programs made at random, of three kinds in turn: nothing is freed; faults are put into what was right; freed at
    random."""
    for seed in seeds:
        if seed % 3 == 2:
            # What nothing uses is not allocated at all when it is lowered.
            yield f"seed {seed}", _NEW.sub(rf"\g<0>\n\1func.call @read(\2) : ({TYPE}) -> ()", program(seed)[0])
        else:
            source = bare(range(seed, seed + 1))
            yield f"seed {seed}", planted(fix_all(source), seed) if seed % 3 else source


def of_corpus(sample: int = 0) -> Iterator[tuple[str, str]]:
    """The chunks of other projects' programs that can be run and that a repair changes; `sample`: of so many files."""
    found = (path for path in sorted(CORPUS.rglob("*.mlir")) if path.stat().st_size <= LARGEST)
    files = [path for path in found if b"alloc" in path.read_bytes()]
    for path in random.Random(7).sample(files, sample) if 0 < sample < len(files) else files:
        text = path.read_text(encoding="utf-8", errors="replace")
        # In other memory spaces upstream lowers no deallocation.
        for number, chunk in enumerate(re.split(r"^// -----.*\n", text, flags=re.MULTILINE)):
            if "alloc" in chunk and not _OTHER_SPACE.search(chunk) and fix_all(chunk) != chunk:
                try:
                    ran = measure(apart(chunk, 0))
                except (RuntimeError, OSError, ValueError):
                    continue
                # Where lowering removes all allocations, and loops with them, nothing is compared.
                if any(one.allocations for one in ran):
                    yield f"{path.relative_to(CORPUS)}, chunk {number}", chunk


def main() -> int:
    """Compare what the command line asks for; 1 where something must not be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--corpus", action="store_true")
    options = parser.parse_args()
    report = Report()
    for several in _together(generated(range(options.first, options.first + options.programs))):
        report.add(several)
        print(f"{report.table()}\n", file=sys.stderr, flush=True)
    if options.corpus:
        for one in of_corpus():
            report.add([one])
    print(report.table())
    return 1 if report.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
