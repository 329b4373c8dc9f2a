"""The handlers, a file per method of the protocol. A module here has:

* `METHOD`: the method's name in the protocol;
* `handle(ls, params)`: a coroutine function for requests, a plain function for notifications;
* `OPTIONS`, perhaps: what the server says of the method in its capabilities;
* `WHEN`, perhaps: the setting that has to be on when the client introduces itself, or the method is not there.

Nothing else lists them.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memlane_server.session_server import SessionServer


def register(server: SessionServer) -> None:
    """Make all handlers known to the server."""
    for module in _modules():
        if not hasattr(module, "WHEN"):
            server.feature(module.METHOD, getattr(module, "OPTIONS", None))(module.handle)


def register_wanted(server: SessionServer) -> None:
    """Make those known that depend on settings."""
    for module in _modules():
        if hasattr(module, "WHEN") and getattr(server.session.settings, module.WHEN):
            server.feature(module.METHOD, getattr(module, "OPTIONS", None))(module.handle)


def _modules() -> Iterator[ModuleType]:
    for info in iter_modules(__path__):
        yield import_module(f"{__name__}.{info.name}")
