"""What tests of following buffers share."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from memlane.flow.dataflow.events import Pair, Point
from memlane.flow.dataflow.state import State
from memlane.flow.typestate import explorer


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[Point]:
    """Where steps of explorations are taken from now on, one entry for each."""
    taken: list[Point] = []
    step = explorer.Explorer.step

    def noted(self: explorer.Explorer, point: Point, state: State) -> Iterable[Pair]:
        taken.append(point)
        return step(self, point, state)

    monkeypatch.setattr(explorer.Explorer, "step", noted)
    return taken
