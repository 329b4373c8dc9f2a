"""memlane/lanesChanged: a client that asked for the lanes of a document is told when they are others."""

from __future__ import annotations

import asyncio

import pytest
from lsp_client import Editor, Opened
from programs import FATES

SETTLED = 0.3
"""Seconds after which it would have been told."""


@pytest.mark.slow
async def test_who_draws_is_told_of_changes_until_the_document_is_closed(client: Editor) -> None:
    document = client.open(FATES)

    def told() -> list[object]:
        return [one for one in client.redrawn if one["uri"] == document.uri]

    def edited(before: Opened, times: int = 1) -> Opened:
        for _ in range(times):
            before = before.inserted(0, "\n")
        return before

    document = edited(document)
    await asyncio.sleep(SETTLED)
    assert told() == []
    assert (await document.lanes())["version"] == 2
    document = edited(document, times=3)
    await client.until("a change", lambda: bool(told()))
    assert told() == [{"uri": document.uri, "version": 5}]
    client.close(document.uri)
    edited(client.open(FATES, document.uri, version=6))
    await asyncio.sleep(SETTLED)
    assert len(told()) == 1
