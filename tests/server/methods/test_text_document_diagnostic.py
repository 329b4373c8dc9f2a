"""textDocument/diagnostic: the findings of the newest version on request, or that the client has them."""

from __future__ import annotations

import asyncio

import pytest
from lsp_client import CLIENTS, Start, initialization
from lsprotocol import types
from programs import LEAKS


def pulls(name: str) -> bool:
    """Whether a client asks for findings."""
    document = initialization(name).capabilities.text_document
    return document is not None and document.diagnostic is not None


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in CLIENTS if pulls(name)])
async def test_a_client_that_asks_for_findings_is_not_told_them_as_well(start: Start, name: str) -> None:
    client = await start(initialization(name))
    document = client.open(LEAKS)
    assert await document.findings()
    full = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(document.id))
    assert isinstance(full, types.RelatedFullDocumentDiagnosticReport)
    assert [one.code for one in full.items] == ["leak"]
    assert not client.findings_of(document.uri)[-1]
    asked = types.DocumentDiagnosticParams(document.id, previous_result_id=full.result_id)
    same = await client.text_document_diagnostic_async(asked)
    assert isinstance(same, types.RelatedUnchangedDocumentDiagnosticReport)
    assert same.result_id == full.result_id
    document.changed(LEAKS.replace("memref.alloc(", "memref.alloca("))
    other = await client.text_document_diagnostic_async(asked)
    assert isinstance(other, types.RelatedFullDocumentDiagnosticReport)
    assert not other.items
    await asyncio.sleep(0.2)
    assert len(client.findings_of(document.uri)) == 2
