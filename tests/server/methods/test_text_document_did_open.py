"""textDocument/didOpen: a document, of a file or not, is served by its text, with the configuration of its folder.

Of documents of other languages that an editor offers nothing is said."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from lsp_client import Editor, Start, initialization, many
from lsprotocol import types

versions = itertools.count(1)
"""Findings of one are not taken for those of a document that another test opened by the same name."""
LEAK = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n"


@pytest.mark.parametrize(
    "uri", ["untitled:Untitled-1", "git:/w/x.mlir?ref=HEAD", "vscode-vfs://github/o/r/x.mlir", "x:"]
)
async def test_documents_that_are_no_files_are_served(client: Editor, uri: str) -> None:
    document = client.open(LEAK, uri)
    assert [one.code for one in await document.findings()] == ["leak"]
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document.id))
    assert [one.name for one in many(symbols)] == ["f"]
    found = await client.ask("memlane/lanes", {"textDocument": {"uri": uri}})
    assert found["uri"] == uri


@pytest.mark.slow
async def test_each_folder_has_its_configuration(start: Start, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    (tmp_path / "one" / "memlane.toml").write_text('ignore = ["leak"]\n')
    folders = [types.WorkspaceFolder((tmp_path / name).as_uri(), name) for name in ("one", "two")]
    client = await start(initialization(workspace_folders=folders))
    for name, wanted in (("one", []), ("two", ["leak"])):
        document = client.open(LEAK, (tmp_path / name / "x.mlir").as_uri())
        assert [one.code for one in await document.findings()] == wanted


@pytest.mark.slow
async def test_what_was_found_in_the_last_session_is_published_first(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a long document, which takes a moment to check."""
    monkeypatch.delenv("MEMLANE_NO_CACHE")
    monkeypatch.setenv("MEMLANE_CACHE_DIR", str(tmp_path))
    text = "".join(LEAK.replace("@f", f"@f{number}") for number in range(1_000))

    async def published(times: int) -> list[int]:
        """How many findings are published, time by time, in a session at the end of which they are kept."""
        client = await start(initialization())
        document = client.open(text)
        await client.until("findings", lambda: len(client.findings_of(document.uri)) >= times)
        await client.until("entry", lambda: any(path.is_file() for path in tmp_path.glob("*/*/*")))
        await client.leave()
        return [*map(len, client.findings_of(document.uri))]

    assert await published(1) == [1_000]
    assert await published(2) == [1_000, 1_000], "as the document was opened, and when it had been checked"


@pytest.mark.parametrize(
    ("uri", "language"),
    [
        ("file:///w/ops.td", "tablegen"),
        ("file:///w/ops.td", "mlir"),
        ("file:///w/ops.TD", ""),
        ("file:///w/rewrites.pdll", "pdll"),
        ("file:///w/main.cpp", "cpp"),
        ("file:///w/a.mlir", "python"),
        ("untitled:Untitled-1", "plaintext"),
    ],
)
async def test_nothing_is_said_of_other_languages(client: Editor, uri: str, language: str) -> None:
    before = len(client.findings_of(uri))
    other = client.open(LEAK, uri, language).inserted(0, LEAK.replace("@f", "@g"))
    asked = types.HoverParams(other.id, other.at("%a"))
    assert await client.text_document_hover_async(asked) is None
    assert len(await client.open(LEAK).findings()) == 1
    client.close(uri)
    assert len(await client.open(LEAK).findings()) == 1
    assert not any(client.findings_of(uri)[before:])


@pytest.mark.parametrize(
    ("uri", "language"),
    [
        ("file:///w/a.mlir", ""),
        ("file:///w/a.mlir", "plaintext"),
        ("untitled:Untitled-1", "mlir"),
        ("file:///w/a", "MLIR"),
    ],
)
async def test_mlir_is_checked_whatever_its_file_is_called(client: Editor, uri: str, language: str) -> None:
    document = client.open(LEAK, uri, language, version=next(versions))
    assert len(await document.findings()) == 1


async def test_a_document_that_becomes_mlir(client: Editor) -> None:
    """Editors close and open a document whose language is changed."""
    document = client.open(LEAK, language="python")
    client.close(document.uri)
    assert len(await client.open(LEAK, document.uri, version=2).findings()) == 1


async def test_lines_end_where_the_protocol_says(client: Editor) -> None:
    document = client.open("// a\u2028b\x0cc\r// d\r\n" + LEAK)
    [found] = await document.findings()
    assert found.range.start == types.Position(3, 7)
