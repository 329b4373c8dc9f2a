"""textDocument/codeLens: where something is said about functions; `code_lens_resolve` works out what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.lenses import LensPlace, places
from memlane.ide.snapshot import File
from memlane_server.commands import show_lanes
from memlane_server.convert import Converter
from memlane_server.handlers.inlay_hint import refreshes

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_CODE_LENS
OPTIONS = types.CodeLensOptions(resolve_provider=True)


async def handle(ls: MemlaneServer, params: types.CodeLensParams) -> list[types.CodeLens] | None:
    """Two lenses at each function that handles memory: what it needs, and a way to its picture."""
    if not (ls.session.settings.code_lens and ls.session.details):
        return []
    if not ls.session.lenses:
        ls.session.lenses = True
        if ls.session.settings.inlay_hint_peak and refreshes(ls):
            ls.hints.remind()  # hints do not say the peak any more

    def work(file: File, convert: Converter) -> list[types.CodeLens]:
        return [lens for place in places(file) for lens in _lenses(file, convert, place)]

    return await ls.ask(params.text_document.uri, work)


def _lenses(file: File, convert: Converter, place: LensPlace) -> list[types.CodeLens]:
    where, name = convert.range(place.span), place.function.symbol
    show = types.Command("show lanes", show_lanes.NAME, arguments=[file.uri, name])
    return [types.CodeLens(where, data=[file.uri, name]), types.CodeLens(where, command=show)]
