"""textDocument/hover."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.hover import hover
from memlane.ide.snapshot import File
from memlane_server.client_view import Builds
from memlane_server.convert import Converter

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_HOVER


async def handle(ls: MemlaneServer, params: types.HoverParams) -> types.Hover | None:
    """What is known about the name at the position."""
    language = ls.session.settings.features == "all"

    def work(file: File, convert: Converter) -> types.Hover | None:
        found = hover(file, convert.offset(params.position), language, check=False)
        if found is None:
            return None
        content = types.MarkupContent(types.MarkupKind.Markdown, found.markdown)
        return types.Hover(content, convert.range(found.span))

    return await ls.ask(params.text_document.uri, work, seen=params.position, builds=Builds.ANY)
