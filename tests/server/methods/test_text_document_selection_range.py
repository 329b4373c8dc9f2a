"""textDocument/selectionRange: the name, the operation, its block and region: what a growing selection takes in."""

from __future__ import annotations

from lsp_client import Editor, every_client, many
from lsprotocol import types
from programs import LEAKS


@every_client
async def test_a_selection_grows_from_a_name_to_all(client: Editor) -> None:
    document = client.open(LEAKS)
    asked = types.SelectionRangeParams(document.id, [document.at("%zero", 1)])
    [chain] = many(await client.text_document_selection_range_async(asked))
    ranges: list[types.Range] = []
    step: types.SelectionRange | None = chain
    while step:
        ranges.append(step.range)
        step = step.parent
    assert ranges[0] == document.range("%zero", 1)
    assert len(ranges) >= 4
    starts = [one.start for one in ranges]
    assert starts == sorted(starts, key=lambda one: (one.line, one.character), reverse=True)


async def test_each_position_has_its_selection(client: Editor) -> None:
    document = client.open(LEAKS)
    asked = types.SelectionRangeParams(document.id, [document.at("%zero"), document.at("call @")])
    found = await client.text_document_selection_range_async(asked)
    assert [document.shown(one.range) for one in many(found)] == ["%zero", "call"]
