"""What is found out while nobody asks: all of it, unless something happens, and it is said where that fails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

import pytest
from tests.hostile import shapes

from memlane.config import Config
from memlane.ide.hints import prepare, unprepared
from memlane.ide.snapshot import File
from memlane_server.background import Background
from memlane_server.precompute import Ahead

LOOK_SECONDS = 0.01


def checked() -> File:
    """A file of several functions, with its findings."""
    file = File("file:///a.mlir", 1, (shapes.functions(20),), Config())
    assert file.parts.findings
    assert len(unprepared(file)) > 3
    return file


async def until(holds: Callable[[], bool]) -> None:
    """Wait for it, however long it takes."""
    while not holds():
        await asyncio.sleep(LOOK_SECONDS)


def run(scene: Callable[[Ahead, Background], Coroutine[None, None, None]]) -> list[BaseException]:
    """What a scene reports as having failed."""
    errors: list[BaseException] = []

    def keep(file: File) -> None:
        raise AssertionError("nobody wants that")

    async def main() -> None:
        background = Background()
        try:
            await scene(Ahead(background, keep, lambda _, error: errors.append(error)), background)
        finally:
            background.close()

    asyncio.run(main())
    return errors


def test_all_functions_are_looked_at() -> None:
    file = checked()

    async def scene(looking: Ahead, background: Background) -> None:
        looking.add(file, keep=False, hints=True)
        await until(looking.idle)

    assert run(scene) == []
    assert unprepared(file) == []


def test_what_is_stopped_goes_on_later(monkeypatch: pytest.MonkeyPatch) -> None:
    file = checked()
    seen: list[int] = []

    async def scene(looking: Ahead, background: Background) -> None:
        loop = asyncio.get_running_loop()

        def first(file: File, number: int) -> None:
            if not seen:
                loop.call_soon_threadsafe(looking.busy)
            seen.append(number)
            prepare(file, number)

        monkeypatch.setattr("memlane_server.precompute.prepare", first)
        looking.add(file, keep=False, hints=True)
        await until(looking.idle)

    assert run(scene) == []
    assert unprepared(file) == []


def test_a_version_that_is_outdated_is_let_be(monkeypatch: pytest.MonkeyPatch) -> None:
    file = checked()

    async def scene(looking: Ahead, background: Background) -> None:
        def edited(file: File, number: int) -> None:
            background.outdate(file.uri)
            prepare(file, number)

        monkeypatch.setattr("memlane_server.precompute.prepare", edited)
        looking.add(file, keep=False, hints=True)
        await until(looking.idle)

    assert run(scene) == []
    assert unprepared(file)


def test_what_is_forgotten_is_not_looked_at() -> None:
    file = checked()

    async def scene(looking: Ahead, background: Background) -> None:
        looking.add(file, keep=False, hints=True)
        looking.forget(file.uri)
        assert looking.idle()

    assert run(scene) == []
    assert unprepared(file)


@pytest.mark.parametrize("edited", [False, True])
def test_what_was_found_is_kept_for_the_next_time(edited: bool) -> None:
    file = checked()
    kept: list[File] = []

    async def main() -> None:
        background = Background()
        looking = Ahead(background, kept.append, lambda _, error: None)
        looking.add(file, keep=not edited, hints=False)
        await until(looking.idle)
        background.close()

    asyncio.run(main())
    assert kept == ([] if edited else [file])


def test_a_failure_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    file, broken = checked(), ValueError("broken")

    def fail(file: File, number: int) -> None:
        raise broken

    async def scene(looking: Ahead, background: Background) -> None:
        monkeypatch.setattr("memlane_server.precompute.prepare", fail)
        looking.add(file, keep=False, hints=True)
        await until(looking.idle)

    assert run(scene) == [broken]
