"""Every finding about the measured programs is right, and nothing measured is missed (see `truth.py`)."""

from __future__ import annotations

import pytest

from tests.cases.truth import FOLDER, GRADES, KINDS, Score, measure, programs

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the measured programs are not at {FOLDER}")


@pytest.fixture(scope="module")
def score() -> Score:
    found = measure(programs())
    print(found.table())
    return found


def test_there_are_programs() -> None:
    assert len(programs()) == 240


@pytest.mark.slow
def test_nothing_is_missed(score: Score) -> None:
    assert score.missed == []
    assert all(score.found[kind, grade] == score.sites[kind, grade] for kind in KINDS for grade in GRADES)


def test_nothing_is_wrong(score: Score) -> None:
    assert score.wrong == []


def test_every_kind_was_measured(score: Score) -> None:
    assert {kind for kind, _ in score.sites} == set(KINDS)
    assert sum(score.sites.values()) > 600


def test_late_deallocations_name_the_measured_place(score: Score) -> None:
    assert score.late_measured == score.sites["late-free", "all"]
    assert score.late_elsewhere == []
