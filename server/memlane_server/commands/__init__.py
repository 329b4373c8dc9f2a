"""The commands of `workspace/executeCommand`, a file per command. A module here has:

* `NAME`: the command's name;
* `run(ls, *arguments)`: a coroutine function; what it returns is the answer.

Nothing else lists them. Names begin with `memlane.server`, as clients may have commands `memlane.` of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from importlib import import_module
from inspect import signature
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcInvalidParams

if TYPE_CHECKING:
    from memlane_server.session_server import SessionServer


def register(server: SessionServer) -> None:
    """Make all commands known to the server."""
    for info in iter_modules(__path__):
        module = import_module(f"{__name__}.{info.name}")
        server.command(module.NAME)(_bound(server, module.NAME, module.run))


def _bound(
    server: SessionServer, name: str, run: Callable[..., Coroutine[Any, Any, object]]
) -> Callable[..., Coroutine[Any, Any, object]]:
    async def bound(*arguments: Any) -> object:
        try:
            signature(run).bind(server, *arguments)
        except TypeError as error:
            raise JsonRpcInvalidParams(f"{name}: {error}") from None
        if any(not isinstance(one, str) and (at == 0 or one is not None) for at, one in enumerate(arguments)):
            raise JsonRpcInvalidParams(f"{name}: its arguments are texts")
        return await run(server, *arguments)

    bound.__annotations__.clear()  # pygls takes them for classes; before Python 3.11 `Any` is another thing
    return bound
