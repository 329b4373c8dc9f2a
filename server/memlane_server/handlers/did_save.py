"""textDocument/didSave: a moment when configuration files may have been saved as well, and a version to be kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane_server import configuration

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_DID_SAVE


def handle(ls: MemlaneServer, params: types.DidSaveTextDocumentParams) -> None:
    """Read configuration files again; what is found in the version is kept for when the document is opened again."""
    ls.session.project.refresh()
    configuration.recheck(ls)
    file = ls.session.save(params.text_document.uri)
    if file is not None and file.parts_already is not None:
        ls.look_ahead(file)
