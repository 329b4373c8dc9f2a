"""memlane.server.checkWorkspace: publish the findings of the files in the open folders that are not open themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlane_server import progress

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

NAME = "memlane.server.checkWorkspace"


async def run(ls: MemlaneServer) -> dict[str, int]:
    """How many files were checked, and how many findings they have. The client may stop it: what was found stays."""
    swept = ls.swept
    return await progress.shown(ls, "Checking the workspace", swept.check(ls), swept.said)
