"""textDocument/didChange: edits, in the columns agreed upon; what is typed is checked as a file is."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from lsp_client import BARE, Editor, Opened
from lsprotocol import types
from programs import LARGE, LEAK, TOO_LARGE

Fact = tuple[object, ...]
PROGRAM = """\
// π is no reason to lose count: 😋
func.func @fuse(%n: index, %flag: i1) -> memref<?xf32> {
  %zero = arith.constant 0.0 : f32
  %start = arith.constant 0 : index
  %lost = memref.alloc(%n) : memref<?xf32>
  %held = memref.alloc(%n) : memref<?xf32> memref.store %zero, %held[%start] : memref<?xf32>
  %result = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%result : memref<?xf32>)
  linalg.fill ins(%undefined : f32) outs(%result : memref<?xf32>)
  memref.dealloc %held : memref<?xf32>
  scf.if %flag {
    memref.dealloc %result : memref<?xf32>
  }
  memref.store %zero, %held[%start] : memref<?xf32>
  return %result : memref<?xf32>
}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("client", "encoding", "column"),
    [(BARE, "utf-16", 25), ("neovim@v0.11", "utf-8", 27), ("emacs", "utf-32", 24)],
    indirect=["client"],
)
async def test_columns_are_in_the_units_agreed_upon(client: Editor, encoding: str, column: int) -> None:
    assert client.answer.capabilities.position_encoding == encoding
    text = 'func.func @f() {\n  "😋"() : () -> () %a = memref.al() : memref<4xf32>\n  return\n}\n'
    document = client.open(text)
    at = types.Position(1, column + len("memref.al"))
    change = types.TextDocumentContentChangePartial(types.Range(at, at), "loc")
    id_ = types.VersionedTextDocumentIdentifier(2, document.uri)
    client.text_document_did_change(types.DidChangeTextDocumentParams(id_, [change]))
    changed = replace(document, text=text.replace("al()", "alloc()"), version=2)
    [found] = [one for one in await changed.findings() if one.code == "leak"]
    assert found.range.start.character == column


def facts_of_cli(path: Path) -> list[Fact]:
    """Rule, severity, place and message of each finding of `memlane check`, columns in code points, 0-based."""
    command = [sys.executable, "-m", "memlane", "check", "--output-format", "json", str(path)]
    done = subprocess.run(command, capture_output=True, timeout=600, check=False)
    assert done.returncode in (0, 1), done.stderr
    return [
        (
            found["rule"],
            found["severity"],
            found["location"]["row"] - 1,
            found["location"]["column"] - 1,
            found["end_location"]["row"] - 1,
            found["end_location"]["column"] - 1,
            found["message"],
        )
        for found in json.loads(done.stdout)
    ]


def facts_of_lsp(diagnostics: Sequence[types.Diagnostic]) -> list[Fact]:
    """The same of what a server published, for a client that counts code points."""
    return [
        (
            found.code,
            found.severity.name.lower() if found.severity is not None else None,
            *(unit for end in (found.range.start, found.range.end) for unit in (end.line, end.character)),
            found.message,
        )
        for found in diagnostics
    ]


@pytest.fixture
def on_disk(tmp_path: Path) -> Path:
    path = tmp_path / "typed.mlir"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("client", ["emacs"], indirect=True)  # which counts code points, as the command does
async def test_typing_a_function_ends_with_the_findings_of_the_command_line(client: Editor, on_disk: Path) -> None:
    wanted = facts_of_cli(on_disk)
    assert len(wanted) >= 4
    document = client.open("", on_disk.as_uri(), version=0)
    for at, character in enumerate(PROGRAM):
        document = document.inserted(at, character)
        if at % 7 == 0:
            await asyncio.sleep(0.002)
    assert document.version == len(PROGRAM)
    assert facts_of_lsp(await document.findings()) == wanted


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
async def test_typing_in_any_order_ends_with_them_too(client: Editor, on_disk: Path, seed: int) -> None:
    order = list(range(len(PROGRAM)))
    random.Random(seed).shuffle(order)
    document, typed = client.open("", on_disk.as_uri(), version=0), list[int]()
    for at in order:
        document = document.inserted(sum(other < at for other in typed), PROGRAM[at])
        typed.append(at)
    assert (document.text, document.version) == (PROGRAM, len(PROGRAM))
    found = await document.findings()
    assert [(one.code, one.message) for one in found] == [(one[0], one[-1]) for one in facts_of_cli(on_disk)]


async def asked(document: Opened) -> list[object]:
    """What the server answers about a document."""
    client, place = document.client, types.Position(1, 3)
    whole = types.Range(types.Position(0, 0), types.Position(900, 0))
    return [
        await client.text_document_hover_async(types.HoverParams(document.id, place)),
        await client.text_document_document_symbol_async(types.DocumentSymbolParams(document.id)),
        await client.text_document_inlay_hint_async(types.InlayHintParams(document.id, whole)),
        await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document.id)),
        await client.text_document_definition_async(types.DefinitionParams(document.id, place)),
        await client.text_document_folding_range_async(types.FoldingRangeParams(document.id)),
    ]


async def test_a_large_document_is_kept_and_not_analysed(client: Editor) -> None:
    """It is told of once, whatever is typed; once it is small enough it is a document like any other."""
    await client.configure(sizeLimit=1)
    client.messages.clear()
    document = client.open(LARGE)
    [note] = await document.findings()
    information = types.DiagnosticSeverity.Information
    assert (note.code, note.message, note.severity) == ("analysis-limit", TOO_LARGE, information)
    for _ in range(2):
        document = document.inserted(len(LEAK) - 1, " ")
        assert not any(await asked(document))
    name = document.uri.rpartition("/")[2]
    assert [one.message for one in client.messages] == [f"{name}: {TOO_LARGE}"]
    assert len(client.findings_of(document.uri)) == 1
    document = document.replaced(document.text.index("//"), len(document.text), "")
    assert [one.code for one in await document.findings()] == ["leak"]
    assert all((await asked(document))[:2])
    document = document.replaced(0, len(document.text), LARGE)
    assert [one.code for one in await document.findings()] == ["analysis-limit"]
    assert [one.code for one in await document.changed(LEAK).findings()] == ["leak"]
