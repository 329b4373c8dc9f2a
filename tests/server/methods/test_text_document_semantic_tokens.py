"""textDocument/semanticTokens/full, /full/delta and /range: names and symbols, with what becomes of their memory."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from lsp_client import Editor, Opened, Start, initialization
from lsprotocol import types

from memlane_server.tokens import MODIFIER_NAMES, TYPE_NAMES

PROGRAM = """\
// 😋
func.func @f(%c: i1, %x: memref<4xf32>, %n: index) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b:2 = "x.two"(%n) : (index) -> (index, index)
  memref.dealloc %a : memref<4xf32>
  "😋.use"(%c) : (i1) -> () %v = memref.load %a[%b#1] : memref<4xf32>
  %out = memref.alloc() : memref<4xf32>
  return %out : memref<4xf32>
}
"""
FREED = (5, "%a", "variable", "freed")
"""At its second mention after the deallocation, line 6 for people."""


def decoded(document: Opened, numbers: Sequence[int]) -> list[tuple[int, str, str, str]]:
    """Line (0-based), text, type and modifiers of each token."""
    found: list[tuple[int, str, str, str]] = []
    line = column = 0
    for index in range(0, len(numbers), 5):
        down, right, length, type_, modifiers = numbers[index : index + 5]
        line, column = line + down, right if down else column + right
        place = types.Range(types.Position(line, column), types.Position(line, column + length))
        said = [name for bit, name in enumerate(MODIFIER_NAMES) if modifiers >> bit & 1]
        found.append((line, document.shown(place), TYPE_NAMES[type_], " ".join(said)))
    return found


async def full(document: Opened) -> types.SemanticTokens:
    asked = types.SemanticTokensParams(document.id)
    found = await document.client.text_document_semantic_tokens_full_async(asked)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "client", ["visual-studio-code", pytest.param("neovim@v0.11", marks=pytest.mark.slow)], indirect=True
)
async def test_names_and_what_becomes_of_their_memory(client: Editor) -> None:
    document = client.open(PROGRAM)
    await document.findings()
    found = decoded(document, (await full(document)).data)
    assert FREED in found
    assert (1, "@f", "function", "") in found
    assert (1, "%c", "parameter", "declaration") in found
    assert (7, "%out", "variable", "escaped") in found


async def test_what_can_be_asked_for_is_announced(client: Editor) -> None:
    said = client.answer.capabilities.semantic_tokens_provider
    assert said is not None
    assert (list(said.legend.token_types), list(said.legend.token_modifiers)) == (TYPE_NAMES, MODIFIER_NAMES)
    assert (said.full, said.range) == (types.SemanticTokensFullDelta(delta=True), True)


async def test_a_delta_has_what_changed(client: Editor) -> None:
    document = client.open(PROGRAM)
    await document.findings()
    whole = await full(document)
    assert whole.result_id is not None
    asked = types.SemanticTokensDeltaParams(document.id, whole.result_id)
    same = await client.text_document_semantic_tokens_full_delta_async(asked)
    assert isinstance(same, types.SemanticTokensDelta) and not same.edits
    unknown = types.SemanticTokensDeltaParams(document.id, "none")
    again = await client.text_document_semantic_tokens_full_delta_async(unknown)
    assert isinstance(again, types.SemanticTokens) and again.data == whole.data


async def test_a_range_has_those_of_its_lines(client: Editor) -> None:
    document = client.open(PROGRAM)
    await document.findings()
    lines = types.Range(types.Position(4, 0), types.Position(5, 0))
    asked = types.SemanticTokensRangeParams(document.id, lines)
    some = await client.text_document_semantic_tokens_range_async(asked)
    assert some is not None
    found = decoded(document, some.data)
    assert (4, "%a", "variable", "freed") in found
    assert {line for line, *_ in found} <= {4, 5}


@pytest.mark.slow
async def test_clients_ask_again_when_a_check_changed_them(start: Start) -> None:
    client = await start(initialization())
    document = client.open(PROGRAM.replace("  memref.dealloc %a : memref<4xf32>\n", ""))
    await full(document)
    document = document.changed(PROGRAM)
    if FREED not in decoded(document, (await full(document)).data):  # else the check came first
        await client.hears(types.WORKSPACE_SEMANTIC_TOKENS_REFRESH)
        assert FREED in decoded(document, (await full(document)).data)
