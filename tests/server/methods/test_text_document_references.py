"""textDocument/references: all mentions of a value, block or symbol."""

from __future__ import annotations

import pytest
from lsp_client import Editor, every_client, many
from lsprotocol import types
from programs import LEAKS


@every_client
async def test_references_leave_out_the_declaration_on_request(client: Editor) -> None:
    document = client.open(LEAKS)
    mentions = [types.Location(document.uri, document.range("%lost", nth)) for nth in range(2)]
    for include, wanted in ((True, mentions), (False, mentions[1:])):
        context = types.ReferenceContext(include_declaration=include)
        asked = types.ReferenceParams(context, document.id, document.at("%lost", 1))
        found = await client.text_document_references_async(asked)
        assert many(found) == wanted


@pytest.mark.parametrize("nth", [0, 1])
async def test_references_of_a_symbol_are_found_from_each_of_them(client: Editor, nth: int) -> None:
    document = client.open(LEAKS)
    asked = types.ReferenceParams(types.ReferenceContext(True), document.id, document.at("@leaks", nth))
    found = await client.text_document_references_async(asked)
    assert many(found) == [types.Location(document.uri, document.range("@leaks", one)) for one in range(2)]
