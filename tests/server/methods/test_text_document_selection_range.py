"""textDocument/selectionRange: the name, the operation, its block and region: what a growing selection takes in."""

from __future__ import annotations

from itertools import pairwise

import pytest
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


@pytest.mark.parametrize(("count", "all_of_them"), [(40, True), (120, False)])
async def test_a_selection_has_as_many_steps_as_clients_read(client: Editor, count: int, all_of_them: bool) -> None:
    """The hundred innermost ones, and the last, which is all."""
    document = client.open("module {\n" * count + "%a = arith.constant 1 : i32\n" + "}\n" * count)
    asked = types.SelectionRangeParams(document.id, [document.at("%a")])
    [step] = many(await client.text_document_selection_range_async(asked))
    ranges = [step.range]
    while step.parent is not None:
        step = step.parent
        ranges.append(step.range)
    assert ranges[0] == document.range("%a") and ranges[-1].start == types.Position(0, 0)
    assert all(one.start > other.start or one.end < other.end for one, other in pairwise(ranges))
    lines = [one.start.line for one in ranges]
    gaps = [one - other for one, other in pairwise(lines)]
    assert (len(ranges) <= 100, max(gaps) <= 1) == (all_of_them, all_of_them)
    assert len(ranges) <= 101
