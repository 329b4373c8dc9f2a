"""textDocument/implementation: what frees the memory of the value at the cursor, through all views of it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from lsp_client import Editor
from lsprotocol import types

PROGRAM = """\
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<8xf32>
  %v = memref.cast %a : memref<8xf32> to memref<?xf32>
  scf.if %c {
    memref.dealloc %a : memref<8xf32>
  } else {
    memref.dealloc %v : memref<?xf32>
  }
  return
}
"""


@pytest.mark.parametrize("name", ["%a", "%v"])
async def test_implementation_is_all_that_frees_the_memory(client: Editor, name: str) -> None:
    document = client.open(PROGRAM)
    asked = types.ImplementationParams(document.id, document.at(name))
    found = await client.text_document_implementation_async(asked)
    frees = [types.Location(document.uri, document.range("memref.dealloc", nth)) for nth in range(2)]
    assert isinstance(found, Sequence) and [*found] == frees
