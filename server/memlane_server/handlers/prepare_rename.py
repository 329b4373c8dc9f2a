"""textDocument/prepareRename."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.rename import renamable
from memlane.ide.snapshot import File
from memlane_server.convert import Converter

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_PREPARE_RENAME


async def handle(ls: MemlaneServer, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """The name at the position, if it can be renamed."""

    def work(file: File, convert: Converter) -> types.PrepareRenamePlaceholder | None:
        found = renamable(file, convert.offset(params.position))
        return types.PrepareRenamePlaceholder(convert.range(found.span), found.name) if found else None

    return await ls.ask(params.text_document.uri, work, language=True)
