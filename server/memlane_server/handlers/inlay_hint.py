"""textDocument/inlayHint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from memlane.findings import Span
from memlane.ide.hints import Hint, HintKind, hints
from memlane.ide.lanes import FunctionLanes
from memlane.ide.lenses import places
from memlane.ide.profile_cache import Order, order_of
from memlane.ide.profile_cache import known as measured
from memlane.ide.snapshot import File
from memlane_server import client_view
from memlane_server.convert import Converter

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_INLAY_HINT
OPTIONS = types.InlayHintOptions(resolve_provider=True)


async def handle(ls: MemlaneServer, params: types.InlayHintParams) -> list[types.InlayHint] | None:
    """The hints at the ends of the lines in view; those not known yet follow with a refresh."""
    with ls.hints.answering(params.text_document.uri):
        return await _answer(ls, params)


async def _answer(ls: MemlaneServer, params: types.InlayHintParams) -> list[types.InlayHint] | None:
    uri, settings = params.text_document.uri, ls.session.settings
    kinds = frozenset(kind for kind in HintKind if getattr(settings, f"inlay_hint_{kind.value}") and ls.session.details)
    asked: list[Order] = []
    told = refreshes(ls)

    def work(file: File, convert: Converter) -> list[types.InlayHint] | None:
        span = convert.span(params.range)
        lens = ls.session.lenses and settings.code_lens  # which says it
        wanted = HintKind.PEAK in kinds and not lens and (told or not file.portraits.blank)
        known, unknown = peaks(file, span) if wanted else ([], [])
        asked.extend(unknown)
        return [_hint(file, convert, hint) for hint in hints(file, span, kinds, known, wait=not later)]

    before = ls.session.file(uri)
    later = await client_view.found_later(ls, uri, ls.refresh_details) if told else False
    newest = ls.session.file(uri)
    if before is not None and newest is not None and newest.version != before.version:
        # The client would show the hints of the newer lines at those it had when it asked.
        raise JsonRpcContentModified(f"{uri} changed")
    found = await ls.ask(uri, work, findings=not later, seen=params.range)
    ls.measure_soon(uri, asked)
    return found


def refreshes(ls: MemlaneServer) -> bool:
    """Whether the client supports refreshes."""
    workspace = ls.session.capabilities.workspace
    return bool(workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support)


def peaks(file: File, span: Span) -> tuple[list[FunctionLanes], list[Order]]:
    """Of the functions that begin in `span`: what is known, and how to get to know the others."""
    known: list[FunctionLanes] = []
    unknown: list[Order] = []
    for place in places(file, span):
        if span.start <= place.span.start <= span.end:
            order = order_of(file, place.function)
            found = measured(file, order)
            if found is None:
                unknown.append(order)
            elif found[0] is not None:
                known.append(found[0])
    return known, unknown


def _hint(file: File, convert: Converter, hint: Hint) -> types.InlayHint:
    """The client's form of a hint; `inlay_hint_resolve` finds it again by its place and words."""
    data = [file.uri, file.identity, hint.offset, hint.label]
    return types.InlayHint(convert.position(hint.offset), hint.label, padding_left=True, data=data)
