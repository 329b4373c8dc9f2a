"""Session: the one thing that changes. Open documents, the client's settings, and what it can show.

Everything that leaves here is a `File`, which never changes.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from lsprotocol import types

from memlane.dialects.problem import DataProblem
from memlane.findings import Edit, Span
from memlane.ide.snapshot import File
from memlane_server import size_limit
from memlane_server.buffer import Buffer
from memlane_server.convert import from_units
from memlane_server.project import Project
from memlane_server.settings import Settings
from memlane_server.tokens import Tokens

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Document:
    """An open document: its text under edit and the snapshot of its newest version.

    Args:
        refused: why it is not analysed; "": it is. `told`: the client was notified.
        given_up: its analysis was, as it took too much memory.
        on_disk: the version that is, as far as the client has said, by its identity.
    """

    buffer: Buffer
    file: File
    refused: str = ""
    told: bool = False
    given_up: size_limit.GivenUp | None = None
    on_disk: str = ""


@dataclass(slots=True)
class Session:
    """What is known of one client.

    Args:
        encoding: in what the client counts columns.
        capabilities: what it can do.
        initial_settings: those that it gave at the start; they hold where it has no others.
        pulls: it asks for findings, so none are published.
        shown: the problems of configuration files that it was sent, by URI.
        client: its name and version, as it said them.
        folders: those that are open, in their order.
        details: what is shown between the lines is not hidden for now.
        lenses: it asked for lenses: those say the peaks, hints do not repeat them.
        tokens: the semantic tokens that it knows, by URI.
        drawn: documents whose lanes it asked for: it is notified when they change.
        passed_over: documents of other languages, of which nothing is said.
    """

    encoding: str = types.PositionEncodingKind.Utf16.value
    capabilities: types.ClientCapabilities = field(default_factory=types.ClientCapabilities)
    initial_settings: object = None
    settings: Settings = field(default_factory=Settings)
    project: Project = field(default_factory=Project)
    pulls: bool = False
    shown: dict[str, list[DataProblem]] = field(default_factory=dict[str, "list[DataProblem]"])
    client: str = ""
    folders: dict[Path, None] = field(default_factory=dict[Path, None])
    details: bool = True
    lenses: bool = False
    tokens: dict[str, Tokens] = field(default_factory=dict[str, Tokens])
    drawn: set[str] = field(default_factory=set[str])
    passed_over: set[str] = field(default_factory=set[str])
    _documents: dict[str, Document] = field(default_factory=dict[str, Document])

    def open(self, uri: str, version: int, text: str) -> None:
        """A document was opened; opened again, its new text counts."""
        if _key(uri) in self._documents:
            log.warning("opened twice: %s", uri)
        self.passed_over.discard(_key(uri))
        buffer = Buffer(text)
        file = self._snapshot(uri, version, buffer)
        document = self._documents[_key(uri)] = Document(buffer, file, on_disk=file.identity)
        self._judge(document)

    def pass_over(self, uri: str) -> None:
        """A document of another language was opened: it is not kept, and neither are its edits."""
        self._documents.pop(_key(uri), None)
        self.passed_over.add(_key(uri))

    def change(self, uri: str, version: int, changes: Iterable[types.TextDocumentContentChangeEvent]) -> bool:
        """A document was edited, one change after the other. False: there is no such document."""
        document = self._documents.get(_key(uri))
        if document is None and _key(uri) in self.passed_over:
            return False
        if document is None:
            log.error("changed without being open: %s", uri)
            return False
        each = [self._apply(document, change) for change in changes]
        edits = [edit for edit in each if edit is not None]
        config = self.project.config(uri)
        before = document.refused
        self._judge(document)
        if len(edits) < len(each) or before or document.refused:
            view = document.file.view
            document.file = File(uri, version, document.buffer.leaves(), config)
            document.file.view = view
        else:
            document.file = document.file.edited(version, document.buffer.leaves(), config, tuple(edits))
            if edits:
                document.file.view.span = Span(edits[-1].span.start, edits[-1].span.start + len(edits[-1].content))
        return True

    def save(self, uri: str) -> File | None:
        """The newest version of a document was saved; gives it as `file` does."""
        file = self.file(uri)
        if file is not None:
            self._documents[_key(uri)].on_disk = file.identity
        return file

    def close(self, uri: str) -> None:
        """A document was closed."""
        self.tokens.pop(uri, None)
        self.project.forget(uri)
        if self._documents.pop(_key(uri), None) is None and _key(uri) not in self.passed_over:
            log.error("closed without being open: %s", uri)
        self.passed_over.discard(_key(uri))

    def file(self, uri: str) -> File | None:
        """The newest version of a document, None where it is not open or not to be analysed."""
        document = self._documents.pop(_key(uri), None)
        if document is None:
            return None
        self._documents[_key(uri)] = document  # now the last one that is to be forgotten
        return None if document.refused else document.file

    def is_open(self, uri: str) -> bool:
        """Whether a document is open, analysed or not."""
        return _key(uri) in self._documents or _key(uri) in self.passed_over

    def is_newest(self, file: File) -> bool:
        """Whether a document is analysed and this is its newest version, also where all that was known is forgotten."""
        document = self._documents.get(_key(file.uri))
        return document is not None and not document.refused and document.file.identity == file.identity

    def is_on_disk(self, file: File) -> bool:
        """Whether a version is the one that was opened or saved last."""
        document = self._documents.get(_key(file.uri))
        return document is not None and document.on_disk == file.identity

    def size(self, uri: str) -> int:
        """The characters of a document, 0 where it is not open."""
        document = self._documents.get(_key(uri))
        return document.buffer.size if document is not None else 0

    def refused(self, uri: str) -> types.Diagnostic | None:
        """What is to be said of a document that is not analysed; None: it is."""
        document = self._documents.get(_key(uri))
        return size_limit.note(document.refused) if document is not None and document.refused else None

    def tell_refused(self, uri: str) -> int | None:
        """The version for which the client is to be notified that it is not analysed; None: it is, or the client was
        notified."""
        document = self._documents.get(_key(uri))
        if document is None or not document.refused or document.told:
            return None
        document.told = True
        return document.file.version

    def give_up(self, uri: str) -> bool:
        """Analyse a document no more, until that may take less memory; whether it was."""
        document = self._documents.get(_key(uri))
        if document is None or document.refused:
            return False
        document.given_up = size_limit.GivenUp(document.buffer.size, self.settings.memory_limit)
        self._judge(document)
        document.file = document.file.forgotten(document.buffer.leaves())
        return True

    def forget(self, uri: str) -> bool:
        """Forget what is known of a document; whether there was something."""
        document = self._documents.get(_key(uri))
        if document is None or document.file.blank:
            return False
        document.file = document.file.forgotten(document.buffer.leaves())
        return True

    def anew(self, file: File) -> File | None:
        """The same version, of which nothing is known that comes from versions before; None: it is not the newest."""
        document = self._documents.get(_key(file.uri))
        if document is None or not self.is_newest(file):
            return None
        if document.file.derived:
            document.file = document.file.forgotten(document.buffer.leaves())
        return document.file

    def forget_one(self, besides: Collection[str] = ()) -> bool:
        """As `forget`, of the document that was asked about longest ago, and that is not one of `besides`."""
        kept = set(map(_key, besides))
        return any(key not in kept and self.forget(document.file.uri) for key, document in self._documents.items())

    def tokens_of(self, uri: str) -> Tokens:
        """The semantic tokens of a document, as the client knows them."""
        only_memory = self.settings.features == "memory"
        found = self.tokens.get(uri)
        if found is None or found.only_memory != only_memory:
            found = self.tokens[uri] = Tokens(self.encoding, only_memory)
        return found

    def files(self) -> list[File]:
        """The newest versions of all open documents."""
        return [document.file for document in self._documents.values()]

    def reconfigure(self) -> list[File]:
        """The configuration may have changed: the documents that it changed for, under their new one."""
        changed: list[File] = []
        for document in self._documents.values():
            config = self.project.config(document.file.uri)
            before = document.refused
            self._judge(document)
            if config is not document.file.config:
                document.file = document.file.with_config(config)
            elif document.refused == before:
                continue
            changed.append(document.file)
        return changed

    def workspace_edit(self, file: File, edits: list[types.TextEdit]) -> types.WorkspaceEdit:
        """Edits of one version of a document, in the form the client understands; only that version takes them."""
        workspace = self.capabilities.workspace
        if workspace and workspace.workspace_edit and workspace.workspace_edit.document_changes:
            document = types.OptionalVersionedTextDocumentIdentifier(file.uri, file.version)
            return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, list(edits))])
        return types.WorkspaceEdit(changes={file.uri: edits})

    def _judge(self, document: Document) -> None:
        """Find out whether a document is to be analysed, by its text and the settings."""
        before, size, settings = document.refused, document.buffer.size, self.settings
        if document.given_up is not None and not document.given_up.holds(size, settings.memory_limit):
            document.given_up = None
        document.refused = size_limit.refusal(size, settings.size_limit, document.given_up)
        document.told = document.told and bool(before) and bool(document.refused)

    def _snapshot(self, uri: str, version: int, buffer: Buffer) -> File:
        return File(uri, version, buffer.leaves(), self.project.config(uri))

    def _apply(self, document: Document, change: types.TextDocumentContentChangeEvent) -> Edit | None:
        """Change the buffer; gives what changed, None when all did."""
        if isinstance(change, types.TextDocumentContentChangeWholeDocument):
            document.buffer = Buffer(change.text)
            return None
        start, end = (self._place(document, at) for at in (change.range.start, change.range.end))
        if end < start:
            log.error("an edit of %s ends before it starts: %s", document.file.uri, change.range)
            start, end = end, start
        span = Span(document.buffer.offset(*start), document.buffer.offset(*end))
        document.buffer.replace(start, end, change.text)
        return Edit(span, change.text)

    def _place(self, document: Document, position: types.Position) -> tuple[int, int]:
        """The line and column, in code points, of a client's position."""
        if position.line > document.buffer.line_count:
            log.error("an edit of %s is beyond its end: line %d", document.file.uri, position.line)
        line = document.buffer.line(position.line)
        return position.line, from_units(line, position.character, self.encoding)


def _key(uri: str) -> str:
    """Clients may escape one path in several ways."""
    return unquote(uri)
