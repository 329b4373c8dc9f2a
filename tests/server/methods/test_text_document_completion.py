"""textDocument/completion: values in scope, blocks, symbols and operations; snippets where the client takes them."""

from __future__ import annotations

from lsp_client import Editor, every_client
from lsprotocol import types
from programs import LEAKS


@every_client
async def test_completion_fills_in_and_mends_the_type(client: Editor) -> None:
    for behind, edits in (("", []), (" : memref<8xf32>", ["memref<?xf32>"])):
        document = client.open(LEAKS.replace("    return\n", f"    memref.dealloc %lo{behind}\n    return\n", 1))
        place = document.at("%lo\n" if not behind else "%lo :", inside=3)
        found = await client.text_document_completion_async(types.CompletionParams(document.id, place))
        assert found is not None and not isinstance(found, types.CompletionList)
        item = next(one for one in found if one.label == "%lost")
        assert item.text_edit is not None
        assert item.text_edit.new_text == ("%lost" if behind else "%lost : memref<?xf32>")
        assert [edit.new_text for edit in item.additional_text_edits or ()] == edits


@every_client
async def test_where_everything_fits_the_most_likely_operations_come_and_the_client_asks_again(client: Editor) -> None:
    document = client.open("func.func @f() {\n  \n}\n")
    asked = types.CompletionParams(document.id, types.Position(1, 2))
    found = await client.text_document_completion_async(asked)
    assert isinstance(found, types.CompletionList)
    assert found.is_incomplete and len(found.items) == 500
    [alloc] = [one for one in found.items if one.label == "memref.alloc"]
    assert alloc.text_edit is not None
    if takes_snippets(client):
        assert alloc.insert_text_format is types.InsertTextFormat.Snippet
        assert alloc.text_edit.new_text == "%${1:alloc} = memref.alloc() : memref<${2:4xf32}>"
    else:
        assert alloc.insert_text_format is None
        assert "$" not in alloc.text_edit.new_text


def takes_snippets(client: Editor) -> bool:
    document = client.capabilities.text_document if client.capabilities is not None else None
    item = document.completion.completion_item if document is not None and document.completion is not None else None
    return item is not None and bool(item.snippet_support)
