"""textDocument/hover: a value with all names of its memory, what an operation does to memory, what a function needs."""

from __future__ import annotations

from lsp_client import Editor, Opened, every_client
from lsprotocol import types
from programs import LEAKS


async def told(document: Opened, name: str, nth: int = 0) -> str | None:
    """The text at a mention of a name."""
    found = await document.client.text_document_hover_async(types.HoverParams(document.id, document.at(name, nth)))
    if found is None:
        return None
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


@every_client
async def test_hover_tells_size_and_effects(client: Editor) -> None:
    document = client.open(LEAKS)
    value = await told(document, "%lost")
    assert value is not None and "4*%n bytes" in value
    operation = await told(document, "memref.alloc")
    assert operation is not None and "allocates %lost on the heap" in operation.replace("`", "")
    symbol = await told(document, "@leaks", 1)
    assert symbol is not None and "func.func @leaks(%n: index)" in symbol
    assert "Peak 4*%n B, in line 5. 1 buffer: %lost 4*%n B." in symbol.replace("`", "")
    assert await told(document, "that leaks") is None


@every_client
async def test_hover_is_of_the_name_in_the_columns_of_the_client(client: Editor) -> None:
    document = client.open(LEAKS)
    asked = types.HoverParams(document.id, document.at("%lost", 1))
    found = await client.text_document_hover_async(asked)
    assert found is not None and found.range == document.range("%lost", 1)


@every_client
async def test_contents_are_in_a_form_that_the_client_shows(client: Editor) -> None:
    document = client.open(LEAKS)
    found = await client.text_document_hover_async(types.HoverParams(document.id, document.at("%lost")))
    assert found is not None and isinstance(found.contents, types.MarkupContent)
    able = client.capabilities.text_document if client.capabilities is not None else None
    shown = able.hover.content_format if able is not None and able.hover is not None else None
    assert shown is None or found.contents.kind in shown
    assert ("`" in found.contents.value) is (found.contents.kind is types.MarkupKind.Markdown)
    assert "%lost" in found.contents.value


async def test_unknown_documents_have_no_answers(client: Editor) -> None:
    unknown = types.TextDocumentIdentifier("file:///w/none.mlir")
    assert await client.text_document_hover_async(types.HoverParams(unknown, types.Position(0, 0))) is None
