"""textDocument/didChange."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_DID_CHANGE


def handle(ls: MemlaneServer, params: types.DidChangeTextDocumentParams) -> None:
    """Edit the text, stop what works on the old one, and check the new one."""
    document = params.text_document
    if ls.session.change(document.uri, document.version, params.content_changes):
        ls.background.outdate(document.uri)
        ls.check_soon(document.uri)
