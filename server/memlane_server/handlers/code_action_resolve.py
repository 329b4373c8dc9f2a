"""codeAction/resolve: the edit of an action that takes long to work out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane_server.handlers.code_action import with_edit

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.CODE_ACTION_RESOLVE


async def handle(ls: MemlaneServer, params: types.CodeAction) -> types.CodeAction:
    """The action with its edit."""
    return params if params.data is None else await with_edit(ls, params)
