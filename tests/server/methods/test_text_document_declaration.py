"""textDocument/declaration: where the memory of the value at the cursor is allocated, through all views of it."""

from __future__ import annotations

from collections.abc import Sequence

from lsp_client import Editor
from lsprotocol import types
from programs import CALLS


async def test_declaration_is_the_origin_of_the_memory(client: Editor) -> None:
    document = client.open(CALLS)
    for name, origins in (("%w", ["%a"]), ("%s", ["%a", "%r"]), ("%n", [])):
        asked = types.DeclarationParams(document.id, document.at(name))
        found = await client.text_document_declaration_async(asked)
        assert isinstance(found, Sequence) and [*found] == [
            types.Location(document.uri, document.range(origin)) for origin in origins
        ]
