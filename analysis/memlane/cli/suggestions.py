"""The messages about unknown words on the command line, with what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from memlane.cli.render.style import visible
from memlane.lazy import regex

_CHOICE = regex(
    r"argument (?P<name>.+?): invalid choice: (?P<word>'.*?'|\S+) \(choose from (?P<choices>.*)\)", re.DOTALL
)
_OPTION = regex(r"(?<![\w-])-{1,2}\w[\w-]*")


def no_command(word: str, commands: Iterable[str]) -> str:
    """The message about a word in the place of a command."""
    if word[:1] == "-" != word:
        return visible(f"unknown argument: {word}; a command comes first, `memlane --help` lists them")
    near = get_close_matches(word, list(commands), n=1)
    if near:
        return visible(f"there is no command {word!r}; did you mean {near[0]!r}?")
    if word == "-" or Path(word).exists():
        return visible(f"there is no command {word!r}; did you mean `memlane check {word}`?")
    return visible(f"there is no command {word!r}; `memlane --help` lists them")


def no_argument(word: str, command: str, usage: str) -> str:
    """The message about an argument that a command does not take; `usage` names those that it does."""
    near = get_close_matches(word.partition("=")[0], _OPTION.findall(usage), n=1) if word.startswith("-") else []
    hint = f"did you mean {near[0]}?" if near else f"`memlane {command} --help` lists the valid ones"
    return visible(f"unknown argument: {word}; {hint}")


def no_choice(message: str) -> str:
    """What `argparse` says of a wrong argument; of a word that is no choice, what was probably meant."""
    match = _CHOICE.fullmatch(message)
    if match is None:
        return visible(message)
    choices = [choice.strip("' ") for choice in match["choices"].split(",")]
    near = get_close_matches(match["word"].strip("'"), choices, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(choices)}"
    return visible(f"{match['name']} {match['word']}: {hint}")
