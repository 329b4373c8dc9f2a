"""Following buffers with those conditions alone that tell their states apart: nothing is lost by that."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memlane import check
from memlane.flow import strategy
from memlane.flow.dataflow.budget import Purse
from memlane.flow.dataflow.events import Point
from memlane.flow.dataflow.state import State
from memlane.flow.interproc.exploration_result import Explorations, explored
from memlane.flow.interproc.program import FunctionFlow, Program
from memlane.flow.interproc.tracked_callees import Inquiry
from memlane.flow.slicing.slice import Slice
from memlane.flow.typestate import property_simulation
from memlane.flow.typestate.explorer import Explorer
from memlane.flow.typestate.limits import MAX_KNOWN
from memlane.flow.typestate.property_simulation import Simulation
from tests.effort import some
from tests.hostile.growth import PHASES, lines_run
from tests.hostile.test_growth_of_checks import owned_under_a_flag, statuses
from tests.paths.agreement import Agreement

TYPE = "memref<8xf32>"


@pytest.fixture
def simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is followed path by path is followed so."""

    def simulated(
        program: Program,
        flow: FunctionFlow,
        part: Slice,
        callees: Inquiry,
        purse: Purse,
        how: type[Explorer] = Explorer,
    ) -> Explorations | None:
        return explored(program, flow, part, callees, purse, Simulation if how is Explorer else how)

    monkeypatch.setattr(strategy, "explored", simulated)


def _words(seeds: Sequence[int], form: str = "") -> set[str]:
    found = Agreement()
    for seed in seeds:
        found.add(seed, form)
    return {word for (_, word), count in found.counts.items() if count}


def _rules(text: str) -> list[str]:
    return [finding.rule.name for finding in check(text).findings]


@pytest.mark.slow
@pytest.mark.usefixtures("simulated")
def test_nothing_is_missed_nor_more_certain_than_it_is() -> None:
    assert _words(range(20)) <= {"found", "understated"}


@pytest.mark.slow
@pytest.mark.usefixtures("simulated")
@pytest.mark.parametrize("form", ["", "flags"])
def test_what_is_forgotten_hides_nothing(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(property_simulation, "MAX_KNOWN", 0)
    assert not _words(range(20), form) & {"missed", "overstated"}


@pytest.mark.slow
@pytest.mark.usefixtures("simulated")
@pytest.mark.parametrize("form", ["", "variables", "flags"])
def test_nothing_is_missed_in_many(form: str) -> None:
    assert not _words(some(range(20, 120), 20), form) & {"missed", "overstated"}


@pytest.mark.slow
@pytest.mark.parametrize("count", [4, 16, 64, 128])
def test_the_flag_that_says_whether_there_is_a_buffer_is_remembered(count: int) -> None:
    """Whatever was decided, it was lost, and that of the caller freed."""
    assert _rules(owned_under_a_flag(count)) == []


@pytest.mark.slow
def test_no_state_knows_of_all_flags(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where none of n was true nothing was written, and each of n points was left with what n said."""
    known: list[int] = []

    def arrived(self: Simulation, point: Point, state: State) -> State:
        known.append(len(state.facts))
        return plainly(self, point, state)

    plainly = Simulation.arrived
    monkeypatch.setattr(Simulation, "arrived", arrived)
    assert _rules(owned_under_a_flag(2 * MAX_KNOWN)) == []
    assert 0 < max(known) < 1.1 * MAX_KNOWN


@pytest.mark.slow
def test_what_goes_wrong_behind_many_flags_is_found() -> None:
    freed = "  scf.if %o {\n    memref.dealloc %b : memref<8xf32>\n  }\n"
    text = owned_under_a_flag(128)
    assert _rules(text.replace(freed, freed * 2)) == ["double-free"]
    assert _rules(text.replace(freed, "")) == ["leak"]


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_where_conditions_are_too_many_they_are_so_for_each_buffer() -> None:
    """Each was followed until it was too much, by 69 million lines."""
    lost = statuses(13).replace(f"  memref.dealloc %a13 : {TYPE}\n", "")
    rules = [finding.rule.name for finding in check(lost).findings]
    assert rules == ["argument-free"] + ["possible-leak"] * 13 + ["leak"]
    assert lines_run(PHASES["check"](lost)) < 30_000_000
