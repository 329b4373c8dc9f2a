"""textDocument/hover."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.hover import Hover, hover
from memlane.ide.lanes import FunctionLanes
from memlane.ide.markdown import as_text
from memlane.ide.snapshot import File
from memlane.syntax.tree.tree import Function
from memlane_server.client_view import Builds
from memlane_server.convert import Converter

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_HOVER


async def handle(ls: MemlaneServer, params: types.HoverParams) -> types.Hover | None:
    """What is known about the name at the position; of a function also what it needs."""
    kind = _kind(ls.session.capabilities)
    language = ls.session.settings.features == "all"
    uri = params.text_document.uri

    def asked(file: File, convert: Converter, measured: FunctionLanes | None = None) -> Hover | None:
        return hover(file, convert.offset(params.position), language, check=False, measured=measured)

    def answer(convert: Converter, found: Hover) -> types.Hover:
        text = found.markdown if kind is types.MarkupKind.Markdown else as_text(found.markdown)
        return types.Hover(types.MarkupContent(kind, text), convert.range(found.span))

    def first(file: File, convert: Converter) -> tuple[types.Hover, Function | None] | None:
        found = asked(file, convert)
        return (answer(convert, found), found.function) if found is not None else None

    def choose(file: File, convert: Converter) -> Sequence[Function]:
        found = asked(file, convert)
        return [found.function] if found is not None and found.function is not None else []

    def measured(file: File, convert: Converter, functions: list[FunctionLanes]) -> types.Hover | None:
        found = asked(file, convert, functions[0] if functions else None)
        return answer(convert, found) if found is not None else None

    found = await ls.ask(uri, first, seen=params.position, builds=Builds.ANY)
    if found is None or found[1] is None:
        return found[0] if found is not None else None
    return await ls.ask_measured(uri, choose, measured)


def _kind(able: types.ClientCapabilities) -> types.MarkupKind:
    """The form in which the client shows hovers: Markdown, unless it says that it shows plain text alone."""
    shown = able.text_document.hover.content_format if able.text_document and able.text_document.hover else None
    plain = shown is not None and types.MarkupKind.Markdown not in shown
    return types.MarkupKind.PlainText if plain else types.MarkupKind.Markdown
