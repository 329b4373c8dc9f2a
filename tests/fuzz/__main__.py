"""Fuzz by hand: `python -m tests.fuzz [--forever] [--seed N] [--count N] [TARGET...]`.

Targets are those that take a program (scan, read, tree, solver, renderers, fixes, memory, editor), `configuration`,
`messages` (of a server), `edits`, `inner-edits` (of single functions of the rule files), `readings` (edits without
findings) and `sessions` (edits of a server's client, whose requests are answered as of a document opened anew). Prints
a line a minute, and each failure with what makes it again:
`--again TARGET KIND SEED NUMBER`; the text itself with `--show`. Exit code 1 when anything failed.
"""

from __future__ import annotations

import argparse
import logging
import os
import random
import resource
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from itertools import count

from memlane.bugs import RAISING
from tests.fuzz.run import OTHERS, Job, do, jobs
from tests.fuzz.targets import TARGETS

PROGRESS_SECONDS = 60.0
SHOWN = 2_000
"""Characters of a failure that are printed: of where it is the last, of what it is the first, as texts come behind."""


class Tally:
    """What a run came to."""

    def __init__(self) -> None:
        self.inputs: Counter[str] = Counter()
        self.failures: dict[tuple[str, ...], Job] = {}
        self.slowest: list[tuple[float, Job]] = []
        self.memory: list[int] = []
        """Kilobytes of the process at its largest, once a minute."""

    def took(self, job: Job, seconds: float) -> None:
        """Count an input."""
        self.inputs[job.target] += 1
        self.slowest = sorted([*self.slowest, (seconds, job)], key=lambda one: -one[0])[:5]

    def failed(self, job: Job, error: BaseException) -> None:
        """Tell of a failure, once for each place."""
        frames = traceback.extract_tb(error.__traceback__)
        place = (job.target, type(error).__name__, *(f"{frame.filename}:{frame.lineno}" for frame in frames[-2:]))
        if place not in self.failures:
            self.failures[place] = job
            what = "".join(traceback.format_exception_only(error))
            where = "".join(traceback.format_exception(error)).removesuffix(what)
            print(f"FAILED --again {job}\n{where[-SHOWN:]}{what[:SHOWN]}", flush=True)

    def line(self, started: float) -> str:
        """How it goes."""
        self.memory.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        done = ", ".join(f"{name} {number}" for name, number in sorted(self.inputs.items()))
        minutes = (time.monotonic() - started) / 60
        return f"{minutes:.0f} min, {self.memory[-1] // 1024} MB, {len(self.failures)} failures: {done}"


def main() -> int:
    """Run what the command line asks for."""
    arguments = _arguments()
    options = arguments.parse_args()
    valid = [*TARGETS, *OTHERS]
    for name in (*options.targets, *(options.again or ())[:1]):
        if name not in valid:
            arguments.error(f"unknown target {name} (valid: {', '.join(valid)})")
    os.environ[RAISING] = "1"
    logging.disable(logging.CRITICAL)
    if options.again:
        target, kind, seed, number = options.again
        job = Job(target, kind, int(seed), int(number))
        if options.show:
            print(job.text())
        do(job)
        return 0
    tally, started = Tally(), time.monotonic()
    told = started
    for job in _jobs(options):
        before = time.process_time()
        try:
            do(job)
        except KeyboardInterrupt:
            break
        except BaseException as error:
            tally.failed(job, error)
        tally.took(job, time.process_time() - before)
        if time.monotonic() > told + PROGRESS_SECONDS:
            told = time.monotonic()
            print(tally.line(started), flush=True)
    print(tally.line(started))
    for seconds, job in tally.slowest:
        print(f"slow: {seconds:.1f} s  --again {job}")
    return 1 if tally.failures else 0


def _jobs(options: argparse.Namespace) -> Iterator[Job]:
    for run in count(options.seed):
        yield from jobs(run, options.count, options.targets)
        if not options.forever:
            return


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", default=[*TARGETS, *OTHERS], help="default: all")
    parser.add_argument("--forever", action="store_true", help="until interrupted, seed after seed")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32), help="default: by chance")
    parser.add_argument("--count", type=int, default=20, help="inputs of each kind a seed (%(default)s)")
    parser.add_argument("--again", nargs=4, metavar=("TARGET", "KIND", "SEED", "NUMBER"), help="one input")
    parser.add_argument("--show", action="store_true", help="with --again: print the input")
    return parser


if __name__ == "__main__":
    sys.exit(main())
