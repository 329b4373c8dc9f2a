"""textDocument/diagnostic: the findings of the newest version on request, or that the client has them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsp_client import BARE, CLIENTS, Start, initialization
from lsprotocol import types
from programs import LARGE, LEAKS, TOO_LARGE


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


@pytest.mark.slow
async def test_clients_that_ask_are_told_that_a_document_is_too_large(start: Start) -> None:
    client = await start(initialization(BARE, initialization_options={"memlane": {"sizeLimit": 1}}))
    document = client.open(LARGE)
    report = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(document.id))
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
    assert [one.message for one in report.items] == [TOO_LARGE]


@pytest.mark.slow
async def test_what_was_found_in_the_last_session_is_the_first_answer(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To a client that can be asked to ask again, of a long document; the next answer is what its check finds."""
    monkeypatch.delenv("MEMLANE_NO_CACHE")
    monkeypatch.setenv("MEMLANE_CACHE_DIR", str(tmp_path))
    workspace = types.WorkspaceClientCapabilities(diagnostics=types.DiagnosticWorkspaceClientCapabilities(True))
    document = types.TextDocumentClientCapabilities(diagnostic=types.DiagnosticClientCapabilities())
    params = types.InitializeParams(types.ClientCapabilities(workspace, document))
    text = "".join(LEAKS.replace("@", f"@f{number}_") for number in range(500))

    async def answers() -> list[tuple[bool, int]]:
        """Of each answer whether the client is asked to ask again, and how much it finds."""
        client = await start(params)
        before = types.DocumentDiagnosticParams(client.open(LEAKS).id)
        await client.text_document_diagnostic_async(before)  # from now on nothing is published
        opened = client.open(text)
        found: list[tuple[bool, int]] = []
        while not found or found[-1][0]:
            answer = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(opened.id))
            assert isinstance(answer, types.RelatedFullDocumentDiagnosticReport)
            found.append(((answer.result_id or "").endswith("-first"), len(answer.items)))
            if found[-1][0]:
                await client.hears(types.WORKSPACE_DIAGNOSTIC_REFRESH)
        await client.until("entry", lambda: any(path.is_file() for path in tmp_path.glob("*/*/*")))
        await client.leave()
        return found

    (*_, (_, every)) = await answers()
    assert every >= 500
    assert await answers() == [(True, every), (False, every)]
