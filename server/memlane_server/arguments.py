"""The arguments of `memlane server`."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError


def argument_parser() -> ArgumentParser:
    """What reads them."""
    parser = ArgumentParser(prog="memlane server", description="Speak the Language Server Protocol.")
    transports = parser.add_mutually_exclusive_group()
    transports.add_argument("--stdio", action="store_true", help="on stdin and stdout (the default)")
    transports.add_argument("--tcp", action="store_true", help="on a TCP socket, for one client")
    transports.add_argument("--ws", action="store_true", help="on a WebSocket, for one client")
    parser.add_argument("--host", type=_host, default="127.0.0.1", help="address to listen at (%(default)s)")
    parser.add_argument("--port", type=_port, default=8888, help="port to listen at, 0: any (%(default)s)")
    parser.add_argument("--log-level", default="warning", choices=["debug", "info", "warning", "error"])
    return parser


def _host(text: str) -> str:
    if not text.strip():
        raise ArgumentTypeError("expected an address, found none; 0.0.0.0 means all of this machine's")
    return text


def _port(text: str) -> int:
    if not text.isdecimal() or int(text[:6]) > 65535:
        raise ArgumentTypeError(f"expected a number from 0 to 65535, found {text!r}")
    return int(text)
