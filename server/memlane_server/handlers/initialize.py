"""initialize: take note of what the client can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane_server import configuration, handlers
from memlane_server.project import file_path

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.INITIALIZE


def handle(ls: MemlaneServer, params: types.InitializeParams) -> None:
    """Called before pygls works out the answer."""
    ls.session.capabilities = params.capabilities
    ls.wire.trace = params.trace or types.TraceValue.Off
    if params.client_info is not None:
        ls.session.client = f"{params.client_info.name} {params.client_info.version or ''}".strip()
    ls.client.watch(params.process_id)
    folders = params.workspace_folders or ()
    root = folders[0].uri if folders else params.root_uri
    ls.session.project.root = file_path(root) if root else None
    for uri in [folder.uri for folder in folders] or ([root] if root else []):
        path = file_path(uri)
        if path is not None:
            ls.session.folders[path] = None
    ls.session.initial_settings = configuration.section_of(params.initialization_options)
    configuration.apply(ls, ls.session.initial_settings)
    handlers.register_wanted(ls)
    ls.session.encoding = types.PositionEncodingKind(ls.workspace.position_encoding).value
