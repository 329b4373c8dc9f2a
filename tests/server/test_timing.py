"""When findings come: bursts, stale results, slow checks, requests beside them.

Through the client of raw bytes: it writes a burst in one piece, and knows when a check began and was stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from client import FAKE, Client, insertion, place

URI = "file:///w/a.mlir"
OTHER = "file:///w/b.mlir"


def typed(client: Client, text: str, first: int) -> list[dict[str, Any]]:
    """The messages that type `text` into the empty document, a version per character."""
    return [client.change(URI, first + at, insertion(text, at, text[at])) for at in range(len(text))]


@pytest.mark.slow
def test_a_burst_gives_one_publication() -> None:
    with Client(FAKE) as client:
        client.open(URI, "")
        client.diagnostics(URI, 1)
        client.write(*typed(client, "LEAK LEAK LEAK", 2))
        assert len(client.diagnostics(URI, 15)) == 3
        client.settle(0.3)
        assert [params["version"] for params in client.published(URI)] == [1, 15]


@pytest.mark.slow
def test_typing_faster_than_checks_gives_findings_at_the_pause_only() -> None:
    with Client(FAKE) as client:
        client.open(URI, "")
        client.diagnostics(URI, 1)
        for version in range(2, 11):
            client.write(client.change(URI, version, insertion("", 0, "HOLD ")))
            client.await_stderr("began", version - 1)
        client.write(client.change(URI, 11, {"text": "LEAK"}))
        assert len(client.diagnostics(URI, 11)) == 1
        assert [params["version"] for params in client.published(URI)] == [1, 11]
        client.await_stderr("stopped", 9)


@pytest.mark.slow
@pytest.mark.parametrize("word", ["HOLD", "STUBBORN"])
def test_stale_findings_are_not_published(word: str, tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    with Client(FAKE) as client:
        client.open(URI, f"LEAK {word}<{opened}>")
        client.await_stderr("began")
        client.write(client.change(URI, 2, {"text": "clean"}))
        known_by_now(client)
        opened.touch()
        assert client.diagnostics(URI, 2) == []
        assert [params["version"] for params in client.published(URI)] == [2]


@pytest.mark.slow
@pytest.mark.parametrize("word", ["HOLD", "STUBBORN"])
def test_closing_drops_the_check_under_way(word: str, tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    with Client(FAKE) as client:
        client.open(URI, f"LEAK {word}<{opened}>")
        client.await_stderr("began")
        client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
        known_by_now(client)
        opened.touch()
        client.open(OTHER, "LEAK")
        client.diagnostics(OTHER, 1)  # by the same thread, so the check of the other has ended
        assert [params["diagnostics"] for params in client.published(URI)] == [[]]


def known_by_now(client: Client) -> None:
    """Wait until the server has handled all that was written before."""
    client.reply(client.send("memlane/noSuchRequest", {}))


@pytest.mark.slow
def test_a_slow_document_does_not_silence_another_for_long() -> None:
    with Client(FAKE) as client:
        client.open(URI, "SLOW LEAK")
        client.open(OTHER, "LEAK")
        assert len(client.diagnostics(OTHER, 1)) == 1
        assert len(client.diagnostics(URI, 1)) == 1


@pytest.mark.slow
def test_long_checks_are_shown_and_can_be_stopped(tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    with Client(FAKE, capabilities={"window": {"workDoneProgress": True}}) as client:

        def told() -> list[dict[str, Any]]:
            return [message["params"] for message in client.notifications("$/progress")]

        client.open(URI, f"HOLD<{opened}> LEAK")
        client.wait("the begin of progress", lambda: len(told()) == 1)
        opened.touch()
        client.diagnostics(URI, 1)
        client.wait("its end", lambda: len(told()) == 2)
        assert [one["value"]["kind"] for one in told()] == ["begin", "end"]
        client.write(client.change(URI, 2, {"text": "HOLD"}))
        client.wait("progress", lambda: len(told()) == 3)
        client.notify("window/workDoneProgress/cancel", {"token": told()[-1]["token"]})
        client.wait("its end", lambda: len(told()) == 4)
        client.write(client.change(URI, 3, {"text": "LEAK"}))
        assert len(client.diagnostics(URI, 3)) == 1
        assert [params["version"] for params in client.published(URI)] == [1, 3]
        assert client.notifications("window/logMessage") == []


@pytest.mark.slow
@pytest.mark.parametrize("answer", [{"result": None}, {"error": {"code": -32603, "message": "no"}}])
def test_answers_that_come_after_the_end_of_what_asked(tmp_path: Path, answer: dict[str, Any]) -> None:
    opened, create = tmp_path / "opened", "window/workDoneProgress/create"
    with Client(FAKE, capabilities={"window": {"workDoneProgress": True}}) as client:
        client.silent.add(create)
        client.open(URI, f"HOLD<{opened}> LEAK")
        client.wait("what the server asks", lambda: bool(client.notifications(create)))
        opened.touch()
        client.diagnostics(URI, 1)
        client.write({"id": client.notifications(create)[0]["id"], **answer})
        client.write(client.change(URI, 2, {"text": "LEAK"}))
        assert len(client.diagnostics(URI, 2)) == 1
        assert client.notifications("$/progress") == client.notifications("window/logMessage") == []


@pytest.mark.slow
def test_requests_do_not_wait_behind_a_check() -> None:
    source = "func.func @f(%n: index) { %a = memref.alloc(%n) : memref<?xf32> return }\n"
    with Client(FAKE) as client:
        client.open(URI, source + "// HOLD\n")
        client.await_stderr("began")
        client.open(OTHER, source)
        for uri in (URI, OTHER):  # each is answered though the check never ends
            asked = {"textDocument": {"uri": uri}, "position": place(source, source.index("%a"))}
            assert "4*%n bytes" in client.request("textDocument/hover", asked)["contents"]["value"]
        assert client.published(URI) == []
        client.write(client.change(URI, 2, {"text": "LEAK"}))
        assert len(client.diagnostics(URI, 2)) == 1
