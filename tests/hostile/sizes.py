"""Files at their full size, each checked by a process of its own under limits of memory and processor time."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.hostile.shapes import SHAPES

FORM = ["check", "--no-cache", "-j", "1", "--output-format", "json-lines"]


class Bounds(NamedTuple):
    """What a check may take. What a byte costs is less than this, some two or three times."""

    seconds: float
    megabytes: float

    @classmethod
    def of(cls, size: int, findings: int = 0) -> Bounds:
        """For a file of so many bytes in which so much is found."""
        megabytes = size / 1e6
        return cls(20 + 20 * megabytes, 300 + 120 * megabytes + 0.005 * findings)


class Outcome(NamedTuple):
    """How a check went.

    Args:
        code: as the process ended. `findings`: lines it printed. `errors`: what it said.
        seconds: of the processor. `megabytes`: at its largest.
    """

    size: int
    code: int
    findings: int
    errors: str
    seconds: float
    megabytes: float


def checked(shape: str, size: int, limited: bool = True) -> Outcome:
    """Check the shape at a size. `limited`: the system ends or fails what goes beyond the bounds."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{shape}.mlir"
        path.write_text(SHAPES[shape][0](size), encoding="utf-8")
        return checked_file(path, limited)


def checked_file(path: Path, limited: bool = True) -> Outcome:
    """Check a file."""
    bounds = Bounds.of(path.stat().st_size)

    def limit() -> None:
        if limited:
            resource.setrlimit(resource.RLIMIT_CPU, (int(bounds.seconds), int(bounds.seconds)))
            room = int(1.5 * bounds.megabytes * 1e6)  # addresses, of which not all are used
            resource.setrlimit(resource.RLIMIT_AS, (room, room))

    command = [sys.executable, "-c", MEASURED, *FORM, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit, check=False)
    head, _, last = done.stderr.rstrip("\n").rpartition("\n")
    measured = last.split() if last.startswith("measured ") else ["", "0", "0"]
    errors = head if measured[0] else done.stderr
    return Outcome(
        path.stat().st_size,
        done.returncode,
        len(done.stdout.splitlines()),
        errors,
        float(measured[1]),
        float(measured[2]),
    )


MEASURED = """\
import gc, resource, sys
from memlane.cli import COLLECT, main
gc.set_threshold(COLLECT, 10, 10)  # as the command has it
code = main(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_SELF)
print(f"measured {used.ru_utime + used.ru_stime:.2f} {used.ru_maxrss / 1000:.0f}", file=sys.stderr)
sys.exit(code)
"""
