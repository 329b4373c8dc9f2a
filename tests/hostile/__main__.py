"""The full sizes: `python -m tests.hostile [--share S] [SHAPE...]`. Prints the table of docs/reliability.md.

`--share 0.1` takes a tenth of each size. `--growth` prints, for each shape and phase, the power with which its
processor time grows with its input. Exit code 1 when a bound is exceeded or a check fails.
"""

from __future__ import annotations

import argparse
import sys

from tests.hostile.growth import PHASES, exponent, seconds
from tests.hostile.shapes import SHAPES
from tests.hostile.sizes import Bounds, checked


def main() -> int:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser("python -m tests.hostile", description=__doc__)
    parser.add_argument("shapes", nargs="*", default=[*SHAPES])
    parser.add_argument("--share", type=float, default=1.0, help="of the full sizes")
    parser.add_argument("--growth", action="store_true", help="print how processor time grows")
    options = parser.parse_args()
    if options.growth:
        for shape in options.shapes:
            print(_growth(shape), flush=True)
        return 0
    print("| input | size | file | findings | processor | memory |\n| --- | --- | --- | --- | --- | --- |")
    return max(_row(shape, int(SHAPES[shape][2] * options.share)) for shape in options.shapes)


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


def _growth(shape: str) -> str:
    make, size, _ = SHAPES[shape]
    PHASES["fix all"](make(size // 2))()
    powers: list[str] = []
    for phase, prepared in PHASES.items():
        small, large = (min(seconds(prepared(make(size * factor))) for _ in range(3)) for factor in (1, 4))
        powers.append(f"{phase} {exponent(small, large) / 2:.2f} ({large:.2f} s)")
    return f"{shape}: {', '.join(powers)}"


if __name__ == "__main__":
    sys.exit(main())
