"""Large files: checked within the bounds of memory and processor time, to the end, without giving anything up.

Here by shares of the full sizes that take some minutes together; `python -m tests.hostile` takes the full ones.
"""

from __future__ import annotations

import sys

import pytest

from memlane.checking import check
from tests.effort import FULL, some
from tests.hostile.shapes import SHAPES
from tests.hostile.sizes import checked

LIMITED = pytest.mark.skipif(sys.platform != "linux", reason="limits of memory hold on Linux")
SHARES = {
    "functions": 0.004,
    "values": 0.02,
    "users": 0.1,
    "names": 0.02,
    "garbage": 0.02,
    "ascii": 0.002,
    "base64": 0.04,
    "brackets": 0.02,
    "mixed-brackets": 0.01,
    "open-regions": 0.5,
    "stray-braces": 0.2,
    "blocks": 0.2,
    "lowered": 0.1,
    "calls": 0.4,
    "cycle": 0.4,
    "stages": 0.4,
    "open-brackets": 0.4,
    "going-back": 0.5,
    "replaced": 0.1,
    "diamonds": 0.2,
    "held": 0.1,
    "handed": 0.2,
    "crossing": 0.25,
    "lines": 0.3,
    "long-line": 0.02,
}


@pytest.mark.slow
@LIMITED
@pytest.mark.parametrize("shape", SHAPES)
def test_large_files(shape: str) -> None:
    outcome = checked(shape, int(SHAPES[shape][2] * SHARES.get(shape, 1.0) * (1.0 if FULL else 0.35)))
    assert outcome.code in (0, 1), outcome
    assert outcome.errors == "" or shape in ("garbage", "ascii", "base64"), outcome


UNDER = {
    "views": 19_900,
    "users": 19_900,
    "values": 14_000,
    "blocks": 14_000,
    "stages": 3_300,
    "diamonds": 3_900,
    "replaced": 4_900,
    "held": 2_800,
    "nested": 19_000,
    "cycle": 6_000,
    "calls": 6_000,
}
"""Sizes at which a program has nearly 20,000 operations."""


@pytest.mark.slow
@pytest.mark.parametrize("shape", some([*UNDER], 3))
def test_the_budget_is_enough_for_twenty_thousand_operations(shape: str) -> None:
    checked_program = check(SHAPES[shape][0](UNDER[shape]))
    operations = sum(1 for _ in checked_program.tree.walk())
    assert 15_000 < operations < 20_000
    assert [finding.rule.name for finding in checked_program.findings if finding.rule.name == "analysis-limit"] == []
