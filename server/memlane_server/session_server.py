"""What handlers, commands and views need of the server object: the session, the wire, and who works for it."""

from __future__ import annotations

from typing import cast

from pygls.lsp.server import LanguageServer

import memlane
from memlane_server.background import Background
from memlane_server.protocol import Protocol
from memlane_server.session import Session
from memlane_server.worker_client import Heavy


class SessionServer(LanguageServer):
    """A server with one session.

    Attributes:
        wire: to the client.
        background: work on documents; `heavy`: in a process of its own.
    """

    background: Background
    heavy: Heavy

    def __init__(self) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType] -- pygls leaves **kwargs untyped
            "memlane", memlane.__version__, protocol_cls=Protocol
        )
        self.wire = cast("Protocol", self.protocol)
        self.session = Session()

    def shows_related(self) -> bool:
        """Whether the client shows related information."""
        document = self.session.capabilities.text_document
        publish = document.publish_diagnostics if document else None
        return bool(publish and publish.related_information)
