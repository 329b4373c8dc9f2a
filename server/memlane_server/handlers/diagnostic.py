"""textDocument/diagnostic: the findings, for clients that ask for them instead of waiting."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from memlane.ide.snapshot import File
from memlane_server import client_view
from memlane_server.background import Outdated
from memlane_server.protocol import Json
from memlane_server.recovering import recovering

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_DIAGNOSTIC
OPTIONS = types.DiagnosticOptions(inter_file_dependencies=False, workspace_diagnostics=False, identifier="memlane")

Report = types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport | Json


async def handle(ls: MemlaneServer, params: types.DocumentDiagnosticParams) -> Report:
    """The findings of the newest version, or that they are those that the client has.

    Where computing all of them takes long, a client that supports refreshes gets those in view first.
    """
    ls.stop_pushing()
    file = ls.session.file(params.text_document.uri)
    if file is None:
        note = ls.session.refused(params.text_document.uri)
        return types.RelatedFullDocumentDiagnosticReport([] if note is None else [note])
    if file.identity == params.previous_result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(file.identity)
    ls.busy()
    await ls.wire.room()
    publisher = ls.publisher(file)

    def find(file: File) -> Awaitable[str]:
        def found() -> str:
            ls.found_before.show(file)
            return publisher.diagnostics(file.parts)

        return client_view.find(ls, file, found)

    finding = asyncio.ensure_future(recovering(ls.session, file, find))
    try:
        first = await ls.firsts.early(file, publisher, finding) if ls.asks_again else None
        items = await finding if first is None else first
    except Outdated:
        again = types.DiagnosticServerCancellationData(retrigger_request=True)
        message = f"{file.uri} changed"
        raise JsonRpcException(message, types.LSPErrorCodes.ServerCancelled.value, again) from None
    except asyncio.CancelledError:
        finding.cancel()
        raise
    if first is not None:
        finding.add_done_callback(partial(_found, ls, file))
        return _report(f"{file.identity}-first", first)
    ls.recolour(file)
    ls.look_ahead(file)
    return _report(file.identity, items)


def _report(identity: str, items: str) -> Json:
    return Json(f'{{"kind":"full","resultId":{json.dumps(identity)},"items":{items}}}')


def _found(ls: MemlaneServer, file: File, finding: asyncio.Future[str]) -> None:
    """All is known of a file of which the client has what is in view: it shall ask again."""
    if finding.cancelled():
        return
    error = finding.exception()
    if error is None and ls.session.is_newest(file):
        ls.workspace_diagnostic_refresh(None)
    elif error is not None and not isinstance(error, Outdated):
        ls.failed("looking for findings", error)
