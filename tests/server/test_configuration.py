"""Configuration files and settings: found, reloaded when they change, their mistakes shown, the last good one kept."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from client import REAL, Client
from pygls.exceptions import JsonRpcContentModified

from memlane.ide.snapshot import File
from memlane_server.background import Outdated
from memlane_server.server import MemlaneServer

LEAKING = """\
func.func @leaks() {
  %a = my.alloc : memref<4xf32>
  return
}
"""
MODELS = """\
[op."my.alloc"]
alloc = [{ result = 0 }]
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "a.mlir"
    path.write_text(LEAKING)
    return path


def put(path: Path, text: str) -> None:
    """Write a file at once: a server that looks at it meanwhile sees the old text or the new one, never a part."""
    new = path.with_suffix(".new")
    new.write_text(text)
    new.replace(path)


def codes(diagnostics: list[dict[str, Any]]) -> list[str]:
    return [found["code"] for found in diagnostics if found["code"] != "unknown-effects"]


@pytest.mark.slow
def test_a_file_beside_the_program_holds_and_is_reloaded(program: Path) -> None:
    config, uri = program.parent / "memlane.toml", program.as_uri()
    config.write_text(MODELS)
    with Client(REAL) as client:
        client.open(uri, LEAKING)
        assert codes(client.diagnostics(uri, 1)) == ["leak"]
        put(config, MODELS + '[severity]\n"leak" = "error"\n')
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": config.as_uri(), "type": 2}]})
        client.wait("an error", lambda: client.published(uri)[-1]["diagnostics"][0]["severity"] == 1)
        config.unlink()
        client.wait("no config", lambda: codes(client.published(uri)[-1]["diagnostics"]) == [])


@pytest.mark.slow
def test_a_new_file_is_noticed_without_being_told(program: Path) -> None:
    uri = program.as_uri()
    with Client(REAL) as client:
        client.open(uri, LEAKING)
        assert codes(client.diagnostics(uri, 1)) == []
        put(program.parent / "memlane.toml", MODELS)
        client.wait("the leak", lambda: codes(client.published(uri)[-1]["diagnostics"]) == ["leak"])


@pytest.mark.slow
def test_mistakes_are_shown_in_the_file_and_the_last_good_one_is_kept(program: Path) -> None:
    config, uri = program.parent / "memlane.toml", program.as_uri()
    config.write_text(MODELS)
    with Client(REAL) as client:
        client.open(uri, LEAKING)
        assert codes(client.diagnostics(uri, 1)) == ["leak"]
        put(config, "# a comment\nignroe = []\n")
        client.wait("the mistake", lambda: bool(client.published(config.as_uri())))
        [found] = client.published(config.as_uri())[-1]["diagnostics"]
        assert found["range"]["start"]["line"] == 1
        assert "ignroe" in found["message"] and "ignore" in found["message"]
        client.open(uri, LEAKING, version=2)
        assert codes(client.diagnostics(uri, 2)) == ["leak"]
        put(config, MODELS)
        client.wait("all well", lambda: client.published(config.as_uri())[-1]["diagnostics"] == [])


@pytest.mark.slow
def test_mistakes_go_with_their_file(program: Path) -> None:
    config, uri = program.parent / "memlane.toml", program.as_uri()
    put(config, MODELS + "nonsense = 1\n")
    with Client(REAL) as client:
        client.open(uri, LEAKING)
        client.wait("the mistake", lambda: bool(client.published(config.as_uri())))
        assert client.published(config.as_uri())[-1]["diagnostics"]
        config.unlink()
        client.wait("no mistake", lambda: not client.published(config.as_uri())[-1]["diagnostics"])
        client.wait("no config", lambda: codes(client.published(uri)[-1]["diagnostics"]) == [])


@pytest.mark.slow
def test_settings_name_another_file(program: Path) -> None:
    uri = program.as_uri()
    (program.parent / "other.toml").write_text(MODELS)
    settings: dict[str, Any] = {}
    capabilities = {"workspace": {"configuration": True}}
    root = {"uri": program.parent.as_uri(), "name": "w"}
    with Client(REAL, capabilities=capabilities, workspaceFolders=[root]) as client:
        client.answers["workspace/configuration"] = lambda _: [settings]
        client.open(uri, LEAKING)
        assert codes(client.diagnostics(uri, 1)) == []
        settings["config"] = "other.toml"
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        client.wait("the leak", lambda: codes(client.published(uri)[-1]["diagnostics"]) == ["leak"])
        settings["config"] = 7
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        client.wait("a complaint", lambda: bool(client.notifications("window/logMessage")))
        assert "memlane.config" in client.notifications("window/logMessage")[0]["params"]["message"]


@pytest.mark.slow
def test_a_client_without_questions_pushes_its_settings(program: Path) -> None:
    uri = program.as_uri()
    (program.parent / "other.toml").write_text(MODELS)
    with Client(REAL, rootUri=program.parent.as_uri()) as client:
        client.open(uri, LEAKING)
        assert codes(client.diagnostics(uri, 1)) == []
        client.notify("workspace/didChangeConfiguration", {"settings": {"memlane": {"config": "other.toml"}}})
        client.wait("the leak", lambda: codes(client.published(uri)[-1]["diagnostics"]) == ["leak"])


SAFE = "source.fixAll.memlane"
RESOLVES = {"textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}}
LOST = """\
func.func @loses() {
  %a = memref.alloc() : memref<4xf32>
  return
}
"""


def asking(uri: str) -> dict[str, Any]:
    """The parameters of a request for all safe fixes."""
    place = {"line": 0, "character": 0}
    context = {"diagnostics": [], "only": [SAFE]}
    return {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": context}


def push(client: Client, **rules: str) -> None:
    client.notify("workspace/didChangeConfiguration", {"settings": {"memlane": {"rules": rules}}})


@pytest.mark.slow
def test_an_action_holds_though_settings_change_before_its_edit_is_asked_for(program: Path) -> None:
    uri = program.as_uri()
    with Client(REAL, capabilities=RESOLVES) as client:
        client.open(uri, LOST)
        [action] = client.request("textDocument/codeAction", asking(uri))
        push(client, leak="error")
        [[edit]] = client.request("codeAction/resolve", action)["edit"]["changes"].values()
        assert "memref.dealloc %a" in edit["newText"]


@pytest.mark.slow
def test_an_action_does_not_hold_for_another_version(program: Path) -> None:
    uri = program.as_uri()
    with Client(REAL, capabilities=RESOLVES) as client:
        client.open(uri, LOST)
        [action] = client.request("textDocument/codeAction", asking(uri))
        client.write(client.change(uri, 2, {"text": LOST}))
        assert "edit" not in client.request("codeAction/resolve", action)


@pytest.mark.parametrize("edited", [False, True])
def test_what_is_asked_while_settings_change_is_answered_under_the_new_ones(edited: bool) -> None:
    server, uri = MemlaneServer(), "untitled:a"
    server.session.open(uri, 1, LOST)
    asked: list[File] = []

    async def answer(file: File) -> str:
        asked.append(file)
        if len(asked) == 1:
            server.session.project.override(('severity = { leak = "error" }',))
            assert len(server.session.reconfigure()) == 1
            if edited:
                server.session.change(uri, 2, [])
            raise Outdated(uri)
        return next(one.severity for one in file.checked.findings).value

    try:
        if edited:
            with pytest.raises(JsonRpcContentModified):
                asyncio.run(server.unless_edited(uri, answer))
            assert len(asked) == 1
        else:
            assert asyncio.run(server.unless_edited(uri, answer)) == "error"
    finally:
        server.shutdown()


@pytest.mark.slow
def test_a_client_that_watches_files_is_asked_to(program: Path) -> None:
    capabilities = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
    with Client(REAL, capabilities=capabilities) as client:
        client.wait("registration", lambda: bool(client.notifications("client/registerCapability")))
        [asked] = client.notifications("client/registerCapability")[0]["params"]["registrations"]
    assert asked["method"] == "workspace/didChangeWatchedFiles"


@pytest.mark.slow
def test_a_client_that_never_answers_gets_its_findings(program: Path) -> None:
    uri = program.as_uri()
    (program.parent / "memlane.toml").write_text(MODELS)
    with Client(REAL, capabilities={"workspace": {"configuration": True}}) as client:
        client.silent.add("workspace/configuration")
        client.open(uri, LEAKING)
        assert codes(client.diagnostics(uri, 1)) == ["leak"]


@pytest.mark.slow
def test_what_an_editor_says_stands_above_the_file(program: Path) -> None:
    uri = program.as_uri()
    (program.parent / "memlane.toml").write_text(MODELS + '[severity]\n"leak" = "hint"\n')
    said: dict[str, Any] = {"rules": {"leak": "default"}, "check": {"ignore": None}}
    with Client(REAL, rootUri=program.parent.as_uri()) as client:
        client.open(uri, LEAKING)
        client.diagnostics(uri, 1)

        def push() -> None:
            client.notify("workspace/didChangeConfiguration", {"settings": {"memlane": said}})

        def shown() -> list[tuple[str, int]]:
            found = client.published(uri)[-1]["diagnostics"]
            return [(one["code"], one["severity"]) for one in found if one["code"] != "unknown-effects"]

        said["rules"] = {"leak": "error"}
        push()
        client.wait("an error", lambda: shown() == [("leak", 1)])
        said["rules"] = {"leak": "default"}
        push()
        client.wait("the file's", lambda: shown() == [("leak", 4)])
        said["check"] = {"ignore": ["leak"], "limits": {"alloc": "1 GiB"}}
        push()
        client.wait("nothing", lambda: shown() == [])
        said["check"] = {"limits": {"alloc": "much"}}
        push()
        client.wait("a complaint", lambda: bool(client.notifications("window/logMessage")))
        assert "limits.alloc" in client.notifications("window/logMessage")[-1]["params"]["message"]
        client.wait("the file's again", lambda: shown() == [("leak", 4)])
