"""Start the language server, on stdin and stdout by default.

The server has its own arguments: `memlane server --help`.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

FORWARD = True
"""What follows the command goes to the server as it is."""


def configure(parser: ArgumentParser) -> None:
    """Nothing to declare: see `FORWARD`."""


def run(options: Namespace) -> int:
    """Serve until the client is gone."""
    from memlane_server.start import main  # pygls takes a second to import: no other command may wait for it

    return main(options.rest)
