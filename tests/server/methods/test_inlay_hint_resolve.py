"""inlayHint/resolve: what a hint means, where it leads, and the edit that repairs what it says."""

from __future__ import annotations

from typing import cast

import pytest
from attrs import evolve
from lsp_client import Editor, Opened, every_client, foreign_data, many
from lsprotocol import types
from programs import LATE, LEAKS
from pygls.exceptions import JsonRpcInvalidParams

from memlane.checking import check


async def hints(document: Opened) -> list[types.InlayHint]:
    await document.findings()
    asked = types.InlayHintParams(document.id, document.whole)
    return many(await document.client.text_document_inlay_hint_async(asked))


async def test_hints_tell_more_when_asked(client: Editor) -> None:
    document = client.open(LATE)
    by_line = {
        one.position.line: await client.inlay_hint_resolve_async(one)
        for one in await hints(document)
        if "peak" not in one.label
    }
    owned, size, lost = by_line[14], by_line[4], by_line[13]
    assert not isinstance(owned.label, str) and not isinstance(size.label, str)
    [part] = owned.label
    assert part.value == "owned if %c"
    assert "it must be freed or returned" in str(part.tooltip)
    assert part.location is not None and part.location.range.start.line == 12
    assert size.label[0].location is not None and size.label[0].location.range.start.line == 8
    assert "memref.dealloc %lost" in many(lost.text_edits)[0].new_text


@every_client
async def test_accepting_a_hint_repairs_what_it_says(client: Editor) -> None:
    document = client.open(LEAKS)
    [hint] = [one for one in await hints(document) if "never freed" in str(one.label)]
    resolved = await client.inlay_hint_resolve_async(hint)
    repaired = document.applied(many(resolved.text_edits))
    assert "memref.dealloc %lost" in repaired
    assert not [one for one in check(repaired).findings if one.rule.name == "leak"]
    assert "never freed" in str(resolved.tooltip)


async def test_a_hint_of_another_version_has_no_edit(client: Editor) -> None:
    document = client.open(LEAKS)
    [hint] = [one for one in await hints(document) if "never freed" in str(one.label)]
    uri, _, *rest = cast("list[object]", hint.data)
    stale = await client.inlay_hint_resolve_async(evolve(hint, data=[uri, "other", *rest]))
    assert stale.text_edits is None


@foreign_data
async def test_data_of_hints_that_the_server_did_not_give_are_refused(client: Editor, data: object) -> None:
    with pytest.raises(JsonRpcInvalidParams):
        await client.inlay_hint_resolve_async(types.InlayHint(types.Position(0, 0), "a", data=data))
