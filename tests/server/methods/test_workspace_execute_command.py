"""workspace/executeCommand: pictures, pages of rules, peaks, checks of all files; what a click on a lens does."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import cast
from urllib.parse import unquote, urlparse

import pytest
from lsp_client import BARE, Editor, Start, foreign_data, initialization, many
from lsprotocol import types
from programs import LATE
from pygls.exceptions import JsonRpcInvalidParams, JsonRpcRequestCancelled

URI = "file:///w/late.mlir"
LEAK = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n"
CLEAN = "func.func @f() {\n  return\n}\n"
PEAK, LANES = "memlane.server.showPeak", "memlane.server.showLanes"


async def test_a_lens_leads_to_the_peak(client: Editor) -> None:
    document = client.open(LATE)
    client.shown_documents.clear()
    assert await client.run(PEAK, document.uri, "late") is True
    [shown] = client.shown_documents
    assert shown.selection is not None
    assert (shown.uri, shown.selection.start.line) == (document.uri, 6)
    assert await client.run(PEAK, document.uri, "none") is False


@pytest.mark.slow
async def test_the_picture_is_a_file_that_goes_with_the_server(start: Start) -> None:
    client = await start(initialization())
    document = client.open(LATE)
    uri = await client.run(LANES, document.uri, "late")
    assert isinstance(uri, str)
    [shown] = client.shown_documents
    assert (shown.uri, shown.external) == (uri, True)
    path = Path(unquote(urlparse(uri).path))
    page = path.read_text()
    assert "@late" in page
    assert "@leaks" not in page.split("<pre")[0]
    assert await client.run(LANES, document.uri) != uri
    assert await client.run(LANES, document.uri, "nothing") is None
    await client.leave()
    assert not path.exists()


@pytest.mark.slow
@pytest.mark.parametrize("client", [BARE], indirect=True)
async def test_who_cannot_show_documents_is_told_where_it_is(client: Editor) -> None:
    document = client.open(LATE)
    client.messages.clear()
    uri = await client.run(LANES, document.uri)
    [said] = client.messages
    assert isinstance(uri, str) and uri in said.message


@pytest.mark.slow
async def test_details_are_hidden_and_shown_again(start: Start) -> None:
    client = await start(initialization())
    document = client.open(LATE)

    async def details() -> tuple[int, int]:
        hints = await client.text_document_inlay_hint_async(types.InlayHintParams(document.id, document.whole))
        lenses = await client.text_document_code_lens_async(types.CodeLensParams(document.id))
        return len(many(hints)), len(many(lenses))

    told = client.refreshed.count(types.WORKSPACE_CODE_LENS_REFRESH)
    assert await client.run("memlane.server.toggleDetails") is False
    assert await details() == (0, 0)
    assert client.refreshed.count(types.WORKSPACE_CODE_LENS_REFRESH) > told
    assert await client.run("memlane.server.toggleDetails") is True
    assert 0 not in await details()


@pytest.mark.slow
async def test_information_has_no_text_of_documents(start: Start) -> None:
    client = await start(initialization(client_info=types.ClientInfo("tests", "1")))
    document = client.open(LATE)
    found = cast("dict[str, object]", await client.run("memlane.server.information"))
    known = {"uri": document.uri, "version": 1, "lines": 19, "functions": 3}
    assert (found["client"], found["documents"]) == ("tests 1", [known])
    assert "@leaks" not in str(found)


@pytest.mark.parametrize("arguments", [[], [URI], [URI, "late", "more"]])
async def test_commands_with_other_arguments_are_refused(client: Editor, arguments: list[str]) -> None:
    client.open(LATE, URI)
    with pytest.raises(JsonRpcInvalidParams):
        await client.run(PEAK, *arguments)


@foreign_data
async def test_arguments_that_are_no_texts_are_refused(client: Editor, data: object) -> None:
    with pytest.raises(JsonRpcInvalidParams):
        await client.run(LANES, [data])


@pytest.mark.slow
async def test_a_check_of_the_workspace_publishes_what_files_have_that_are_not_open(
    start: Start, tmp_path: Path
) -> None:
    for name, text in (("a.mlir", LEAK), ("b.mlir", CLEAN), ("c.mlir", LEAK)):
        (tmp_path / name).write_text(text)
    a, c = ((tmp_path / name).as_uri() for name in ("a.mlir", "c.mlir"))
    client = await start(initialization(workspace_folders=[types.WorkspaceFolder(tmp_path.as_uri(), "w")]))

    def last(uri: str) -> list[object]:
        return [one.code for one in client.findings_of(uri)[-1]]

    document = client.open(CLEAN, c)
    assert not await document.findings()
    assert await client.run("memlane.server.checkWorkspace") == {"files": 2, "findings": 1}
    [found] = client.findings_of(a)[-1]
    assert (found.code, bool(found.related_information)) == ("leak", True)
    assert last(c) == []
    document = client.open(CLEAN, a)
    assert not await document.findings()
    for uri in (a, c):  # as they are on disk
        client.close(uri)
        await client.until(f"findings of {uri}", lambda uri=uri: last(uri) == ["leak"])
    (tmp_path / "a.mlir").unlink()
    assert await client.run("memlane.server.checkWorkspace") == {"files": 2, "findings": 1}
    assert last(a) == []


@pytest.mark.slow
async def test_who_cancels_a_check_of_the_workspace_stops_it(start: Start, tmp_path: Path) -> None:
    """What was found by then stays."""
    for number in range(40):
        (tmp_path / f"{number}.mlir").write_text(LEAK * 200)
    client = await start(initialization(workspace_folders=[types.WorkspaceFolder(tmp_path.as_uri(), "w")]))
    sent: list[str | int] = []
    send = client.protocol.send_request_async

    def noted(method: str, params: object = None, msg_id: str | int | None = None) -> object:
        sent.append(msg_id or "check")
        return send(method, params, sent[-1])

    client.protocol.send_request_async = noted  # pyright: ignore[reportAttributeAccessIssue] -- to know its number
    asked = asyncio.ensure_future(client.run("memlane.server.checkWorkspace"))
    await client.until("findings of a file", lambda: bool(client.published))
    client.protocol.send_request_async = send
    client.cancel_request(types.CancelParams(sent[0]))
    with pytest.raises(JsonRpcRequestCancelled):
        await asked
    found = len(client.published)
    assert found < 40
    await asyncio.sleep(1)  # in which some files more would be checked
    assert len(client.published) == found
