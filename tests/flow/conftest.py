"""What tests of following buffers share."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from memlane.flow.paths import explore
from memlane.flow.states.events import Pair, Point
from memlane.flow.states.state import State


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[Point]:
    """Where steps of explorations are taken from now on, one entry for each."""
    taken: list[Point] = []
    step = explore.Explorer.step

    def noted(self: explore.Explorer, point: Point, state: State) -> Iterable[Pair]:
        taken.append(point)
        return step(self, point, state)

    monkeypatch.setattr(explore.Explorer, "step", noted)
    return taken
