"""textDocument/definition: where the value, block or symbol at the cursor comes from; of a `loc`, what it names."""

from __future__ import annotations

from lsp_client import Editor, every_client
from lsprotocol import types
from programs import CALLS, LEAKS


@every_client
async def test_definition_counts_columns_as_the_client_does(client: Editor) -> None:
    document = client.open(LEAKS)
    for inside in (0, len("%zero") - 1):
        asked = types.DefinitionParams(document.id, document.at("%zero", 1, inside))
        found = await client.text_document_definition_async(asked)
        assert found == types.Location(document.uri, document.range("%zero"))


async def test_definition_of_a_location_is_the_place_in_its_file(client: Editor) -> None:
    document = client.open(CALLS)
    asked = types.DefinitionParams(document.id, document.at("model.py", inside=0))
    at = types.Position(11, 6)
    assert await client.text_document_definition_async(asked) == types.Location(
        "file:///w/dir/model.py", types.Range(at, at)
    )


async def test_there_is_none_beyond_the_text(client: Editor) -> None:
    document = client.open(LEAKS)
    asked = types.DefinitionParams(document.id, types.Position(9999, 9999))
    assert await client.text_document_definition_async(asked) is None
