"""textDocument/semanticTokens/range."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.snapshot import File
from memlane_server.convert import Converter

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE


async def handle(ls: MemlaneServer, params: types.SemanticTokensRangeParams) -> types.SemanticTokens | None:
    """The tokens of the lines in view."""
    tokens = ls.session.tokens_of(params.text_document.uri)

    def work(file: File, convert: Converter) -> types.SemanticTokens:
        return types.SemanticTokens(tokens.within(file, params.range.start.line, params.range.end.line))

    return await ls.ask(params.text_document.uri, work, seen=params.range)
