"""workspace/didChangeConfiguration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane_server import configuration

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.WORKSPACE_DID_CHANGE_CONFIGURATION


async def handle(ls: MemlaneServer, params: types.DidChangeConfigurationParams) -> None:
    """Ask for the new settings; a client that answers no questions pushes them."""
    workspace = ls.session.capabilities.workspace
    if workspace and workspace.configuration:
        await configuration.pull(ls)
    else:
        configuration.apply(ls, configuration.section_of(params.settings))
