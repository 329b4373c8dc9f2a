"""textDocument/codeLens and codeLens/resolve: the peak, the ideal peak and findings above functions; their picture."""

from __future__ import annotations

import pytest
from lsp_client import Editor, Opened, cursor, foreign_data, many
from lsprotocol import types
from programs import LATE
from pygls.exceptions import JsonRpcInvalidParams


async def lenses(document: Opened) -> list[types.CodeLens]:
    return many(await document.client.text_document_code_lens_async(types.CodeLensParams(document.id)))


async def told(client: Editor, lens: types.CodeLens) -> types.Command:
    command = (await client.code_lens_resolve_async(lens)).command
    assert command is not None
    return command


async def test_lenses_are_placed_at_once_and_told_when_asked(client: Editor) -> None:
    document = client.open(LATE)
    found = await lenses(document)
    assert [one.range.start.line for one in found] == [3, 3, 12, 12]
    assert [one.command is None for one in found] == [True, False] * 2
    commands = [await told(client, one) for one in found]
    assert [one.title for one in commands] == [
        "peak 8 KiB, ideal 4 KiB (2x) · 2 findings",
        "show lanes",
        "peak 16 B · 1 finding",
        "show lanes",
    ]
    assert [one.command for one in commands[:2]] == ["memlane.server.showPeak", "memlane.server.showLanes"]
    assert all(many(one.arguments)[0] == document.uri for one in commands)


async def test_lenses_follow_edits(client: Editor) -> None:
    document = client.open(LATE).inserted(0, "\n\n")
    found = await lenses(document)
    assert [one.range.start.line for one in found] == [5, 5, 14, 14]
    assert (await told(client, found[2])).title == "peak 16 B · 1 finding"


@foreign_data
async def test_data_of_lenses_that_the_server_did_not_give_are_refused(client: Editor, data: object) -> None:
    with pytest.raises(JsonRpcInvalidParams):
        await client.code_lens_resolve_async(types.CodeLens(cursor(0, 0), data=data))
