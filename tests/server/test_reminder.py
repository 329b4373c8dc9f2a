"""Who is told to ask again, and how often."""

from __future__ import annotations

import asyncio

import pytest

from memlane_server import refresh
from memlane_server.limits import MAX_REQUESTS
from memlane_server.refresh import Reminder

URI, OTHER = "file:///w/a.mlir", "file:///w/b.mlir"


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """All reminders come within the blink of an eye."""
    monkeypatch.setattr(refresh, "FIRST_SECONDS", 0.0)


async def _all_told() -> None:
    for _ in range(3 * MAX_REQUESTS):
        await asyncio.sleep(0)


def _counted() -> tuple[list[None], Reminder]:
    told: list[None] = []
    return told, Reminder(lambda: told.append(None))


def test_who_never_asked_is_told_once() -> None:
    async def run() -> int:
        told, reminded = _counted()
        reminded.remind()
        await _all_told()
        return len(told)

    assert asyncio.run(run()) == 1


def test_who_does_not_ask_again_is_told_some_more_times() -> None:
    async def run() -> int:
        told, reminded = _counted()
        with reminded.answering(URI):
            pass
        reminded.remind()
        await _all_told()
        return len(told)

    assert asyncio.run(run()) == 1 + MAX_REQUESTS


def test_who_has_drawn_its_answer_long_ago_has_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> int:
        told, reminded = _counted()
        with reminded.answering(URI):
            pass
        monkeypatch.setattr(refresh, "DRAWN_SECONDS", 0.0)
        reminded.remind()
        await _all_told()
        return len(told)

    assert asyncio.run(run()) == 1


def test_each_document_has_to_be_asked_about() -> None:
    """One whose answer is under way is as deaf as one that is being drawn."""

    async def run() -> tuple[int, int]:
        told, reminded = _counted()
        with reminded.answering(URI):
            with reminded.answering(OTHER):
                pass
            reminded.remind()
        with reminded.answering(OTHER):
            pass
        await asyncio.sleep(0.01)
        one_deaf = len(told)
        told.clear()
        reminded.remind()
        with reminded.answering(OTHER), reminded.answering(URI):
            pass
        await _all_told()
        return one_deaf, len(told)

    assert asyncio.run(run()) == (1 + MAX_REQUESTS, 1)
