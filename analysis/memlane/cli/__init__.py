"""The command line: `memlane COMMAND`. A module of this package that is named in `COMMANDS` is a command.

A command module opens with the line that `memlane --help` shows, has `configure(parser)` to declare its arguments
and `run(options)` to do the work and return the exit code; one with `FORWARD = True` gets what follows its name, as
it is, in `options.rest`. Only the module of the given command is imported:
`memlane check` must not pay for the others, least of all for the server.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from contextlib import nullcontext
from importlib import import_module
from typing import NoReturn

from memlane import __version__

COMMANDS = (
    *("check", "explain", "rules", "config", "dialect", "parse"),
    *("stats", "lanes", "reduce", "diff", "passes", "server", "mcp", "clean", "completion"),
)

_VERSION = ("-V", "--version")
CLEAN, FOUND, FAILED = 0, 1, 2
"""Exit codes, as ruff's: nothing (bad) found; something found; the command could not do its work."""
COLLECT = 1_000_000
"""New objects after which a process that ends with its command looks for garbage: some 65 MB, which checks of 7 MB of
text leave behind. Ops do not count, as they are taken apart when they are not needed any more."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line (None: of this process) and return its exit code."""
    _open_streams()
    try:
        code = _run(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # `memlane check | head`: the reader has what it wanted. Python would complain once more at exit.
        _discard_output()
        return CLEAN
    except OSError as error:
        if error.filename is None:  # of a stream: a full disk, for one
            _discard_output()
        what = error.filename or "the output"
        _tell(f"{what}: {error.strerror or error}")
    except MemoryError:
        print("memlane: there is not enough memory", file=sys.stderr)
    return FAILED


def _tell(message: str) -> None:
    from memlane.cli.terminal_output import tell

    tell(message)


def _run(arguments: Sequence[str]) -> int:
    parser = command_line(arguments)
    if not arguments:
        parser.print_help(sys.stderr)
        return FAILED
    if arguments[0] not in (*COMMANDS, "-h", "--help", *_VERSION):
        from memlane.cli.suggestions import no_command

        parser.error(no_command(arguments[0], COMMANDS))
    options, rest = parser.parse_known_args(arguments)
    if rest and not options.forward:
        from memlane.cli.suggestions import no_argument

        parser.error(no_argument(rest[0], arguments[0], options.usage()))
    options.rest = rest
    from memlane.cli.rlimit import limited

    with nullcontext() if options.forward else limited():
        code: int = options.run(options)
    return code


def _open_streams() -> None:
    """Standard streams that the caller closed: nothing comes in, and what goes out goes nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 -- open as long as the process


def _discard_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class CommandParser(ArgumentParser):
    """A parser that answers a mistake in one line, with what was probably meant."""

    def error(self, message: str) -> NoReturn:
        """Print the message and exit with 2."""
        from memlane.cli.suggestions import no_choice

        self.exit(FAILED, f"{self.prog}: error: {no_choice(message)}\n")


def command_line(arguments: Sequence[str]) -> ArgumentParser:
    """The parser for `arguments`; it knows the command that they name, all if they name none, and no command where they
    ask for the version."""
    parser = CommandParser(
        "memlane",
        description="Follows every buffer of MLIR programs from its allocation to its deallocation.",
        epilog="`memlane COMMAND --help` explains a command.",
    )
    parser.add_argument(*_VERSION, action="version", version=f"memlane {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    first = arguments[0] if arguments else ""
    for name in (first,) if first in COMMANDS else () if first in _VERSION else COMMANDS:
        module = import_module(f"{__name__}.{name}")
        page = (module.__doc__ or "").strip()
        forward = getattr(module, "FORWARD", False)
        command = commands.add_parser(
            name,
            help=page.partition("\n")[0].rstrip("."),
            description=page,
            formatter_class=RawDescriptionHelpFormatter,
            add_help=not forward,
        )
        module.configure(command)
        command.set_defaults(run=module.run, forward=forward, usage=command.format_usage)
    return parser
