"""initialize: take note of what the client can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.INITIALIZE


def handle(ls: MemlaneServer, params: types.InitializeParams) -> None:
    """Called before pygls works out the answer."""
    ls.session.capabilities = params.capabilities
    ls.session.encoding = types.PositionEncodingKind(ls.workspace.position_encoding).value
