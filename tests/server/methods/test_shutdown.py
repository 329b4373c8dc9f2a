"""shutdown: the server answers, refuses all requests that follow, and ends in order at `exit`."""

from __future__ import annotations

import pytest
from lsp_client import Start, initialization
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidRequest


@pytest.mark.slow
async def test_after_shutdown_requests_are_refused(start: Start) -> None:
    client = await start(initialization())
    await client.shut()
    with pytest.raises(JsonRpcInvalidRequest):
        await client.shutdown_async(None)
    with pytest.raises(JsonRpcInvalidRequest):
        await client.workspace_symbol_async(types.WorkspaceSymbolParams(""))
    await client.leave()  # which looks at how it ended
