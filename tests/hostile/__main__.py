"""The full sizes: `python -m tests.hostile [--share S] [SHAPE...]`. Prints the table of docs/reliability.md.

`--share 0.1` takes a tenth of each size. `--growth` doubles each shape, of those that tests double, too, until a phase
takes some seconds (`--seconds`) or the text has 40,000 lines, and prints the power with which its processor time has
grown with the bytes of the text in the last two doublings. Exit code 1 when a bound is exceeded or a check fails.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Callable, Iterator
from math import log2

import pytest

from memlane.cli import COLLECT
from memlane.syntax.editing import document
from memlane.syntax.lines.memo import Memo
from tests.hostile.growth import PHASES, Work, exponent, seconds
from tests.hostile.repeated import REPEATED
from tests.hostile.shapes import SHAPES
from tests.hostile.sizes import Bounds, checked
from tests.hostile.test_growth_of_checks import SHAPES as CHECKED

LARGEST, LONGEST = 1_500_000, 40_000
"""Characters and lines of the largest texts that growth is measured with."""
LEAST, SHORT = 0.1, 1.0
"""Seconds of which nobody asks with what they grow, and those that are measured again."""
GROWING: dict[str, tuple[Callable[[int], str], int]] = {
    **{name: (make, size) for name, (make, size, _) in SHAPES.items()},
    **{f"repeated-{name}": made for name, made in REPEATED.items()},
    **{f"checked-{make.__name__}": (make, size) for make, size in CHECKED},
}
"""Shapes by name, each with a size that takes a moment."""


def main() -> int:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser("python -m tests.hostile", description=__doc__)
    parser.add_argument("shapes", nargs="*", help="all, if there are none")
    parser.add_argument("--share", type=float, default=1.0, help="of the full sizes")
    parser.add_argument("--growth", action="store_true", help="print how processor time grows")
    parser.add_argument("--seconds", type=float, default=4.0, help="that doubling goes on for, a phase")
    options = parser.parse_args()
    known = GROWING if options.growth else SHAPES
    if unknown := [shape for shape in options.shapes if shape not in known]:
        parser.error(f"no such shape: {', '.join(unknown)}; there are {', '.join(known)}")
    if options.growth:
        gc.set_threshold(COLLECT, 10, 10)  # as the command has it: with Python's own, looking for cycles takes most
        for shape in options.shapes or GROWING:
            print(f"{shape}: {_growth(*GROWING[shape], options.seconds)}", flush=True)
        return 0
    print("| input | size | file | findings | processor | memory |\n| --- | --- | --- | --- | --- | --- |")
    return max(_row(shape, int(SHAPES[shape][2] * options.share)) for shape in options.shapes or SHAPES)


def _row(shape: str, size: int) -> int:
    outcome = checked(shape, size, limited=False)
    bounds = Bounds.of(outcome.size, outcome.findings)
    wrong = outcome.code not in (0, 1) or outcome.seconds > bounds.seconds or outcome.megabytes > bounds.megabytes
    print(
        f"| {shape} | {size:,} | {outcome.size / 1e6:.1f} MB | {outcome.findings:,} | {outcome.seconds:.1f} s "
        f"| {outcome.megabytes:,.0f} MB |"
        + (f" !!! exit code {outcome.code} {outcome.errors[-500:]}" if wrong else ""),
        flush=True,
    )
    return int(wrong)


def _growth(make: Callable[[int], str], size: int, most: float) -> str:
    PHASES["fix all"](make(max(1, size // 8)))()
    powers: list[str] = []
    for phase, prepared in PHASES.items():
        took: list[tuple[int, float]] = []
        for text in _doubled(make, size // 8):
            took.append((len(text), _least(prepared, text)))
            if took[-1][1] > most:
                break
        (few, before), (many, after) = took[-3:][0], took[-1]
        grown = f"{exponent(before, after) / log2(many / few):.2f}" if after > LEAST else "-"
        powers.append(f"{phase} {grown} ({many / 1e6:.1f} MB {after:.1f} s)")
    return ", ".join(powers)


def _least(prepared: Callable[[str], Work], text: str) -> float:
    """Seconds that a phase takes, the least of three times where that is short: others use the machine as well."""

    def once() -> float:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(document, "_memo", Memo())  # statements like those that were read before take no reading
            gc.collect()  # what was done before is no work of this
            return seconds(prepared(text))

    first = once()
    return min(first, once(), once()) if first < SHORT else first


def _doubled(make: Callable[[int], str], size: int) -> Iterator[str]:
    """Texts of a shape, each of twice the size of the one before it."""
    size = max(1, size)
    while len(text := make(size)) < LARGEST and text.count("\n") < LONGEST:
        yield text
        size *= 2


if __name__ == "__main__":
    sys.exit(main())
