"""The static peak is the largest peak over all executions where sizes are known, and never below it."""

from __future__ import annotations

import pytest

from memlane.flow.peak import build_product
from tests.peak.agreement import AMBIGUOUS, FOLDER, Agreement, compare

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the measured programs are not at {FOLDER}")


@pytest.fixture(scope="module")
def agreement() -> Agreement:
    found = compare()
    print(found.table())
    return found


@pytest.mark.slow
def test_peaks_equal_the_measured_ones(agreement: Agreement) -> None:
    assert agreement.differing == []
    assert agreement.counts["peak_bytes", "equal"] >= 500
    assert agreement.counts["optimal_peak_bytes", "equal"] >= 500
    assert agreement.counts["peak_bytes", "above"] == len(AMBIGUOUS)


@pytest.mark.slow
@pytest.mark.parametrize("large", [False, True])
def test_bounds_never_lie_below(large: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions too large to follow every path get an upper bound: here all are taken for such."""
    monkeypatch.setattr(build_product, "MAX_USES_ALL_EXPLORED", -1)
    if large:
        monkeypatch.setattr(build_product, "MAX_USES_EXPLORED", -1)
    found = compare()
    print(found.table())
    assert found.counts["peak_bytes", "below"] == 0
    assert found.counts["optimal_peak_bytes", "below"] == 0
    if not large:
        assert found.counts["peak_bytes", "equal"] >= 500
