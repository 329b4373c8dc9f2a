"""textDocument/publishDiagnostics: findings as they change, with the version they are of, as the client shows them."""

from __future__ import annotations

import pytest
from lsp_client import Editor, every_client, many
from lsprotocol import types

LEAK = """\
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
"""


async def test_findings_follow_edits(client: Editor) -> None:
    document = client.open(LEAK)
    [found] = await document.findings()
    assert (found.source, found.code, document.shown(found.range)) == ("memlane", "possible-leak", "memref.alloc")
    assert found.data is None
    moved = document.inserted(0, "\n")
    [found] = await moved.findings()
    assert found.range.start.line == 2
    assert not await moved.changed("func.func @f() {\n  return\n}\n").findings()


@every_client
async def test_the_way_to_a_finding_is_told_to_who_shows_it(client: Editor) -> None:
    [found] = await client.open(LEAK).findings()
    document = client.capabilities.text_document if client.capabilities is not None else None
    publishes = document.publish_diagnostics if document is not None else None
    assert bool(found.related_information) == bool(publishes is not None and publishes.related_information)


@pytest.mark.slow
async def test_what_is_closed_has_no_findings(client: Editor) -> None:
    document = client.open(LEAK)
    assert await document.findings() != []
    client.close(document.uri)
    await client.until("publication", lambda: not client.findings_of(document.uri)[-1])


async def test_what_can_go_without_harm_is_marked_as_unnecessary(client: Editor) -> None:
    document = client.open("func.func @f() {\n  return  // memlane: ignore[leak]\n}\n")
    [found] = await document.findings()
    assert found.code == "unused-suppression"
    assert many(found.tags) == [types.DiagnosticTag.Unnecessary]


async def test_a_comment_that_is_typed_silences_its_line(client: Editor) -> None:
    document = client.open(LEAK)
    assert [one.code for one in await document.findings()] == ["possible-leak"]
    place = LEAK.index("\n", LEAK.index("alloc"))
    document = document.inserted(place, "  // memlane: ignore[possible-leak, double-free] not ours")
    [found] = await document.findings()
    assert found.code == "unused-suppression"
    assert document.shown(found.range).startswith("double-free")
    assert found.range.start == document.at("double-free", inside=0)
