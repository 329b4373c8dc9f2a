"""The table says what was measured: ratios, what is aimed at, and whether that is reached."""

from __future__ import annotations

from tests.bench import compare
from tests.bench.compare import Measured, cell, part, rows, said
from tests.bench.inputs import SIZES
from tests.bench.wire import Taken


def measured(seconds: float) -> Measured:
    """A server that takes so long for everything."""
    one = Measured(start=[seconds], memory=[seconds * compare.MEBIBYTE])
    for times in (one.first, one.open, one.again, one.keystroke, one.hover, one.definition):
        times.add(Taken(seconds, seconds / 2))
    return one


def test_all_that_is_aimed_at_is_a_row() -> None:
    names = [name for name, _, _, _ in rows(measured(1), measured(2))]
    assert len(names) == len(set(names))
    assert set(compare.TARGETS) | set(compare.ONE_TARGETS) <= set(names)


def test_figures_are_told_apart() -> None:
    found = {name: (ours, theirs) for name, _, ours, theirs in rows(measured(1), measured(2))}
    assert found["keystroke, wall p50"] == (1000, 2000)
    assert found["keystroke, CPU p95"] == (500, 1000)
    assert found["resident memory"] == (1, 2)


def test_what_was_left_out_is_no_row() -> None:
    asked = Measured(start=[1], memory=[1])
    asked.hover.add(Taken(1, 1))
    names = [name for name, _, _, _ in rows(asked, asked)]
    assert names == ["hover, CPU p50", "hover, wall p50", "resident memory", "start"]


def test_every_size_has_its_aim() -> None:
    for sizes in SIZES.values():
        for size in sizes:
            assert compare.target("functions", "keystroke, CPU p50", size) is not None
    assert compare.target("one", "keystroke, CPU p50", 100_000) == 1 / 100
    assert compare.target("functions", "start", 100) is None


def test_a_missed_aim_is_not_called_reached() -> None:
    assert cell("functions", "keystroke, CPU p50", 10_000, 1, 20) == "1 : 20 = **1/20** (reached 1/20)"
    assert cell("functions", "keystroke, CPU p50", 10_000, 2, 20) == "2 : 20 = **1/10** (aim 1/20)"
    assert cell("functions", "start", 100, 3, 2) == "3 : 2 = **1.5**"


def test_parts_and_words() -> None:
    assert part([3, 1, 2], 0.5) == 2
    assert part(list(range(100)), 0.95) == 95
    assert (said(2), said(0.1), said(1 / 150)) == ("2", "1/10", "1/150")
