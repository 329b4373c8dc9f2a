"""workspace/didChangeWorkspaceFolders."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from memlane_server.project import file_path

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS


def handle(ls: MemlaneServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Remember which folders are open; each document has the configuration of its own folder anyway."""
    for folder in params.event.removed:
        ls.session.folders.pop(file_path(folder.uri) or Path(), None)
    for folder in params.event.added:
        path = file_path(folder.uri)
        if path is not None:
            ls.session.folders[path] = None
    ls.session.project.root = next(iter(ls.session.folders), None)
    ls.publishers.clear()  # files that locations name may be in the workspace now, or no more
