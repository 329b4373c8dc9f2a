"""inlayHint/resolve: what a hint's finding says, and the edits that repair it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lsprotocol import types

from memlane.snapshot import File
from memlane_server.convert import Converter

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.INLAY_HINT_RESOLVE


async def handle(ls: MemlaneServer, params: types.InlayHint) -> types.InlayHint:
    """The hint with its tooltip and edits; as it was, where the document is another one by now."""
    if params.data is None:
        return params
    uri, identity, start, end, rule = cast("tuple[str, str, int, int, str]", params.data)

    def work(file: File, convert: Converter) -> types.InlayHint:
        for finding in file.checked.findings if file.identity == identity else ():
            if (*finding.report.span, finding.rule.name) == (start, end, rule):
                fix = file.fix(finding)
                params.tooltip = finding.report.message
                params.text_edits = convert.edits(fix.edits) if fix else None
        return params

    return await ls.ask(uri, work) or params
