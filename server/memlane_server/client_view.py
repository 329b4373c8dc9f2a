"""What the user looks at, as requests and edits tell; and findings there, published before all others are known."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, TypeVar

from lsprotocol import types

from memlane.findings import Finding, Span
from memlane.ide.snapshot import File, Show
from memlane.query.findings_store import Parts
from memlane_server.background import Outdated
from memlane_server.convert import Converter
from memlane_server.limits import MAX_BRIEF_TEXT, MAX_LINES_SEEN
from memlane_server.publishing import Publisher

if TYPE_CHECKING:
    from memlane_server.session_server import SessionServer

T = TypeVar("T")

PATIENCE_SECONDS = 0.03
"""How long an answer waits for findings that a refresh could deliver later."""


class Builds(Enum):
    """What a request may build of a document: the function that it is about, or any."""

    ONE = "one"
    ANY = "any"


def is_small(seen: types.Range | types.Position) -> bool:
    """Whether a place tells what is seen."""
    return isinstance(seen, types.Position) or seen.end.line - seen.start.line <= MAX_LINES_SEEN


def is_brief(file: File, builds: Builds | None) -> bool:
    """Whether a request is answered as soon as it could be handed over, for which some functions are built."""
    if builds is None or file.parts_already is None or not file.settled:
        return False
    return (file.document.size if builds is Builds.ANY else file.document.largest) <= MAX_BRIEF_TEXT


def look(file: File, encoding: str, seen: types.Range | types.Position) -> None:
    """Note what is seen of a document."""
    convert = Converter(file.text, encoding)
    if isinstance(seen, types.Range):
        file.look(convert.span(seen))
    else:
        place = convert.offset(seen)
        file.look(Span(place, place))


def teller(ls: SessionServer, file: File, publisher: Publisher) -> Callable[[Parts], None]:
    """What publishes findings in view, while the others are still being looked for. May be called by any thread."""
    loop = asyncio.get_running_loop()

    def send(body: bytes) -> None:
        if ls.session.is_newest(file) and not ls.session.pulls:
            ls.wire.send_body(body)

    def tell(found: Parts) -> None:
        if file.document is found.document:
            loop.call_soon_threadsafe(send, publisher.publication(found, file.version))

    return tell


def shower(ls: SessionServer, file: File, publisher: Publisher) -> Show:
    """The same for findings that are known before all of the text has been read."""
    loop = asyncio.get_running_loop()

    def send(body: bytes) -> None:
        if ls.session.is_newest(file) and not ls.session.pulls and file.parts_already is None:
            ls.wire.send_body(body)

    def show(findings: tuple[Finding, ...]) -> None:
        loop.call_soon_threadsafe(send, publisher.first(file.text, findings, file.version))

    return show


class Firsts:
    """The requests that wait for the findings in view of versions, before all are known. Lives on the event loop."""

    def __init__(self) -> None:
        self._waited: dict[str, tuple[File, asyncio.Future[str]]] = {}

    async def early(self, file: File, publisher: Publisher, finding: asyncio.Future[str]) -> str | None:
        """The findings in view as a JSON list, if they are known before all are; None: those come first, or nothing
        does. All requests for one version get them.

        Args:
            finding: gives all findings. It is not cancelled.
        """
        known = self._waited.get(file.identity)
        if known is None or known[0] is not file:
            known = self._waited[file.identity] = file, _first(file, publisher)
            finding.add_done_callback(lambda _: self._waited.pop(file.identity, None))
        first = known[1]
        await asyncio.wait({finding, first}, return_when=asyncio.FIRST_COMPLETED)
        return None if finding.done() else first.result()


def _first(file: File, publisher: Publisher) -> asyncio.Future[str]:
    """Has what is found in view first, as a JSON list, if something is found before all is known."""
    loop = asyncio.get_running_loop()
    first: asyncio.Future[str] = loop.create_future()

    def take(items: str) -> None:
        if not first.done():
            first.set_result(items)

    def tell(found: Parts) -> None:
        if file.document is found.document:
            loop.call_soon_threadsafe(take, publisher.diagnostics(found))

    def show(findings: tuple[Finding, ...]) -> None:
        loop.call_soon_threadsafe(take, publisher.some(file.text, findings))

    file.view.tell, file.show = tell, show
    return first


async def find(ls: SessionServer, file: File, work: Callable[[], T]) -> T:
    """As `Background.find`. Raises `Outdated` where `file` is no longer the newest version: such work would never be
    stopped."""
    if not ls.session.is_newest(file):
        raise Outdated(file.uri)
    return await ls.background.find(file.uri, work)


async def found_later(ls: SessionServer, uri: str, then: Callable[[], None]) -> bool:
    """Wait a moment for the findings of a document; whether they are not known then: `then` is called once they are."""
    file = ls.session.file(uri)
    if file is None or file.parts_already is not None:
        return False
    waited = False

    def told(done: asyncio.Future[Parts]) -> None:
        if not done.cancelled() and done.exception() is None and waited:
            then()

    finding = asyncio.ensure_future(find(ls, file, lambda: file.parts))
    finding.add_done_callback(told)
    await asyncio.wait({finding}, timeout=PATIENCE_SECONDS)
    waited = not finding.done()
    return waited
