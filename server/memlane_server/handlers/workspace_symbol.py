"""workspace/symbol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane_server import symbols

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.WORKSPACE_SYMBOL


async def handle(ls: MemlaneServer, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol] | None:
    """The functions and other symbols of open documents and of files in the open folders, by part of their name."""
    if ls.session.settings.features == "memory":
        return None
    files, encoding, folders = ls.session.files(), ls.session.encoding, tuple(ls.session.folders)
    return await ls.background.look(lambda: symbols.search(params.query, files, folders, encoding))
