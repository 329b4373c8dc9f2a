"""workspace/diagnostic: the findings of all files in the open folders, on request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane_server import workspace

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.WORKSPACE_DIAGNOSTIC
WHEN = "workspace_diagnostics"


async def handle(ls: MemlaneServer, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    """Reports of files that are not open, one after the other; documents are asked for by `textDocument/diagnostic`."""
    known = {one.uri: one.value for one in params.previous_result_ids}
    folders, opened = tuple(ls.session.folders), {file.uri for file in ls.session.files()}
    found: list[workspace.Report] = []
    for path, uri in await ls.background.look(lambda: workspace.files(folders, opened)):
        report = await workspace.report(ls, path, uri, known.get(uri))
        if report is not None:
            found.append(report)
    return types.WorkspaceDiagnosticReport(found)
