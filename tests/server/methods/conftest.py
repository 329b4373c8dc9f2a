"""Servers for the tests of methods, and clients that speak to them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
import pytest_asyncio
from client import REAL
from lsp_client import KEPT, Editor, Start, recorded
from lsprotocol import types


@pytest_asyncio.fixture(scope="session")
async def servers() -> AsyncIterator[dict[str, Editor]]:
    """Those that speak with clients of `client`, by the client's name: one for all tests of a process."""
    started: dict[str, Editor] = {}
    yield started
    for client in started.values():
        await client.leave()


@pytest_asyncio.fixture
async def client(request: pytest.FixtureRequest, servers: dict[str, Editor]) -> AsyncIterator[Editor]:
    """A client: VS Code, or the one that the test is parametrized with. Nothing is open."""
    name = getattr(request, "param", KEPT[0])
    if name not in servers:
        servers[name] = await Editor.started(recorded(name))
    yield servers[name]
    await servers[name].reset()


@pytest.fixture
def folder(client: Editor, tmp_path: Path) -> Path:
    """A folder that the client opens and closes."""
    client.open_folder(tmp_path)
    return tmp_path


@pytest_asyncio.fixture
async def start() -> AsyncIterator[Start]:
    """Starts a server for this test alone, by what its client says first."""
    started: list[Editor] = []

    async def begin(params: types.InitializeParams, command: Sequence[str] = REAL, /) -> Editor:
        started.append(await Editor.started(params, command))
        return started[-1]

    yield begin
    for client in started:
        await client.leave()
