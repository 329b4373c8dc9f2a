"""client/registerCapability: the server asks to be told of files that change, where the client takes such requests."""

from __future__ import annotations

from lsp_client import Editor, every_client
from lsprotocol import types
from programs import LEAKS


@every_client
async def test_a_client_that_watches_files_is_asked_to(client: Editor) -> None:
    workspace = client.capabilities.workspace if client.capabilities is not None else None
    watching = workspace.did_change_watched_files if workspace is not None else None
    await client.open(LEAKS).findings()
    if watching is not None and watching.dynamic_registration:
        await client.until("registration", lambda: bool(client.registered))
        assert [one.method for one in client.registered] == [types.WORKSPACE_DID_CHANGE_WATCHED_FILES]
    else:
        assert client.registered == []
