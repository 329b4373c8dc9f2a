"""Answers that take no longer than to hand the request to a thread are given where it came in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from threading import Event, get_ident

import pytest

from memlane.config import Config
from memlane.ide.snapshot import File
from memlane_server import client_view
from memlane_server.background import Background
from memlane_server.client_view import Builds
from memlane_server.limits import MAX_BRIEF_TEXT

SHORT = "func.func @f() {\n  return\n}\n"
ALLOCATION = "  %a = memref.alloc() : memref<4xf32>\n"
LONG = "func.func @g() {\n" + ALLOCATION * (MAX_BRIEF_TEXT // len(ALLOCATION) + 1) + "  return\n}\n"


def run(scene: Callable[[Background], Coroutine[None, None, None]]) -> None:
    """A scene on an event loop of its own."""
    background = Background()
    try:
        asyncio.run(scene(background))
    finally:
        background.close()


def test_where_no_thread_works_it_is_done_at_once() -> None:
    async def scene(background: Background) -> None:
        assert await background.answer("a", get_ident, brief=True) == get_ident()
        assert await background.answer("a", get_ident) != get_ident()

    run(scene)


def test_while_a_thread_works_it_is_handed_over_as_any_other() -> None:
    async def scene(background: Background) -> None:
        going_on, enough = Event(), Event()

        def work() -> None:
            going_on.set()
            enough.wait()

        check = asyncio.ensure_future(background.check("b", work))
        await asyncio.to_thread(going_on.wait)
        assert await background.answer("a", get_ident, brief=True) != get_ident()
        enough.set()
        await check

    run(scene)


@pytest.mark.parametrize("builds", [*Builds, None])
def test_nothing_is_brief_before_all_is_known(builds: Builds | None) -> None:
    file = File("memlane:a", 1, (SHORT,), Config())
    assert not client_view.is_brief(file, builds)
    _ = file.parts
    assert client_view.is_brief(file, builds) == (builds is not None)


@pytest.mark.slow
def test_what_may_build_long_functions_is_not_brief() -> None:
    short, both = (File("memlane:a", 1, (text,), Config()) for text in (SHORT * 2000, SHORT + LONG))
    for file in (short, both):
        _ = file.parts
    assert client_view.is_brief(short, Builds.ONE)
    assert not client_view.is_brief(short, Builds.ANY)
    assert not client_view.is_brief(both, Builds.ONE)
