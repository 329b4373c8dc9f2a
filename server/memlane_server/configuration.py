"""Settings and configuration files while the server runs: asked for, watched, reloaded, their mistakes shown.

Clients differ: some answer `workspace/configuration`, some only push settings, some watch files, some do not. So
files are looked at every few seconds too; a client that watches makes it immediate.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from memlane.dialects.problem import DataProblem
from memlane.findings import Span
from memlane.read_file import read_text
from memlane.text import Text
from memlane_server.convert import Converter
from memlane_server.overrides import overrides
from memlane_server.project import file_path
from memlane_server.settings import parse_settings

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

log = logging.getLogger(__name__)

POLL_SECONDS = 2.0
SECTION = "memlane"
WATCHED = "**/*.toml"
"""Configuration files may `extend` others and name files of models, of any name."""


def section_of(settings: object) -> object:
    """What concerns Memlane in settings that a client pushed: under the key `memlane`, or all of it."""
    if isinstance(settings, Mapping) and SECTION in settings:
        return cast("Mapping[str, object]", settings)[SECTION]
    return cast("object", settings)


def apply(ls: MemlaneServer, section: object) -> None:
    """Take over the settings of a client."""
    settings, problems = parse_settings(section)
    for problem in problems:
        log.error(problem)
        ls.window_log_message(types.LogMessageParams(types.MessageType.Error, problem))
    project = ls.session.project
    ls.session.settings = settings
    project.explicit = (project.root or Path.cwd()) / settings.config if settings.config else None
    for mistake in project.override(overrides(settings.rules, settings.check)):
        log.error(mistake)
        ls.window_log_message(types.LogMessageParams(types.MessageType.Error, mistake))
    recheck(ls)


def recheck(ls: MemlaneServer) -> None:
    """Check the documents whose configuration changed, and show what is wrong in configuration files."""
    changed = ls.session.reconfigure()
    for file in changed:
        ls.background.outdate(file.uri)
        ls.check_soon(file.uri)
    show_problems(ls)
    if changed:
        ls.refresh()


def show_problems(ls: MemlaneServer) -> None:
    """Publish the mistakes in configuration files, where they are not as published before."""
    none: dict[str, list[DataProblem]] = {uri: [] for uri in ls.session.shown}  # of a file that is gone there are none
    for uri, problems in (none | ls.session.project.problems()).items():
        if ls.session.shown.get(uri, []) != problems:
            ls.session.shown[uri] = problems
            diagnostics = [_diagnostic(ls, uri, problem) for problem in problems]
            ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))


async def pull(ls: MemlaneServer) -> None:
    """Ask the client for its settings, if it answers such questions: one that has none gives `null`, and those that it
    gave at the start stay."""
    workspace = ls.session.capabilities.workspace
    if not (workspace and workspace.configuration):
        return
    item = types.ConfigurationItem(section=SECTION)
    try:
        [section] = await ls.workspace_configuration_async(types.ConfigurationParams([item]))
    except (JsonRpcException, ValueError) as error:
        log.error("the client did not send its configuration: %s", error)
        return
    apply(ls, section if section is not None else ls.session.initial_settings)


async def watch(ls: MemlaneServer) -> None:
    """Ask the client to notify the server of changed configuration files, if it can."""
    workspace = ls.session.capabilities.workspace
    watching = workspace.did_change_watched_files if workspace else None
    if not (watching and watching.dynamic_registration):
        return
    options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(WATCHED)])
    registration = types.Registration("memlane-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    try:
        await ls.client_register_capability_async(types.RegistrationParams([registration]))
    except JsonRpcException as error:
        log.warning("the client does not watch files: %s", error)


async def poll_files(ls: MemlaneServer) -> None:
    """Look at the configuration files every few seconds, as long as the server runs."""
    while True:
        await asyncio.sleep(POLL_SECONDS)
        if ls.session.files():
            ls.session.project.refresh()
            recheck(ls)


def _diagnostic(ls: MemlaneServer, uri: str, problem: DataProblem) -> types.Diagnostic:
    text = _text(uri)
    line = min(problem.line, text.line_count) - 1
    span = Span(text.offset(line, 0), text.line_end(line))
    where = f"{problem.where}: " if problem.where else ""
    valid = f" (valid: {', '.join(problem.choices)})" if problem.choices else ""
    return types.Diagnostic(
        Converter(text, ls.session.encoding).range(span),
        f"{where}{problem.message}{valid}",
        severity=types.DiagnosticSeverity.Error,
        code="configuration",
        source="memlane",
    )


def _text(uri: str) -> Text:
    path = file_path(uri)
    try:
        return Text(read_text(path) if path and path.is_file() else "")
    except (OSError, ValueError):  # the problem that is shown says so
        return Text("")
