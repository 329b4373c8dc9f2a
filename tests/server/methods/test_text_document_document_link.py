"""textDocument/documentLink: the files that locations name; followed when they are clicked, never before."""

from __future__ import annotations

from lsp_client import Editor, many
from lsprotocol import types
from programs import CALLS


async def test_links_of_locations(client: Editor) -> None:
    document = client.open(CALLS)
    found = await client.text_document_document_link_async(types.DocumentLinkParams(document.id))
    assert [(document.shown(one.range), one.target) for one in many(found)] == [
        ('"dir/model.py":12:7', "file:///w/dir/model.py#L12,7"),
        ('"/abs/other.py":3:1', "file:///abs/other.py#L3,1"),
    ]
