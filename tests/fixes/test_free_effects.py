"""The effects of one more deallocation, computed incrementally, are those computed from the start."""

from __future__ import annotations

import pytest

from memlane.fixes import fix_all
from memlane.fixes.free_effects import FreeEffects, PlannedFree
from tests.fixes.test_programs import PROGRAMS, read
from tests.hostile.shapes import held, stages


@pytest.mark.slow
def test_one_more(monkeypatch: pytest.MonkeyPatch) -> None:
    add = FreeEffects.add
    chosen: dict[int, list[PlannedFree]] = {}
    start, compared, freed = FreeEffects.start, 0, 0

    def started(self: FreeEffects, sites: list[PlannedFree]) -> None:
        chosen[id(self)] = list(sites)
        start(self, sites)

    def added(self: FreeEffects, site: PlannedFree) -> None:
        nonlocal compared, freed
        add(self, site)
        sites = [*chosen[id(self)], site]
        found = self.into, self.out, self.wrong
        start(self, sites)
        assert found == (self.into, self.out, self.wrong)
        chosen[id(self)] = sites
        compared += 1
        freed += any(2 in bits for bits in self.into)

    monkeypatch.setattr(FreeEffects, "start", started)
    monkeypatch.setattr(FreeEffects, "add", added)
    for text in (*map(read, PROGRAMS), held(8), stages(8)):
        fix_all(text)
    assert compared > 100
    assert freed > 30
