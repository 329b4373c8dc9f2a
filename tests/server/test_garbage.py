"""Garbage is collected while nobody waits: neither while messages come, nor while a long check is under way."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from pathlib import Path
from weakref import ref

import pytest

from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.ide.snapshot import File
from memlane_server import gc_policy
from memlane_server.background import Background
from memlane_server.limits import MIN_NEW_OBJECTS
from memlane_server.session import Session


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[None]:
    """Collecting sets when it is done next: for the test alone, which begins with Python's own thresholds."""
    usual = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.unfreeze()
    gc.set_threshold(*usual)


def test_collecting_waits_for_the_end_of_work(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    seen: list[bool] = []
    monkeypatch.setattr(gc_policy, "QUIET_SECONDS", 0)

    def working() -> bool:
        asked.append(len(asked) < 3)
        return asked[-1]

    async def quiet() -> None:
        done = asyncio.Event()

        def collected(collector: gc_policy.Collector) -> None:
            seen.extend(asked)
            done.set()

        monkeypatch.setattr(gc_policy.Collector, "_quiet", collected)
        gc_policy.Collector(working=working).busy()
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


@pytest.mark.slow
def test_what_was_collected_is_given_back_to_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []
    monkeypatch.setattr(gc_policy, "give_back", lambda: given.append(gc.get_freeze_count()))
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, MIN_NEW_OBJECTS))
    gc.unfreeze()  # whoever has set something aside
    gc_policy.Collector()._quiet()  # pyright: ignore[reportPrivateUsage] -- what the timer calls
    aside = gc.get_freeze_count()
    gc.unfreeze()
    assert (given, aside > 0) == ([0], True)  # before what is left is set aside


class Knot:
    """Refers to itself: only the collector frees it."""

    def __init__(self) -> None:
        self.end = self


@pytest.mark.slow
@pytest.mark.parametrize("new", [False, True])
def test_garbage_of_a_first_check_waits_for_a_quiet_client(new: bool) -> None:
    usual = gc.get_threshold()
    collector = gc_policy.Collector()
    gc.collect()
    with collector.patient(new):
        knot = ref(Knot())
        others = [Knot() for _ in range(gc_policy.LEFT + usual[0])]
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


@pytest.mark.slow
@pytest.mark.parametrize("working", [False, True])
def test_what_is_set_aside_goes_though_the_client_is_never_quiet(
    monkeypatch: pytest.MonkeyPatch, working: bool
) -> None:
    """As one that opens documents and closes them: at once, or once there is more where work is under way."""
    monkeypatch.setattr(gc_policy, "LOOK_SECONDS", -1)
    collector = gc_policy.Collector(working=lambda: working)
    with collector.patient(new=True):
        knot = ref(Knot())
        others = [Knot() for _ in range(gc_policy.LEFT + gc.get_threshold()[0] // 10)]
        others.clear()
    gc.collect()
    assert knot() is not None

    async def busy() -> None:
        collector.busy()

    monkeypatch.setattr(gc_policy, "FIRST_CHECK_OBJECTS", 1)
    asyncio.run(busy())
    assert knot() is not None, "nothing was closed"
    collector.closed()
    asyncio.run(busy())
    assert (knot() is None) is not working
    monkeypatch.setattr(gc_policy, "MAX_NEW_OBJECTS", 1)
    asyncio.run(busy())
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


@pytest.mark.slow
def test_the_more_stays_the_more_comes_before_the_young_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[tuple[int, int, int]] = []
    for stay in (0, 8_000_000, 80_000_000):
        monkeypatch.setattr(gc, "get_freeze_count", lambda stay=stay: stay)
        gc_policy.Collector()._collect()  # pyright: ignore[reportPrivateUsage] -- what the timer calls
        found.append(gc.get_threshold())
    assert found == [(50_000, 5, 12), (1_000_000, 5, 1), (10_000_000, 5, 1)]


def test_nothing_is_kept_of_documents_that_nobody_asks_about() -> None:
    async def work() -> tuple[int, int]:
        background = Background()

        async def asked() -> None:
            await background.check("a", lambda: None)

        await background.attend("a", asked())
        kept = background._flags, background._tasks  # pyright: ignore[reportPrivateUsage] -- what must not grow
        background.close()
        return len(kept[0]), len(kept[1])

    assert asyncio.run(work()) == (0, 0)


def test_nothing_is_kept_of_closed_documents(tmp_path: Path) -> None:
    session = Session()
    for number in range(10):
        uri = (tmp_path / f"{number}.mlir").as_uri()
        session.open(uri, 1, "")
        session.close(uri)
    assert session.project._of_file == {}  # pyright: ignore[reportPrivateUsage] -- what must not grow
