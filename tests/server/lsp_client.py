"""The client that tests of methods speak through: pytest-lsp's, with the documents it has open and what it was told.

It sends what the protocol has types for, and waits for answers; `client.py` sends any bytes at any time.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pytest
from attrs import evolve
from cattrs import Converter
from client import PATIENCE, REAL, Json
from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.protocol import JsonRPCNotification, JsonRPCResponseMessage, default_converter
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

T = TypeVar("T")

RECORDED = Path(__file__).parents[3] / "shared" / "client-capabilities"
KEPT = ("visual-studio-code", "neovim@v0.6", "neovim@v0.11", "emacs")
"""Clients whose capabilities pytest-lsp brings."""
CLIENTS = (*KEPT, *sorted(path.stem for path in RECORDED.glob("*.json")))
"""These, and those that were recorded beside the checkout."""
BARE = "bare"
"""A client that says nothing of what it can do."""
every_client = pytest.mark.parametrize(
    "client", [KEPT[0], *(pytest.param(name, marks=pytest.mark.slow) for name in (BARE, *CLIENTS[1:]))], indirect=True
)
"""Runs a test with each of them: with one in the quick tests, as each has a server of its own."""
_URI = "file:///w/a.mlir"
foreign_data = pytest.mark.parametrize(
    "data", [[], [_URI], {"uri": _URI}, [_URI, 1, 2, 3], "text", 5, [_URI, 1], [_URI, "1", "main"]]
)
"""Runs a test with `data` of items that the server never gave to a client."""
LANES_CHANGED = "memlane/lanesChanged"
REFRESHES = (
    types.WORKSPACE_CODE_LENS_REFRESH,
    types.WORKSPACE_DIAGNOSTIC_REFRESH,
    types.WORKSPACE_INLAY_HINT_REFRESH,
    types.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
)


def recorded(name: str) -> types.InitializeParams:
    """What a client says first: all of it where that was recorded, else its capabilities."""
    if name == BARE:
        return types.InitializeParams(types.ClientCapabilities())
    if name in KEPT:
        return types.InitializeParams(client_capabilities(name))
    said = json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8"))
    return get_converter().structure({**said, "processId": None}, types.InitializeParams)


def initialization(name: str = KEPT[0], **said: Any) -> types.InitializeParams:
    """The same with other fields of `InitializeParams`."""
    return evolve(recorded(name), **said)


def cursor(line: int, character: int) -> types.Range:
    """The range of a cursor, 0-based."""
    at = types.Position(line, character)
    return types.Range(at, at)


def many(found: Sequence[T] | None) -> list[T]:
    """An answer of several things, of which there may be none."""
    return [*(found or ())]


def converter() -> Converter:
    """What reads messages: that of pygls, but `lsprotocol` takes an action that has a command for the command.

    What the protocol has no types for, as the answers of `memlane/lanes`, stays JSON.
    """
    found = default_converter()

    def plain(read: dict[str, Any], kind: Any) -> Any:
        return kind(**read)

    for kind in (JsonRPCResponseMessage, JsonRPCNotification):
        found.register_structure_hook(kind, plain)

    def action(read: dict[str, object], _: object) -> types.Command | types.CodeAction:
        kind = types.Command if isinstance(read.get("command"), str) else types.CodeAction
        return found.structure(read, kind)

    found.register_structure_hook(types.Command | types.CodeAction, action)
    return found


class Editor(LanguageClient):
    """A client with documents.

    Attributes:
        answer: what the server said of itself. `published`: all findings that were published, oldest first.
        refreshed: the methods of all requests to ask again, oldest first. `traces`: what `$/logTrace` said.
        redrawn: what `memlane/lanesChanged` said. `registered`: what the server asked to be told of.
    """

    answer: types.InitializeResult

    def __init__(self) -> None:
        super().__init__(converter_factory=converter)  # pyright: ignore[reportUnknownMemberType] -- *args of pytest-lsp have no types
        self.published: list[types.PublishDiagnosticsParams] = []
        self.refreshed: list[str] = []
        self.traces: list[types.LogTraceParams] = []
        self.redrawn: list[Json] = []
        self.registered: list[types.Registration] = []
        self._numbers = itertools.count(1)
        self._opened: set[str] = set()
        self._shut = False
        self._asked = 0
        self._folders: list[types.WorkspaceFolder] = []

        def publish(params: types.PublishDiagnosticsParams) -> None:
            self.published.append(params)

        def register(params: types.RegistrationParams) -> None:
            self.registered.extend(params.registrations)

        def trace(params: types.LogTraceParams) -> None:
            self.traces.append(params)

        def configuration(params: types.ConfigurationParams) -> list[object]:
            self._asked += 1
            return [self.get_configuration(section=one.section, scope_uri=one.scope_uri) for one in params.items]

        def redraw(message: Any) -> None:
            self.redrawn.append(message)

        def refresh(method: str) -> Callable[[None], None]:
            return lambda _: self.refreshed.append(method)

        own = {
            types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: publish,
            types.CLIENT_REGISTER_CAPABILITY: register,
            types.LOG_TRACE: trace,
            LANES_CHANGED: redraw,
            types.WORKSPACE_CONFIGURATION: configuration,
            **{method: refresh(method) for method in REFRESHES},
        }
        register_lsp_features(self, {**DEFAULT_CLIENT_FEATURES, **own})

    @staticmethod
    async def started(params: types.InitializeParams, command: Sequence[str] = REAL) -> Editor:
        """A client and its server, after their greetings."""
        client = await ClientServerConfig(server_command=[*command], client_factory=Editor).start()
        assert isinstance(client, Editor)
        client.answer = await client.initialize_session(params)
        return client

    async def leave(self) -> None:
        """The end of the server, which must be in order; again, nothing."""
        if self.stopped:
            return
        assert self._server is not None
        if self.error is None:
            await self.shut()
            self.exit(None)
            await self._server.wait()
        await self.stop()
        assert (self._server.returncode, self.error) == (0, None)

    async def shut(self) -> None:
        """shutdown; again, nothing."""
        if not self._shut:
            self._shut = True
            await self.shutdown_async(None)

    def open(self, text: str, uri: str = "", language: str = "mlir", version: int = 1) -> Opened:
        """Open a document."""
        document = Opened(self, uri or f"file:///w/{next(self._numbers)}.mlir", text, version)
        item = types.TextDocumentItem(document.uri, language, document.version, text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))
        self._opened.add(document.uri)
        return document

    def close(self, uri: str) -> None:
        """Close a document."""
        self._opened.remove(uri)
        self.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    def open_folder(self, path: Path) -> None:
        """Open a folder, beside those that are open."""
        self._folders.append(types.WorkspaceFolder(path.as_uri(), path.name))
        self._change_folders([self._folders[-1]], [])

    def close_folders(self) -> None:
        """Close the folders that were opened."""
        if self._folders:
            self._change_folders([], self._folders)
            self._folders = []

    async def configure(self, **settings: object) -> None:
        """Give the server these settings alone, until it has them: on request if it can ask, else they are sent."""
        said = {"memlane": settings} if settings else {}
        self.set_configuration(said)
        workspace = self.capabilities.workspace if self.capabilities is not None else None
        asks, before = workspace is not None and bool(workspace.configuration), self._asked
        self.workspace_did_change_configuration(types.DidChangeConfigurationParams(None if asks else said))
        if asks:
            await self.until("question for settings", lambda: self._asked > before)
        await self.ask("memlane/lanes", {"textDocument": {"uri": "file:///none"}})  # what is sent later comes later

    async def reset(self) -> None:
        """Close what is open, and have no settings."""
        for uri in [*self._opened]:
            self.close(uri)
        self.close_folders()
        if self.get_configuration(section="memlane") is not None:
            await self.configure()

    async def ask(self, method: str, params: object) -> Any:
        """The answer to a request that the protocol has no types for, or whose parameters make no sense."""
        return await self.protocol.send_request_async(method, params)

    async def run(self, command: str, *arguments: object) -> object:
        """workspace/executeCommand"""
        return await self.workspace_execute_command_async(types.ExecuteCommandParams(command, [*arguments]))

    async def until(self, what: str, condition: Callable[[], bool]) -> None:
        """Let messages come until `condition` holds."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end and not self.stopped, f"no {what}"
            await asyncio.sleep(0.01)

    async def hears(self, method: str, before: int = 0) -> None:
        """Wait until the server said, more often than `before`, to ask again for what `method` is about."""
        await self.until(method, lambda: self.refreshed.count(method) > before)

    def _change_folders(self, added: list[types.WorkspaceFolder], removed: list[types.WorkspaceFolder]) -> None:
        event = types.WorkspaceFoldersChangeEvent(added, removed)
        self.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))

    def findings_of(self, uri: str) -> list[Sequence[types.Diagnostic]]:
        """What was published for a document, oldest first."""
        return [one.diagnostics for one in self.published if one.uri == uri]


@dataclass(frozen=True)
class Opened:
    """A version of a document that a client has open; places are in the columns that client and server agreed on."""

    client: Editor
    uri: str
    text: str
    version: int = 1

    @property
    def id(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri)

    @property
    def whole(self) -> types.Range:
        """All of it."""
        return types.Range(self.place(0), self.place(len(self.text)))

    def place(self, offset: int) -> types.Position:
        """The position of an offset."""
        before = self.text[:offset]
        return types.Position(before.count("\n"), self._width(before.rpartition("\n")[2]))

    def at(self, name: str, nth: int = 0, inside: int = 1) -> types.Position:
        """The place `inside` characters after the start of the nth mention of a text."""
        return self.place(self._start(name, nth) + inside)

    def range(self, name: str, nth: int = 0) -> types.Range:
        """The range of the nth mention of a text."""
        start = self._start(name, nth)
        return types.Range(self.place(start), self.place(start + len(name)))

    def shown(self, place: types.Range) -> str:
        """The text in a range."""
        return self.text[self._offset(place.start) : self._offset(place.end)]

    def shown_at(self, place: Json) -> str:
        """The same of a range in JSON."""
        return self.shown(get_converter().structure(place, types.Range))

    async def lanes(self, function: str | None = None, position: types.Position | None = None) -> Json:
        """memlane/lanes"""
        at = {"line": position.line, "character": position.character} if position is not None else None
        asked = {"textDocument": {"uri": self.uri}, "function": function, "position": at}
        return await self.client.ask("memlane/lanes", {key: value for key, value in asked.items() if value is not None})

    async def here(self, position: types.Position) -> Json:
        """memlane/cursor"""
        at = {"line": position.line, "character": position.character}
        return await self.client.ask("memlane/cursor", {"textDocument": {"uri": self.uri}, "position": at})

    def applied(self, edits: Sequence[types.TextEdit]) -> str:
        """The text after edits."""
        text = self.text
        for edit in sorted(edits, key=lambda one: self._offset(one.range.start), reverse=True):
            start, end = self._offset(edit.range.start), self._offset(edit.range.end)
            text = text[:start] + edit.new_text + text[end:]
        return text

    def changed(self, text: str) -> Opened:
        """Give the document another text."""
        after = replace(self, text=text, version=self.version + 1)
        id_ = types.VersionedTextDocumentIdentifier(after.version, self.uri)
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(id_, [change]))
        return after

    def inserted(self, offset: int, text: str) -> Opened:
        """Type something at an offset."""
        return self.replaced(offset, offset, text)

    def replaced(self, start: int, end: int, text: str) -> Opened:
        """Type something in place of what is between two offsets."""
        after = replace(self, text=self.text[:start] + text + self.text[end:], version=self.version + 1)
        id_ = types.VersionedTextDocumentIdentifier(after.version, self.uri)
        place = types.Range(self.place(start), self.place(end))
        change = types.TextDocumentContentChangePartial(place, text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(id_, [change]))
        return after

    async def findings(self) -> Sequence[types.Diagnostic]:
        """The findings of this version, once they are published."""

        def of_version() -> list[Sequence[types.Diagnostic]]:
            return [
                one.diagnostics for one in self.client.published if (one.uri, one.version) == (self.uri, self.version)
            ]

        await self.client.until(f"findings of {self.uri}", lambda: bool(of_version()))
        return of_version()[-1]

    async def actions(
        self,
        place: types.Range,
        shown: Sequence[types.Diagnostic] = (),
        only: Sequence[str] | None = None,
        trigger: types.CodeActionTriggerKind | None = None,
    ) -> list[types.CodeAction]:
        """What is offered at a place."""
        context = types.CodeActionContext(shown, only, trigger)
        asked = types.CodeActionParams(self.id, place, context)
        found = many(await self.client.text_document_code_action_async(asked))
        offered = [one for one in found if isinstance(one, types.CodeAction)]
        assert offered == found
        return offered

    def edits(self, edit: types.WorkspaceEdit | None) -> list[types.TextEdit]:
        """Those of this document in an edit of the workspace, in either form."""
        assert edit is not None
        if edit.changes is not None:
            return [*edit.changes[self.uri]]
        [change] = edit.document_changes or []
        assert isinstance(change, types.TextDocumentEdit) and change.text_document.uri == self.uri
        return [one for one in change.edits if isinstance(one, types.TextEdit)]

    def _start(self, name: str, nth: int) -> int:
        offset = -1
        for _ in range(nth + 1):
            offset = self.text.index(name, offset + 1)
        return offset

    def _offset(self, place: types.Position) -> int:
        lines = self.text.split("\n")
        line = lines[place.line]
        column = next(at for at in range(len(line) + 1) if self._width(line[:at]) == place.character)
        return sum(len(one) + 1 for one in lines[: place.line]) + column

    def _width(self, text: str) -> int:
        encoding = self.client.answer.capabilities.position_encoding
        assert encoding is not None
        unit = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
        return len(text.encode("utf-8" if unit == 1 else f"{encoding}-le")) // unit


class Start(Protocol):
    """Starts a server for one test, by what its client says first."""

    def __call__(self, params: types.InitializeParams, command: Sequence[str] = REAL, /) -> Awaitable[Editor]: ...


UNPOLLED = (
    *(sys.executable, "-c"),
    "import sys; from memlane_server import configuration, server; configuration.POLL_SECONDS = 1e6; "
    "sys.exit(server.main([]))",
)
"""A server that looks at configuration files when it is told to only."""
