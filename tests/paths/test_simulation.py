"""Following buffers with those conditions alone that tell their states apart: nothing is lost by that."""

from __future__ import annotations

import pytest

from memlane import check
from memlane.flow import following
from memlane.flow.calls.explorations import Explorations, explored
from memlane.flow.calls.inquiry import Inquiry
from memlane.flow.calls.program import FunctionFlow, Program
from memlane.flow.paths.narrow import Within
from memlane.flow.paths.simulation import Simulation
from memlane.flow.slices.slice import Slice
from memlane.flow.states.budget import Purse
from tests.hostile.growth import PHASES, lines_run
from tests.hostile.test_growth_of_checks import owned_under_a_flag, statuses
from tests.paths.agreement import Agreement

TYPE = "memref<8xf32>"


@pytest.fixture
def simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is followed path by path is followed so."""

    def simulation(
        program: Program, flow: FunctionFlow, part: Slice, callees: Inquiry, purse: Purse, how: type[Within] = Within
    ) -> Explorations | None:
        return explored(program, flow, part, callees, purse, Simulation if how is Within else how)

    monkeypatch.setattr(following, "explored", simulation)


def _words(seeds: range, form: str = "") -> set[str]:
    found = Agreement()
    for seed in seeds:
        found.add(seed, form)
    return {word for (_, word), count in found.counts.items() if count}


@pytest.mark.usefixtures("simulated")
def test_nothing_is_missed_nor_more_certain_than_it_is() -> None:
    assert _words(range(20)) <= {"found", "understated"}


@pytest.mark.slow
@pytest.mark.usefixtures("simulated")
@pytest.mark.parametrize("form", ["", "variables", "flags"])
def test_nothing_is_missed_in_many(form: str) -> None:
    assert not _words(range(20, 120), form) & {"missed", "overstated"}


@pytest.mark.parametrize("count", [4, 16, 64])
def test_the_flag_that_says_whether_there_is_a_buffer_is_remembered(count: int) -> None:
    """Whatever was decided, it was lost, and that of the caller freed."""
    assert [finding.rule for finding in check(owned_under_a_flag(count)).findings] == []


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_where_conditions_are_too_many_they_are_so_for_each_buffer() -> None:
    """Each was followed until it was too much, by 69 million lines."""
    lost = statuses(13).replace(f"  memref.dealloc %a13 : {TYPE}\n", "")
    rules = [finding.rule.name for finding in check(lost).findings]
    assert rules == ["argument-free"] + ["possible-leak"] * 13 + ["leak"]
    assert lines_run(PHASES["check"](lost)) < 30_000_000
