"""memlane.server.showLanes: the picture of a document's memory, as a page in a browser.

For clients that do not draw themselves. The page is a local file: no port, no network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlane.memory_report import assumptions
from memlane_server.html_page import Page
from memlane_server.show_document import show_document

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

NAME = "memlane.server.showLanes"


async def run(ls: MemlaneServer, uri: str, function: str | None = None) -> str | None:
    """The URI of the page, of one function or of all; None where there is nothing to draw."""
    file = ls.session.file(uri)
    if file is None:
        return None
    assumed = await ls.background.answer(uri, lambda: assumptions(file.text.source, file.config))
    page = Page(file.text.source, f"Memory of {uri.rpartition('/')[2]}", function, assumed)
    drawn = await ls.heavy.run(page, file.config)
    if drawn is None:
        return None
    shown = ls.pages.keep(uri, function, drawn)
    await show_document(ls, shown, None)
    return shown
