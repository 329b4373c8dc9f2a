"""The handlers, a file per method of the protocol. A module here has:

* `METHOD`: the method's name in the protocol;
* `handle(ls, params)`: a coroutine function for requests, a plain function for notifications;
* `OPTIONS`, perhaps: what the server says of the method in its capabilities.

Nothing else lists them.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer


def register(server: MemlaneServer) -> None:
    """Make all handlers known to the server."""
    for info in iter_modules(__path__):
        module = import_module(f"{__name__}.{info.name}")
        server.feature(module.METHOD, getattr(module, "OPTIONS", None))(module.handle)
