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
    """The result of `work`; cancelled from here or by the client, `work` is cancelled."""
    task = asyncio.ensure_future(work)
    showing: asyncio.Task[None] | None = None
    try:
        done, _ = await asyncio.wait({task}, timeout=PATIENCE_SECONDS)
        if not done and _can_show(ls):
            showing = asyncio.create_task(_show(ls, title, task))
        return await task
    finally:
        task.cancel()
        if showing is not None:
            showing.cancel()


async def _show(ls: MemlaneServer, title: str, task: asyncio.Future[T]) -> None:
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
