"""Work that takes longer than a second is shown to the client, which may stop it."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar, cast

from lsprotocol import types

if TYPE_CHECKING:
    from memlane_server.session_server import SessionServer

T = TypeVar("T")
Said = Callable[[], "tuple[str, int]"]
"""Gives what is being done now, and how much is done, in percent."""

PATIENCE_SECONDS = 1.0
_REPORT_SECONDS = 0.3


async def shown(ls: SessionServer, title: str, work: Coroutine[Any, Any, T], said: Said | None = None) -> T:
    """The result of `work`; when the client stops it, the task that waits for it is cancelled.

    A task of its own for `work` would cost as much as all else that a keystroke needs of the event loop.
    """
    task = asyncio.current_task()
    if task is None or not _can_show(ls):
        return await work
    showing: list[asyncio.Task[None]] = []

    def show() -> None:
        showing.append(asyncio.create_task(_show(ls, title, task, said)))

    timer = asyncio.get_running_loop().call_later(PATIENCE_SECONDS, show)
    try:
        return await work
    finally:
        timer.cancel()
        for one in showing:
            one.cancel()


async def _show(ls: SessionServer, title: str, task: asyncio.Task[Any], said: Said | None) -> None:
    """Show `task` until it, or this, ends."""
    token, progress = str(uuid.uuid4()), ls.work_done_progress
    await progress.create_async(token)  # pyright: ignore[reportUnknownMemberType] -- a bare Future
    percentage = None if said is None else 0
    progress.begin(token, types.WorkDoneProgressBegin(title, cancellable=True, percentage=percentage))
    tokens = cast("dict[str, Future[None]]", progress.tokens)  # pyright: ignore[reportUnknownMemberType] -- a bare Future
    tokens[token].add_done_callback(lambda stop: task.cancel() if stop.cancelled() else None)
    try:
        while said is not None and not (await asyncio.wait({task}, timeout=_REPORT_SECONDS))[0]:
            message, percentage = said()
            progress.report(token, types.WorkDoneProgressReport(message=message, percentage=percentage))
        await asyncio.wait({task})
    finally:
        progress.end(token, types.WorkDoneProgressEnd())
        del tokens[token]


def _can_show(ls: SessionServer) -> bool:
    window = ls.session.capabilities.window
    return bool(window and window.work_done_progress)
