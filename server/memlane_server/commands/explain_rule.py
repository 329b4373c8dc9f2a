"""memlane.server.explainRule: show the page of a rule, in a browser where the client can."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pygls.exceptions import JsonRpcInvalidParams

from memlane.doc_links import rule_url
from memlane.rules import modules
from memlane_server.show_document import show_document

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

NAME = "memlane.server.explainRule"


async def run(ls: MemlaneServer, rule: str) -> bool:
    """Whether the client shows the page; else a message names the address."""
    if rule not in modules():
        raise JsonRpcInvalidParams(f"there is no rule {rule!r}")
    return await show_document(ls, rule_url(rule), None)
