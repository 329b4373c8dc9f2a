"""No phase's work grows with the square of its input, in whatever way that is large."""

from __future__ import annotations

import sys

import pytest

from tests.hostile.growth import PHASES, exponent, lines_run, power, versions
from tests.hostile.lines import COMPILER, Work, counted_in_c, counted_in_python
from tests.hostile.repeated import REPEATED, asked_at_once
from tests.hostile.shapes import SHAPES

MOST = 1.15
"""The power with which the lines run may grow. Linear work is below 1.1, a square is 2; n log n is between."""
SIZES = {
    "diamonds": 250, "open-brackets": 1000, "names": 250, "stages": 16, "lowered": 25, "held": 50,
    "crossing": 20, "handed": 30, "replaced": 20
}  # fmt: skip
"""Where an eighth of the usual size is not it: 250 branches are beyond the budget of steps, which bounds the rest;
where the double of it is followed less exactly, which is no growth but a step; and where half of that says as much."""
FEW = 30_000
"""Lines run that are not worth asking what they grow with."""


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize("shape", SHAPES)
def test_growth(shape: str) -> None:
    make, size, _ = SHAPES[shape]
    size = SIZES.get(shape, size // 8)
    PHASES["fix all"](make(max(1, size // 8)))()  # learn what statements look like
    grown: dict[str, float] = {}
    for phase, prepared in PHASES.items():
        small, large = (lines_run(prepared(make(size * factor))) for factor in (1, 2))
        grown[phase] = exponent(small, large) if large > FEW else 0.0
    assert {phase: power for phase, power in grown.items() if power > MOST} == {}, grown


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize("shape", ["calls", "cycle"])
def test_growth_of_versions(shape: str) -> None:
    """Functions are told apart by what they call as well, however long the chains of calls are."""
    make, size, _ = SHAPES[shape]
    assert power(lambda count: versions(make(count)), size) < MOST


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize("made", REPEATED)
def test_growth_of_what_is_repeated(made: str) -> None:
    make, size = REPEATED[made]
    grown = {
        phase: power(lambda count, prepared=prepared: prepared(make(count)), size) for phase, prepared in PHASES.items()
    }
    assert {phase: power for phase, power in grown.items() if power > MOST} == {}, grown


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_growth_of_flags_in_variables() -> None:
    """What is known of a variable is forgotten where it is asked for the last time: else this grows exponentially."""
    assert power(lambda count: PHASES["check"](asked_at_once(count)), 8) < 2


@pytest.mark.slow
def test_a_square_is_seen() -> None:
    def square(size: int) -> int:
        return lines_run(lambda: [other for _ in range(size) for other in range(size)])

    assert exponent(square(200), square(400)) > 1.9


@pytest.mark.slow
@pytest.mark.skipif(COMPILER is None, reason="needs gcc, which is what counts lines faster")
def test_lines_are_counted_alike() -> None:
    def prepared() -> Work:
        return PHASES["check"](SHAPES["calls"][0](20))

    for _ in range(2):
        prepared()()  # learn what statements look like
    counts: list[int] = []
    for count in (counted_in_python, counted_in_c):
        try:
            counts.append(count(prepared()))
        finally:
            sys.settrace(None)
    assert counts[0] > 1000
    assert abs(counts[0] - counts[1]) < counts[0] / 1000  # one counts what starts and ends the work, too
