"""textDocument/inlayHint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.hints import Hint, Kind, hints
from memlane.snapshot import File
from memlane_server.convert import Converter

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_INLAY_HINT
OPTIONS = types.InlayHintOptions(resolve_provider=True)


async def handle(ls: MemlaneServer, params: types.InlayHintParams) -> list[types.InlayHint] | None:
    """What can be said at the ends of the lines in view."""
    settings = ls.session.settings
    kinds = frozenset(kind for kind in Kind if getattr(settings, f"inlay_hint_{kind.value}"))

    def work(file: File, convert: Converter) -> list[types.InlayHint] | None:
        return [_hint(file, convert, hint) for hint in hints(file, convert.span(params.range), kinds)]

    return await ls.ask(params.text_document.uri, work)


def _hint(file: File, convert: Converter, hint: Hint) -> types.InlayHint:
    """The client's form of a hint; where it repeats a finding, `inlay_hint_resolve` finds that again."""
    finding = hint.finding
    data = [file.uri, file.identity, *finding.report.span, finding.rule.name] if finding else None
    place = convert.position(hint.offset)
    return types.InlayHint(place, hint.label, padding_left=True, data=data)
