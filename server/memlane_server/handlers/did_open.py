"""textDocument/didOpen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane_server import configuration
from memlane_server.language import is_mlir

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_DID_OPEN


def handle(ls: MemlaneServer, params: types.DidOpenTextDocumentParams) -> None:
    """Keep the text and check it, unless it is of another language."""
    document = params.text_document
    if not is_mlir(document.uri, document.language_id):
        ls.session.pass_over(document.uri)
        return
    ls.session.open(document.uri, document.version, document.text)
    ls.checks.cancel(document.uri)
    ls.swept.opened(ls, document.uri)
    ls.check_soon(document.uri)
    configuration.show_problems(ls)
