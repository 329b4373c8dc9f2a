"""textDocument/publishDiagnostics: findings as they change, with the version they are of, as the client shows them."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_client import BARE, Editor, Opened, every_client, many
from lsprotocol import types
from programs import LOCATED, located

from memlane.query.limits import MIN_LEFT

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


async def test_a_finding_reaches_the_client_with_all_it_can_show(client: Editor, folder: Path) -> None:
    (folder / "memlane.toml").write_text('[severity]\nunused-buffer = "error"\n')
    text = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  memref.dealloc %a : memref<4xf32>\n  return\n}\n"
    document = client.open(text, (folder / "a.mlir").as_uri(), version=7)
    [found] = await document.findings()
    assert found.range == document.range("memref.alloc")
    assert (found.code, found.source) == ("unused-buffer", "memlane")
    assert (found.severity, found.tags) == (types.DiagnosticSeverity.Error, (types.DiagnosticTag.Unnecessary,))
    assert found.code_description is not None and found.code_description.href.endswith("/rules/unused-buffer/")
    [related] = many(found.related_information)
    assert related.message == "freed here"
    assert related.location == types.Location(document.uri, document.range("memref.dealloc"))


@pytest.mark.slow
@pytest.mark.parametrize("client", [BARE], indirect=True)
async def test_edits_within_a_line_are_followed(client: Editor) -> None:
    document = client.open(LEAK.replace("alloc", "alloca", 1).replace("    memref.dealloc %a : memref<4xf32>\n", ""))
    assert not await document.findings()
    at = document.text.index("a()")
    document = document.replaced(at, at + 1, "")
    [found] = await document.findings()
    assert found.range.start == types.Position(1, 7)
    assert found.related_information is None


async def leaks(document: Opened) -> dict[str, types.Diagnostic]:
    """The leaks by the buffers they name."""
    found = [one for one in await document.findings() if one.code == "leak"]
    return {name: one for one in found for name in ("%a", "%b", "%c") if name in one.message}


def source(leak: types.Diagnostic) -> types.DiagnosticRelatedInformation:
    """Where the memory comes from, which is said last."""
    return many(leak.related_information)[-1]


async def test_findings_lead_to_files_of_the_workspace_and_name_others(client: Editor, tmp_path: Path) -> None:
    folder = located(tmp_path)
    client.open_folder(folder)
    document = client.open(LOCATED, (folder / "a.mlir").as_uri())
    found = await leaks(document)
    last = {name: source(one) for name, one in found.items()}
    assert [one.message for one in last.values()] == [
        "from model.py:12",
        "from lib/shared.py:7",
        "from ../outside.py:3",
    ]
    assert [one.location.uri for one in last.values()] == [
        (folder / "model.py").as_uri(),
        (folder / "lib" / "shared.py").as_uri(),
        document.uri,
    ]
    assert last["%a"].location.range.start == types.Position(11, 4)
    assert last["%c"].location.range == found["%c"].range


async def test_another_line_of_an_alias_is_said_at_once(client: Editor, tmp_path: Path) -> None:
    folder = located(tmp_path)
    client.open_folder(folder)
    document = client.open(LOCATED, (folder / "a.mlir").as_uri())
    await leaks(document)
    at = LOCATED.index(":7")
    document = document.replaced(at, at + 2, ":8")
    assert source((await leaks(document))["%b"]).message == "from lib/shared.py:8"


@pytest.mark.slow
@pytest.mark.parametrize("client", [BARE], indirect=True)
async def test_clients_without_related_information_read_it_in_the_message(client: Editor, tmp_path: Path) -> None:
    folder = located(tmp_path)
    client.open_folder(folder)
    found = await leaks(client.open(LOCATED, (folder / "a.mlir").as_uri()))
    assert found["%a"].message.endswith(" (from model.py:12)")


async def test_without_an_open_folder_there_are_no_links(client: Editor, tmp_path: Path) -> None:
    document = client.open(LOCATED, (located(tmp_path) / "a.mlir").as_uri())
    last = source((await leaks(document))["%a"])
    assert (last.message, last.location.uri) == ("from model.py:12", document.uri)


COUNT = 3 * MIN_LEFT
MANY = "".join(
    f"func.func @f{number}() {{\n  %a = memref.alloc() : memref<4xf32>\n  return\n}}\n" for number in range(COUNT)
)
"""So many functions that those in view are told of before the others."""


async def test_the_client_gets_findings_of_what_it_edits_before_the_others(client: Editor) -> None:
    document = client.open(MANY.replace("memref.alloc", "memref.alloca"))
    assert not await document.findings()
    line = MANY[: MANY.index("@f40()")].count("\n")
    at = types.Position(line + 1, 2)
    changes = [
        types.TextDocumentContentChangePartial(document.whole, MANY),
        types.TextDocumentContentChangePartial(types.Range(at, at), "// seen\n  "),
    ]
    id_ = types.VersionedTextDocumentIdentifier(2, document.uri)
    client.text_document_did_change(types.DidChangeTextDocumentParams(id_, changes))
    await client.until("all findings", lambda: len(client.findings_of(document.uri)[-1]) == COUNT)
    first, *last = [one for one in client.published if one.uri == document.uri][1:]
    assert [one.version for one in (first, *last)] == [2, 2]
    assert [one.range.start.line for one in first.diagnostics] == [line + 2]


@pytest.mark.slow
async def test_what_a_client_gets_before_all_was_read_stays_true(client: Editor) -> None:
    text = MANY * 12
    for number in range(COUNT * 12):
        text = text.replace(f"@f{number % COUNT}()", f"@name{number}()", 1)
    document = client.open(text)
    shown = types.Range(types.Position(0, 0), types.Position(60, 0))
    await client.text_document_inlay_hint_async(types.InlayHintParams(document.id, shown))

    def told() -> list[types.PublishDiagnosticsParams]:
        return [one for one in client.published if one.uri == document.uri]

    await client.until("all findings", lambda: [len(one.diagnostics) for one in told()][-1:] == [12 * COUNT])
    *first, last = told()
    for one in first:
        assert one.version == last.version
        assert all(diagnostic in last.diagnostics for diagnostic in one.diagnostics)
