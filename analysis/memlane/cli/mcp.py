"""Serve agents over the Model Context Protocol, on stdin and stdout: tools check, explain, stats, lanes and fix.

Only programs below one directory are read, and written where an agent asks `fix` for it. Needs the extra `mcp`:
`pip install 'memlane[mcp]'`.
"""

from __future__ import annotations

import gc
from argparse import ArgumentParser, Namespace
from importlib.util import find_spec
from pathlib import Path

from memlane.cli import CLEAN, FAILED
from memlane.cli.terminal_output import tell

COLLECT = 20_000
"""As `memlane.cli.COLLECT`, for a process that goes on."""


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--root", type=Path, default=Path(), metavar="DIR", help="the directory whose programs are served; default: ."
    )


def run(options: Namespace) -> int:
    """Serve until the client is gone."""
    if find_spec("mcp") is None:
        tell("the MCP server needs the extra `mcp`: pip install 'memlane[mcp]'")
        return FAILED
    if not options.root.is_dir():
        tell(f"{options.root} is no directory")
        return FAILED
    from memlane.agent.serve import serve  # the SDK takes a second to import

    gc.set_threshold(COLLECT, 10, 10)
    serve(options.root)
    return CLEAN
