"""textDocument/didClose."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_DID_CLOSE


def handle(ls: MemlaneServer, params: types.DidCloseTextDocumentParams) -> None:
    """Forget the document and clear its findings."""
    uri = params.text_document.uri
    ls.session.close(uri)
    ls.collector.closed()
    ls.checks.forget(uri)
    ls.ahead.forget(uri)
    ls.publishers.pop(uri, None)
    ls.redraws.forget(uri)
    ls.reductions.forget(uri)
    ls.measures.forget(uri)
    ls.colours.forget(uri)
    ls.session.drawn.discard(uri)
    ls.background.outdate(uri)
    ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))
    if ls.swept.checked:
        ls.checks.start(uri, partial(ls.swept.closed, ls, uri), 0)
