"""textDocument/documentSymbol: an outline of chunks, modules, functions and the buffers that they allocate."""

from __future__ import annotations

import pytest
from lsp_client import Editor, every_client
from lsprotocol import types
from programs import LEAKS


@every_client
async def test_outline_nests_functions_and_their_buffers(client: Editor) -> None:
    document = client.open(LEAKS)
    found = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document.id))
    able = client.capabilities.text_document if client.capabilities is not None else None
    if able is None or not (able.document_symbol and able.document_symbol.hierarchical_document_symbol_support):
        listed = [one for one in found or () if isinstance(one, types.SymbolInformation)]
        named = [(one.name, one.container_name) for one in listed]
        assert named[:2] == [("leaks", None), ("%lost", "leaks")] and ("calls", None) in named
        assert len(listed) == len(found or ())
        return
    symbols = [one for one in found or () if isinstance(one, types.DocumentSymbol)]
    assert [symbol.name for symbol in symbols] == ["leaks", "calls"]
    assert [child.name for child in symbols[0].children or ()] == ["%lost"]
    assert [symbol.selection_range for symbol in symbols] == [document.range("@leaks"), document.range("@calls")]


@pytest.mark.parametrize(("modules", "beside"), [(51, 1), (52, 2), (60, 10)])
async def test_an_outline_is_nested_as_deep_as_clients_read(client: Editor, modules: int, beside: int) -> None:
    """What is deeper stands side by side, in the fifty-first: none is lost."""
    text = "".join(f"module @m{number} {{\n" for number in range(modules))
    document = client.open(f"{text}func.func @f() {{\n  return\n}}\n{'}' * modules}\n")
    level = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document.id)) or ()
    for number in range(51):
        [outer] = [one for one in level if isinstance(one, types.DocumentSymbol)]
        assert outer.name == f"m{number}"
        level = outer.children or ()
    names = [*(f"m{number}" for number in range(51, modules)), "f"]
    assert [one.name for one in level] == names and len(names) == beside
    assert not any(one.children for one in level if isinstance(one, types.DocumentSymbol))
