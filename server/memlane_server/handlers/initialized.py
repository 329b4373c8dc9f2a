"""initialized: ask for what was not in `initialize`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

from memlane_server import configuration

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.INITIALIZED


async def handle(ls: MemlaneServer, params: types.InitializedParams) -> None:
    """Settings and file watching; runs beside everything else, whether or not the client ever answers."""
    polling = asyncio.create_task(configuration.poll_files(ls))
    try:
        await asyncio.gather(configuration.watch(ls), configuration.pull(ls), polling)
    except asyncio.CancelledError:
        return  # the server ends; pygls would log this task's cancellation as an error
    finally:
        polling.cancel()
