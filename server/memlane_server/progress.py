"""Work that takes longer than a second is shown to the client, which may stop it."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar, cast

from lsprotocol import types

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

T = TypeVar("T")

PATIENCE_SECONDS = 1.0


async def shown(ls: MemlaneServer, title: str, work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`; when the client stops it, the task that waits for it is cancelled.

    A task of its own for `work` would cost as much as all else that a keystroke needs of the event loop.
    """
    task = asyncio.current_task()
    if task is None or not _can_show(ls):
        return await work
    showing: list[asyncio.Task[None]] = []

    def show() -> None:
        showing.append(asyncio.create_task(_show(ls, title, task)))

    timer = asyncio.get_running_loop().call_later(PATIENCE_SECONDS, show)
    try:
        return await work
    finally:
        timer.cancel()
        for one in showing:
            one.cancel()


async def _show(ls: MemlaneServer, title: str, task: asyncio.Task[Any]) -> None:
    """Show `task` until it, or this, ends."""
    token, progress = str(uuid.uuid4()), ls.work_done_progress
    await progress.create_async(token)  # pyright: ignore[reportUnknownMemberType] -- a bare Future
    progress.begin(token, types.WorkDoneProgressBegin(title, cancellable=True))
    tokens = cast("dict[str, Future[None]]", progress.tokens)  # pyright: ignore[reportUnknownMemberType] -- a bare Future
    tokens[token].add_done_callback(lambda stop: task.cancel() if stop.cancelled() else None)
    try:
        await asyncio.wait({task})
    finally:
        progress.end(token, types.WorkDoneProgressEnd())
        del tokens[token]


def _can_show(ls: MemlaneServer) -> bool:
    window = ls.session.capabilities.window
    return bool(window and window.work_done_progress)
