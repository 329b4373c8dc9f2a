"""Starts the server without OpenSSL, which asyncio loads where it is installed, for connections that the server never
makes."""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib import import_module


def main(argv: Sequence[str] | None = None) -> int:
    """As `memlane_server.server.main`, for a process that does nothing else."""
    prepare()
    from memlane_server.server import main as serve

    return serve(None if argv is None else list(argv))


def prepare() -> None:
    """Load asyncio, unless it is loaded: it works without `ssl` where Python was built without. That is 5 MB less."""
    with _without("ssl"):
        import_module("asyncio")


@contextmanager
def _without(name: str) -> Generator[None, None, None]:
    """Within this context a module cannot be imported, unless it is loaded; afterwards it can."""
    if name in sys.modules:
        yield
        return
    modules: dict[str, object] = sys.modules  # pyright: ignore[reportAssignmentType] -- None is what keeps one out
    modules[name] = None
    try:
        yield
    finally:
        del modules[name]
