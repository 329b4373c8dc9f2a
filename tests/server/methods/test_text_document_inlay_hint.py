"""textDocument/inlayHint: how large a buffer is, how long it lives and who owns it, at the ends of lines; peaks.

What takes long is told later: clients are asked to ask again."""

from __future__ import annotations

import asyncio

import pytest
from lsp_client import BARE, Editor, Opened, Start, every_client, initialization, many
from lsprotocol import types
from programs import LATE, LEAKS

from memlane_server.refresh import FIRST_SECONDS

REFRESH = types.WORKSPACE_INLAY_HINT_REFRESH
TOLD = types.ClientCapabilities(
    workspace=types.WorkspaceClientCapabilities(
        inlay_hint=types.InlayHintWorkspaceClientCapabilities(refresh_support=True),
        code_lens=types.CodeLensWorkspaceClientCapabilities(refresh_support=True),
    )
)
"""A client that can be asked to ask again."""
PEAK = ["peak 8 KiB, ideal 4 KiB (2x)"]


async def hints(document: Opened) -> dict[int, list[str]]:
    """The words by line, 0-based."""
    asked = types.InlayHintParams(document.id, document.whole)
    found: dict[int, list[str]] = {}
    for hint in many(await document.client.text_document_inlay_hint_async(asked)):
        assert isinstance(hint.label, str)
        found.setdefault(hint.position.line, []).append(hint.label)
    return found


async def opened(start: Start, **said: object) -> Opened:
    """The document of a client of its own, checked: what hints repeat of findings is told at once then."""
    client = await start(initialization(BARE, capabilities=TOLD, **said))
    document = client.open(LATE)
    await document.findings()
    return document


@every_client
async def test_hints_stand_at_the_ends_of_lines(client: Editor) -> None:
    document = client.open(LEAKS)
    await document.findings()
    found = await client.text_document_inlay_hint_async(types.InlayHintParams(document.id, document.whole))
    [hint] = [one for one in many(found) if "never freed" in str(one.label)]
    assert hint.label == "4*%n B, never freed"
    assert hint.position == document.place(LEAKS.index("\n", LEAKS.index("%lost")))


@pytest.mark.slow
async def test_the_peak_is_told_later_and_ownership_at_once(start: Start) -> None:
    document = await opened(start)
    first = await hints(document)
    assert first[14] == ["owned if %c"]
    assert not any("peak" in label for labels in first.values() for label in labels)
    await document.client.hears(REFRESH)
    later = await hints(document)
    assert later[3] == PEAK
    assert later[12] == ["peak 16 B"]
    assert {line: labels for line, labels in later.items() if line not in (3, 12)} == first


@pytest.mark.slow
async def test_the_peak_is_said_by_lenses_alone_where_they_are_asked_for(start: Start) -> None:
    document = await opened(start)
    client = document.client
    await hints(document)
    await client.hears(REFRESH)
    assert (await hints(document))[3] == PEAK
    told = client.refreshed.count(REFRESH)
    assert await client.text_document_code_lens_async(types.CodeLensParams(document.id))
    await client.hears(REFRESH, told)
    assert not any("peak" in label for labels in (await hints(document)).values() for label in labels)


@pytest.mark.slow
async def test_who_draws_hints_while_it_is_told_to_ask_again_is_told_once_more(start: Start) -> None:
    """VS Code hears nothing meanwhile."""
    document = await opened(start)
    client = document.client
    await hints(document)
    await client.hears(REFRESH)  # and does not do it
    await client.hears(REFRESH, client.refreshed.count(REFRESH))
    assert (await hints(document))[3] == PEAK
    told = client.refreshed.count(REFRESH)
    await asyncio.sleep(2 * FIRST_SECONDS)
    assert client.refreshed.count(REFRESH) == told


@pytest.mark.slow
async def test_kinds_of_hints_have_switches(start: Start) -> None:
    off = {"inlayHintOwnership": False, "inlayHintPeak": False, "codeLens": False}
    document = await opened(start, initialization_options=off)
    client = document.client
    assert 14 not in await hints(document)
    assert many(await client.text_document_code_lens_async(types.CodeLensParams(document.id))) == []
    await asyncio.sleep(0.5)
    assert REFRESH not in client.refreshed
