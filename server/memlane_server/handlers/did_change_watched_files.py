"""workspace/didChangeWatchedFiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane_server import configuration

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.WORKSPACE_DID_CHANGE_WATCHED_FILES


def handle(ls: MemlaneServer, params: types.DidChangeWatchedFilesParams) -> None:
    """Read configuration files again."""
    ls.session.project.refresh()
    configuration.recheck(ls)
