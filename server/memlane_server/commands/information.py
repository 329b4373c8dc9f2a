"""memlane.server.information: what a report about a problem should have in it. Nothing of the documents' texts."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import memlane

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

NAME = "memlane.server.information"
PARTS = ("pygls", "lsprotocol", "lark")


async def run(ls: MemlaneServer) -> dict[str, Any]:
    """Versions, the process, the client, settings, documents, and the last errors."""
    session = ls.session
    return {
        "memlane": memlane.__version__,
        "python": f"{platform.python_implementation()} {platform.python_version()} at {sys.executable}",
        "platform": platform.platform(),
        "parts": {name: version(name) for name in PARTS},
        "process": {"id": os.getpid(), **_memory()},
        "client": session.client,
        "encoding": session.encoding,
        "pulls": session.pulls,
        "settings": {name: str(value) for name, value in session.settings.items()},
        "configuration": sorted(str(path) for file in session.files() for path in file.config.files),
        "documents": [
            {"uri": file.uri, "version": file.version, "large": True}
            if session.refused(file.uri)
            else {
                "uri": file.uri,
                "version": file.version,
                "lines": file.text.line_count,
                "functions": len(file.functions),
            }
            for file in session.files()
        ],
        "errors": list(ls.errors),
    }


def _memory() -> dict[str, int]:
    """The most memory that the process had so far, in bytes, where the system tells."""
    try:
        import resource
    except ImportError:
        return {}
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"peak_bytes": most if sys.platform == "darwin" else most * 1024}
