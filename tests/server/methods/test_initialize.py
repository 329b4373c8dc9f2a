"""initialize, initialized: the server notes what the client can do and says what it can do.

Columns, features, and how it is to be told of edits."""

from __future__ import annotations

import pytest
from lsp_client import BARE, Editor, Start, every_client, initialization
from lsprotocol import types
from programs import CALLS, LEAKS

LANGUAGE = ("definition", "references", "document_symbol", "rename", "completion", "document_link", "workspace_symbol")
MEMORY = ("hover", "declaration", "implementation", "document_highlight", "code_action", "inlay_hint", "code_lens")


@every_client
async def test_every_client_gets_its_findings(client: Editor) -> None:
    document = client.open(LEAKS)
    found = await document.findings()
    assert [one.code for one in found if one.severity is None or one.severity < 3] == ["leak"]
    [leak] = (one for one in found if one.code == "leak")
    assert leak.range == document.range("memref.alloc")


@every_client
async def test_columns_are_those_that_the_client_prefers(client: Editor) -> None:
    assert client.capabilities is not None
    general = client.capabilities.general
    encodings = (general.position_encodings if general is not None else None) or ["utf-16"]
    assert client.answer.capabilities.position_encoding == encodings[0]


@every_client
async def test_features_of_the_language_and_of_memory_are_announced(client: Editor) -> None:
    said = client.answer.capabilities
    assert [name for name in (*LANGUAGE, *MEMORY) if not getattr(said, f"{name}_provider")] == []
    assert said.text_document_sync is not None and not isinstance(said.text_document_sync, int)
    assert said.text_document_sync.change is types.TextDocumentSyncKind.Incremental


@pytest.mark.slow
async def test_memory_features_stay_where_the_other_server_runs(start: Start) -> None:
    client = await start(initialization(BARE, initialization_options={"features": "memory"}))
    document = client.open(CALLS)
    assert await client.text_document_document_link_async(types.DocumentLinkParams(document.id)) is None
    assert await client.workspace_symbol_async(types.WorkspaceSymbolParams("")) is None
    place = types.TypeHierarchyPrepareParams(document.id, document.at("%v"))
    assert await client.text_document_prepare_type_hierarchy_async(place) is not None


@pytest.mark.slow
async def test_the_other_server_keeps_its_features(start: Start) -> None:
    client = await start(initialization(BARE, initialization_options={"features": "memory"}))
    document = client.open(LEAKS)
    place = document.at("%zero", 1)
    assert await client.text_document_definition_async(types.DefinitionParams(document.id, place)) is None
    lost = types.HoverParams(document.id, document.at("%lost"))
    assert await client.text_document_hover_async(lost) is not None


async def test_settings_given_at_the_start_stay_where_the_client_has_no_others(start: Start) -> None:
    client = await start(initialization(initialization_options={"features": "memory"}))  # answers null when asked
    document = client.open(LEAKS)
    await document.findings()
    place = types.DefinitionParams(document.id, document.at("%zero", 1))
    assert await client.text_document_definition_async(place) is None
