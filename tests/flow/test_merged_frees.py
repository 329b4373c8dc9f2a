"""States do not tell apart which of several deallocations freed a buffer; findings name the first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memlane import check
from memlane.findings import Finding
from memlane.flow.dataflow.events import Point
from memlane.flow.dataflow.state import State
from memlane.flow.slicing.canonical_free import Freed
from tests.hostile.test_growth_of_checks import freed_by_branches, freed_in_any_order, late_or_lost, statuses


def _each(self: Freed, point: Point, state: State) -> State:
    return state


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [freed_by_branches(40), freed_in_any_order(24), late_or_lost(20), statuses(6), statuses(18)],
    ids=["branches", "any order", "late", "calls", "many calls"],
)
def test_nothing_else_is_told(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    findings = check(text).findings
    monkeypatch.setattr(Freed, "first", _each)
    apart = check(text).findings
    assert findings and [*map(_without_notes, findings)] == [*map(_without_notes, apart)]
    for one, other in zip(findings, apart, strict=True):
        # Choices that only say why it was the first deallocation that freed it explain nothing where that is not asked.
        assert {*one.report.notes} <= {*other.report.notes}


def _without_notes(finding: Finding) -> Finding:
    return replace(finding, report=replace(finding.report, notes=()))


def test_the_one_that_comes_first_is_told() -> None:
    """On the shortest way, of those the first: as for a few branches, where all are told apart."""
    few, many = ([*check(freed_by_branches(count)).findings] for count in (4, 60))
    assert [one.report.notes[0].message for one in many[:4]] == [one.report.notes[0].message for one in few[:4]]
