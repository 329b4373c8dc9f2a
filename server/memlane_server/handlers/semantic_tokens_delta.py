"""textDocument/semanticTokens/full/delta."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.snapshot import File
from memlane_server.convert import Converter

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA


async def handle(
    ls: MemlaneServer, params: types.SemanticTokensDeltaParams
) -> types.SemanticTokens | types.SemanticTokensDelta | None:
    """What changed since the tokens that the client has; all of them, where it has others than we know of."""
    tokens = ls.session.tokens_of(params.text_document.uri)

    def work(file: File, convert: Converter) -> types.SemanticTokens | types.SemanticTokensDelta:
        changed = tokens.delta(file, params.previous_result_id)
        if changed is None:
            identity, numbers = tokens.full(file)
            return types.SemanticTokens(numbers, identity)
        identity, start, gone, come = changed
        edits = [types.SemanticTokensEdit(start, gone, come)] if gone or come else []
        return types.SemanticTokensDelta(edits, identity)

    return await ls.ask(params.text_document.uri, work)
