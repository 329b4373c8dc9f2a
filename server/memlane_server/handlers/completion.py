"""textDocument/completion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.completion import Candidate, CandidateKind, completions, first
from memlane.ide.snapshot import File
from memlane_server.convert import Converter
from memlane_server.limits import MAX_COMPLETION_ITEMS

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_COMPLETION
OPTIONS = types.CompletionOptions(trigger_characters=["%", "^", "@", "."])
KINDS = {
    CandidateKind.VALUE: types.CompletionItemKind.Variable,
    CandidateKind.BLOCK: types.CompletionItemKind.Reference,
    CandidateKind.SYMBOL: types.CompletionItemKind.Function,
    CandidateKind.OPERATION: types.CompletionItemKind.Operator,
}


async def handle(
    ls: MemlaneServer, params: types.CompletionParams
) -> list[types.CompletionItem] | types.CompletionList | None:
    """What may be typed at the position; the most likely where that is much: then the client asks again."""

    snippets = _takes_snippets(ls)

    def work(file: File, convert: Converter) -> list[types.CompletionItem] | types.CompletionList | None:
        offset = convert.offset(params.position)
        found = completions(file, offset)
        typed = file.text.source[found[0].span.start : offset] if found else ""
        items = [_item(convert, one, at, snippets) for at, one in enumerate(first(found, typed, MAX_COMPLETION_ITEMS))]
        return items if len(found) <= MAX_COMPLETION_ITEMS else types.CompletionList(is_incomplete=True, items=items)

    return await ls.ask(params.text_document.uri, work, language=True)


def _takes_snippets(ls: MemlaneServer) -> bool:
    document = ls.session.capabilities.text_document
    item = document.completion.completion_item if document and document.completion else None
    return bool(item and item.snippet_support)


def _item(convert: Converter, candidate: Candidate, place: int, snippets: bool) -> types.CompletionItem:
    full = snippets and candidate.snippet
    return types.CompletionItem(
        candidate.text,
        kind=KINDS[candidate.kind],
        detail=candidate.detail or None,
        sort_text=f"{place:04}",
        filter_text=candidate.text,
        insert_text_format=types.InsertTextFormat.Snippet if full else None,
        text_edit=types.TextEdit(convert.range(candidate.span), full or candidate.insert or candidate.text),
        additional_text_edits=[*convert.edits([candidate.mends])] if candidate.mends is not None else None,
    )
