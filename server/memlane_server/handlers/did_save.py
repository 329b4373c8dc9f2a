"""textDocument/didSave: a moment when configuration files may have been saved as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane_server import configuration

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_DID_SAVE


def handle(ls: MemlaneServer, params: types.DidSaveTextDocumentParams) -> None:
    """Read configuration files again."""
    ls.session.project.refresh()
    configuration.recheck(ls)
