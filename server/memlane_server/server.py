"""The server object, and how it starts. What it can do is in `handlers/`, a file per method."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcException, JsonRpcInvalidParams, JsonRpcMethodNotFound

from memlane.ide.hinting import hint
from memlane.ide.lanes import FunctionLanes
from memlane.ide.profile_cache import Order, known, order_of
from memlane.ide.snapshot import File
from memlane.syntax.tree.tree import Function
from memlane_server import client_view, commands, custom, gc_policy, handlers, memory_limit, progress, transport
from memlane_server.arguments import argument_parser
from memlane_server.background import Background, Latest, Outdated
from memlane_server.convert import Converter
from memlane_server.found_before import FoundBefore
from memlane_server.html_page import Pages
from memlane_server.limits import MAX_KEPT_TEXT
from memlane_server.precompute import Ahead
from memlane_server.publishing import Publisher
from memlane_server.recovering import recovering
from memlane_server.reducing import Reductions
from memlane_server.refresh import Reminder
from memlane_server.session_server import SessionServer
from memlane_server.source_links import SourceLinks
from memlane_server.tokens import Tokens
from memlane_server.warmup import warm_messages, warm_up
from memlane_server.watching import ClientProcess
from memlane_server.worker_client import Heavy
from memlane_server.workspace import Swept

log = logging.getLogger(__name__)

T = TypeVar("T")

Choose = Callable[[File, Converter], Sequence[Function]]
Work = Callable[[File, Converter, "list[FunctionLanes]"], T]

SWITCH_SECONDS = 0.001
"""How long a thread that works may keep the event loop waiting. Python's default is five times that."""

EXPECTED = (JsonRpcContentModified, JsonRpcInvalidParams, JsonRpcMethodNotFound)
"""Errors that are answers to the client, not faults of the server."""


class MemlaneServer(SessionServer):
    """One server for one client."""

    def __init__(self) -> None:
        super().__init__()
        self.background = Background(lambda: self.watch.begin())
        self.watch = memory_limit.Watch(self.session, self.background, self.give_up)
        self.heavy = Heavy(room=lambda: memory_limit.room(self.session.settings.memory_limit))
        self.checks = Latest(self.failed)
        self.redraws = Latest(self.failed)
        self.measures = Latest(self.failed)
        self.colours = Latest(self.failed)
        self.collector = gc_policy.Collector(self._make_room, lambda: self.background.working)
        self.found_before = FoundBefore()
        self.ahead = Ahead(self.background, self.found_before.keep, self.failed)
        self.pages = Pages()
        self.reductions = Reductions(self)
        self.hints = Reminder(lambda: self.workspace_inlay_hint_refresh(None))
        self.firsts = client_view.Firsts()
        self.swept = Swept()
        self.publishers: dict[str, Publisher] = {}
        self.errors: deque[str] = deque(maxlen=20)
        self.client = ClientProcess()
        handlers.register(self)
        commands.register(self)

    def check_soon(self, uri: str) -> None:
        """Publish the findings of the newest version of a document, once its edits pause."""
        self.ahead.forget(uri)
        self.busy()
        file = self.session.file(uri)
        if file is not None:
            hint(file, self._shows_hints())
        self.redraw_soon(uri)
        if file is not None and self.session.size(uri) > MAX_KEPT_TEXT:
            self.watch.look(uri)
        if self.session.refused(uri) is not None:
            self._tell_refused(uri)
        elif not self.session.pulls:
            self.checks.start(uri, partial(self._check, uri), self.session.settings.debounce / 1000)

    def give_up(self, uri: str) -> None:
        """Stop all work on a document: it takes too much memory."""
        if not self.session.give_up(uri):
            return
        self.background.outdate(uri)
        self.checks.cancel(uri)
        self.ahead.forget(uri)
        self._tell_refused(uri)
        self.refresh()

    def _tell_refused(self, uri: str) -> None:
        """Say once that a document is not analysed."""
        self.checks.cancel(uri)
        note, version = self.session.refused(uri), self.session.tell_refused(uri)
        if note is None or version is None:
            return
        if not self.session.pulls:
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, [note], version))
        text = f"{uri.rpartition('/')[2]}: {note.message}"
        log.warning(text)
        self.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))

    def busy(self) -> None:
        """Something happened: what is done while nothing does waits."""
        self.collector.busy()
        self.ahead.busy()

    def look_ahead(self, file: File) -> None:
        """A version was checked: keep what was found if it is on disk, and find out what its hints say of functions of
        which that check did not."""
        self.ahead.add(file, self.session.is_on_disk(file), self._shows_hints())

    def _shows_hints(self) -> bool:
        """Whether the client may ask for hints, and there are any for it."""
        document, settings = self.session.capabilities.text_document, self.session.settings
        return bool(document and document.inlay_hint and self.session.details and settings.shows_hints)

    def _make_room(self) -> None:
        memory_limit.make_room(self.session, self.session.settings.memory_limit, besides=self.background.at_work)

    def redraw_soon(self, uri: str) -> None:
        """Tell a client that draws a document's lanes that they changed, once its edits pause."""
        if uri in self.session.drawn:
            self.redraws.start(uri, partial(self._redraw, uri), self.session.settings.debounce / 1000)

    def stop_pushing(self) -> None:
        """The client asks for findings: what was published before it did would be shown twice."""
        if self.session.pulls:
            return
        self.session.pulls = True
        for file in self.session.files():
            self.checks.forget(file.uri)
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(file.uri, [], file.version))

    def refresh(self) -> None:
        """Results changed without an edit: clients that asked for some shall ask again."""
        if self.asks_again:
            self.workspace_diagnostic_refresh(None)
        self.refresh_details()

    @property
    def asks_again(self) -> bool:
        """Whether the client pulls diagnostics, and supports refreshes of them."""
        workspace = self.session.capabilities.workspace
        can = workspace and workspace.diagnostics and workspace.diagnostics.refresh_support
        return self.session.pulls and bool(can)

    def refresh_details(self) -> None:
        """What is shown between the lines changed without an edit."""
        workspace = self.session.capabilities.workspace
        if workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support:
            self.hints.remind()
        if workspace and workspace.code_lens and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)

    async def ask(
        self,
        uri: str,
        work: Callable[[File, Converter], T],
        language: bool = False,
        findings: bool = False,
        seen: types.Range | types.Position | None = None,
        builds: client_view.Builds | None = None,
    ) -> T | None:
        """The result of a request about the newest version of a document, worked out in a thread where that takes long.

        Args:
            work: gets the document as it is now, before any later edit.
            language: what `mlir-lsp-server` does as well; None where the client runs that one, too.
            findings: `work` needs those: others are answered while a check finds them.
            seen: what the user looks at.
            builds: the functions that `work` may build, where nothing else of it takes long.
        """
        if language and self.session.settings.features == "memory":
            return None
        encoding = self.session.encoding
        looked = seen if seen is not None and client_view.is_small(seen) else None

        async def answer(file: File) -> T:
            def look() -> None:
                if looked is not None:
                    client_view.look(file, encoding, looked)

            def answered() -> T:
                look()
                return work(file, Converter(file.text, encoding))

            if findings and file.parts_already is None:
                if looked is not None:
                    await self.background.answer(file.uri, look)
                await client_view.find(self, file, lambda: file.parts)
            return await self.background.answer(file.uri, answered, client_view.is_brief(file, builds))

        return await self.unless_edited(uri, answer)

    async def unless_edited(self, uri: str, answer: Callable[[File], Awaitable[T]]) -> T | None:
        """What `answer` gives of a document as it is now; None where it is not open, or not analysed.

        Where only its configuration changes meanwhile, it is answered again under the new one. Raises
        `JsonRpcContentModified` where the document does.
        """
        while (file := self.session.file(uri)) is not None:
            self.busy()
            await self.wire.room()
            try:
                return await recovering(self.session, file, answer)
            except Outdated:
                newest = self.session.file(uri)
                if newest is None or newest.version != file.version or newest is file:
                    raise JsonRpcContentModified(f"{uri} changed") from None
        return None

    async def ask_measured(self, uri: str, choose: Choose, work: Work[T], findings: bool = False) -> T | None:
        """As `ask`, for requests that need what functions do with memory: measured by the worker where not known.

        Args:
            choose: the functions that are needed.
            work: gets them as well, in the order chosen.
            findings: it needs those, too.
        """
        title = f"Measuring {uri.rpartition('/')[2]}"

        def answer(file: File) -> Awaitable[T]:
            measured = self._measured(file, choose, work, findings)
            return self.background.attend(file.uri, progress.shown(self, title, measured))

        return await self.unless_edited(uri, answer)

    async def _measured(self, file: File, choose: Choose, work: Work[T], findings: bool) -> T:
        convert = self.converter(file)

        def orders() -> list[Order]:
            return [order_of(file, function) for function in choose(file, convert())]

        needed = await self.background.answer(file.uri, orders)
        for order in needed:
            await self.heavy.try_to_measure(file, order)
        if findings:
            await client_view.find(self, file, lambda: file.parts)
        measured = [known(file, order) for order in needed]
        found = [one[0] for one in measured if one is not None and one[0] is not None]
        return await self.background.answer(file.uri, lambda: work(file, convert(), found))

    def recolour(self, file: File) -> None:
        """A file was checked: its semantic tokens may be newer than those of the client."""
        workspace = self.session.capabilities.workspace
        can_be_told = workspace and workspace.semantic_tokens and workspace.semantic_tokens.refresh_support
        tokens = self.session.tokens.get(file.uri)
        if tokens is not None and can_be_told:
            self.colours.start(file.uri, partial(self._recolour, file, tokens), 0)

    async def _recolour(self, file: File, tokens: Tokens) -> None:
        try:
            outdated = await self.background.answer(file.uri, lambda: tokens.outdated(file))
        except Outdated:
            return
        if outdated and self.session.is_newest(file):
            self.workspace_semantic_tokens_refresh(None)

    def measure_soon(self, uri: str, orders: Sequence[Order]) -> None:
        """Analyse functions in the background; then send a refresh to clients that support it."""
        workspace = self.session.capabilities.workspace
        file = self.session.file(uri)
        if (
            not orders
            or file is None
            or not (workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support)
        ):
            return

        async def measured() -> None:
            for order in orders:
                await self.heavy.try_to_measure(file, order)
            self.refresh_details()

        self.measures.start(uri, measured, self.session.settings.debounce / 1000)

    def converter(self, file: File) -> Callable[[], Converter]:
        """Makes the converter for a file; not on the event loop, as the text may have to be read for it."""
        encoding = self.session.encoding
        return lambda: Converter(file.text, encoding)

    def publisher(self, file: File) -> Publisher:
        """What writes the findings of a document's versions."""
        found = self.publishers.get(file.uri)
        if found is None:
            links = SourceLinks(file.uri, self.session.folders)
            found = Publisher(file.uri, self.session.encoding, self.shows_related(), links)
            self.publishers[file.uri] = found
        return found

    def failed(self, what: str, error: BaseException) -> None:
        """Something of ours went wrong: it is logged, here and at the client, and life goes on."""
        log.error("%s", what, exc_info=error)
        self.errors.append(f"{what}: {error!r}")
        text = f"{what}: {type(error).__name__}: {error}"
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, text))

    def report_server_error(self, error: Exception, source: object) -> None:
        """pygls' hook for errors in handlers. Its default pops up a message box at each."""
        again = isinstance(error, JsonRpcException) and error.code == types.LSPErrorCodes.ServerCancelled.value
        if again or isinstance(error, EXPECTED):
            return
        details: object = getattr(error, "data", None)
        log.error("internal error: %s\n%s", error, details or "")
        self.errors.append(repr(error))
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, f"internal error: {error}"))

    def shutdown(self) -> None:
        """Stop all work."""
        self.hints.close()
        self.background.close()
        self.heavy.close()
        self.pages.close()
        super().shutdown()

    async def _redraw(self, uri: str) -> None:
        await asyncio.sleep(self.session.settings.debounce / 1000)
        file = self.session.file(uri)
        if file is not None:
            self.wire.notify(custom.LANES_CHANGED, {"uri": uri, "version": file.version})

    async def _check(self, uri: str) -> None:
        file = self.session.file(uri)
        if file is not None:
            with suppress(Outdated):  # the newest version has a check of its own
                await recovering(self.session, file, self._publish)

    async def _publish(self, file: File) -> None:
        uri, publisher = file.uri, self.publisher(file)
        file.view.tell = client_view.teller(self, file, publisher)
        file.show = client_view.shower(self, file, publisher)

        def published() -> bytes:
            with self.collector.patient(file.unread):
                self.found_before.show(file)
                return publisher.publication(file.parts, file.version)

        checking = self.background.check(uri, published)
        publication = await progress.shown(self, f"Checking {uri.rpartition('/')[2]}", checking)
        self.busy()
        if self.session.is_newest(file):
            self.wire.send_body(publication)
            self.look_ahead(file)
        if uri in self.session.tokens:
            await self.background.check(uri, lambda: file.checked)
            self.recolour(file)


def main(argv: list[str] | None = None) -> int:
    """Run the server until its client is gone; `argv` without the program's name. Returns the exit code."""
    arguments = argument_parser().parse_args(argv)
    logging.basicConfig(level=arguments.log_level.upper(), format="%(levelname)s %(name)s: %(message)s")
    if arguments.log_level != "debug":  # what pygls calls errors are answers, or reported by `report_server_error`
        logging.getLogger("pygls").setLevel(logging.CRITICAL)
    output = None if arguments.tcp or arguments.ws else transport.claim_stdout()
    server = MemlaneServer()
    server.client.ends_server = True
    warm_up()
    warm_messages(server.wire)
    gc_policy.tune()
    sys.setswitchinterval(SWITCH_SECONDS)
    if output is not None:
        serving = transport.serve_stdio(server.wire, output)
    elif arguments.tcp:
        serving = transport.serve_tcp(server.wire, arguments.host, arguments.port)
    else:
        serving = transport.serve_ws(server.wire, arguments.host, arguments.port)
    try:
        asyncio.run(serving)
    except SystemExit as exit_:  # raised by pygls on the `exit` notification
        return int(exit_.code or 0)
    except (KeyboardInterrupt, BrokenPipeError):
        return 1
    except transport.CannotListen as error:
        sys.stderr.write(f"memlane server: {error}\n")
        return 2
    finally:
        server.shutdown()
    log.error("the client is gone")
    return 1
