"""textDocument/semanticTokens/full."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.snapshot import File
from memlane_server.convert import Converter
from memlane_server.tokens import MODIFIER_NAMES, TYPE_NAMES

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL
OPTIONS = types.SemanticTokensLegend(token_types=TYPE_NAMES, token_modifiers=MODIFIER_NAMES)


async def handle(ls: MemlaneServer, params: types.SemanticTokensParams) -> types.SemanticTokens | None:
    """All tokens of the document."""
    tokens = ls.session.tokens_of(params.text_document.uri)

    def work(file: File, convert: Converter) -> types.SemanticTokens:
        identity, numbers = tokens.full(file)
        return types.SemanticTokens(numbers, identity)

    return await ls.ask(params.text_document.uri, work)
