"""Comments that silence findings hold in editors as they do on the command line, while they are typed."""

from __future__ import annotations

import pytest
from client import Client

URI = "file:///silenced.mlir"
LEAK = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n"
SILENT = LEAK.replace("4xf32>\n", "4xf32>  // memlane: ignore[leak, double-free] not ours\n", 1)


@pytest.mark.slow
def test_a_comment_that_is_typed_silences_its_line() -> None:
    with Client() as client:
        client.open(URI, LEAK, version=1)
        assert [found["code"] for found in client.diagnostics(URI, 1)] == ["leak"]
        client.write(client.change(URI, 2, {"text": SILENT}))
        [found] = client.diagnostics(URI, 2)
        assert found["code"] == "unused-suppression"
        assert found["range"]["start"] == {"line": 1, "character": SILENT.split("\n")[1].index("double-free")}
        actions = client.request(
            "textDocument/codeAction",
            {"textDocument": {"uri": URI}, "range": found["range"], "context": {"diagnostics": [found]}},
        )
        assert "Remove double-free from the comment" in [action["title"] for action in actions]
