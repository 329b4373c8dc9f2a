"""textDocument/diagnostic: the findings, for clients that ask for them instead of waiting."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from memlane_server.background import Outdated
from memlane_server.protocol import Json

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_DIAGNOSTIC
OPTIONS = types.DiagnosticOptions(inter_file_dependencies=False, workspace_diagnostics=False, identifier="memlane")

Report = types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport | Json


async def handle(ls: MemlaneServer, params: types.DocumentDiagnosticParams) -> Report:
    """The findings of the newest version, or that they are those that the client has."""
    ls.stop_pushing()
    file = ls.session.file(params.text_document.uri)
    if file is None:
        note = ls.session.refused(params.text_document.uri)
        return types.RelatedFullDocumentDiagnosticReport([] if note is None else [note])
    if file.identity == params.previous_result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(file.identity)
    ls.busy()
    publisher = ls.publisher(file)
    try:
        items = await ls.background.find(file.uri, lambda: publisher.diagnostics(file.parts))
    except Outdated:
        again = types.DiagnosticServerCancellationData(retrigger_request=True)
        message = f"{file.uri} changed"
        raise JsonRpcException(message, types.LSPErrorCodes.ServerCancelled.value, again) from None
    ls.recolour(file)
    ls.look_ahead(file)
    return Json(f'{{"kind":"full","resultId":{json.dumps(file.identity)},"items":{items}}}')
