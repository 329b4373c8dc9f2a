"""How long edits wait for a further one before they are checked, on a clock that moves only while everybody sleeps."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from memlane_server import progress
from memlane_server.background import Latest, Pace
from memlane_server.server import MemlaneServer

PAUSE = 0.05


class Asleep(selectors.DefaultSelector):
    """Does not wait: where the event loop would for so many seconds, its clock has moved by them."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready; None: nothing would ever happen."""
        assert timeout is not None
        self.now += timeout
        return super().select(0)


def run(work: Callable[[Callable[[], float]], Coroutine[Any, Any, None]]) -> None:
    """Run `work`, which gets a clock, on an event loop of that clock."""
    asleep = Asleep()
    loop = asyncio.SelectorEventLoop(asleep)
    loop.time = lambda: asleep.now
    try:
        loop.run_until_complete(work(loop.time))
    finally:
        loop.close()


def checked(edits: Mapping[float, float]) -> list[tuple[float, float]]:
    """When the checks that ended began and ended; `edits`: at what times, and how long their checks take."""
    found: list[tuple[float, float]] = []

    async def work(clock: Callable[[], float]) -> None:
        latest = Latest(lambda what, error: None)

        async def check(took: float) -> None:
            began = clock()
            await asyncio.sleep(took)
            found.append((round(began, 3), round(clock(), 3)))

        for at, took in edits.items():
            await asyncio.sleep(at - clock())
            latest.start("file:///a", lambda took=took: check(took), PAUSE)
        while not latest.idle():
            await asyncio.sleep(1)

    run(work)
    return found


def test_a_single_edit_is_not_delayed() -> None:
    assert checked({0: 0.2, 1: 0.2, 2: 0.2}) == [(0, 0.2), (1, 1.2), (2, 2.2)]


def test_a_burst_is_checked_once_at_its_pause() -> None:
    assert checked({0: 0.3, 0.1: 0.3, 0.14: 0.3, 0.18: 0.3}) == [(0.23, 0.53)]


def test_edits_that_come_one_by_one_while_checks_are_slower() -> None:
    assert checked({number / 10: 0.5 for number in range(20)}) == [(1.95, 2.45)]


def test_the_wait_grows_with_what_a_check_costs_up_to_a_bound() -> None:
    pace = Pace(pause=PAUSE)
    assert (pace.wait(burst=False), pace.wait(burst=True)) == (0, PAUSE)
    pace.took(0.4)
    assert (pace.wait(burst=False), pace.wait(burst=True)) == (0, 0.2)
    pace.took(100)
    assert (pace.wait(burst=False), pace.wait(burst=True)) == (0, pace.longest)


def test_waiting_for_a_check_makes_no_task_of_its_own() -> None:
    """Each is some turns of the event loop, and a keystroke needs six."""

    async def work() -> int:
        return len(asyncio.all_tasks())

    async def waited() -> int:
        return await progress.shown(MemlaneServer(), "", work())

    assert asyncio.run(waited()) == 1
