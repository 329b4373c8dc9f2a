"""textDocument/completion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.completion import Candidate, Kind, completions
from memlane.snapshot import File
from memlane_server.convert import Converter

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_COMPLETION
OPTIONS = types.CompletionOptions(trigger_characters=["%", "^", "@", "."])
KINDS = {
    Kind.VALUE: types.CompletionItemKind.Variable,
    Kind.BLOCK: types.CompletionItemKind.Reference,
    Kind.SYMBOL: types.CompletionItemKind.Function,
    Kind.OPERATION: types.CompletionItemKind.Operator,
}


async def handle(ls: MemlaneServer, params: types.CompletionParams) -> list[types.CompletionItem] | None:
    """What may be typed at the position."""

    def work(file: File, convert: Converter) -> list[types.CompletionItem] | None:
        return [_item(convert, one) for one in completions(file, convert.offset(params.position))]

    return await ls.ask(params.text_document.uri, work, language=True)


def _item(convert: Converter, candidate: Candidate) -> types.CompletionItem:
    return types.CompletionItem(
        candidate.text,
        kind=KINDS[candidate.kind],
        detail=candidate.detail or None,
        sort_text=f"{candidate.rank:02}{candidate.text}",
        filter_text=candidate.text,
        text_edit=types.TextEdit(convert.range(candidate.span), candidate.text),
    )
