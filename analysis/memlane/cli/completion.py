"""Print the completion script of a shell.

bash: memlane completion bash > ~/.local/share/bash-completion/completions/memlane
zsh:  memlane completion zsh > "${fpath[1]}/_memlane"
fish: memlane completion fish > ~/.config/fish/completions/memlane.fish
"""

from __future__ import annotations

from argparse import Action, ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

from memlane.cli import CLEAN, command_line
from memlane.rules import all_rules

SHELLS = ("bash", "zsh", "fish", "tcsh")
PATHS = ("FILE", "FILE|KEY=VALUE", "LOG", "BEFORE", "AFTER")
"""What arguments are called for which files are proposed."""
FOLDERS = ("DIR",)
"""And for which directories."""
RULES = ("RULE", "RULE,...")
"""And for which the names of rules."""


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("shell", choices=SHELLS, help="the shell to complete for")


def run(options: Namespace) -> int:
    """Print it."""
    import shtab  # for the few who ask for it, once

    parser = command_line([])
    for action in _actions(parser):
        if action.metavar in PATHS:
            action.complete = shtab.FILE  # pyright: ignore[reportAttributeAccessIssue] -- shtab's own attribute
        elif action.metavar in FOLDERS:
            action.complete = shtab.DIRECTORY  # pyright: ignore[reportAttributeAccessIssue] -- shtab's own attribute
        elif action.metavar in RULES:
            action.choices = tuple(all_rules())  # this parser only prints
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
