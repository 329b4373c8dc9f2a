"""memlane.server.toggleDetails: hide what is shown between the lines, or show it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

NAME = "memlane.server.toggleDetails"


async def run(ls: MemlaneServer) -> bool:
    """Whether details are shown from now on."""
    ls.session.details = not ls.session.details
    if ls.session.details and not ls.session.settings.shows_details:
        text = "Memlane: the settings hide all details (memlane.inlayHint..., memlane.codeLens)"
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))
    ls.refresh_details()
    return ls.session.details
