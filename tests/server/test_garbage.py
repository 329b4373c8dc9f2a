"""Garbage is collected while nobody waits: neither while messages come, nor while a long check is under way."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from weakref import ref

import pytest

from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.snapshot import File
from memlane_server import garbage
from memlane_server.background import Background


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[None]:
    """Collecting sets when it is done next: for the test alone."""
    usual = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*usual)


def test_collecting_waits_for_the_end_of_work(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    seen: list[bool] = []
    monkeypatch.setattr(garbage, "QUIET_SECONDS", 0)

    def working() -> bool:
        asked.append(len(asked) < 3)
        return asked[-1]

    async def quiet() -> None:
        done = asyncio.Event()

        def collected(collector: garbage.Collector) -> None:
            seen.extend(asked)
            done.set()

        monkeypatch.setattr(garbage.Collector, "_quiet", collected)
        garbage.Collector(working=working).busy()
        await done.wait()

    asyncio.run(quiet())
    assert seen == [True, True, True, False]


def test_work_is_under_way_until_it_has_been_answered() -> None:
    async def work() -> tuple[bool, bool, bool]:
        background = Background()
        before = background.working
        during = await background.check("", lambda: background.working)
        background.close()
        return before, during, background.working

    assert asyncio.run(work()) == (False, True, False)


def test_what_was_collected_is_given_back_to_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []
    monkeypatch.setattr(garbage, "give_back", lambda: given.append(gc.get_freeze_count()))
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, garbage.ENOUGH))
    gc.unfreeze()  # whoever has set something aside
    garbage.Collector()._quiet()  # pyright: ignore[reportPrivateUsage] -- what the timer calls
    aside = gc.get_freeze_count()
    gc.unfreeze()
    assert (given, aside > 0) == ([0], True)  # before what is left is set aside


class Knot:
    """Refers to itself: only the collector frees it."""

    def __init__(self) -> None:
        self.end = self


@pytest.mark.parametrize("new", [False, True])
def test_garbage_of_a_first_check_waits_for_a_quiet_client(new: bool) -> None:
    usual = gc.get_threshold()
    collector = garbage.Collector()
    gc.collect()
    with collector.patient(new):
        knot = ref(Knot())
        others = [Knot() for _ in range(garbage.LEFT + usual[0])]
        others.clear()
        assert (knot() is not None) is new
        assert (gc.get_threshold() == usual) is not new
    assert gc.get_threshold() == usual
    if new:
        gc.collect()
        assert knot() is not None  # set aside
        collector._quiet()  # pyright: ignore[reportPrivateUsage] -- what the timer calls
    gc.unfreeze()
    assert knot() is None


def test_which_checks_are_first_ones() -> None:
    config = Config()
    file = File("file:///a.mlir", 1, ("func.func @f() {\n  return\n}\n",), config)
    edit = (Edit(Span(0, 0), "\n"),)
    later = file.edited(2, ("\n", "func.func @f() {\n  return\n}\n"), config, edit)
    assert file.unread
    assert later.unread
    assert not file.parts.findings
    assert not file.unread
    assert not later.unread


def test_the_more_stays_the_more_comes_before_the_young_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[tuple[int, int, int]] = []
    for stay in (0, 8_000_000, 80_000_000):
        monkeypatch.setattr(gc, "get_freeze_count", lambda stay=stay: stay)
        garbage.Collector()._collect()  # pyright: ignore[reportPrivateUsage] -- what the timer calls
        found.append(gc.get_threshold())
    assert found == [(50_000, 5, 12), (1_000_000, 5, 1), (10_000_000, 5, 1)]
