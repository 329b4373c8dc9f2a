"""textDocument/rename."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from memlane.ide.rename import RenameRefused, rename
from memlane.ide.snapshot import File
from memlane_server.convert import Converter

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_RENAME
OPTIONS = types.RenameOptions(prepare_provider=True)


async def handle(ls: MemlaneServer, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """The edits that rename; a name that cannot be given is an error with the reason."""

    def work(file: File, convert: Converter) -> types.WorkspaceEdit:
        try:
            edits = rename(file, convert.offset(params.position), params.new_name)
        except RenameRefused as refusal:
            raise JsonRpcInvalidParams(str(refusal)) from None
        return ls.session.workspace_edit(file, convert.edits(edits))

    return await ls.ask(params.text_document.uri, work, language=True)
