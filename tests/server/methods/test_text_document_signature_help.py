"""textDocument/signatureHelp: the function that is being called, and which argument is being typed."""

from __future__ import annotations

import pytest
from lsp_client import Editor, Opened
from lsprotocol import types
from programs import CALLS

CALL = "@make(%n, %c)"


async def help_at(document: Opened, text: str, inside: int) -> types.SignatureHelp | None:
    asked = types.SignatureHelpParams(document.id, document.at(text, inside=inside))
    return await document.client.text_document_signature_help_async(asked)


@pytest.mark.parametrize(("typed", "active"), [("@make(", 0), ("@make(%n,", 1)])
async def test_signature_of_what_is_called(client: Editor, typed: str, active: int) -> None:
    found = await help_at(client.open(CALLS), CALL, len(typed))
    assert found is not None
    [signature] = found.signatures
    assert signature.label == "@make(%n: index, %c: i1) -> memref<?xf32>"
    places = [one.label for one in signature.parameters or () if not isinstance(one.label, str)]
    assert [signature.label[slice(*place)] for place in places] == ["%n: index", "%c: i1"]
    assert found.active_parameter == active


async def test_there_is_none_after_a_call_nor_in_an_operation(client: Editor) -> None:
    document = client.open(CALLS)
    assert await help_at(document, CALL, len(CALL)) is None
    assert await help_at(document, "memref.alloc(", len("memref.alloc(")) is None


async def test_signature_while_the_call_is_typed(client: Editor) -> None:
    document = client.open(CALLS.replace("  call @drop(%a) : (memref<?xf32>) -> ()\n", "  call @make(%a, \n"))
    found = await help_at(document, "@make(%a, ", len("@make(%a, "))
    assert found is not None and found.active_parameter == 1
