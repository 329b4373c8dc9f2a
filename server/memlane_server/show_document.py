"""Showing documents by the client, where it can."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer


async def show_document(ls: MemlaneServer, uri: str, place: types.Range | None) -> bool:
    """Show a place of a document in the editor, or (without a `place`) a page in a browser. Whether it was shown."""
    window = ls.session.capabilities.window
    if not (window and window.show_document and window.show_document.support):
        what = f"{uri}#L{place.start.line + 1}" if place else uri
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, f"Memlane: see {what}"))
        return False
    params = types.ShowDocumentParams(uri, external=place is None, take_focus=True, selection=place)
    try:
        return (await ls.window_show_document_async(params)).success
    except JsonRpcException as error:
        ls.failed("the client did not show a document", error)
        return False
