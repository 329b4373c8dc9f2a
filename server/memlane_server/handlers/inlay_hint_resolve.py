"""inlayHint/resolve: more of what a hint says, where to find what it speaks of, and the edits that repair it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.findings import Span
from memlane.ide.hints import hints
from memlane.ide.snapshot import File
from memlane_server.convert import Converter
from memlane_server.custom import given_back
from memlane_server.handlers.inlay_hint import peaks

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.INLAY_HINT_RESOLVE


async def handle(ls: MemlaneServer, params: types.InlayHint) -> types.InlayHint:
    """The hint with its tooltip, location and edits; as it was, where the document is another one by now."""
    if params.data is None:
        return params
    uri, identity, offset, label = given_back(params.data, str, str, int, str)

    def work(file: File, convert: Converter) -> types.InlayHint:
        if file.identity != identity:
            return params
        line = file.text.position(offset).line
        span = Span(file.text.offset(line, 0), offset)
        for hint in hints(file, span, measured=peaks(file, span)[0]):
            fix = file.fix(hint.finding) if hint.finding is not None else None
            if hint.offset == offset and _is(hint.label, label):
                tooltip = hint.finding.report.message if hint.finding is not None else hint.tooltip or None
                target = convert.location(uri, hint.target) if hint.target is not None else None
                params.label = [types.InlayHintLabelPart(label, tooltip, target)] if target else label
                params.tooltip = tooltip
                params.text_edits = convert.edits(fix.edits) if fix is not None else None
        return params

    return await ls.ask(uri, work, findings=True) or params


def _is(whole: str, label: str) -> bool:
    """Whether a label, all of it, is the one that was shown: some of its parts may have been switched off."""
    return whole == label or set(label.split(", ")) <= set(whole.split(", "))
