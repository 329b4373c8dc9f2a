"""Checking the files of the open folders that are not open themselves, for clients that ask for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lsprotocol import types
from pygls.uris import from_fs_path

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Finding
from memlane.limits import MAX_BYTES_READ
from memlane.read_file import read_text
from memlane.text import Text
from memlane_server.convert import Converter
from memlane_server.limits import MAX_FILES
from memlane_server.project import file_path
from memlane_server.size_limit import GivenUp, note, refusal
from memlane_server.source_links import SourceLinks
from memlane_server.symbols import walk
from memlane_server.worker_client import TooLarge

if TYPE_CHECKING:
    from memlane_server.session_server import SessionServer

Report = types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport


@dataclass(frozen=True, slots=True)
class Check:
    """The findings of a text, as work for the worker."""

    source: str

    def run(self, config: Config) -> tuple[Finding, ...]:
        """Find them."""
        return check(self.source, config).findings


@dataclass(slots=True)
class Swept:
    """What a check of the workspace published of files that are not open. Lives on the event loop.

    Args:
        checked: the files that were checked, by their unescaped URIs: how many findings they have.
    """

    checked: dict[str, int] = field(default_factory=dict[str, int])
    _now: tuple[str, int] = "", 0

    def said(self) -> tuple[str, int]:
        """The file that is being checked, and how many were, in percent."""
        return self._now

    async def check(self, ls: SessionServer) -> dict[str, int]:
        """Publish the findings of all files that are not open; those of files that are gone are taken back."""
        folders, opened = tuple(ls.session.folders), {file.uri for file in ls.session.files()}
        found = await ls.background.look(lambda: files(folders, opened))
        for uri in {*self.checked}.difference(unquote(uri) for _, uri in found):
            self.opened(ls, uri)
        for number, (path, uri) in enumerate(found):
            self._now = path.name, 100 * number // len(found)
            await self._publish(ls, path, uri)
        return {"files": len(self.checked), "findings": sum(self.checked.values())}

    def opened(self, ls: SessionServer, uri: str) -> None:
        """A file was opened, or is gone: what was published of it would be shown twice."""
        if self.checked.pop(unquote(uri), 0):
            ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    async def closed(self, ls: SessionServer, uri: str) -> None:
        """A file was closed that would have been checked were it not open: its findings are published again."""
        path = file_path(uri)
        if self.checked and path is not None and any(path.is_relative_to(folder) for folder in ls.session.folders):
            await self._publish(ls, path, uri)

    async def _publish(self, ls: SessionServer, path: Path, uri: str) -> None:
        found = await report(ls, path, uri, None)
        if isinstance(found, types.WorkspaceFullDocumentDiagnosticReport) and not ls.session.is_open(uri):
            before = self.checked.get(unquote(uri), 0)
            self.checked[unquote(uri)] = len(found.items)
            if found.items or before:
                ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found.items))


def files(folders: Iterable[Path], opened: set[str]) -> list[tuple[Path, str]]:
    """The files to check, with their URIs: those that are not open, up to a limit."""
    found: list[tuple[Path, str]] = []
    besides = set(map(unquote, opened))
    for path in (path for folder in folders for path in walk(folder)):
        uri = from_fs_path(str(path))
        if uri is not None and unquote(uri) not in besides:
            found.append((path, uri))
        if len(found) >= MAX_FILES:
            break
    return found


async def report(ls: SessionServer, path: Path, uri: str, known: str | None) -> Report | None:
    """The findings of a file, or that they are those that the client knows; None: it cannot be read."""
    config = ls.session.project.config(uri)
    try:
        status = path.stat()
        identity = f"{status.st_mtime_ns}-{status.st_size}-{config.digest}"
        if identity == known:
            return types.WorkspaceUnchangedDocumentDiagnosticReport(uri, identity)
        refused = refusal(status.st_size, ls.session.settings.size_limit)
        if refused:
            return types.WorkspaceFullDocumentDiagnosticReport(uri, [note(refused)], result_id=identity)
        source = read_text(path, MAX_BYTES_READ)
    except (OSError, UnicodeDecodeError):
        return None
    try:
        findings: tuple[Finding, ...] = await ls.heavy.run(Check(source), config)
    except TooLarge:
        limit = ls.session.settings.memory_limit
        said = note(refusal(len(source), 0, GivenUp(len(source), limit)))
        return types.WorkspaceFullDocumentDiagnosticReport(uri, [said], result_id=identity)
    encoding, related, links = ls.session.encoding, ls.shows_related(), SourceLinks(uri, ls.session.folders)
    items = await ls.background.look(lambda: list(_diagnostics(uri, source, findings, encoding, related, links)))
    return types.WorkspaceFullDocumentDiagnosticReport(uri, items, result_id=identity)


def _diagnostics(
    uri: str, source: str, findings: Iterable[Finding], encoding: str, related: bool, links: SourceLinks
) -> Iterator[types.Diagnostic]:
    convert = Converter(Text(source), encoding)
    for finding in findings:
        yield convert.diagnostic(uri, finding, related, links)
