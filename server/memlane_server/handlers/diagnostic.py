"""textDocument/diagnostic: the findings, for clients that ask for them instead of waiting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcException

from memlane.snapshot import File
from memlane_server.convert import Converter

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_DIAGNOSTIC
OPTIONS = types.DiagnosticOptions(inter_file_dependencies=False, workspace_diagnostics=False, identifier="memlane")

Report = types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport


async def handle(ls: MemlaneServer, params: types.DocumentDiagnosticParams) -> Report:
    """The findings of the newest version, or that they are those that the client has."""
    ls.stop_pushing()
    known, related = params.previous_result_id, ls.shows_related()

    def work(file: File, convert: Converter) -> Report:
        if file.identity == known:
            return types.RelatedUnchangedDocumentDiagnosticReport(file.identity)
        found = [convert.diagnostic(file.uri, finding, related) for finding in file.checked.findings]
        return types.RelatedFullDocumentDiagnosticReport(found, result_id=file.identity)

    try:
        report = await ls.ask(params.text_document.uri, work)
    except JsonRpcContentModified as outdated:
        again = types.DiagnosticServerCancellationData(retrigger_request=True)
        raise JsonRpcException(str(outdated), types.LSPErrorCodes.ServerCancelled.value, again) from None
    checked = ls.session.file(params.text_document.uri)
    if checked is not None:
        ls.recolour(checked)
    return report or types.RelatedFullDocumentDiagnosticReport([])
