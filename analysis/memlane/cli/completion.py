"""Print the completion script of a shell.

For bash: `memlane completion bash > ~/.local/share/bash-completion/completions/memlane`.
"""

from __future__ import annotations

from argparse import Action, ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

from memlane.cli import CLEAN, command_line

SHELLS = ("bash", "zsh", "fish", "tcsh")
PATHS = ("FILE", "FILE|KEY=VALUE")
"""What arguments are called for which files are proposed."""


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("shell", choices=SHELLS, help="the shell that is to read it")


def run(options: Namespace) -> int:
    """Print it."""
    import shtab  # for the few who ask for it, once

    parser = command_line([])
    for action in _actions(parser):
        if action.metavar in PATHS:
            action.complete = shtab.FILE  # pyright: ignore[reportAttributeAccessIssue] -- shtab's own attribute
    print(shtab.complete(parser, options.shell))
    return CLEAN


def _actions(parser: ArgumentParser) -> Iterator[Action]:
    """The arguments of a parser and of its commands."""
    for action in parser._actions:  # pyright: ignore[reportPrivateUsage] -- argparse has no public list of them
        yield action
        commands: Any = action.choices
        if isinstance(commands, dict):
            for command in commands.values():  # pyright: ignore[reportUnknownVariableType] -- parsers, by name
                if isinstance(command, ArgumentParser):
                    yield from _actions(command)
